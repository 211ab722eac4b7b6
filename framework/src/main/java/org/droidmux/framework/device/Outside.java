package org.droidmux.framework.device;

import android.content.ComponentName;
import android.content.Intent;
import java.util.Set;

/**
 * A screen that is not the app's: the home screen, the question for permissions, another app that an
 * intent would open. It says what it is and gives nothing back.
 */
record Outside(Kind kind, String packageName, String title) {
  enum Kind { HOME, PERMISSION, OTHER }

  /** What the package manager calls the other apps, all of them. */
  static final ComponentName COMPONENT = new ComponentName("org.droidmux.outside", "org.droidmux.outside.Other");

  static final Outside HOME = new Outside(Kind.HOME, "org.droidmux.home", "Home");

  /** Actions that some app on every phone answers. */
  static final Set<String> ACTIONS =
      Set.of(
          Intent.ACTION_CHOOSER, Intent.ACTION_SEND, Intent.ACTION_SEND_MULTIPLE, Intent.ACTION_SENDTO,
          Intent.ACTION_DIAL, Intent.ACTION_GET_CONTENT, Intent.ACTION_OPEN_DOCUMENT,
          Intent.ACTION_CREATE_DOCUMENT, Intent.ACTION_OPEN_DOCUMENT_TREE, Intent.ACTION_PICK,
          Intent.ACTION_WEB_SEARCH, "android.media.action.IMAGE_CAPTURE", "android.media.action.VIDEO_CAPTURE",
          "android.intent.action.RINGTONE_PICKER", "android.intent.action.SET_ALARM",
          "android.intent.action.INSERT", "android.provider.action.PICK_IMAGES");

  private static final String REQUEST_PERMISSIONS = "android.content.pm.action.REQUEST_PERMISSIONS";

  /** What an intent opens that is not the app's own, or null where a phone would find nothing. */
  static Outside answering(Intent intent) {
    String action = intent.getAction();
    if (REQUEST_PERMISSIONS.equals(action)) {
      return new Outside(Kind.PERMISSION, "com.android.permissioncontroller", "Permission");
    }
    if (Intent.ACTION_MAIN.equals(action) && intent.hasCategory(Intent.CATEGORY_HOME)) {
      return HOME;
    }
    boolean web =
        Intent.ACTION_VIEW.equals(action)
            && intent.getScheme() != null
            && Set.of("http", "https", "tel", "mailto", "geo", "sms", "market").contains(intent.getScheme());
    boolean settings = action != null && action.startsWith("android.settings.");
    if (intent.getComponent() == null && (web || settings || (action != null && ACTIONS.contains(action)))) {
      return new Outside(Kind.OTHER, COMPONENT.getPackageName(), action);
    }
    return null;
  }
}
