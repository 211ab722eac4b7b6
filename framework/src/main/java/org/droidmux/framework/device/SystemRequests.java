package org.droidmux.framework.device;

import android.content.Intent;
import java.util.Arrays;
import java.util.Map;
import java.util.TimeZone;

/**
 * Requests that are about the system and not about the screen: in flow their members, out flow what is done to the shade,
 * the clock, the battery and the rest, and what the shell prints.
 */
final class SystemRequests {
  /** Two weeks. */
  private static final int LONGEST_PASS = 14 * 86_400_000;

  private final Phone phone;

  SystemRequests(Phone phone) {
    this.phone = phone;
  }

  /** Answers what is done with the answer; false when it is no such request. */
  boolean tell(String what, Request request, Map<String, Object> answer) {
    switch (what) {
      case "log" -> {
        log(request.number("since", 0, Integer.MAX_VALUE, 0), answer);
        if (request.truth("clear", false)) {
          phone.log().clear();
        }
      }
      case "mutants" -> {
        if (request.has("on")) {
          return false;
        }
        Mutants.tell(answer);
      }
      case "notifications" -> answer.put("lines", phone.notifications().dump());
      case "idle" -> phone.loop().pass(request.number("ms", 0, 60_000));
      case "not-responding" -> phone.crashes().notResponding(request.text("stack"));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The lines of the log from a number on. */
  void log(int since, Map<String, Object> answer) {
    LogBook log = phone.log();
    if (AppProcess.current() != null) {
      log.collect(AppProcess.current().pid());
    }
    answer.put("lines", log.since(since));
    answer.put("next", log.next());
  }

  /** Does what is asked for; false when it is no such request. */
  boolean act(String what, Request request, Map<String, Object> answer) {
    switch (what) {
      case "am" -> answer.putAll(ActivityShell.run(phone, request.words("words")));
      case "broadcast" -> phone.tell(new Intent(request.text("action")).addFlags(Broadcasts.TO_BACKGROUND));
      case "device" -> device(request);
      case "shade" -> {
        if (request.truth("open", true)) {
          phone.shade().open();
        } else {
          phone.shade().close();
        }
      }
      case "time" -> time(request);
      case "pass" -> phone.time().pass(request.number("ms", 1, LONGEST_PASS));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Battery, charger, screen, network, rest. */
  private void device(Request request) {
    DeviceState device = phone.device();
    if (request.has("battery") || request.has("charging")) {
      device.power(
          request.number("battery", 0, 100, device.level()), request.truth("charging", device.charging()));
    }
    if (request.has("screen")) {
      device.screen(request.truth("screen", true));
    }
    if (request.has("online")) {
      device.network(request.truth("online", true));
    }
    if (request.has("idle")) {
      device.doze(request.truth("idle", false));
    }
  }

  private void time(Request request) {
    if (request.has("zone")) {
      phone.time().zone(zone(request.text("zone")));
    }
    if (request.has("to")) {
      phone.time().set((long) request.fraction("to", 0, 4e12));
    }
  }

  private static TimeZone zone(String name) {
    if (!Arrays.asList(TimeZone.getAvailableIDs()).contains(name)) {
      throw new IllegalArgumentException("\"zone\": like Europe/Berlin, not " + name);
    }
    return TimeZone.getTimeZone(name);
  }
}
