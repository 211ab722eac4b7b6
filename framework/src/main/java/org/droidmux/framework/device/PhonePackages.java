package org.droidmux.framework.device;

import android.content.ComponentName;
import android.content.ContentResolver;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageParser;
import android.content.pm.ResolveInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowApplicationPackageManager;

/** What else can be done with some data: menus list the activities that offer it. */
@Implements(className = "android.app.ApplicationPackageManager")
public class PhonePackages extends ShadowApplicationPackageManager {
  /** The specific intents' activities in their order, then the others that take the intent; the caller is none. */
  @Override
  @Implementation
  protected List<ResolveInfo> queryIntentActivityOptions(
      ComponentName caller, Intent[] specifics, Intent intent, int flags) {
    List<ResolveInfo> others = takers(intent);
    List<ResolveInfo> found = new ArrayList<>();
    for (int i = 0; specifics != null && i < specifics.length; i++) {
      ActivityInfo info =
          specifics[i] == null ? null : Components.resolve(AppProcess.current().application(), specifics[i]);
      if (info == null) {
        continue;
      }
      ResolveInfo specific = new ResolveInfo();
      specific.activityInfo = info;
      specific.specificIndex = i;
      found.add(specific);
      others.removeIf(other -> other.activityInfo.name.equals(info.name));
    }
    found.addAll(others);
    if (caller != null) {
      found.removeIf(
          each ->
              each.activityInfo.packageName.equals(caller.getPackageName())
                  && each.activityInfo.name.equals(caller.getClassName()));
    }
    return found;
  }

  /** The app's activities with a filter that takes the intent, with the label that the filter has. */
  static List<ResolveInfo> takers(Intent intent) {
    AppProcess process = AppProcess.current();
    ContentResolver resolver = process.application().getContentResolver();
    String type = intent.resolveTypeIfNeeded(resolver);
    Set<String> categories = intent.getCategories();
    List<ResolveInfo> found = new ArrayList<>();
    for (PackageParser.Activity activity : process.declared().activities) {
      for (PackageParser.ActivityIntentInfo filter : activity.intents) {
        int match =
            filter.match(intent.getAction(), type, intent.getScheme(), intent.getData(), categories, "droidmux");
        ActivityInfo info = match < 0 ? null : Components.info(process.application(), activity.getComponentName());
        if (info != null) {
          ResolveInfo taker = new ResolveInfo();
          taker.activityInfo = info;
          taker.match = match;
          taker.priority = filter.getPriority();
          taker.isDefault = filter.hasDefault;
          taker.labelRes = filter.labelRes;
          taker.nonLocalizedLabel = filter.nonLocalizedLabel;
          taker.icon = filter.icon;
          found.add(taker);
          break;
        }
      }
    }
    return found;
  }
}
