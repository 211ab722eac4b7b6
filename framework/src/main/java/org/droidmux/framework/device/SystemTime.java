package org.droidmux.framework.device;

import android.content.Intent;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.TimeZone;

/**
 * What the system tells of the time: each minute to those who have registered for it, a new day, and that somebody has set
 * the clock or moved to another zone. In flow the phone's clock; out flow broadcasts.
 */
final class SystemTime {
  private static final long MINUTE = 60_000;

  private final Phone phone;
  private long minute = AppClock.BEGINNING / MINUTE;
  private LocalDate day = day(AppClock.BEGINNING);
  private long slept;

  SystemTime(Phone phone) {
    this.phone = phone;
  }

  private static LocalDate day(long millis) {
    return Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()).toLocalDate();
  }

  private static LocalDate today() {
    return day(AppClock.now());
  }

  /** When the next minute begins. */
  long nextTime() {
    return (minute + 1) * MINUTE;
  }

  /** Tells what has begun; false when nothing has. */
  boolean pump() {
    long now = AppClock.now() / MINUTE;
    if (now == minute) {
      return false;
    }
    minute = now;
    phone.tell(new Intent(Intent.ACTION_TIME_TICK).addFlags(Intent.FLAG_RECEIVER_REGISTERED_ONLY));
    newDay();
    return true;
  }

  private void newDay() {
    if (!today().equals(day)) {
      day = today();
      phone.tell(new Intent(Intent.ACTION_DATE_CHANGED));
    }
  }

  /** Somebody sets the clock. */
  void set(long millis) {
    long by = millis - AppClock.now();
    AppClock.move(by);
    slept = 0;
    phone.alarms().clockMoved(by);
    phone.jobs().clockMoved(by);
    phone.headsUp().clockMoved(by);
    minute = millis / MINUTE;
    phone.tell(new Intent(Intent.ACTION_TIME_CHANGED).addFlags(Broadcasts.TO_BACKGROUND));
    newDay();
  }

  /** Nobody touches the phone for so long. */
  void pass(long millis) {
    slept += millis;
    phone.loop().sleep(millis);
  }

  /** The app begins anew, and with it the time as if nobody had let it pass: nobody is there to be told. */
  void back() {
    AppClock.move(-slept);
    begin();
  }

  /** It is another phone: its time begins where that of each does. */
  void beginAnew() {
    AppClock.beginAnew();
    begin();
  }

  private void begin() {
    slept = 0;
    minute = AppClock.now() / MINUTE;
    day = today();
  }

  /** Somebody moves to another zone. */
  void zone(TimeZone zone) {
    if (zone.getID().equals(TimeZone.getDefault().getID())) {
      return;
    }
    TimeZone.setDefault(zone);
    phone.tell(
        new Intent(Intent.ACTION_TIMEZONE_CHANGED)
            .putExtra("time-zone", zone.getID())
            .addFlags(Broadcasts.TO_BACKGROUND));
    newDay();
  }
}
