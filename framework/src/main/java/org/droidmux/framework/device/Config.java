package org.droidmux.framework.device;

import java.util.Locale;

/** How the phone is set: size, density, rotation, dark mode, language, font size. */
record Config(int width, int height, int density, int rotation, boolean night, String locale, float fontScale) {
  boolean sideways() {
    return rotation % 2 == 1;
  }

  /** Pixels from left to right as the phone is held. */
  int screenWidth() {
    return sideways() ? height : width;
  }

  int screenHeight() {
    return sideways() ? width : height;
  }

  /** In the order that resource qualifiers have. */
  String qualifiers() {
    int wide = screenWidth() * 160 / density;
    int high = screenHeight() * 160 / density;
    int least = Math.min(wide, high);
    String size = least < 600 ? "normal" : least < 720 ? "large" : "xlarge";
    return String.format(
        Locale.ROOT,
        "%s-sw%ddp-w%ddp-h%ddp-%s-long-notround-%s-%s-%ddpi-keyssoft-nokeys-navhidden-nonav",
        locale, least, wide, high, size, sideways() ? "land" : "port", night ? "night" : "notnight", density);
  }

  Config withRotation(int value) {
    return new Config(width, height, density, value, night, locale, fontScale);
  }

  Config withNight(boolean value) {
    return new Config(width, height, density, rotation, value, locale, fontScale);
  }

  Config withLocale(String value) {
    return new Config(width, height, density, rotation, night, value, fontScale);
  }

  Config withFontScale(float value) {
    return new Config(width, height, density, rotation, night, locale, value);
  }
}
