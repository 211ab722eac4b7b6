package org.droidmux.trial;

import android.os.SystemClock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Waits with a limit that nothing ends before: tells for how long each took by the phone's clock. */
final class Limits extends Thread {
  private interface Wait {
    Object make() throws Exception;
  }

  private final Consumer<String> told;

  Limits(Consumer<String> told) {
    this.told = told;
  }

  @Override
  public void run() {
    Object monitor = new Object();
    ReentrantLock lock = new ReentrantLock();
    Thread sleeper = new Thread(() -> SystemClock.sleep(5_000));
    sleeper.start();
    StringBuilder took = new StringBuilder();
    measure(took, () -> {
      synchronized (monitor) {
        monitor.wait(100);
        return "wait";
      }
    });
    measure(took, () -> new ArrayBlockingQueue<String>(1).poll(200, TimeUnit.MILLISECONDS));
    measure(took, () -> new CountDownLatch(1).await(1, TimeUnit.SECONDS));
    measure(took, () -> new Semaphore(0).tryAcquire(40, TimeUnit.MILLISECONDS));
    measure(took, () -> {
      lock.lock();
      try {
        return lock.newCondition().await(56, TimeUnit.MILLISECONDS);
      } finally {
        lock.unlock();
      }
    });
    measure(took, () -> new FutureTask<>(() -> "never").get(60, TimeUnit.MILLISECONDS));
    measure(took, () -> {
      sleeper.join(70);
      return sleeper.isAlive();
    });
    told.accept(took.toString());
  }

  private static void measure(StringBuilder took, Wait wait) {
    long begun = SystemClock.uptimeMillis();
    String end;
    try {
      end = String.valueOf(wait.make());
    } catch (TimeoutException e) {
      end = "late";
    } catch (Exception e) {
      end = e.toString();
    }
    took.append(' ').append(SystemClock.uptimeMillis() - begun).append(end).append(Thread.currentThread().isInterrupted() ? "!" : "");
  }

  static String ofMain() {
    StringBuilder took = new StringBuilder();
    measure(took, () -> new ArrayBlockingQueue<String>(1).poll(300, TimeUnit.MILLISECONDS));
    return took.toString();
  }

  /** Tasks at their moments, and how long one still has to wait. */
  static void schedule(Consumer<String> told) {
    ScheduledExecutorService pool = Executors.newScheduledThreadPool(2);
    long begun = SystemClock.uptimeMillis();
    Consumer<String> at = what -> told.accept(" " + (SystemClock.uptimeMillis() - begun) + what);
    pool.schedule(() -> at.accept("once"), 120, TimeUnit.MILLISECONDS);
    pool.scheduleAtFixedRate(() -> at.accept("rate"), 50, 100, TimeUnit.MILLISECONDS);
    pool.scheduleWithFixedDelay(() -> {
      SystemClock.sleep(30);
      at.accept("delay");
    }, 10, 100, TimeUnit.MILLISECONDS);
    ScheduledFuture<?> never = pool.schedule(() -> at.accept("never"), 1, TimeUnit.DAYS);
    told.accept(" " + never.getDelay(TimeUnit.HOURS) + "h");
    pool.schedule(pool::shutdownNow, 260, TimeUnit.MILLISECONDS);
  }

  /** A task whose moments are further apart than anybody waits for an answer. */
  static void seldom(Consumer<String> told) {
    ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor();
    long begun = SystemClock.uptimeMillis();
    pool.scheduleAtFixedRate(() -> told.accept(" " + (SystemClock.uptimeMillis() - begun) / 1000), 40, 40, TimeUnit.SECONDS);
  }
}
