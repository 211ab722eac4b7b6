package org.droidmux.framework.device;

import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import java.lang.ref.Reference;
import org.robolectric.util.ReflectionHelpers;

/**
 * The toasts that the app shows. In flow the calls of the framework's own Toast, out flows what the last one said, as
 * accessibility tells it on a phone. None is drawn, and none has a window.
 */
final class Toasts {
  /** Longer ones are cut off. */
  private static final int MOST = 1_000;

  private String last;

  /** One whose text the system shows. */
  synchronized void text(CharSequence text) {
    String said = String.valueOf(text);
    last = said.length() > MOST ? said.substring(0, MOST) : said;
  }

  /** One that the app shows by itself, with a view of its own. */
  void view(Object shown) {
    Object held = shown == null ? null : ReflectionHelpers.getField(shown, "mNextView");
    // Later levels hold it so that the app may let it go.
    View view = (View) (held instanceof Reference ? ((Reference<?>) held).get() : held);
    StringBuilder texts = new StringBuilder();
    collect(view, texts);
    text(texts);
  }

  private static void collect(View view, StringBuilder texts) {
    if (view instanceof TextView && view.getVisibility() == View.VISIBLE) {
      texts.append(texts.length() == 0 ? "" : " ").append(((TextView) view).getText());
    } else if (view instanceof ViewGroup && view.getVisibility() == View.VISIBLE) {
      ViewGroup group = (ViewGroup) view;
      for (int i = 0; i < group.getChildCount(); i++) {
        collect(group.getChildAt(i), texts);
      }
    }
  }

  /** What was said since this was asked last, or null. */
  synchronized String take() {
    String taken = last;
    last = null;
    return taken;
  }
}
