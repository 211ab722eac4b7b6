package org.droidmux.framework.device;

import android.os.HandlerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadPoolExecutor;
import org.robolectric.util.ReflectionHelpers;

/** The threads of a process: those whose context class loader is that of its classes. */
final class AppThreads {
  /** How long we wait for threads that compute, in real time. */
  private static final long PATIENCE_NANOS = 400_000_000L;

  private AppThreads() {}

  /**
   * Waits until no thread of the process computes. One that waits for the network or never ends is not
   * waited for longer than a moment.
   */
  static void settle(ClassLoader classes) {
    long begun = System.nanoTime();
    int quiet = 0;
    while (quiet < 2 && System.nanoTime() - begun < PATIENCE_NANOS) {
      quiet = computing(classes) ? 0 : quiet + 1;
      if (quiet < 2) {
        Thread.onSpinWait();
        Thread.yield();
      }
    }
  }

  private static boolean computing(ClassLoader classes) {
    for (Thread thread : of(classes)) {
      if (thread.getState() == Thread.State.BLOCKED
          || thread.getState() == Thread.State.RUNNABLE && !waitsForOthers(thread)) {
        return true;
      }
    }
    return false;
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
  }

  /** A pool puts another thread in the place of one that is stopped: it is ended itself. */
  private static void endPool(Thread thread) {
    try {
      if (thread instanceof ForkJoinWorkerThread worker) {
        worker.getPool().shutdownNow();
        return;
      }
      Object task = ReflectionHelpers.getField(thread, "target");
      if (task != null && task.getClass().getName().equals("java.util.concurrent.ThreadPoolExecutor$Worker")) {
        ((ThreadPoolExecutor) ReflectionHelpers.getField(task, "this$0")).shutdownNow();
      }
    } catch (RuntimeException e) {
      // It is stopped all the same.
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
