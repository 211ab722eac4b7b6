package org.droidmux.framework.device;

import android.os.HandlerThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.robolectric.util.ReflectionHelpers;

/** The threads of a process: those whose context class loader is that of its classes. */
final class AppThreads {
  /** How long a thread may compute without a rest before it is not waited for any more, in time of the processor. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  /** How long we wait at all, in real time, for threads that the computer does not let run. */
  private static final long LONGEST_NANOS = 30_000_000_000L;

  /** So often in a row nothing must be going on: a thread that is being woken does not look like it yet. */
  private static final int QUIET = 2;

  private static final ThreadMXBean TIMES = ManagementFactory.getThreadMXBean();

  /** The numbers of threads that have computed since they were looked at first, with the processor's time that they had. */
  private static final Map<Long, Long> BEGUN = new HashMap<>();

  private AppThreads() {}

  /**
   * Waits until no thread of the process computes. One that waits for the network is not waited for, and one that never
   * ends is waited for once. What counts is how long it ran, not how long it took: otherwise what an app shows would depend on
   * what else the computer does.
   *
   * @param stirred whether anything has run since they were last waited for that may have woken one
   */
  static void settle(ClassLoader classes, boolean stirred) {
    long begun = System.nanoTime();
    int quiet = 0;
    int enough = stirred ? QUIET : 1;
    while (true) {
      List<Thread> all = of(classes);
      if (all.isEmpty()) {
        BEGUN.clear();
        return;
      }
      List<Thread> busy = busy(all);
      BEGUN.keySet().retainAll(busy.stream().map(Thread::getId).toList());
      if (busy.isEmpty()) {
        if (++quiet >= enough) {
          return;
        }
        // Not by giving way: on a computer that has much to do, that is to all others.
        LockSupport.parkNanos(1_000);
        continue;
      }
      quiet = 0;
      enough = QUIET;
      if (!worthWaiting(busy)) {
        return;
      }
      if (System.nanoTime() - begun > LONGEST_NANOS) {
        // Nor in the next frame.
        busy.forEach(each -> BEGUN.put(each.getId(), -PATIENCE_NANOS));
        return;
      }
      // Not by spinning: the processor is what they wait for.
      LockSupport.parkNanos(50_000);
    }
  }

  /** Whether one of them has not had its time yet. */
  private static boolean worthWaiting(List<Thread> busy) {
    boolean worth = false;
    for (Thread thread : busy) {
      long now = TIMES.getThreadCpuTime(thread.getId());
      long first = BEGUN.computeIfAbsent(thread.getId(), id -> now);
      worth |= now - first < PATIENCE_NANOS && thread.isAlive();
    }
    return worth;
  }

  /** Whether a thread of the process computes just now. */
  static boolean anyBusy(ClassLoader classes) {
    return !busy(of(classes)).isEmpty();
  }

  private static List<Thread> busy(List<Thread> all) {
    List<Thread> busy = new ArrayList<>();
    for (Thread thread : all) {
      Thread.State state = thread.getState();
      if (state == Thread.State.BLOCKED
          || state == Thread.State.RUNNABLE && !waitsForOthers(thread)
          || (state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
              && (Sleepers.isCalled(thread) || isCalled(thread))) {
        busy.add(thread);
      }
    }
    return busy;
  }

  /** The JVM calls a thread runnable that waits in a native method for a socket, a file or a child process. */
  private static boolean waitsForOthers(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0
        && stack[0].isNativeMethod()
        && (stack[0].getClassName().startsWith("sun.nio.")
            || stack[0].getClassName().startsWith("java.net.")
            || stack[0].getClassName().equals("java.lang.ProcessHandleImpl")
            || stack[0].getClassName().equals("java.io.FileInputStream"));
  }

  /** A pool's thread that waits for work seems to wait until it runs, though there is work. */
  private static boolean isCalled(Thread thread) {
    if (thread instanceof ForkJoinWorkerThread worker) {
      return worker.getPool().hasQueuedSubmissions();
    }
    ThreadPoolExecutor pool = pool(thread);
    if (pool == null) {
      return false;
    }
    BlockingQueue<Runnable> queue = pool.getQueue();
    Runnable next = queue.peek();
    boolean later = next instanceof Delayed delayed && delayed.getDelay(TimeUnit.NANOSECONDS) > 0;
    // A pool all of whose threads wait for something within their work does not take more.
    return next != null && !later && pool.getActiveCount() < pool.getPoolSize();
  }

  /** The pool that a thread works for, or null. */
  private static ThreadPoolExecutor pool(Thread thread) {
    try {
      Object task = ReflectionHelpers.getField(thread, "target");
      return task != null && task.getClass().getName().equals("java.util.concurrent.ThreadPoolExecutor$Worker")
          ? ReflectionHelpers.getField(task, "this$0")
          : null;
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Ends all threads of a process but the one that calls. */
  @SuppressWarnings({"deprecation", "removal"})
  static void end(ClassLoader classes) {
    for (Thread thread : of(classes)) {
      endPool(thread);
      if (thread instanceof HandlerThread looping) {
        looping.quit();
      }
      thread.interrupt();
    }
    long begun = System.nanoTime();
    while (!of(classes).isEmpty() && System.nanoTime() - begun < 20_000_000L) {
      Thread.yield();
    }
    for (Thread thread : of(classes)) {
      thread.stop();
    }
    BEGUN.clear();
  }

  /** A pool puts another thread in the place of one that is stopped: it is ended itself. */
  private static void endPool(Thread thread) {
    if (thread instanceof ForkJoinWorkerThread worker) {
      worker.getPool().shutdownNow();
      return;
    }
    ThreadPoolExecutor pool = pool(thread);
    if (pool != null) {
      pool.shutdownNow();
    }
  }

  private static List<Thread> of(ClassLoader classes) {
    Thread self = Thread.currentThread();
    ThreadGroup group = self.getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    Thread[] all = new Thread[group.activeCount() + 16];
    int count = group.enumerate(all, true);
    List<Thread> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (all[i] != self && all[i].isAlive() && all[i].getContextClassLoader() == classes) {
        found.add(all[i]);
      }
    }
    return found;
  }
}
