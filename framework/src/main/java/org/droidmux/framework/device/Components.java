package org.droidmux.framework.device;

import android.app.Application;
import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import java.util.List;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPackageManager;

/** What the installed app declares in its manifest. */
final class Components {
  private Components() {}

  /** The filters of a receiver. */
  static List<IntentFilter> filters(Application application, String receiver) {
    ShadowPackageManager packages = Shadow.extract(application.getPackageManager());
    return packages.getIntentFiltersForReceiver(new ComponentName(application.getPackageName(), receiver));
  }

  /** The activity that a launcher shows, or null. */
  static ComponentName launcher(Application application) {
    Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
    intent.setPackage(application.getPackageName());
    List<ResolveInfo> found = application.getPackageManager().queryIntentActivities(intent, 0);
    if (found.isEmpty() || found.get(0).activityInfo == null) {
      return null;
    }
    ActivityInfo info = found.get(0).activityInfo;
    return new ComponentName(info.packageName, info.targetActivity != null ? info.targetActivity : info.name);
  }

  /** The app's own activity that an intent names or means, or null. */
  static ActivityInfo resolve(Application application, Intent intent) {
    PackageManager packages = application.getPackageManager();
    if (intent.getComponent() != null) {
      if (!intent.getComponent().getPackageName().equals(application.getPackageName())) {
        return null;
      }
      return info(application, intent.getComponent());
    }
    Intent typed = new Intent(intent);
    // What lies behind an address has a type, which the provider tells.
    typed.setDataAndType(intent.getData(), intent.resolveTypeIfNeeded(application.getContentResolver()));
    for (ResolveInfo found : packages.queryIntentActivities(typed, PackageManager.MATCH_DEFAULT_ONLY)) {
      if (found.activityInfo != null && found.activityInfo.packageName.equals(application.getPackageName())) {
        return info(application, new ComponentName(found.activityInfo.packageName, found.activityInfo.name));
      }
    }
    return null;
  }

  /** What the manifest says of an activity, or null. */
  static ActivityInfo info(Application application, ComponentName component) {
    try {
      ActivityInfo info =
          application.getPackageManager().getActivityInfo(component, PackageManager.GET_META_DATA);
      return info.enabled ? info : null;
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }
}
