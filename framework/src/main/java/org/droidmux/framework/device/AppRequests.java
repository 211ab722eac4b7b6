package org.droidmux.framework.device;

import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import java.util.Map;

/**
 * Requests that are about the app as a whole: in flow starts, ends and permissions, out flow what is installed, and
 * processes and tasks that begin and end.
 */
final class AppRequests {
  private final Phone phone;

  AppRequests(Phone phone) {
    this.phone = phone;
  }

  /** What is installed, on which phone. */
  void about(Map<String, Object> answer) {
    phone.app().tell(answer);
    answer.put("permissions", phone.permissions().requested());
    answer.put("asked", phone.permissions().asked());
    answer.put("api", Build.VERSION.SDK_INT);
    answer.put("release", Build.VERSION.RELEASE);
    Config config = phone.settings().now();
    answer.put("width", config.width());
    answer.put("height", config.height());
    answer.put("density", config.density());
  }

  /** Does what is asked for; false when it is no such request. */
  boolean act(String what, Request request) {
    switch (what) {
      case "start" -> start(request);
      case "kill" -> kill();
      case "stop" -> phone.stop();
      case "clear" -> phone.clear();
      case "mutants" -> {
        // With another defect it is another app, on another phone.
        phone.clear();
        phone.time().beginAnew();
        Mutants.choose(request.numbers("on"));
      }
      case "grant" -> phone.permissions().grant(request.text("permission"));
      case "revoke" -> {
        if (phone.permissions().revoke(request.text("permission"))) {
          phone.endProcess("permissions revoked");
        }
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void start(Request request) {
    phone.startProcess();
    if (!request.has("activity") && !request.has("action")) {
      phone.stack().starts().askLauncher();
      return;
    }
    Intent intent = new Intent(request.text("action", Intent.ACTION_MAIN)).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    if (request.has("data")) {
      intent.setData(Uri.parse(request.text("data")));
    }
    if (request.has("activity")) {
      intent.setComponent(new ComponentName(phone.packageName(), request.text("activity")));
    }
    try {
      phone.stack().starts().ask(intent, null, null, -1);
    } catch (ActivityNotFoundException e) {
      throw new IllegalArgumentException(e.getMessage());
    }
  }

  /** The system ends the process in the background, and only there. */
  private void kill() {
    if (phone.stack().inFront()) {
      throw new IllegalArgumentException("the app is in front; go home first");
    }
    phone.endProcess("cached");
  }
}
