package org.droidmux.framework.device;

import android.content.ContentResolver;
import android.provider.Settings;
import org.robolectric.shadows.ShadowMediaPlayer;

/** What a phone is set to when it is new, and what plays without a sound. */
final class SystemSettings {
  private static final String KEYBOARD = "com.android.inputmethod.latin/.LatinIME";

  private SystemSettings() {}

  static void apply(ContentResolver resolver) {
    Settings.Secure.putString(resolver, Settings.Secure.DEFAULT_INPUT_METHOD, KEYBOARD);
    Settings.Secure.putString(resolver, Settings.Secure.ENABLED_INPUT_METHODS, KEYBOARD);
    Settings.Secure.putString(resolver, "enabled_notification_listeners", "");
    // Robolectric's player refuses whatever no test has announced.
    ShadowMediaPlayer.setMediaInfoProvider(source -> new ShadowMediaPlayer.MediaInfo(1_000, 10));
  }
}
