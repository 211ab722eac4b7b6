package org.droidmux.framework.device;

import android.os.AsyncTask;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.robolectric.util.ReflectionHelpers;

/**
 * The JDK's methods that wait, as the app's code calls them (see {@link Redirects}): their limits go by the phone's clock,
 * and who has waited waits for its {@link Turns} as well. The JDK is asked to wait without a limit, and is interrupted when
 * the phone's clock gets there.
 */
public final class Waits {
  /** A call that waits without a limit. */
  private interface Endless<T> {
    T make() throws InterruptedException;
  }

  /** For each thread that waits, whether what it waits for is there: then it is about to run, though it seems to wait. */
  private static final Map<Thread, BooleanSupplier> OVER = new ConcurrentHashMap<>();

  private static final BooleanSupplier UNKNOWN = () -> false;

  private Waits() {}

  /** Whether the thread is in one of these methods. */
  static boolean waits(Thread thread) {
    return OVER.containsKey(thread);
  }

  /** Whether it is known what the thread waits for, so that {@link #isOver} tells as soon as that is there. */
  static boolean isKnown(Thread thread) {
    return OVER.getOrDefault(thread, UNKNOWN) != UNKNOWN;
  }

  static boolean isOver(Thread thread) {
    return OVER.getOrDefault(thread, UNKNOWN).getAsBoolean();
  }

  private static <T> T endless(BooleanSupplier over, Endless<T> wait) throws InterruptedException {
    OVER.put(Thread.currentThread(), over);
    try {
      return wait.make();
    } finally {
      OVER.remove(Thread.currentThread());
      Turns.awakened();
    }
  }

  /** As {@code wait}, but not beyond a time; {@code late} is the answer then. */
  private static <T> T limited(long time, TimeUnit unit, BooleanSupplier over, T late, Endless<T> wait)
      throws InterruptedException {
    Sleepers.Sleeper it = Sleepers.interrupted(AppClock.up(unit.toNanos(time)));
    OVER.put(Thread.currentThread(), over);
    try {
      return wait.make();
    } catch (InterruptedException e) {
      if (!Sleepers.left(it)) {
        throw e;
      }
      return late;
    } finally {
      OVER.remove(Thread.currentThread());
      Sleepers.left(it);
      Turns.awakened();
    }
  }

  // Monitors and threads.

  public static void on(Object monitor) throws InterruptedException {
    endless(UNKNOWN, () -> {
      monitor.wait();
      return null;
    });
  }

  public static void on(Object monitor, long millis) throws InterruptedException {
    if (millis <= 0) {
      // The JDK's says what is wrong with it.
      monitor.wait(millis);
      return;
    }
    limited(millis, TimeUnit.MILLISECONDS, UNKNOWN, null, () -> {
      monitor.wait();
      return null;
    });
  }

  public static void on(Object monitor, long millis, int nanos) throws InterruptedException {
    on(monitor, millis + (nanos > 0 ? 1 : 0));
  }

  public static void join(Thread thread) throws InterruptedException {
    endless(() -> !thread.isAlive(), () -> {
      thread.join();
      return null;
    });
  }

  public static void join(Thread thread, long millis) throws InterruptedException {
    if (millis <= 0) {
      thread.join(millis);
      return;
    }
    limited(millis, TimeUnit.MILLISECONDS, () -> !thread.isAlive(), null, () -> {
      thread.join();
      return null;
    });
  }

  public static void join(Thread thread, long millis, int nanos) throws InterruptedException {
    join(thread, millis + (nanos > 0 ? 1 : 0));
  }

  public static void park() {
    Sleepers.park(null, Long.MAX_VALUE);
  }

  public static void park(Object blocker) {
    Sleepers.park(blocker, Long.MAX_VALUE);
  }

  public static void unpark(Thread thread) {
    if (thread != null) {
      Sleepers.wake(thread);
    }
  }

  // Queues.

  private static BooleanSupplier filled(BlockingQueue<?> queue) {
    // What lies in a queue of delays may not be due; the other one hands over what it gets, and never has any.
    return queue instanceof DelayQueue || queue instanceof SynchronousQueue ? UNKNOWN : asked(queue, () -> !queue.isEmpty());
  }

  /** What the app wrote itself is not asked whether a wait is over: it may want a lock for that. */
  private static BooleanSupplier asked(Object what, BooleanSupplier over) {
    return PoolThreads.isOurs(what) ? over : UNKNOWN;
  }

  public static Object take(BlockingQueue<?> queue) throws InterruptedException {
    return endless(filled(queue), queue::take);
  }

