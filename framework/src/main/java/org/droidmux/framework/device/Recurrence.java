package org.droidmux.framework.device;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When an event takes place: once, or again by FREQ, INTERVAL, COUNT, UNTIL and the days of a week; other rules are not read. */
final class Recurrence {
  static final long DAY = 86_400_000L;

  /** The first day of 1970 as calendars number it. */
  static final int EPOCH_DAY = 2_440_588;

  private static final int MOST = 5_000;

  private Recurrence() {}

  /** The beginnings of what lies, at least in part, between two moments. */
  static List<Long> within(long start, long length, String rule, long from, long to) {
    List<Long> found = new ArrayList<>();
    Map<String, String> parts = parts(rule);
    ChronoUnit unit =
        switch (parts.getOrDefault("FREQ", "")) {
          case "DAILY" -> ChronoUnit.DAYS;
          case "WEEKLY" -> ChronoUnit.WEEKS;
          case "MONTHLY" -> ChronoUnit.MONTHS;
          case "YEARLY" -> ChronoUnit.YEARS;
          default -> null;
        };
    if (unit == null) {
      if (start <= to && start + length >= from) {
        found.add(start);
      }
      return found;
    }
    int interval = number(parts.get("INTERVAL"), 1);
    int count = number(parts.get("COUNT"), Integer.MAX_VALUE);
    long until = Math.min(to, until(parts.get("UNTIL")));
    ZonedDateTime first = Instant.ofEpochMilli(start).atZone(ZoneOffset.UTC);
    List<Integer> days = days(unit == ChronoUnit.WEEKS ? parts.get("BYDAY") : null, first);
    int told = 0;
    for (int i = 0; i < MOST && told < count; i++) {
      ZonedDateTime base = first.plus((long) i * interval, unit);
      for (int day : days) {
        long begin = base.plusDays(day).toInstant().toEpochMilli();
        if (begin < start || told >= count) {
          continue;
        }
        if (begin > until) {
          return found;
        }
        told++;
        if (begin + length >= from) {
          found.add(begin);
        }
      }
    }
    return found;
  }

  private static Map<String, String> parts(String rule) {
    Map<String, String> parts = new HashMap<>();
    for (String part : rule == null ? new String[0] : rule.split(";")) {
      String[] sides = part.split("=", 2);
      if (sides.length == 2) {
        parts.put(sides[0].trim(), sides[1].trim());
      }
    }
    return parts;
  }

  private static int number(String text, int otherwise) {
    return text != null && text.matches("[1-9]\\d{0,8}") ? Integer.parseInt(text) : otherwise;
  }

  private static long until(String text) {
    if (text == null || !text.matches("\\d{8}(T\\d{6}Z?)?")) {
      return Long.MAX_VALUE;
    }
    String whole = text.length() == 8 ? text + "T235959" : text.substring(0, 15);
    return ZonedDateTime.parse(whole + "Z", DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX")).toInstant().toEpochMilli();
  }

  /** How many days after the first one of a week an event takes place, in order. */
  private static List<Integer> days(String byDay, ZonedDateTime first) {
    List<Integer> days = new ArrayList<>();
    for (String name : byDay == null ? new String[0] : byDay.split(",")) {
      for (DayOfWeek day : DayOfWeek.values()) {
        if (day.name().startsWith(name)) {
          days.add(day.getValue() - first.getDayOfWeek().getValue());
        }
      }
    }
    if (days.isEmpty()) {
      days.add(0);
    }
    days.sort(null);
    return days;
  }

  /** The milliseconds of a duration as events have it: P3600S, PT1H, P1D, P1W. */
  static long length(String duration) {
    long length = 0;
    long number = 0;
    for (char c : duration == null ? new char[0] : duration.toCharArray()) {
      if (c >= '0' && c <= '9') {
        number = Math.min(number * 10 + c - '0', Integer.MAX_VALUE);
        continue;
      }
      length +=
          number
              * switch (c) {
                case 'W' -> 7 * DAY;
                case 'D' -> DAY;
                case 'H' -> DAY / 24;
                case 'M' -> 60_000;
                case 'S' -> 1_000;
                default -> 0;
              };
      number = 0;
    }
    return length;
  }
}
