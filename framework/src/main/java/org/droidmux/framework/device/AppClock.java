package org.droidmux.framework.device;

import android.os.Looper;
import android.os.SystemClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * The phone's time of day for the app's code. It stands still between requests and moves with the input;
 * each phone begins at the same moment.
 */
public final class AppClock {
  /** 2024-03-05 10:00 UTC: a working day, far from the turn of a month or of daylight saving. */
  static final long BEGINNING = 1_709_632_800_000L;

  /** What the clock showed when the framework's own began to count. */
  private static long base = BEGINNING;

  private AppClock() {}

  public static long currentTimeMillis() {
    return base + SystemClock.elapsedRealtime();
  }

  /** The framework's state is dropped, and its clock begins anew; ours goes on. */
  static void across(Runnable reset) {
    long now = currentTimeMillis();
    reset.run();
    base = now - SystemClock.elapsedRealtime();
  }

  /** Somebody sets the clock forward, or back. */
  static void move(long millis) {
    base += millis;
  }

  public static long nanoTime() {
    return SystemClock.elapsedRealtimeNanos();
  }

  /** Sleeps in the phone's time: the main thread moves the clock, others wait until it has moved. */
  public static void sleep(long millis) throws InterruptedException {
    if (Looper.myLooper() == Looper.getMainLooper()) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(millis));
      return;
    }
    long until = SystemClock.uptimeMillis() + millis;
    while (SystemClock.uptimeMillis() < until) {
      Thread.sleep(1);
    }
  }

  public static Calendar calendar() {
    return set(Calendar.getInstance());
  }

  public static Calendar calendar(TimeZone zone) {
    return set(Calendar.getInstance(zone));
  }

  public static Calendar calendar(Locale locale) {
    return set(Calendar.getInstance(locale));
  }

  public static Calendar calendar(TimeZone zone, Locale locale) {
    return set(Calendar.getInstance(zone, locale));
  }

  private static Calendar set(Calendar calendar) {
    calendar.setTimeInMillis(currentTimeMillis());
    return calendar;
  }

  // What a calendar without arguments is made of.

  public static int year() {
    return calendar().get(Calendar.YEAR);
  }

  public static int month() {
    return calendar().get(Calendar.MONTH);
  }

  public static int day() {
    return calendar().get(Calendar.DAY_OF_MONTH);
  }

  public static int hour() {
    return calendar().get(Calendar.HOUR_OF_DAY);
  }

  public static int minute() {
    return calendar().get(Calendar.MINUTE);
  }

  public static int second() {
    return calendar().get(Calendar.SECOND);
  }

  public static OffsetDateTime offsetDateTime() {
    return zonedDateTime().toOffsetDateTime();
  }

  public static Instant instant() {
    return Instant.ofEpochMilli(currentTimeMillis());
  }

  public static ZonedDateTime zonedDateTime() {
    return instant().atZone(ZoneId.systemDefault());
  }

  public static LocalDate localDate() {
    return zonedDateTime().toLocalDate();
  }

  public static LocalDateTime localDateTime() {
    return zonedDateTime().toLocalDateTime();
  }

  public static LocalTime localTime() {
    return zonedDateTime().toLocalTime();
  }
}
