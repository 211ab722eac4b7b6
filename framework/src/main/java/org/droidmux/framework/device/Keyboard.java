package org.droidmux.framework.device;

import android.app.Application;
import android.content.Context;
import android.view.WindowManager;
import android.view.inputmethod.InputMethodManager;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowInputMethodManager;

/** Whether the soft keyboard is up. It has no window of its own: nothing is covered by it. */
final class Keyboard {
  boolean shown() {
    return manager() != null && manager().isSoftInputVisible();
  }

  void hide() {
    InputMethodManager methods = methods();
    if (methods != null) {
      methods.hideSoftInputFromWindow(null, 0);
    }
  }

  /** A window got the focus: its parameters say whether the keyboard comes with it. */
  void focused(int softInputMode) {
    InputMethodManager methods = methods();
    if (methods == null) {
      return;
    }
    boolean wanted =
        switch (softInputMode & WindowManager.LayoutParams.SOFT_INPUT_MASK_STATE) {
          case WindowManager.LayoutParams.SOFT_INPUT_STATE_VISIBLE,
              WindowManager.LayoutParams.SOFT_INPUT_STATE_ALWAYS_VISIBLE -> true;
          default -> false;
        };
    if (wanted) {
      methods.showSoftInput(null, 0);
    } else {
      hide();
    }
  }

  private static ShadowInputMethodManager manager() {
    InputMethodManager methods = methods();
    return methods == null ? null : Shadows.shadowOf(methods);
  }

  private static InputMethodManager methods() {
    AppProcess process = AppProcess.current();
    Application application = process == null ? null : process.application();
    return application == null
        ? null
        : (InputMethodManager) application.getSystemService(Context.INPUT_METHOD_SERVICE);
  }
}
