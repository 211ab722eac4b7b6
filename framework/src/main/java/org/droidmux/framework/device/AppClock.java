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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

  /** So often at one moment the time is asked for by who waits for it. */
  private static final int OFTEN = 2_000;

  /** For each thread, the moment at which it asked, and how often it did at that moment. */
  private static final ThreadLocal<long[]> ASKED = ThreadLocal.withInitial(() -> new long[2]);

  private AppClock() {}

  /** The time of day, for the phone itself. */
  static long now() {
    return base + SystemClock.elapsedRealtime();
  }

  public static long currentTimeMillis() {
    asked();
    return now();
  }

  public static long uptimeMillis() {
    asked();
    return SystemClock.uptimeMillis();
  }

  public static long elapsedRealtime() {
    asked();
    return SystemClock.elapsedRealtime();
  }

  /**
   * Who asks for the time again and again waits for it to move on. On the main thread it moves; others wait until it
   * has.
   */
  private static void asked() {
    long now = SystemClock.uptimeMillis();
    long[] counted = ASKED.get();
    if (counted[0] != now) {
      counted[0] = now;
      counted[1] = 0;
    } else if (++counted[1] >= OFTEN) {
      counted[1] = 0;
      try {
        sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The framework's state is dropped, and its clock begins anew; ours goes on. */
  static void across(Runnable reset) {
    long now = now();
    reset.run();
    base = now - SystemClock.elapsedRealtime();
  }

  public static long nanoTime() {
    asked();
    return SystemClock.elapsedRealtimeNanos();
  }

  /** Sleeps in the phone's time: the main thread moves the clock, others wait until it has moved. */
  public static void sleep(long millis) throws InterruptedException {
    if (Looper.myLooper() == Looper.getMainLooper()) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(millis));
      return;
    }
    Sleepers.sleep(millis);
  }

  public static void sleep(long millis, int nanos) throws InterruptedException {
    sleep(millis + (nanos > 0 ? 1 : 0));
  }

  public static void sleep(TimeUnit unit, long count) throws InterruptedException {
    sleep(up(unit.toNanos(count)));
  }

  /** As {@code SystemClock.sleep}, which is not interrupted. */
  public static void sleepThrough(long millis) {
    try {
      sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void parkNanos(long nanos) {
    parkNanos(null, nanos);
  }

  public static void parkNanos(Object blocker, long nanos) {
    if (Looper.myLooper() == Looper.getMainLooper()) {
      LockSupport.parkNanos(blocker, nanos);
    } else {
      Sleepers.park(blocker, up(nanos));
    }
  }

  private static long up(long nanos) {
    return nanos / 1_000_000 + (nanos % 1_000_000 > 0 ? 1 : 0);
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
    calendar.setTimeInMillis(now());
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
    return Instant.ofEpochMilli(now());
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
