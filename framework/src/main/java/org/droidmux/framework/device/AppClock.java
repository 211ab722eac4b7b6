package org.droidmux.framework.device;

import android.os.Looper;
import android.os.SystemClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
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
    Calendar calendar = Calendar.getInstance();
    calendar.setTimeInMillis(currentTimeMillis());
    return calendar;
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
