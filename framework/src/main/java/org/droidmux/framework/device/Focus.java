package org.droidmux.framework.device;

import android.view.ViewRootImpl;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowViewRootImpl;

/** Tells windows that they have the focus, or lost it, as the window manager does. */
final class Focus {
  private final Windows windows;
  private final Keyboard keyboard;
  private ViewRootImpl holder;

  Focus(Windows windows, Keyboard keyboard) {
    this.windows = windows;
    this.keyboard = keyboard;
  }

  /** Follows what is in front; false when nothing changed. */
  boolean follow() {
    Windows.Win window = windows.focused();
    ViewRootImpl next = window == null ? null : window.root();
    if (next == holder) {
      return false;
    }
    tell(holder, false);
    holder = next;
    tell(holder, true);
    if (window != null) {
      keyboard.focused(window.params().softInputMode);
    }
    return true;
  }

  /** The process is gone, and its windows with it. */
  void forget() {
    holder = null;
  }

  private static void tell(ViewRootImpl root, boolean focused) {
    if (root != null && root.getView() != null) {
      ((ShadowViewRootImpl) Shadow.extract(root)).callWindowFocusChanged(focused);
    }
  }
}
