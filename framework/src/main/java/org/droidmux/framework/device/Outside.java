package org.droidmux.framework.device;

import android.content.Intent;

/** A screen that is not the app's: the home screen, the question for permissions, another app that an intent opens. */
record Outside(Kind kind, String packageName, String title, OtherApp app) {
  enum Kind { HOME, PERMISSION, OTHER }

  static final Outside HOME = new Outside(Kind.HOME, "org.droidmux.home", "Home", null);

  private static final String REQUEST_PERMISSIONS = "android.content.pm.action.REQUEST_PERMISSIONS";

  /** What an intent opens that is not the app's own, or null where a phone would find nothing. */
  static Outside answering(Intent intent) {
    String action = intent.getAction();
    if (REQUEST_PERMISSIONS.equals(action)) {
      return new Outside(Kind.PERMISSION, "com.android.permissioncontroller", "Permission", null);
    }
    if (Intent.ACTION_MAIN.equals(action) && intent.hasCategory(Intent.CATEGORY_HOME)) {
      return HOME;
    }
    String type = intent.resolveTypeIfNeeded(AppProcess.current().application().getContentResolver());
    OtherApp app = ShareSheet.isFor(intent) ? OtherApp.CHOOSER : OtherApp.answering(intent, type);
    return app == null ? null : new Outside(Kind.OTHER, OtherApp.PACKAGE, app.label(), app);
  }
}
