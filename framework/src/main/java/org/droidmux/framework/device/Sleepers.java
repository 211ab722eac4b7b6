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
  /** One that waits. It is in the list from before it waits until it runs again. */
  private static final class Sleeper {
    final Thread thread = Thread.currentThread();
    final long until;
    final long number;
    boolean woken;

    Sleeper(long until, long number) {
      this.until = until;
      this.number = number;
    }
  }

  /** A main thread that waits for longer hangs on a phone as well. */
  private static final long LONGEST_NUDGE = 10_000;

  private static final TreeSet<Sleeper> ALL =
      new TreeSet<>(Comparator.comparingLong((Sleeper each) -> each.until).thenComparingLong(each -> each.number));
  private static long last;

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
    Sleeper it = entered(millis);
    try {
      synchronized (ALL) {
        while (!it.woken) {
          ALL.wait();
        }
      }
    } finally {
      left(it);
    }
  }

  /** Waits until the moment or until somebody else wakes the thread; it may come back earlier, as the JDK's does. */
  static void park(Object blocker, long millis) {
    if (millis <= 0) {
      return;
    }
    Sleeper it = entered(millis);
    try {
      LockSupport.park(blocker);
    } finally {
      left(it);
    }
  }

  private static Sleeper entered(long millis) {
    synchronized (ALL) {
      long until = SystemClock.uptimeMillis() + Math.min(millis, Long.MAX_VALUE / 2);
      Sleeper it = new Sleeper(until, ++last);
      ALL.add(it);
      return it;
    }
  }

  private static void left(Sleeper it) {
    synchronized (ALL) {
      ALL.remove(it);
    }
  }

  /** Wakes the next one whose moment has come; false when there is none. */
  static boolean wakeNext() {
    synchronized (ALL) {
      for (Sleeper each : ALL) {
        if (each.until > SystemClock.uptimeMillis()) {
          return false;
        }
        if (!each.woken) {
          each.woken = true;
          ALL.notifyAll();
          LockSupport.unpark(each.thread);
          return true;
        }
      }
      return false;
    }
  }

  /** Wakes a thread that parks here before its moment. */
  static void wake(Thread thread) {
    synchronized (ALL) {
      for (Sleeper each : ALL) {
        each.woken |= each.thread == thread;
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
   * Moves the clock to the moment that the next one waits for, and wakes it. To be called from outside while the main
   * thread, which moves the clock otherwise, is itself waiting: for such a thread, if none computes.
   */
  public static void nudge() {
    AppProcess process = AppProcess.current();
    if (process == null || AppThreads.anyBusy(process.classes())) {
      return;
    }
    long wait = Math.max(0, next() - SystemClock.uptimeMillis());
    if (wait < LONGEST_NUDGE) {
      ShadowSystemClock.advanceBy(Duration.ofMillis(wait));
      wakeNext();
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
