package org.droidmux.framework.device;

import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAudioManager;

/** Clicks make no sound: the service behind them names classes that the framework's jar does not have. */
@Implements(className = "android.media.AudioManager")
public class PhoneAudio extends ShadowAudioManager {
  @Implementation
  protected void playSoundEffect(int effect) {}

  @Implementation
  protected void playSoundEffect(int effect, int user) {}

  @Implementation
  protected void playSoundEffect(int effect, float volume) {}
}
