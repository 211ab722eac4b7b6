package org.droidmux.framework.device;

import android.os.HandlerThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads of a process: those whose context class loader is that of its classes. They are waited for, and those that
 * stop at the beginning of a task are given their {@link Turns}, one after the other.
 */
final class AppThreads {
  /** How long a thread may compute without a rest before it is not waited for any more, in time of the processor. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  /** How long we wait at all, in real time, for threads that the computer does not let run. */
  private static final long LONGEST_NANOS = 30_000_000_000L;

  /** How long the threads of a process that ends may take to do so by themselves, and how long they are waited for at all. */
  private static final long ASKING_NANOS = 20_000_000L;

  private static final long ENDING_NANOS = 300_000_000L;

  /** So often in a row nothing must be going on: a thread that is being woken does not look like it yet. */
  private static final int QUIET = 2;

  /** What threads are parked for where they want a lock, by the beginning of its class's name: a pool locks each of its threads. */
  private static final List<String> LOCKS =
      List.of(ReentrantLock.class.getName() + "$", ThreadPoolExecutor.class.getName() + "$Worker");

  private static final ThreadMXBean TIMES = ManagementFactory.getThreadMXBean();

  /** The numbers of threads that have computed since they were looked at first, with the processor's time that they had. */
  private static final Map<Long, Long> BEGUN = new HashMap<>();

  private AppThreads() {}

  /**
   * Waits until no thread of the process computes, and none has a task to begin. One that waits for the network is not
   * waited for, and one that never ends is waited for once. What counts is how long it ran, not how long it took: otherwise
   * what an app shows would depend on what else the computer does.
   *
   * @param stirred whether anything has run since they were last waited for that may have woken one
   */
  static void settle(ClassLoader classes, boolean stirred) {
    Turns.giving(true);
    try {
      waitFor(classes, stirred);
    } finally {
      Turns.giving(false);
    }
  }

