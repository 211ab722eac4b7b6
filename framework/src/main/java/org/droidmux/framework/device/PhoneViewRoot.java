package org.droidmux.framework.device;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.graphics.Rect;
import android.view.View;
import android.view.ViewRootImpl;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowViewRootImpl;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

/**
 * A window's root, which is drawn once a frame after it was laid out. In flow the views that have changed; out flows, to
 * {@link Frames}, the part of the window that they cover. The framework would name the whole window, as a graphics
 * processor keeps what each view has drawn; here all of it would be drawn anew for a button that fades.
 *
 * <p>A new window is measured twice before it is laid out, as on a phone, whose window manager tells each new window a
 * configuration and insets in between (AOSP, {@code ViewRootImpl.performTraversals}). Layouts count on that: below a bar
 * that fits the system's windows, a page is measured only the second time.
 */
@Implements(className = "android.view.ViewRootImpl", isInAndroidSdk = false)
public class PhoneViewRoot extends ShadowViewRootImpl {
  /** So many views are no small part any more. */
  private static final int MOST_CHANGED = 64;

  private final List<View> changed = new ArrayList<>();
  private boolean byDescendant;
  private boolean all;

  @Implementation
  protected void onDescendantInvalidated(View child, View descendant) {
    if (!all && !changed.contains(descendant)) {
      changed.add(descendant);
      all = changed.size() > MOST_CHANGED;
    }
    byDescendant = true;
    try {
      reflector(Root.class, realObject).onDescendantInvalidated(child, descendant);
    } finally {
      byDescendant = false;
    }
  }

  @Implementation
  protected void invalidate() {
    all |= !byDescendant;
    reflector(Root.class, realObject).invalidate();
  }

  @Implementation
  protected void performMeasure(int width, int height) {
    Root root = reflector(Root.class, realObject);
    root.performMeasure(width, height);
    View view = realObject.getView();
    if (view != null && !view.isLaidOut()) {
      root.performMeasure(width, height);
    }
  }

  @Override
  @Implementation(maxSdk = 34)
  protected boolean draw(boolean whole, boolean afterwards) {
    boolean result = super.draw(whole, afterwards);
    Rect part = whole || all ? null : part();
    // Before it is drawn: what changes by that is for the next frame.
    changed.clear();
    all = false;
    Frames.draw(realObject, part);
    return result;
  }

  /** The part of the window that the changed views cover, empty where none of them is to be seen. */
  private Rect part() {
    Rect part = new Rect();
    Rect one = new Rect();
    for (View view : changed) {
      if (view.getGlobalVisibleRect(one)) {
        part.union(one);
      }
    }
    return part;
  }

  /** The framework's own code. */
  @ForType(ViewRootImpl.class)
  interface Root {
    @Direct
    void onDescendantInvalidated(View child, View descendant);

    @Direct
    void invalidate();

    @Direct
    void performMeasure(int width, int height);
  }
}