  public static Object poll(BlockingQueue<?> queue, long time, TimeUnit unit) throws InterruptedException {
    return time <= 0 ? queue.poll(time, unit) : limited(time, unit, filled(queue), null, queue::take);
  }

  public static <T> boolean offer(BlockingQueue<T> queue, T what, long time, TimeUnit unit) throws InterruptedException {
    if (time <= 0) {
      return queue.offer(what, time, unit);
    }
    return limited(time, unit, asked(queue, () -> queue.remainingCapacity() > 0), false, () -> {
      queue.put(what);
      return true;
    });
  }

  // Answers.

  public static Object get(Future<?> future) throws InterruptedException, ExecutionException {
    if (future.isDone()) {
      return future.get();
    }
    OVER.put(Thread.currentThread(), asked(future, future::isDone));
    try {
      return future.get();
    } finally {
      OVER.remove(Thread.currentThread());
      Turns.awakened();
    }
  }

  public static Object get(Future<?> future, long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (time <= 0 || future.isDone()) {
      return future.get(time, unit);
    }
    Sleepers.Sleeper it = Sleepers.interrupted(AppClock.up(unit.toNanos(time)));
    OVER.put(Thread.currentThread(), asked(future, future::isDone));
    try {
      return future.get();
    } catch (InterruptedException e) {
      if (!Sleepers.left(it)) {
        throw e;
      }
      throw new TimeoutException();
    } finally {
      OVER.remove(Thread.currentThread());
      Sleepers.left(it);
      Turns.awakened();
    }
  }

  /** As {@link #get(Future)}; a task of the framework's is no future. */
  public static Object get(AsyncTask<?, ?, ?> task) throws InterruptedException, ExecutionException {
    return get(answer(task));
  }

  public static Object get(AsyncTask<?, ?, ?> task, long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return get(answer(task), time, unit);
  }

  private static Future<?> answer(AsyncTask<?, ?, ?> task) {
    return ReflectionHelpers.getField(task, "mFuture");
  }

  // Latches, semaphores and locks.

  public static void await(CountDownLatch latch) throws InterruptedException {
    endless(() -> latch.getCount() == 0, () -> {
      latch.await();
      return null;
    });
  }

  public static boolean await(CountDownLatch latch, long time, TimeUnit unit) throws InterruptedException {
    if (time <= 0 || latch.getCount() == 0) {
      return latch.await(time, unit);
    }
    return limited(time, unit, () -> latch.getCount() == 0, false, () -> {
      latch.await();
      return true;
    });
  }

  public static void acquire(Semaphore semaphore) throws InterruptedException {
    endless(() -> semaphore.availablePermits() > 0, () -> {
      semaphore.acquire();
      return null;
    });
  }

  public static boolean tryAcquire(Semaphore semaphore, long time, TimeUnit unit) throws InterruptedException {
    return tryAcquire(semaphore, 1, time, unit);
  }

  public static boolean tryAcquire(Semaphore semaphore, int permits, long time, TimeUnit unit)
      throws InterruptedException {
    if (time <= 0) {
      return semaphore.tryAcquire(permits, time, unit);
    }
    return limited(time, unit, () -> semaphore.availablePermits() >= permits, false, () -> {
      semaphore.acquire(permits);
      return true;
    });
  }

  public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
    if (time <= 0) {
      return lock.tryLock(time, unit);
    }
    return limited(time, unit, UNKNOWN, false, () -> {
      lock.lockInterruptibly();
      return true;
    });
  }

  public static void await(Condition condition) throws InterruptedException {
    endless(UNKNOWN, () -> {
      condition.await();
      return null;
    });
  }

  public static boolean await(Condition condition, long time, TimeUnit unit) throws InterruptedException {
    if (time <= 0) {
      return condition.await(time, unit);
    }
    return limited(time, unit, UNKNOWN, false, () -> {
      condition.await();
      return true;
    });
  }

  public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
    if (nanos <= 0) {
      return condition.awaitNanos(nanos);
    }
    long end = AppClock.nanoTime() + nanos;
    await(condition, nanos, TimeUnit.NANOSECONDS);
    return end - AppClock.nanoTime();
  }

  public static boolean awaitUntil(Condition condition, Date deadline) throws InterruptedException {
    return await(condition, deadline.getTime() - AppClock.now(), TimeUnit.MILLISECONDS);
  }

  public static boolean awaitTermination(ExecutorService pool, long time, TimeUnit unit) throws InterruptedException {
    if (time <= 0 || pool.isTerminated()) {
      return pool.awaitTermination(time, unit);
    }
    return limited(time, unit, asked(pool, pool::isTerminated), false,
        () -> pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS));
  }
}
