package org.droidmux.framework.device;

import android.content.Intent;
import android.provider.Settings;
import java.util.Locale;
import java.util.Map;

/** A page of the settings: its name, what an app may be allowed there, and nothing that could be broken. */
final class SettingsScreen {
  /** Pages on which a person allows the app something that no dialog asks for. */
  private static final Map<String, String> ALLOWED =
      Map.of(
          Settings.ACTION_MANAGE_OVERLAY_PERMISSION, SpecialAccess.OVERLAY,
          Settings.ACTION_MANAGE_APP_ALL_FILES_ACCESS_PERMISSION, SpecialAccess.ALL_FILES,
          Settings.ACTION_MANAGE_ALL_FILES_ACCESS_PERMISSION, SpecialAccess.ALL_FILES,
          Settings.ACTION_MANAGE_WRITE_SETTINGS, SpecialAccess.WRITE_SETTINGS);

  private SettingsScreen() {}

  static void show(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    screen.addText(title(String.valueOf(intent.getAction())), OtherApp.id("title"));
    if (intent.getData() != null || ALLOWED.containsKey(intent.getAction())) {
      screen.addText(Phone.get().app().label(), OtherApp.id("app"));
    }
    String access = ALLOWED.get(intent.getAction());
    if (access != null) {
      SpecialAccess given = Phone.get().access();
      screen.addSwitch("Allow", given.has(access), OtherApp.id("switch"), on -> given.set(access, on));
    } else if (Settings.ACTION_APPLICATION_DETAILS_SETTINGS.equals(intent.getAction())) {
      Permissions permissions = Phone.get().permissions();
      for (String permission : permissions.asked()) {
        String name = permission.substring(permission.lastIndexOf('.') + 1);
        screen.addText(
            words(name) + ": " + (permissions.granted(permission) ? "allowed" : "not allowed"), OtherApp.id("permission"));
      }
    }
  }

  /** The action's own words. */
  private static String title(String action) {
    String name = action.substring(action.lastIndexOf('.') + 1).replaceFirst("_?SETTINGS$", "");
    return name.isEmpty() ? "Settings" : words(name);
  }

  private static String words(String name) {
    String words = name.replace('_', ' ').toLowerCase(Locale.ROOT);
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
