package org.droidmux.framework.device;

import android.app.Application;
import android.content.ComponentName;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What the package manager says of the app, read once from its first process: it stays the same as long as the app is
 * installed. Out flows what {@code hello} tells.
 */
record InstalledApp(
    ComponentName launcher, String label, String version, int versionCode, int minimum, int target, List<String> activities) {

  /** Reads it from a process that runs. An app that no home screen could open is refused. */
  static InstalledApp of(AppProcess process) {
    Application application = process.application();
    ComponentName launcher = Components.launcher(application);
    if (launcher == null) {
      throw new IllegalArgumentException("the manifest of " + application.getPackageName() + " has no launcher activity");
    }
    PackageInfo info = process.packageInfo(PackageManager.GET_ACTIVITIES);
    List<String> activities =
        info.activities == null
            ? List.of()
            : Arrays.stream(info.activities)
                .map(activity -> activity.name)
                .filter(name -> !name.equals(OutsideActivity.class.getName()))
                .toList();
    return new InstalledApp(
        launcher,
        String.valueOf(application.getApplicationInfo().loadLabel(application.getPackageManager())),
        info.versionName == null ? "" : info.versionName, info.versionCode,
        info.applicationInfo.minSdkVersion, info.applicationInfo.targetSdkVersion, activities);
  }

  void tell(Map<String, Object> answer) {
    answer.put("package", launcher.getPackageName());
    answer.put("activity", launcher.getClassName());
    answer.put("label", label);
    answer.put("version", version);
    answer.put("version-code", versionCode);
    answer.put("min", minimum);
    answer.put("target", target);
    answer.put("activities", activities);
  }

  /** What the app's own code threw before anything was shown is told with its place; the rest is the host's. */
  static RuntimeException notStarted(Throwable thrown) {
    if (AppProcess.current() != null) {
      for (Throwable each = thrown; each != null; each = each.getCause()) {
        for (StackTraceElement frame : each.getStackTrace()) {
          if (AppProcess.current().classes().has(frame.getClassName())) {
            return new IllegalArgumentException(
                "the app ends as it starts: " + Blame.root(thrown) + ", at " + frame, thrown);
          }
        }
      }
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return (RuntimeException) thrown;
  }
}
