package org.droidmux.framework.device;

import android.os.Looper;
import android.os.Message;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets the app's threads run one after the other. A thread that begins a task, takes a message or comes back from waiting
 * stops here until it is its turn: until the main thread rests and no other thread computes. Of several, the one goes first
 * whose task was given away first. So what they do comes in the same order in each host, as far as they come by here.
 *
 * <p>In flow calls that are woven into the app's classes (see {@link Redirects}) and the messages of its loopers; {@link
 * AppThreads} gives the turns. Nobody waits for ever: where the main thread itself waits, or goes on for too long, the
 * first in the row goes by itself.
 */
public final class Turns {
  /** One that stops here. It is in the row until it runs again. */
  private static final class Waiting {
    final Thread thread = Thread.currentThread();
    final int number;
    final long arrival;
    boolean called;

    Waiting(int number, long arrival) {
      this.number = number;
      this.arrival = arrival;
    }
  }

  /** How long the main thread may compute, in time of the processor, while somebody stops here. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  /** How long it may stand still though it seems to run, in real time: it then waits for what the JVM does not tell. */
  private static final long STILL_NANOS = 3_000_000_000L;

  /** How long the others may, while the main thread waits. */
  private static final long OTHERS_NANOS = 5_000_000_000L;

  /** So often in a row the main thread must seem to wait. */
  private static final int SURELY = 2;

  /** So often in a row, a millisecond each, a main thread that gives turns must seem to wait without an end. */
  private static final int STUCK = 200;

  private static final Set<Thread.State> WITHOUT_END = EnumSet.of(Thread.State.WAITING, Thread.State.BLOCKED);

  private static final ThreadMXBean TIMES = ManagementFactory.getThreadMXBean();

  private static final Object ROW = new Object();
  private static final TreeSet<Waiting> WAITING =
      new TreeSet<>(Comparator.comparingInt((Waiting each) -> each.number).thenComparingLong(each -> each.arrival));
  private static long arrivals;

  /** Who computed for too long: is let pass until it rests. */
  private static final Set<Thread> FREE = ConcurrentHashMap.newKeySet();

  /** Whose turn it is, if anybody's. */
  private static volatile Thread holder;

  /** Whether the main thread is giving turns. */
  private static volatile boolean giving;

  private static volatile Thread main;

  private Turns() {}

  /** A process begins, on the main thread. */
  static void begin() {
    main = Thread.currentThread();
    holder = null;
    FREE.clear();
  }

  /** Loopers of other threads take their messages here from now on. The framework is set up by now. */
  static void observeLoopers() {
    Looper.setObserver(
        new Looper.Observer() {
          @Override
          public Object messageDispatchStarting() {
            await(Thread.currentThread());
            return this;
          }

          @Override
          public void messageDispatched(Object token, Message message) {}

          @Override
          public void dispatchingThrewException(Object token, Message message, Exception thrown) {}
        });
  }

  /** A task is given away: this is its place among those that begin at the same time. */
  public static void given(Object task) {
    // Numbers are given in the order in which they are asked for first (framework/run).
    System.identityHashCode(task);
  }

  /** As {@link #given}, for what a lambda expression made, into which nothing can be woven. */
  public static Runnable given(Runnable task) {
    Runnable turning = new Runnable() {
      @Override
      public void run() {
        await(this);
        task.run();
      }
    };
    given((Object) turning);
    return turning;
  }

  /** As {@link #given(Runnable)}. */
  public static Callable<?> given(Callable<?> task) {
    Callable<?> turning = new Callable<Object>() {
      @Override
      public Object call() throws Exception {
        await(this);
        return task.call();
      }
    };
    given((Object) turning);
    return turning;
  }

  /** Where a task begins: comes back when it is the calling thread's turn. */
  public static void await(Object task) {
    Thread self = Thread.currentThread();
    if (self == main || self == holder || FREE.contains(self)) {
      return;
    }
    if (self.getContextClassLoader() instanceof AppClasses classes) {
      AppProcess process = AppProcess.current();
      if (process != null && classes == process.classes()) {
        await(classes, System.identityHashCode(task));
      } else if (classes.hasEnded()) {
        // It would do its work in the process that came after its own.
        throw new ThreadDeath();
      }
    }
  }

