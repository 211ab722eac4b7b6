package org.droidmux.framework.device;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import org.robolectric.util.ReflectionHelpers;

/**
 * What the pools of the JDK know of their threads: in flows a thread, out flows whether it has work or surely has none. The
 * thread itself looks the same in both cases until the computer lets it run.
 *
 * <p>Nobody is asked here whose code is the app's: it may want a lock, which a thread holds that waits for its turn.
 */
final class PoolThreads {
  private PoolThreads() {}

  /** A pool's thread that waits for work seems to wait until it runs, though there is work. */
  static boolean isCalled(Thread thread) {
    if (thread instanceof ForkJoinWorkerThread worker) {
      return worker.getPool().hasQueuedSubmissions();
    }
    ThreadPoolExecutor pool = of(thread);
    if (pool == null) {
      return false;
    }
    BlockingQueue<Runnable> queue = pool.getQueue();
    Runnable next = isOurs(queue) ? queue.peek() : null;
    boolean later = next instanceof Delayed delayed && isOurs(delayed) && AppSchedule.isLater(delayed);
    // A pool all of whose threads wait for something within their work does not take more.
    return next != null && !later && pool.getActiveCount() < pool.getPoolSize();
  }

  /** Whether a thread waits for work of its pool, and would look as {@link #isCalled} says if it had been given some. */
  static boolean idles(Thread thread) {
    ThreadPoolExecutor pool = of(thread);
    if (pool == null) {
      return false;
    }
    BlockingQueue<Runnable> queue = pool.getQueue();
    return queue instanceof SynchronousQueue<?> hands
        ? stands(thread, hands)
        : isOurs(queue) && pool.getActiveCount() == 0;
  }

  /** Whether something is the JDK's, the framework's or the host's, and its code not the app's. */
  static boolean isOurs(Object thing) {
    return !(thing.getClass().getClassLoader() instanceof AppClasses);
  }

  /** Whether a thread stands at a queue that hands its work over at once, and has been given none. */
  private static boolean stands(Thread thread, SynchronousQueue<?> queue) {
    try {
      Object node = ReflectionHelpers.getField(ReflectionHelpers.getField(queue, "transferer"), "head");
      while (node != null) {
        // Who hands something over takes the name away; a queue that is fair keeps it, and is not looked into.
        if (ReflectionHelpers.getField(node, "waiter") == thread) {
          return ReflectionHelpers.getField(node, "match") == null;
        }
        node = ReflectionHelpers.getField(node, "next");
      }
    } catch (RuntimeException e) {
      // A fair one, or another JDK's.
    }
    return false;
  }

  /** A pool puts another thread in the place of one that is stopped: it is ended itself. */
  static void endPool(Thread thread) {
    if (thread instanceof ForkJoinWorkerThread worker) {
      worker.getPool().shutdownNow();
      return;
    }
    ThreadPoolExecutor pool = of(thread);
    if (pool != null) {
      pool.shutdownNow();
    }
  }

  /** The pool that a thread works for, or null. */
  private static ThreadPoolExecutor of(Thread thread) {
    try {
      Object task = ReflectionHelpers.getField(thread, "target");
      return task != null && task.getClass().getName().equals("java.util.concurrent.ThreadPoolExecutor$Worker")
          ? ReflectionHelpers.getField(task, "this$0")
          : null;
    } catch (RuntimeException e) {
      return null;
    }
  }
}
