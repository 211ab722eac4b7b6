package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.PackageManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The system's questions for permissions, one group after the other. What is granted, what the manifest does not
 * request and what was refused twice is not asked for.
 */
final class PermissionQuestion {
  private static final String NAMES = "android.content.pm.extra.REQUEST_PERMISSIONS_NAMES";
  private static final String RESULTS = "android.content.pm.extra.REQUEST_PERMISSIONS_RESULTS";
  private static final String ID = "com.android.permissioncontroller:id/";

  private final OutsideActivity screen;
  private final String[] asked;
  private final Set<String> answered = new HashSet<>();

  private PermissionQuestion(OutsideActivity screen, String[] asked) {
    this.screen = screen;
    this.asked = asked;
  }

  /** Whether an intent asks for permissions. */
  static boolean isIn(Intent intent) {
    return intent.getStringArrayExtra(NAMES) != null;
  }

  static void show(OutsideActivity screen) {
    new PermissionQuestion(screen, screen.getIntent().getStringArrayExtra(NAMES)).next();
  }

  private void next() {
    Permissions permissions = Phone.get().permissions();
    List<String> open = new ArrayList<>();
    for (String permission : asked) {
      if (permissions.isOpen(permission) && !answered.contains(permission)) {
        open.add(permission);
      }
    }
    if (open.isEmpty()) {
      answer();
      return;
    }
    Map.Entry<PermissionGroup, List<String>> first =
        PermissionGroup.sorted(open).entrySet().iterator().next();
    PermissionGroup group = first.getKey();
    screen.clear();
    screen.addText("Allow " + Phone.get().app().label() + " to " + group.words() + "?", ID + "permission_message");
    if (group.inUse()) {
      button("While using the app", "permission_allow_foreground_only_button", first.getValue(), true);
      button("Only this time", "permission_allow_one_time_button", first.getValue(), true);
    } else {
      button("Allow", "permission_allow_button", first.getValue(), true);
    }
    button("Don’t allow", "permission_deny_button", first.getValue(), false);
  }

  private void button(String text, String id, List<String> about, boolean granted) {
    screen.addButton(
        text, ID + id,
        () -> {
          answered.addAll(about);
          for (String permission : about) {
            if (granted) {
              Phone.get().permissions().grant(permission);
            } else {
              Phone.get().permissions().refuse(permission);
            }
          }
          next();
        });
  }

  private void answer() {
    int[] results = new int[asked.length];
    for (int i = 0; i < asked.length; i++) {
      results[i] =
          Phone.get().permissions().granted(asked[i])
              ? PackageManager.PERMISSION_GRANTED
              : PackageManager.PERMISSION_DENIED;
    }
    screen.setResult(Activity.RESULT_OK, new Intent().putExtra(NAMES, asked).putExtra(RESULTS, results));
    screen.finish();
  }
}
