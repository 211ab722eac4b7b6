package org.droidmux.framework.device;

import android.os.Looper;
import android.os.SystemClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
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
  public static long now() {
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

  /** It shows what it showed at the beginning. */
  static void beginAnew() {
    base = BEGINNING - SystemClock.elapsedRealtime();
  }

  /** Somebody sets the clock forward, or back. */
  static void move(long millis) {
    base += millis;
  }

  public static long elapsedRealtimeNanos() {
    asked();
    return SystemClock.elapsedRealtimeNanos();
  }

  /** As on Android, this clock stands still while the phone is asleep. */
  public static long nanoTime() {
    asked();
    return SystemClock.uptimeMillis() * 1_000_000;
  }

  /** Sleeps in the phone's time: the main thread lets others run and moves the clock, others wait until it has moved. */
  public static void sleep(long millis) throws InterruptedException {
    AppProcess process = AppProcess.current();
    if (Looper.myLooper() != Looper.getMainLooper()) {
      Sleepers.sleep(millis);
    } else if (process == null) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(millis));
    } else {
      Sleepers.pass(process.classes(), millis);
    }
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
    Sleepers.park(blocker, up(nanos));
  }

  public static void parkUntil(long deadline) {
    parkUntil(null, deadline);
  }

  public static void parkUntil(Object blocker, long deadline) {
    Sleepers.park(blocker, deadline - now());
  }

  /** Whole milliseconds, not less. */
  static long up(long nanos) {
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

  // What java.time takes from its clock.

  public static OffsetDateTime offsetDateTime() {
    return OffsetDateTime.now(clock());
  }

  public static OffsetDateTime offsetDateTime(ZoneId zone) {
    return OffsetDateTime.now(clock(zone));
  }

  public static Instant instant() {
    return Instant.ofEpochMilli(now());
  }

  public static ZonedDateTime zonedDateTime() {
    return ZonedDateTime.now(clock());
  }

  public static ZonedDateTime zonedDateTime(ZoneId zone) {
    return ZonedDateTime.now(clock(zone));
  }

  public static LocalDate localDate() {
    return LocalDate.now(clock());
  }

  public static LocalDate localDate(ZoneId zone) {
    return LocalDate.now(clock(zone));
  }

  public static LocalDateTime localDateTime() {
    return LocalDateTime.now(clock());
  }

  public static LocalDateTime localDateTime(ZoneId zone) {
    return LocalDateTime.now(clock(zone));
  }

  public static LocalTime localTime() {
    return LocalTime.now(clock());
  }

  public static LocalTime localTime(ZoneId zone) {
    return LocalTime.now(clock(zone));
  }

  public static YearMonth yearMonth() {
    return YearMonth.now(clock());
  }

  public static YearMonth yearMonth(ZoneId zone) {
    return YearMonth.now(clock(zone));
  }

  public static Year wholeYear() {
    return Year.now(clock());
  }

  public static Year wholeYear(ZoneId zone) {
    return Year.now(clock(zone));
  }

  public static Clock universalClock() {
    return clock(ZoneOffset.UTC);
  }

  public static Clock clock() {
    return clock(ZoneId.systemDefault());
  }

  public static Clock clock(ZoneId zone) {
    return new PhoneClock(zone);
  }

  /** The phone's time of day in a zone, at whatever moment it is asked. */
  private static final class PhoneClock extends Clock {
    private final ZoneId zone;

    PhoneClock(ZoneId zone) {
      this.zone = zone;
    }

    @Override
    public ZoneId getZone() {
      return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
      return new PhoneClock(other);
    }

    @Override
    public Instant instant() {
      return AppClock.instant();
    }
  }
}
