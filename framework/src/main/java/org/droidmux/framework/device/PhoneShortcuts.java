package org.droidmux.framework.device;

import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLauncherApps;

/** No other app offers shortcuts. */
@Implements(className = "android.content.pm.LauncherApps")
public class PhoneShortcuts extends ShadowLauncherApps {
  @Override
  @Implementation
  protected List<android.content.pm.ShortcutInfo> getShortcuts(
      android.content.pm.LauncherApps.ShortcutQuery query, android.os.UserHandle user) {
    try {
      return super.getShortcuts(query, user);
    } catch (UnsupportedOperationException e) {
      return List.of();
    }
  }
}
