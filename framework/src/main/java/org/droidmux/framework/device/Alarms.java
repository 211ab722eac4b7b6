package org.droidmux.framework.device;

import android.app.AlarmManager;
import android.app.IAlarmCompleteListener;
import android.app.IAlarmListener;
import android.app.PendingIntent;
import android.content.Intent;
import android.os.Build;
import android.os.RemoteException;
import android.os.SystemClock;
import java.util.ArrayList;
import java.util.List;

/**
 * The alarms of the app, on the phone's clock. They outlive its process, except those that call an object of it. In flow
 * the calls of the framework's own AlarmManager; out flow what they were set for, at their very moment.
 */
final class Alarms extends SystemService {
  /** What Android makes of alarms that are too near, and of those that repeat too often. */
  private static final long NEAREST = 5_000;

  private static final long SHORTEST_INTERVAL = 60_000;

  /** How many an app may have at a time. */
  private static final int MOST = 500;

  private static final class Alarm {
    boolean byTimeOfDay;
    long at;
    long interval;
    PendingIntent operation;
    IAlarmListener listener;
    AlarmManager.AlarmClockInfo clock;
  }

  private final Phone phone;
  private final List<Alarm> alarms = new ArrayList<>();

  Alarms(Phone phone) {
    this.phone = phone;
  }

  @Override
  synchronized Object answer(String method, Arguments arguments) {
    switch (method) {
      case "set" -> set(arguments);
      case "remove" -> remove(arguments.first(PendingIntent.class), arguments.first(IAlarmListener.class));
      case "removeAll" -> alarms.clear();
      case "getNextAlarmClock" -> {
        Alarm next = next(true);
        return next == null ? null : next.clock;
      }
      case "canScheduleExactAlarms", "hasScheduleExactAlarm" -> {
        return mayBeExact();
      }
      default -> {
        return UNKNOWN;
      }
    }
    return null;
  }

  /** Kind, then trigger, window and interval. */
  private void set(Arguments arguments) {
    PendingIntent operation = arguments.first(PendingIntent.class);
    IAlarmListener listener = arguments.first(IAlarmListener.class);
    AlarmManager.AlarmClockInfo clock = arguments.first(AlarmManager.AlarmClockInfo.class);
    int kind = arguments.number(0);
    boolean exact = arguments.large(1) == 0 || clock != null;
    if (exact && operation != null && !mayBeExact()) {
      throw InSystemsName.thrown(
          new SecurityException(
              "Caller " + phone.packageName() + " needs to hold android.permission.SCHEDULE_EXACT_ALARM or "
                  + "android.permission.USE_EXACT_ALARM to set exact alarms."));
    }
    remove(operation, listener);
    if (alarms.size() >= MOST) {
      throw InSystemsName.thrown(
          new IllegalStateException(
              "Maximum limit of concurrent alarms " + MOST + " reached for uid: " + android.os.Process.myUid()
                  + ", callingPackage: " + phone.packageName()));
    }
    Alarm alarm = new Alarm();
    alarm.byTimeOfDay = kind == AlarmManager.RTC_WAKEUP || kind == AlarmManager.RTC;
    long now = AppClock.now();
    long wanted = alarm.byTimeOfDay ? arguments.large(0) : now + arguments.large(0) - SystemClock.elapsedRealtime();
    alarm.at = Math.max(wanted, now + NEAREST);
    alarm.interval = arguments.large(2) <= 0 ? 0 : Math.max(SHORTEST_INTERVAL, arguments.large(2));
    alarm.operation = operation;
    alarm.listener = listener;
    alarm.clock = clock;
    alarms.add(alarm);
  }

  private void remove(PendingIntent operation, IAlarmListener listener) {
    alarms.removeIf(
        alarm ->
            operation != null && operation.equals(alarm.operation)
                || listener != null && alarm.listener != null
                    && listener.asBinder() == alarm.listener.asBinder());
  }

  /** Since API 31 an alarm at its very moment needs a permission, which those for API 33 have to be given by a person. */
  private boolean mayBeExact() {
    int target = AppProcess.current().application().getApplicationInfo().targetSdkVersion;
    List<String> requested = phone.permissions().requested();
    return Build.VERSION.SDK_INT < Build.VERSION_CODES.S
        || target < Build.VERSION_CODES.S
        || requested.contains("android.permission.USE_EXACT_ALARM")
        || target < Build.VERSION_CODES.TIRAMISU && requested.contains("android.permission.SCHEDULE_EXACT_ALARM");
  }

  private Alarm next(boolean clock) {
    Alarm next = null;
    for (Alarm alarm : alarms) {
      if ((!clock || alarm.clock != null) && (next == null || alarm.at < next.at)) {
        next = alarm;
      }
    }
    return next;
  }

  /** When the next one goes off, by the phone's time of day; a moment that never comes where there is none. */
  synchronized long nextTime() {
    Alarm next = next(false);
    return next == null ? Long.MAX_VALUE : next.at;
  }

  /** Lets one go off that is due; false when none is. */
  boolean pump() {
    Alarm due;
    long now = AppClock.now();
    int count = 1;
    synchronized (this) {
      due = next(false);
      if (due == null || due.at > now) {
        return false;
      }
      if (due.interval > 0) {
        count += (int) Math.min(Integer.MAX_VALUE - 1, (now - due.at) / due.interval);
        due.at += due.interval * count;
      } else {
        alarms.remove(due);
      }
    }
    try {
      if (due.operation != null) {
        due.operation.send(
            AppProcess.current().application(), 0, new Intent().putExtra(Intent.EXTRA_ALARM_COUNT, count));
      } else {
        due.listener.doAlarm(new Done().as(IAlarmCompleteListener.class));
      }
    } catch (PendingIntent.CanceledException e) {
      synchronized (this) {
        alarms.remove(due);
      }
    } catch (RemoteException e) {
      throw new IllegalStateException("nothing here is remote", e);
    }
    return true;
  }

  /** A listener says that it has done its work, for which nobody waits. */
  private static final class Done extends SystemService {
    @Override
    Object answer(String method, Arguments arguments) {
      return UNKNOWN;
    }
  }

  /** The clock was set: what goes by the time that has passed keeps its distance. */
  synchronized void clockMoved(long by) {
    for (Alarm alarm : alarms) {
      if (!alarm.byTimeOfDay) {
        alarm.at += by;
      }
    }
  }

  /** Objects of the process are gone. */
  synchronized void processEnded() {
    alarms.removeIf(alarm -> alarm.listener != null);
  }

  /** As after a force-stop: nothing that the app has asked for is done any more. */
  synchronized void forget() {
    alarms.clear();
  }
}
