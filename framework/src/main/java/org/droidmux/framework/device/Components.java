package org.droidmux.framework.device;

import android.app.Application;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.content.pm.ResolveInfo;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;

/** What the installed app declares in its manifest. */
final class Components {
  private Components() {}

  /**
   * Complains of classes that no process of the app can begin without: those of the application, of its
   * providers and of what a launcher opens. Others are missed when they are used, as on a phone.
   */
  static void requireClasses(PackageParser.Package declared, AppClasses classes) {
    if (declared.applicationInfo.className != null) {
      require("application", declared.applicationInfo.className, classes);
    }
    for (PackageParser.Provider provider : declared.providers) {
      if (provider.info.enabled && provider.info.authority != null) {
        require("provider", provider.info.name, classes);
      }
    }
    for (PackageParser.Activity activity : declared.activities) {
      for (IntentFilter filter : activity.intents) {
        if (activity.info.enabled
            && filter.hasAction(Intent.ACTION_MAIN)
            && filter.hasCategory(Intent.CATEGORY_LAUNCHER)) {
          require("activity", ActivityRecord.classOf(activity.info), classes);
        }
      }
    }
  }

  private static void require(String kind, String name, AppClasses classes) {
    try {
      classes.loadClass(name);
    } catch (ClassNotFoundException e) {
      URL[] path = classes.getURLs();
      String where =
          path.length == 1
              ? Path.of(URI.create(path[0].toString())).toString()
              : "the " + path.length + " entries of the class path";
      throw new IllegalArgumentException("the manifest names the " + kind + " " + name + ", which is not in " + where);
    } catch (LinkageError e) {
      throw new IllegalArgumentException("the class of the " + kind + " " + name + " cannot be loaded: " + e);
    }
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
    return new ComponentName(info.packageName, ActivityRecord.classOf(info));
  }

  /** The app's own activity that an intent names or means, or null. */
  static ActivityInfo resolve(Context application, Intent intent) {
    PackageManager packages = application.getPackageManager();
    if (intent.getComponent() != null) {
      if (!intent.getComponent().getPackageName().equals(application.getPackageName())) {
        return null;
      }
      return info(application, intent.getComponent());
    }
    Intent typed = new Intent(intent);
    // What lies behind an address has a type, which the provider reports.
    typed.setDataAndType(intent.getData(), intent.resolveTypeIfNeeded(application.getContentResolver()));
    for (ResolveInfo found : packages.queryIntentActivities(typed, PackageManager.MATCH_DEFAULT_ONLY)) {
      if (found.activityInfo != null && found.activityInfo.packageName.equals(application.getPackageName())) {
        return info(application, new ComponentName(found.activityInfo.packageName, found.activityInfo.name));
      }
    }
    return null;
  }

  /** What the manifest says of an activity, or null. */
  static ActivityInfo info(Context application, ComponentName component) {
    try {
      ActivityInfo info =
          application.getPackageManager().getActivityInfo(component, PackageManager.GET_META_DATA);
      return info.enabled ? info : null;
    } catch (PackageManager.NameNotFoundException e) {
      return null;
    }
  }
}
