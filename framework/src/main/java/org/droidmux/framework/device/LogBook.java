package org.droidmux.framework.device;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.robolectric.shadows.ShadowLog;

/**
 * What {@code logcat -v threadtime} prints: what the app and the framework log, and what the system says
 * about the app. The oldest lines go.
 */
final class LogBook {
  private static final int MOST = 20_000;
  private static final int LONGEST = 4_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int SYSTEM_PID = 512;
  private static final String LETTERS = "??VDIWEF";

  /** Frames of Robolectric's, of ours, and those that only call the woven body of the same method. */
  private static final Pattern WOVEN =
      Pattern.compile(
          "^\\s*at (org\\.robolectric\\.|org\\.droidmux\\.framework\\.|java\\.base/jdk\\.internal\\."
              + "|java\\.base/java\\.lang\\.(invoke|reflect)\\.|(android|com\\.android)\\..*\\([A-Za-z0-9_]+\\.java\\)$)");

  private static final Pattern BODY = Pattern.compile("\\$\\$robo\\$\\$[A-Za-z0-9_$]*\\$");

  private final Deque<String> lines = new ArrayDeque<>();
  private long first;
  private int taken;

  /** What was logged since last time, in the framework's own list. */
  void collect(int pid) {
    List<ShadowLog.LogItem> items = ShadowLog.getLogs();
    for (int i = Math.min(taken, items.size()); i < items.size(); i++) {
      ShadowLog.LogItem item = items.get(i);
      if ("LifecycleMonitor".equals(item.tag) || "RippleDrawable".equals(item.tag)) {
        // Of the test library that Robolectric brings along; and that no graphics processor draws.
        continue;
      }
      char letter = item.type >= 0 && item.type < LETTERS.length() ? LETTERS.charAt(item.type) : 'I';
      String text = item.msg == null ? "" : item.msg;
      if (item.throwable != null) {
        text = text + "\n" + stack(item.throwable);
      }
      add(pid, letter, item.tag, text);
    }
    taken = items.size();
    if (taken > 2_000) {
      ShadowLog.clear();
      taken = 0;
    }
  }

  /** The framework's list began anew. */
  void begin() {
    ShadowLog.clear();
    taken = 0;
  }

  /** A line of the system's. */
  void system(char letter, String tag, String text) {
    add(SYSTEM_PID, letter, tag, text);
  }

  /** An exception that nobody caught, as the runtime reports it. */
  String crash(int pid, String process, String thread, Throwable thrown) {
    String text = "FATAL EXCEPTION: " + thread + "\nProcess: " + process + ", PID: " + pid + "\n" + stack(thrown);
    add(pid, 'E', "AndroidRuntime", text);
    return text;
  }

  private void add(int pid, char letter, String tag, String text) {
    String time = TIME.format(Instant.ofEpochMilli(AppClock.now()));
    for (String line : text.split("\n", -1)) {
      if (line.isEmpty() && text.indexOf('\n') >= 0) {
        continue;
      }
      String cut = line.length() > LONGEST ? line.substring(0, LONGEST) : line;
      lines.add(String.format(Locale.ROOT, "%s %5d %5d %c %-8s: %s", time, pid, pid, letter, tag, cut));
      if (lines.size() > MOST) {
        lines.remove();
        first++;
      }
    }
  }

  /** The stack without what Robolectric put between the app and the framework. */
  static String stack(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    StringBuilder kept = new StringBuilder();
    for (String line : text.toString().split("\n")) {
      if (!WOVEN.matcher(line).find()) {
        kept.append(BODY.matcher(line).replaceFirst("")).append('\n');
      }
    }
    return kept.toString().stripTrailing();
  }

  /** Lines from a number on. */
  List<String> since(long number) {
    List<String> found = new ArrayList<>();
    long at = first;
    for (String line : lines) {
      if (at >= number) {
        found.add(line);
      }
      at++;
    }
    return found;
  }

  long next() {
    return first + lines.size();
  }

  void clear() {
    first += lines.size();
    lines.clear();
  }
}
