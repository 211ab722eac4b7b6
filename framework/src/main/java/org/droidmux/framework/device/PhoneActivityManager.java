package org.droidmux.framework.device;

import android.app.IActivityManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowActivityManager;

/** Where the framework finds the activity manager. */
@Implements(className = "android.app.ActivityManager")
public class PhoneActivityManager extends ShadowActivityManager {
  @Implementation(minSdk = 26)
  protected static IActivityManager getService() {
    return SystemActivityManager.get();
  }
}
