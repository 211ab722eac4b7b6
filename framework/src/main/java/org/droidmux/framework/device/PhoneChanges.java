package org.droidmux.framework.device;

import android.app.Application;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowCompatibility;

/**
 * Changes of Android's behaviour that reach an app from the level on that it is made for. Robolectric has nearly all of
 * them in force; the levels are those of AOSP's {@code @EnabledSince} and {@code @EnabledAfter}, which no class file keeps.
 */
@Implements(className = "android.compat.Compatibility", isInAndroidSdk = false, minSdk = 30)
public class PhoneChanges extends ShadowCompatibility {
  private static final Map<Long, Integer> SINCE =
      Map.ofEntries(
          // Listeners of preferences hear that all were cleared.
          Map.entry(119147584L, 30),
          // The system shows toasts of text, and an app does not see their view.
          Map.entry(147798919L, 30),
          // Flags of observers of content.
          Map.entry(150939131L, 30),
          // Sensors at more than 200 Hz want a permission.
          Map.entry(136069189L, 31),
          // A pending intent says whether it can be changed.
          Map.entry(160794467L, 31),
          // Fields of a date's skeleton stand in it once.
          Map.entry(170233598L, 31),
          // Lists stretch at their ends, and do not glow.
          Map.entry(171228096L, 31),
          // Priorities and deadlines of jobs.
          Map.entry(140852299L, 33),
          Map.entry(194532703L, 33),
          // The space between lines of fonts that stand in for another.
          Map.entry(210923482L, 33),
          // Callbacks are registered with the context that wraps.
          Map.entry(193247900L, 34),
          // A pending intent that can be changed names its component or package.
          Map.entry(236704164L, 34),
          // Negative sizes of a job's traffic, and how much of it is done.
          Map.entry(253665015L, 34),
          Map.entry(255371817L, 34));

  @Implementation(minSdk = 31)
  protected static boolean isChangeEnabled(long change) {
    Integer since = SINCE.get(change);
    AppProcess process = AppProcess.current();
    Application application = process == null ? null : process.application();
    return since == null || application == null
        ? ShadowCompatibility.isChangeEnabled(change)
        : application.getApplicationInfo().targetSdkVersion >= since;
  }
}