  /** Where a thread has waited for something else. */
  static void awakened() {
    await(Thread.currentThread());
  }

  private static void await(ClassLoader classes, int number) {
    boolean interrupted = false;
    Watch watch = new Watch(classes);
    synchronized (ROW) {
      Waiting it = new Waiting(number, ++arrivals);
      WAITING.add(it);
      try {
        while (!it.called) {
          boolean first = it == first();
          if (first && watch.mayGo()) {
            call(it);
            break;
          }
          try {
            ROW.wait(first ? 1 : 20);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        WAITING.remove(it);
        ROW.notifyAll();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private static Waiting first() {
    for (Waiting each : WAITING) {
      if (!each.called) {
        return each;
      }
    }
    return null;
  }

  private static void call(Waiting it) {
    it.called = true;
    holder = it.thread;
  }

  /** Gives the next one its turn; false when nobody stops here. */
  static boolean callNext() {
    synchronized (ROW) {
      Waiting next = first();
      if (next == null) {
        return false;
      }
      call(next);
      ROW.notifyAll();
      return true;
    }
  }

  /** The main thread gives turns from now on, or goes on itself: then it is nobody else's. */
  static void giving(boolean now) {
    giving = now;
    holder = null;
  }

  /** The thread is not waited for any more; it goes on beside the others. */
  static void free(Thread thread) {
    FREE.add(thread);
  }

  /** Whether nobody waits for the thread. */
  static boolean isFree(Thread thread) {
    return FREE.contains(thread);
  }

  /** Only these have not rested since. */
  static void keepFree(Set<Thread> busy) {
    FREE.retainAll(busy);
  }

  /** Whether a thread that waits for this lock is about to stop here. */
  static boolean isRow(LockInfo lock) {
    return lock != null
        && lock.getIdentityHashCode() == System.identityHashCode(ROW)
        && lock.getClassName().equals(ROW.getClass().getName());
  }

  /** Who stops here, and is not called yet. */
  static Set<Thread> stopped() {
    synchronized (ROW) {
      Set<Thread> found = new HashSet<>();
      for (Waiting each : WAITING) {
        if (!each.called) {
          found.add(each.thread);
        }
      }
      return found;
    }
  }

  /** Whether it is the thread's turn and it does not run yet, though it looks as if it waited. */
  static boolean isCalled(Thread thread) {
    synchronized (ROW) {
      for (Waiting each : WAITING) {
        if (each.called && each.thread == thread) {
          return true;
        }
      }
      return false;
    }
  }

  /** Looks, for one that stops here, at who should give it its turn. */
  private static final class Watch {
    private final ClassLoader classes;
    private final long begun = System.nanoTime();
    private long first = -1;
    private long last;
    private long moved = begun;
    private int resting;

    Watch(ClassLoader classes) {
      this.classes = classes;
    }

    /** Whether it has to go by itself, lest all wait for each other. */
    boolean mayGo() {
      Thread on = main;
      if (giving || on == null) {
        moved = System.nanoTime();
        // Who gives turns rests for a time. Without one, it waits for a lock, which who stops here may hold.
        boolean stuck = on != null && WITHOUT_END.contains(on.getState());
        resting = stuck ? resting + 1 : 0;
        return on == null || resting > STUCK;
      }
      long now = System.nanoTime();
      if (on.getState() != Thread.State.RUNNABLE) {
        return ++resting > SURELY && (!AppThreads.anyRuns(classes) || now - begun > OTHERS_NANOS);
      }
      resting = 0;
      long used = TIMES.getThreadCpuTime(on.getId());
      if (first < 0) {
        first = used;
      }
      if (used != last) {
        last = used;
        moved = now;
      }
      return used - first > PATIENCE_NANOS || now - moved > STILL_NANOS;
    }
  }
}
