package org.droidmux.trial;

import android.os.AsyncTask;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.Looper;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Threads of all kinds that work at the same time, each for a shorter time than the one before, and tell who was done. */
final class Race {
  private static final int EACH = 4;

  private final StringBuffer order = new StringBuffer();
  private final Consumer<String> told;
  private int number;

  Race(Consumer<String> told) {
    this.told = told;
  }

  void start() {
    for (int i = 0; i < EACH; i++) {
      new Thread(runner()).start();
    }
    ExecutorService pool = Executors.newFixedThreadPool(EACH);
    for (int i = 0; i < EACH; i++) {
      pool.execute(runner());
    }
    for (int i = 0; i < EACH; i++) {
      AsyncTask.THREAD_POOL_EXECUTOR.execute(runner());
    }
    HandlerThread looping = new HandlerThread("looping");
    looping.start();
    new Handler(looping.getLooper()).post(() -> {
      order.append('|');
      // Threads that are there already, and those that another one starts.
      for (int i = 0; i < EACH; i++) {
        pool.execute(runner());
      }
      for (int i = 0; i < EACH; i++) {
        new Thread(runner()).start();
      }
    });
    new Handler(Looper.getMainLooper()).postDelayed(() -> {
      pool.shutdown();
      looping.quit();
      told.accept(order.toString());
    }, 200);
  }

  private Runnable runner() {
    int mine = number++;
    return () -> {
      long sum = 0;
      for (long i = 0; i < 20_000L * (5 * EACH - mine); i++) {
        sum += i * i;
      }
      order.append((char) ('a' + mine)).append(sum == 1 ? "!" : "");
    };
  }

  /** Threads that sleep are interrupted, all at once. */
  static void interrupt(Consumer<String> told) {
    StringBuffer order = new StringBuffer(" ");
    Thread[] all = new Thread[EACH];
    for (int i = 0; i < EACH; i++) {
      int number = i;
      all[i] = new Thread(() -> {
        try {
          Thread.sleep(10_000);
        } catch (InterruptedException e) {
          order.append(number);
        }
      });
      all[i].start();
    }
    Handler main = new Handler(Looper.getMainLooper());
    main.postDelayed(() -> {
      for (Thread each : all) {
        each.interrupt();
      }
      order.append("main");
    }, 50);
    main.postDelayed(() -> told.accept(order.toString()), 150);
  }

  /** The main thread waits for others, which therefore do not wait for it. */
  static String waitedFor() {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    CountDownLatch latch = new CountDownLatch(2);
    BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
    try {
      String got = pool.submit(() -> " got").get();
      pool.execute(latch::countDown);
      new Thread(latch::countDown).start();
      latch.await();
      new Thread(() -> queue.add(" taken")).start();
      return got + queue.take();
    } catch (InterruptedException | ExecutionException e) {
      return e.toString();
    } finally {
      pool.shutdown();
    }
  }

  /** One that waits for its turn holds what the main thread wants to have. */
  static String crossed() {
    Object lock = new Object();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    boolean[] done = new boolean[1];
    new Thread(() -> {
      synchronized (lock) {
        held.countDown();
        try {
          go.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        done[0] = true;
      }
    }).start();
    try {
      held.await();
    } catch (InterruptedException e) {
      return e.toString();
    }
    go.countDown();
    synchronized (lock) {
      return " " + done[0];
    }
  }
}
