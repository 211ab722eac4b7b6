package org.droidmux.framework.device;

import android.content.Intent;
import android.view.Display;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowDisplayManager;

/**
 * How the phone is held and set. In flow requests that set it otherwise; out flows what activities and receivers are told
 * of it, now or when they come back.
 */
final class DisplaySettings {
  private final Phone phone;
  private Config config;

  DisplaySettings(Phone phone, Config config) {
    this.phone = phone;
    this.config = config;
  }

  Config now() {
    return config;
  }

  void rotate(Request request) {
    change(config.withRotation(request.number("to", 0, 3)));
  }

  /** Dark theme, language, font size. */
  void set(Request request) {
    Config changed = config;
    if (request.has("night")) {
      changed = changed.withNight(request.truth("night", false));
    }
    if (request.has("locale")) {
      String locale = request.text("locale");
      if (!locale.matches("[a-z]{2,3}(-r[A-Z]{2})?")) {
        throw new IllegalArgumentException("\"locale\": like en-rUS, not " + locale);
      }
      changed = changed.withLocale(locale);
    }
    if (request.has("font")) {
      changed = changed.withFontScale((float) request.fraction("font", 0.5, 3));
    }
    change(changed);
  }

  private void change(Config changed) {
    if (changed.equals(config)) {
      return;
    }
    boolean language = !changed.locale().equals(config.locale());
    config = changed;
    if (AppProcess.current() == null) {
      return;
    }
    ShadowDisplayManager.changeDisplay(Display.DEFAULT_DISPLAY, config.qualifiers());
    Shadows.shadowOf(ShadowDisplay.getDefaultDisplay()).setRotation(config.rotation());
    RuntimeEnvironment.setFontScale(config.fontScale());
    RuntimeEnvironment.setQualifiers(config.qualifiers());
    boolean wasOpen = phone.shade().isOpen();
    phone.shade().close();
    phone.stack().reconfigured();
    if (wasOpen) {
      phone.shade().open();
    }
    if (language) {
      phone.tell(new Intent(Intent.ACTION_LOCALE_CHANGED).addFlags(Broadcasts.TO_BACKGROUND));
    }
  }
}
