package org.droidmux.framework.device;

import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;

/** Views of ours that say of themselves what the system's views, in whose place they stand, would say. */
final class NamedView {
  private NamedView() {}

  /** A view with the id of another package's resource and, where one is given, the name of another class. */
  static void name(View view, String id, String className) {
    view.setAccessibilityDelegate(
        new View.AccessibilityDelegate() {
          @Override
          public void onInitializeAccessibilityNodeInfo(View host, AccessibilityNodeInfo info) {
            super.onInitializeAccessibilityNodeInfo(host, info);
            info.setViewIdResourceName(id);
            info.setClassName(className != null ? className : frameworks(host.getClass()).getName());
          }
        });
  }

  /** The class of the framework that a class of ours is made of. */
  private static Class<?> frameworks(Class<?> own) {
    Class<?> each = own;
    while (!each.getName().startsWith("android.")) {
      each = each.getSuperclass();
    }
    return each;
  }
}
