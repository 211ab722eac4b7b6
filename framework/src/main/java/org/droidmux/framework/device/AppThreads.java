package org.droidmux.framework.device;

import java.util.ArrayList;
import java.util.List;

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
      if (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.BLOCKED) {
        return true;
      }
    }
    return false;
  }

  /** Ends all threads of a process but the one that calls. */
  @SuppressWarnings({"deprecation", "removal"})
  static void end(ClassLoader classes) {
    for (Thread thread : of(classes)) {
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