  private static void waitFor(ClassLoader classes, boolean stirred) {
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
      Turns.keepFree(Set.copyOf(busy));
      if (busy.isEmpty()) {
        if (++quiet >= enough) {
          if (!Turns.callNext()) {
            return;
          }
          quiet = 0;
          enough = QUIET;
        }
        if (!all.stream().allMatch(AppThreads::shows)) {
          // Not by giving way: on a computer that has much to do, that is to all others.
          LockSupport.parkNanos(1_000);
        }
        continue;
      }
      quiet = 0;
      enough = QUIET;
      if (!worthWaiting(busy)) {
        busy.forEach(Turns::free);
        if (!Turns.callNext()) {
          return;
        }
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

  /**
   * Whether a thread that rests would look otherwise from the moment on in which another one wakes it: then it need not be
   * given time before the next look. The JVM says at once of one that waits for a monitor that it wants to go on, of one that is parked only when it
   * runs; there we ask what it waits for.
   */
  private static boolean shows(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING ->
          LockSupport.getBlocker(thread) == null || Waits.isKnown(thread) || PoolThreads.idles(thread);
      case RUNNABLE -> false;
      default -> true;
    };
  }

  /** Whether none of them can go on until the main thread or the phone's clock does. */
  static boolean allRest(ClassLoader classes) {
    return of(classes).stream().noneMatch(thread -> thread.getState() == Thread.State.RUNNABLE);
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

  /** Whether a thread of the process computes just now, or is about to begin a task. */
  static boolean anyBusy(ClassLoader classes) {
    return anyRuns(classes) || !Turns.stopped().isEmpty();
  }

  /** Whether one computes just now, other than the calling one and those for which nobody waits any more. */
  static boolean anyRuns(ClassLoader classes) {
    return busy(of(classes)).stream().anyMatch(each -> !Turns.isFree(each));
  }

  private static List<Thread> busy(List<Thread> all) {
    Set<Thread> stopped = Turns.stopped();
    Map<Thread, Boolean> known = new HashMap<>();
    List<Thread> busy = new ArrayList<>();
    for (Thread thread : all) {
      if (!stopped.contains(thread) && computes(thread, all, stopped, known)) {
        busy.add(thread);
      }
    }
    return busy;
  }

  private static boolean computes(Thread thread, List<Thread> all, Set<Thread> stopped, Map<Thread, Boolean> known) {
    Boolean before = known.get(thread);
    if (before != null) {
      return before;
    }
    boolean computes =
        switch (thread.getState()) {
          case RUNNABLE -> !waitsForOthers(thread);
          case BLOCKED -> goesOn(thread, all, stopped, known);
          case WAITING, TIMED_WAITING ->
              thread.isInterrupted()
                  || Turns.isCalled(thread)
                  || Sleepers.isCalled(thread)
                  || Waits.isOver(thread)
                  || PoolThreads.isCalled(thread)
                  || (wantsLock(thread) && goesOn(thread, all, stopped, known));
          default -> false;
        };
    known.put(thread, computes);
    return computes;
  }

  /**
   * Whether a thread is parked for a lock that one thread at a time has. It looks the same when the lock is free and the
   * computer has not let it run since, perhaps for no more than that we ourselves had looked into the queue that the lock is for.
   */
  private static boolean wantsLock(Thread thread) {
    Object blocker = LockSupport.getBlocker(thread);
    return blocker != null && LOCKS.stream().anyMatch(blocker.getClass().getName()::startsWith);
  }

  /** Whether a thread that wants to have a lock will get it without anybody's doing: from one that computes. */
  private static boolean goesOn(Thread thread, List<Thread> all, Set<Thread> stopped, Map<Thread, Boolean> known) {
    // Who waits for it in turn does not make it run.
    known.put(thread, false);
    ThreadInfo info = TIMES.getThreadInfo(thread.getId());
    long owner = info == null ? -1 : info.getLockOwnerId();
    if (owner < 0 || Turns.isRow(info.getLockInfo())) {
      return true;
    }
    for (Thread each : all) {
      if (each.getId() == owner) {
        return !stopped.contains(each) && computes(each, all, stopped, known);
      }
    }
    // The one that asks does not let go of it meanwhile.
    return owner != Thread.currentThread().getId();
  }

  /**
   * The JVM calls a thread runnable that waits in a native method for a socket or a child process. Files of the disk are
   * there at once.
   */
  private static boolean waitsForOthers(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    if (stack.length == 0 || !stack[0].isNativeMethod()) {
      return false;
    }
    String where = stack[0].getClassName();
    return where.startsWith("sun.nio.ch.") && !where.startsWith("sun.nio.ch.File")
        || where.startsWith("java.net.")
        || where.equals("java.lang.ProcessHandleImpl")
        // What a child process prints is read like a file.
        || where.equals("java.io.FileInputStream") && stack[0].getMethodName().startsWith("read");
  }

  /**
   * Ends all threads of a process but the one that calls, also those that are born meanwhile: a queue of tasks goes on with
   * the next one, on a new thread if need be, where the one before was ended. What is left after that does no more than
   * the piece of work that it is at.
   */
  @SuppressWarnings({"deprecation", "removal"})
  static void end(ClassLoader classes) {
    Set<Thread> asked = new HashSet<>();
    Set<Thread> stopped = new HashSet<>();
    long begun = System.nanoTime();
    List<Thread> left = of(classes);
    while (!left.isEmpty() && System.nanoTime() - begun < ENDING_NANOS) {
      boolean patient = System.nanoTime() - begun < ASKING_NANOS;
      for (Thread thread : left) {
        if (asked.add(thread)) {
          askToEnd(thread);
        } else if (!patient && stopped.add(thread)) {
          thread.setUncaughtExceptionHandler(null);
          thread.stop();
        }
      }
      Thread.yield();
      left = of(classes);
    }
    // Where the framework keeps a thread that it has made for one process, that one's classes must not stay.
    asked.stream().filter(thread -> !thread.isAlive()).forEach(thread -> thread.setContextClassLoader(null));
    BEGUN.clear();
  }

  private static void askToEnd(Thread thread) {
    PoolThreads.endPool(thread);
    if (thread instanceof HandlerThread looping) {
      looping.quit();
    }
    thread.interrupt();
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
