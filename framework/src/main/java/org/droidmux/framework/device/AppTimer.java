package org.droidmux.framework.device;

import java.util.Comparator;
import java.util.Date;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.robolectric.util.ReflectionHelpers;

/**
 * A timer of the app's on the phone's clock; the JDK's goes by the computer's. The app's code makes this one where it would
 * make the JDK's (see {@link Redirects}), and does not see the difference. Tasks keep their state in fields of the JDK's
 * class, which only its own timer reaches otherwise.
 */
public class AppTimer extends Timer {
  private static final int VIRGIN = 0;
  private static final int SCHEDULED = 1;
  private static final int EXECUTED = 2;
  private static final AtomicInteger NAMES = new AtomicInteger();

  /** A task and when it is due. A negative period counts from when the task ran, as in the JDK. */
  private record Entry(TimerTask task, long at, long number, long period) {}

  private final TreeSet<Entry> entries =
      new TreeSet<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));
  private final Thread thread;
  private long last;
  private boolean ended;

  public AppTimer() {
    this(false);
  }

  public AppTimer(boolean daemon) {
    this("Timer-" + NAMES.getAndIncrement(), daemon);
  }

  public AppTimer(String name) {
    this(name, false);
  }

  public AppTimer(String name, boolean daemon) {
    super(name, true);
    // Its own thread has nothing to do.
    super.cancel();
    thread = new Thread(this::run, name);
    thread.setDaemon(daemon);
    thread.start();
  }

  @Override
  public void schedule(TimerTask task, long delay) {
    add(task, after(delay), 0);
  }

  @Override
  public void schedule(TimerTask task, Date time) {
    add(task, time.getTime(), 0);
  }

  @Override
  public void schedule(TimerTask task, long delay, long period) {
    add(task, after(delay), -positive(period));
  }

  @Override
  public void schedule(TimerTask task, Date first, long period) {
    add(task, first.getTime(), -positive(period));
  }

  @Override
  public void scheduleAtFixedRate(TimerTask task, long delay, long period) {
    add(task, after(delay), positive(period));
  }

  @Override
  public void scheduleAtFixedRate(TimerTask task, Date first, long period) {
    add(task, first.getTime(), positive(period));
  }

  private static long after(long delay) {
    if (delay < 0) {
      throw new IllegalArgumentException("Negative delay.");
    }
    return AppClock.now() + Math.min(delay, Long.MAX_VALUE / 2);
  }

  private static long positive(long period) {
    if (period <= 0) {
      throw new IllegalArgumentException("Non-positive period.");
    }
    return period;
  }

  private void add(TimerTask task, long at, long period) {
    if (at < 0) {
      throw new IllegalArgumentException("Illegal execution time.");
    }
    synchronized (entries) {
      if (ended) {
        throw new IllegalStateException("Timer already cancelled.");
      }
      synchronized (lock(task)) {
        if (state(task) != VIRGIN) {
          throw new IllegalStateException("Task already scheduled or cancelled");
        }
        ReflectionHelpers.setField(TimerTask.class, task, "nextExecutionTime", at);
        ReflectionHelpers.setField(TimerTask.class, task, "period", period);
        ReflectionHelpers.setField(TimerTask.class, task, "state", SCHEDULED);
      }
      entries.add(new Entry(task, at, ++last, period));
    }
    Sleepers.wake(thread);
  }

  @Override
  public void cancel() {
    synchronized (entries) {
      ended = true;
      entries.clear();
    }
    Sleepers.wake(thread);
  }

  @Override
  public int purge() {
    synchronized (entries) {
      int before = entries.size();
      entries.removeIf(each -> state(each.task()) != SCHEDULED);
      return before - entries.size();
    }
  }

  private void run() {
    try {
      while (!ended()) {
        Entry due = next();
        if (due != null) {
          due.task().run();
        }
      }
    } finally {
      cancel();
    }
  }

  private boolean ended() {
    synchronized (entries) {
      return ended;
    }
  }

  /** The task whose moment has come; null after a while in which there was none. */
  private Entry next() {
    long wait;
    synchronized (entries) {
      entries.removeIf(each -> state(each.task()) != SCHEDULED);
      if (ended) {
        return null;
      }
      Entry first = entries.isEmpty() ? null : entries.first();
      wait = first == null ? Long.MAX_VALUE : first.at() - AppClock.now();
      if (wait <= 0) {
        entries.remove(first);
        taken(first);
        return first;
      }
    }
    Sleepers.park(this, wait);
    return null;
  }

  private void taken(Entry due) {
    synchronized (lock(due.task())) {
      if (due.period() == 0) {
        ReflectionHelpers.setField(TimerTask.class, due.task(), "state", EXECUTED);
        return;
      }
      long at = due.period() < 0 ? AppClock.now() - due.period() : due.at() + due.period();
      ReflectionHelpers.setField(TimerTask.class, due.task(), "nextExecutionTime", at);
      entries.add(new Entry(due.task(), at, ++last, due.period()));
    }
  }

  private static Object lock(TimerTask task) {
    return ReflectionHelpers.getField(task, "lock");
  }

  private static int state(TimerTask task) {
    synchronized (lock(task)) {
      return ReflectionHelpers.<Integer>getField(task, "state");
    }
  }
}
