package org.droidmux.framework.device;

import android.os.SystemClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * Threads of the app that wait for a moment of the phone's time. Where the clock gets there, they are woken one after the
 * other, in the order of their moments, and each is let run before the next: what they do comes in the same order in
 * each host.
 */
public final class Sleepers {
  /** How one is woken. */
  private enum By {
    /** It sleeps in the list, or parks. */
    WORD,
    /** It waits in a method of the JDK's that has no other end. */
    INTERRUPT,
    /** Nobody waits: something is done. */
    CALL
  }

  /** One that waits. It is in the list from before it waits until it runs again. */
  static final class Sleeper {
    private final Thread thread;
    private final long until;
    private final long number;
    private final By by;
    private final Runnable call;
    private boolean woken;

    private Sleeper(Thread thread, long until, By by, Runnable call) {
      this.thread = thread;
      this.until = until;
      this.number = ++last;
      this.by = by;
      this.call = call;
    }
  }

  /** A main thread that waits for longer hangs on a phone as well. */
  private static final long LONGEST_NUDGE = 10_000;

  private static final TreeSet<Sleeper> ALL =
      new TreeSet<>(Comparator.comparingLong((Sleeper each) -> each.until).thenComparingLong(each -> each.number));
  private static long last;

  /** So often in a row a main thread must be found waiting that does so for something unknown. */
  private static final int SURELY = 5;

  private static int nudges;

  private Sleepers() {}

  /** Waits on the calling thread, which is not the main one. */
  static void sleep(long millis) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (millis <= 0) {
      Thread.yield();
      return;
    }
    Sleeper it = entered(millis, By.WORD);
    try {
      synchronized (ALL) {
        while (!it.woken) {
          ALL.wait();
        }
      }
    } finally {
      left(it);
      Turns.awakened();
    }
  }

  /** Waits until the moment or until somebody else wakes the thread; it may come back earlier, as the JDK's does. */
  static void park(Object blocker, long millis) {
    if (millis <= 0) {
      return;
    }
    Sleeper it = entered(millis, By.WORD);
    try {
      LockSupport.park(blocker);
    } finally {
      left(it);
      Turns.awakened();
    }
  }

  /** The calling thread is about to wait in a method that can be interrupted, and will be at the moment. */
  static Sleeper interrupted(long millis) {
    return entered(millis, By.INTERRUPT);
  }

  /** Something is to be done at the moment, on whatever thread wakes others. It must not wait for anything. */
  static void at(long until, Runnable call) {
    synchronized (ALL) {
      ALL.add(new Sleeper(null, until, By.CALL, call));
    }
  }

  /** What was to be done belongs to a process that ends. */
  static void forgetCalls() {
    synchronized (ALL) {
      ALL.removeIf(each -> each.by == By.CALL);
    }
  }

  private static Sleeper entered(long millis, By by) {
    synchronized (ALL) {
      long until = SystemClock.uptimeMillis() + Math.min(millis, Long.MAX_VALUE / 2);
      Sleeper it = new Sleeper(Thread.currentThread(), until, by, null);
      ALL.add(it);
      return it;
    }
  }

  /** It runs again; whether its moment had come. The interrupt that told it so is not left behind. */
  static boolean left(Sleeper it) {
    synchronized (ALL) {
      if (ALL.remove(it) && it.woken && it.by == By.INTERRUPT) {
        Thread.interrupted();
      }
      return it.woken;
    }
  }

  /** Wakes the next one whose moment has come; false when there is none. */
  static boolean wakeNext() {
    Sleeper due;
    synchronized (ALL) {
      due = due();
      if (due == null) {
        return false;
      }
      due.woken = true;
      switch (due.by) {
        case WORD -> {
          ALL.notifyAll();
          LockSupport.unpark(due.thread);
        }
        case INTERRUPT -> due.thread.interrupt();
        case CALL -> ALL.remove(due);
      }
    }
    if (due.call != null) {
      due.call.run();
    }
    return true;
  }

  private static Sleeper due() {
    for (Sleeper each : ALL) {
      if (each.until > SystemClock.uptimeMillis()) {
        return null;
      }
      if (!each.woken) {
        return each;
      }
    }
    return null;
  }

  /** The main thread sleeps: meanwhile the others run, and the clock goes on. */
  static void pass(ClassLoader classes, long millis) {
    long end = SystemClock.uptimeMillis() + millis;
    while (true) {
      AppThreads.settle(classes, true);
      long now = SystemClock.uptimeMillis();
      if (wakeNext()) {
        continue;
      }
      if (now >= end) {
        return;
      }
      ShadowSystemClock.advanceBy(Duration.ofMillis(Math.min(end, Math.max(now + 1, next())) - now));
    }
  }

  /** Wakes a thread that parks here, before its moment. */
  static void wake(Thread thread) {
    synchronized (ALL) {
      for (Sleeper each : ALL) {
        each.woken |= each.thread == thread && each.by == By.WORD;
      }
    }
    LockSupport.unpark(thread);
  }

  /** The next moment that one waits for, on the phone's clock; the end of time when none does. */
  static long next() {
    synchronized (ALL) {
      for (Sleeper each : ALL) {
        if (!each.woken) {
          return each.until;
        }
      }
      return Long.MAX_VALUE;
    }
  }

  /**
   * Moves the clock to the moment that the next one waits for, and wakes it. To be called from outside, again and again,
   * while the main thread, which moves the clock otherwise, is itself waiting: for such a thread, if none computes.
   */
  public static void nudge(Thread main) {
    AppProcess process = AppProcess.current();
    if (process == null || AppThreads.anyBusy(process.classes()) || Waits.isOver(main)) {
      nudges = 0;
      return;
    }
    // A thread that was woken where nothing of ours stands does not look like it until the computer lets it run.
    if (++nudges < (isIn(main) || Waits.waits(main) ? 1 : SURELY)) {
      return;
    }
    nudges = 0;
    long wait = Math.max(0, next() - SystemClock.uptimeMillis());
    if (wait < LONGEST_NUDGE) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(wait));
      wakeNext();
    }
  }

  private static boolean isIn(Thread thread) {
    synchronized (ALL) {
      return ALL.stream().anyMatch(each -> each.thread == thread);
    }
  }

  /** Whether a thread was woken and does not run yet, though it looks as if it waited. */
  static boolean isCalled(Thread thread) {
    synchronized (ALL) {
      for (Sleeper each : ALL) {
        if (each.woken && each.thread == thread) {
          return true;
        }
      }
      return false;
    }
  }
}
