package org.droidmux.framework.device;

import android.app.AppOpsManager;
import android.app.Application;
import android.os.Build;
import java.util.Set;
import java.util.TreeSet;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowSettings;

/** What a person allows the app in the settings and not by a dialog. It outlives a process, and goes with the app's data. */
final class SpecialAccess {
  static final String OVERLAY = "overlay";
  static final String ALL_FILES = "all files";
  static final String WRITE_SETTINGS = "write settings";

  private final Set<String> given = new TreeSet<>();

  boolean has(String access) {
    return given.contains(access);
  }

  void set(String access, boolean on) {
    if (on ? given.add(access) : given.remove(access)) {
      applyTo(AppProcess.current().application());
    }
  }

  /** As after an installation. */
  void forget() {
    given.clear();
  }

  /** A process learns what its app may do. */
  void applyTo(Application application) {
    ShadowSettings.setCanDrawOverlays(has(OVERLAY));
    AppOpsManager operations = application.getSystemService(AppOpsManager.class);
    int uid = application.getApplicationInfo().uid;
    set(operations, uid, application, AppOpsManager.OPSTR_WRITE_SETTINGS, has(WRITE_SETTINGS));
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.R) {
      set(operations, uid, application, "android:manage_external_storage", has(ALL_FILES));
    }
  }

  private static void set(AppOpsManager operations, int uid, Application application, String operation, boolean may) {
    int mode = may ? AppOpsManager.MODE_ALLOWED : AppOpsManager.MODE_ERRORED;
    Shadows.shadowOf(operations).setMode(operation, uid, application.getPackageName(), mode);
  }
}
