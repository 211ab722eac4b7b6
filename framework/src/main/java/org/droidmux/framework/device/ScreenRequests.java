package org.droidmux.framework.device;

import android.graphics.Bitmap;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Requests that are about the screen: in flow touches, keys and texts, and how the phone is set; out flow dumps, pictures
 * and what has the focus.
 */
final class ScreenRequests {
  private final Phone phone;
  private final Picture picture = new Picture();

  ScreenRequests(Phone phone) {
    this.phone = phone;
  }

  /** Tells what is asked for, and changes nothing; false when it is no such request. */
  boolean tell(String what, Map<String, Object> answer) {
    switch (what) {
      case "focus" -> focus(answer);
      case "dump" -> dump(answer);
      case "floating" -> answer.put("windows", floating());
      case "screenshot" -> answer.put("png", picture(ScreenPng::of));
      case "frame" -> answer.put("qoi", picture(ScreenQoi::of));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** What has the focus, and the dump of it where that is no home screen. */
  void see(Map<String, Object> seen) {
    focus(seen);
    boolean home = Boolean.TRUE.equals(seen.get("home")) && !phone.shade().isOpen();
    if (!home && phone.windows().focused() != null) {
      dump(seen);
    }
  }

  /** Does what is asked for; false when it is no such request. */
  boolean act(String what, Request request, Map<String, Object> answer) {
    Input input = phone.input();
    switch (what) {
      case "tap" -> {
        int x = x(request, "x");
        int y = y(request, "y");
        input.swipe(x, y, x, y, request.number("ms", 0, 10_000, 50));
      }
      case "swipe" ->
          input.swipe(
              x(request, "x"), y(request, "y"), x(request, "to-x"), y(request, "to-y"),
              request.number("ms", 0, 60_000, 300));
      case "key" -> {
        int code = request.number("code", 1, 400);
        boolean held = request.truth("held", false);
        for (int left = request.number("times", 1, 1_000, 1); left > 0; left--) {
          input.key(code, held);
        }
      }
      case "text" -> input.text(request.text("text"));
      case "commit" -> answer.put("done", input.commit(request.text("text"), request.truth("instead", false)));
      case "select-all" -> answer.put("done", input.selectAll());
      case "rotate" -> phone.settings().rotate(request);
      case "set" -> phone.settings().set(request);
      default -> {
        return false;
      }
    }
    return true;
  }

  private String picture(Function<Bitmap, byte[]> encoder) {
    return Base64.getEncoder().encodeToString(picture.of(phone.windows().shown(), config(), encoder));
  }

  private Config config() {
    return phone.settings().now();
  }

  private int x(Request request, String name) {
    return request.number(name, 0, config().screenWidth() - 1);
  }

  private int y(Request request, String name) {
    return request.number(name, 0, config().screenHeight() - 1);
  }

  private void focus(Map<String, Object> answer) {
    ActivityRecord shown = phone.stack().shown();
    boolean outside = shown == null || shown.outside != null;
    answer.put(
        "package",
        shown == null ? Outside.HOME.packageName() : outside ? shown.outside.packageName() : phone.packageName());
    answer.put("activity", outside ? OutsideActivity.class.getName() : shown.component.getClassName());
    Windows.Win window = phone.windows().focused();
    answer.put("window", window == null ? "" : String.valueOf(window.params().getTitle()));
    answer.put("outside", outside);
    answer.put("home", shown == null || shown.outside == Outside.HOME);
    answer.put("shade", phone.shade().isOpen());
    answer.put("heads-up", phone.headsUp().isShown());
    answer.put("keyboard", phone.keyboard().shown());
    answer.put("editor", phone.input().editor() != null);
    answer.put("rotation", config().rotation());
    answer.put("pid", AppProcess.current() == null ? 0 : AppProcess.current().pid());
    answer.put("time", AppClock.now());
  }

  /** The system's windows over the one in focus, which take no keys: a dump of that does not have them. */
  private List<String> floating() {
    return phone.windows().shown().stream()
        .filter(window -> Shade.isOf(window.params()) && !window.focusable())
        .map(window -> Hierarchy.dump(window, config()))
        .toList();
  }

  private void dump(Map<String, Object> answer) {
    Windows.Win window = phone.windows().focused();
    if (window == null) {
      throw new IllegalArgumentException("null root node returned: no window has focus");
    }
    answer.put("xml", Hierarchy.dump(window, config()));
  }
}
