package org.droidmux.framework.device;

import android.graphics.Canvas;
import android.graphics.Picture;
import android.graphics.Rect;
import android.os.SystemClock;
import android.view.View;
import android.view.ViewRootImpl;

/**
 * Draws what has changed, once a frame, to nowhere: views go on with their scrolling when they are drawn, and what an
 * app does wrong in drawing is its fault. A window without a surface is never drawn by the framework itself. What lies
 * outside of the part that has changed is passed over by the framework, as it is where the processor draws.
 *
 * <p>Not by display lists: animations that a graphics processor would run never end without one.
 */
final class Frames {
  private static final HiddenField DIRTY = HiddenField.of(ViewRootImpl.class, "mDirty");
  private static final HiddenField INFO = HiddenField.of(ViewRootImpl.class, "mAttachInfo");
  private static final HiddenField TIME = HiddenField.of(INFO.type(), "mDrawingTime");

  private Frames() {}

  /** Draws what lies in a part of the window, or in the whole where there is none. */
  static void draw(ViewRootImpl root, Rect part) {
    Rect dirty = DIRTY.get(root);
    View view = root.getView();
    if (dirty.isEmpty() || view == null || view.getWidth() <= 0 || view.getHeight() <= 0) {
      return;
    }
    dirty.setEmpty();
    TIME.set(INFO.get(root), SystemClock.uptimeMillis());
    Picture picture = new Picture();
    Canvas canvas = picture.beginRecording(view.getWidth(), view.getHeight());
    try {
      view.getViewTreeObserver().dispatchOnDraw();
      if (part != null) {
        canvas.clipRect(part);
      }
      if (part == null || !part.isEmpty()) {
        view.draw(canvas);
      }
    } catch (IllegalStateException | UnsupportedOperationException e) {
      if (!String.valueOf(e.getMessage()).contains("hardware accelerated")) {
        throw e;
      }
    } finally {
      picture.endRecording();
      picture.close();
    }
  }
}
