package org.droidmux.framework.device;

import android.content.ActivityNotFoundException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Exceptions that the app does not catch, hangs, and processes that end themselves. A process's end takes the activity
 * in front with it; what lies below comes back in a new process, and two crashes within a minute end the task.
 */
final class Crashes {
  private static final long QUICKLY = 60_000;

  /** What happened on another thread than the main one; nothing was thrown when the app ended its process there. */
  private record Elsewhere(AppProcess process, Thread thread, Throwable thrown) {}

  private final Phone phone;
  private final AtomicReference<Elsewhere> elsewhere = new AtomicReference<>();
  private final Map<String, Object> told = new LinkedHashMap<>();
  private long last = -QUICKLY;
  private volatile UncaughtExceptionHandler wanted;

  Crashes(Phone phone) {
    this.phone = phone;
  }

  /** What ended the process since this was asked last: goes into the answer. */
  Map<String, Object> take() {
    Map<String, Object> taken = new LinkedHashMap<>(told);
    told.clear();
    return taken;
  }

  /** Exceptions of other threads of the app end it, too. */
  void watchThreads() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          AppProcess process = AppProcess.current();
          boolean ours =
              process != null && !process.ending() && thread.getContextClassLoader() == process.classes();
          if (ours && !(thrown instanceof ThreadDeath)) {
            elsewhere.compareAndSet(null, new Elsewhere(process, thread, thrown));
          }
        });
  }

  void wanted(UncaughtExceptionHandler handler) {
    wanted = handler;
  }

  /** The app's own handler; a phone has one that ends the process. */
  UncaughtExceptionHandler wanted() {
    UncaughtExceptionHandler own = wanted;
    return own == null ? Thread.getDefaultUncaughtExceptionHandler() : own;
  }

  /** The app ends its process, on whatever thread this is. */
  void exited() {
    AppProcess process = AppProcess.current();
    Thread thread = Thread.currentThread();
    // A thread of the process before has nothing to say any more.
    if (process != null && !process.ending() && thread.getContextClassLoader() == process.classes()) {
      elsewhere.compareAndSet(null, new Elsewhere(process, thread, null));
    }
  }

  /** On the main thread: what another thread threw. One of a process that has ended meanwhile has nothing to say. */
  void raise() {
    Elsewhere happened = elsewhere.get();
    if (happened != null && happened.process() != AppProcess.current()) {
      elsewhere.compareAndSet(happened, null);
    } else if (happened != null) {
      throw new Raised();
    }
  }

  /** Marks that something of another thread is waiting. */
  private static final class Raised extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Runs something of the app's. What the host itself throws goes on to who asked. */
  void guarded(Runnable task) {
    try {
      task.run();
    } catch (Raised e) {
      Elsewhere happened = elsewhere.getAndSet(null);
      if (happened.thrown() == null) {
        ended();
      } else {
        crashed(happened.thread().getName(), happened.thrown());
      }
    } catch (ThreadDeath e) {
      throw e;
    } catch (Throwable e) {
      if (Blame.root(e) instanceof AppExit.Ended) {
        elsewhere.set(null);
        ended();
        return;
      }
      if (ours(e)) {
        throw e;
      }
      if (lacking(e)) {
        phone.log().system('E', "FrameworkLab", "the lab lacks a part of the framework: " + e);
        told.put("lacking", LogBook.stack(e));
        e.printStackTrace();
        return;
      }
      crashed("main", e);
    }
  }

  /** Parts of the framework are missing from its jar, or have code that is not Java's: no fault of the app. */
  private static boolean lacking(Throwable thrown) {
    String what = String.valueOf(thrown.getMessage());
    return thrown instanceof UnsatisfiedLinkError && thrown.getStackTrace().length > 0
            && thrown.getStackTrace()[0].getClassName().startsWith("android.")
        || thrown instanceof NoClassDefFoundError
            && (what.startsWith("android/") || what.startsWith("com/android/"));
  }

  /**
   * Whether it was thrown by the host itself, and not in the name of the system or of the app. Where the app's own code had
   * called, that is left half-way: its process cannot go on, and the crash is the lab's.
   */
  private static boolean ours(Throwable thrown) {
    StackTraceElement[] stack = thrown.getStackTrace();
    AppProcess process = AppProcess.current();
    return stack.length > 0
        && (process == null || Arrays.stream(stack).noneMatch(frame -> process.classes().has(frame.getClassName())))
        && stack[0].getClassName().startsWith("org.droidmux.framework.")
        && thrown.getCause() == null
        && !(thrown instanceof ActivityNotFoundException);
  }

  private void crashed(String thread, Throwable thrown) {
    AppProcess process = AppProcess.current();
    int pid = process == null ? 0 : process.pid();
    phone.log().collect(pid);
    told.put("crash", phone.log().crash(pid, phone.packageName(), thread, thrown));
    boolean ofLab = process != null && new Blame(process.classes()::has).isOfLab(thrown);
    told.put("of", ofLab ? "lab" : "app");
    if (ofLab) {
      // With the frames that the log leaves out.
      thrown.printStackTrace();
    }
    phone.endProcess("crash");
    afterwards();
  }

  /** The process ended by itself, which is no crash: what it showed is gone. */
  private void ended() {
    phone.endProcess("exited by itself");
    phone.stack().dropTop();
  }

  /** The main thread was stopped because it hung. */
  void notResponding(String stack) {
    AppProcess process = AppProcess.current();
    if (process == null) {
      return;
    }
    phone.log().collect(process.pid());
    phone.log().system('E', "ActivityManager",
        "ANR in " + phone.packageName() + "\nPID: " + process.pid()
            + "\nReason: Input dispatching timed out\n" + stack);
    told.put("not-responding", stack);
    phone.endProcess("user request after error");
    afterwards();
  }

  private void afterwards() {
    long now = AppClock.now();
    if (now - last < QUICKLY) {
      phone.stack().clear();
    } else {
      phone.stack().dropTop();
    }
    last = now;
  }
}
