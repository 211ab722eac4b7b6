package org.droidmux.framework.device;

import android.content.ActivityNotFoundException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Exceptions that the app does not catch, and hangs. They end the process: the activity in front is
 * dropped, what lies below comes back in a new process, and twice within a minute ends the task.
 */
final class Crashes {
  private static final long QUICKLY = 60_000;

  private record Uncaught(Thread thread, Throwable thrown) {}

  private final Phone phone;
  private final AtomicReference<Uncaught> elsewhere = new AtomicReference<>();
  private final Map<String, Object> told = new LinkedHashMap<>();
  private long last = -QUICKLY;

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
          boolean ours = process != null && thread.getContextClassLoader() == process.classes();
          if (ours && !(thrown instanceof ThreadDeath)) {
            elsewhere.compareAndSet(null, new Uncaught(thread, thrown));
          }
        });
  }

  /** On the main thread: what another thread threw. */
  void raise() {
    Uncaught uncaught = elsewhere.get();
    if (uncaught != null) {
      throw new Raised();
    }
  }

  /** Marks that another thread's exception is waiting. */
  private static final class Raised extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Runs something of the app's. What the host itself throws goes on to who asked. */
  void guarded(Runnable task) {
    try {
      task.run();
    } catch (Raised e) {
      Uncaught uncaught = elsewhere.getAndSet(null);
      crashed(uncaught.thread().getName(), uncaught.thrown());
    } catch (ThreadDeath e) {
      throw e;
    } catch (Throwable e) {
      if (ours(e)) {
        throw e;
      }
      if (lacking(e)) {
        phone.log().system('E', "FrameworkLab", "the lab lacks a part of the framework: " + e);
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

  /** Whether it was thrown by the host itself, and not in the name of the system or of the app. */
  private static boolean ours(Throwable thrown) {
    StackTraceElement[] stack = thrown.getStackTrace();
    return stack.length > 0
        && stack[0].getClassName().startsWith("org.droidmux.framework.")
        && thrown.getCause() == null
        && !(thrown instanceof ActivityNotFoundException);
  }

  private void crashed(String thread, Throwable thrown) {
    AppProcess process = AppProcess.current();
    int pid = process == null ? 0 : process.pid();
    phone.log().collect(pid);
    told.put("crash", phone.log().crash(pid, phone.packageName(), thread, thrown));
    phone.endProcess("crash");
    afterwards();
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
    long now = AppClock.currentTimeMillis();
    if (now - last < QUICKLY) {
      phone.stack().clear();
    } else {
      phone.stack().dropTop();
    }
    last = now;
  }
}
