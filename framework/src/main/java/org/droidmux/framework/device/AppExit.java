package org.droidmux.framework.device;

import android.os.Looper;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.locks.LockSupport;

/** What an app can do to its process, without doing it to the host. */
public final class AppExit {
  private AppExit() {}

  /** Leaves the main thread after the app ended its own process. */
  static final class Ended extends Error {
    private static final long serialVersionUID = 1L;

    Ended() {
      super("the app ended its process", null, false, false);
    }
  }

  /** The process ends here: nothing of the app's code runs after this. */
  public static void exit(int status) {
    // An app that catches everything does not go on for long.
    Phone.get().crashes().exited();
    if (Looper.myLooper() == Looper.getMainLooper()) {
      throw new Ended();
    }
    while (true) {
      // Until the thread is ended with its process.
      LockSupport.parkNanos(1_000_000_000L);
      if (Thread.interrupted()) {
        throw new ThreadDeath();
      }
    }
  }

  public static void exit(Runtime runtime, int status) {
    exit(status);
  }

  /**
   * What an app wants to be told of exceptions that nobody catches. On a phone the log has them before the app is asked; here
   * it is not asked, and the process ends.
   */
  public static void handler(UncaughtExceptionHandler wanted) {
    Phone.get().crashes().wanted(wanted);
  }

  public static UncaughtExceptionHandler handler() {
    return Phone.get().crashes().wanted();
  }

  // Programs of a phone are not here, and those of the computer are not the app's.

  public static Process program(ProcessBuilder builder) throws IOException {
    throw refused(builder.command().isEmpty() ? "" : builder.command().get(0));
  }

  public static Process program(Runtime runtime, String command) throws IOException {
    throw refused(command);
  }

  public static Process program(Runtime runtime, String command, String[] environment) throws IOException {
    throw refused(command);
  }

  public static Process program(Runtime runtime, String command, String[] environment, java.io.File folder)
      throws IOException {
    throw refused(command);
  }

  public static Process program(Runtime runtime, String[] command) throws IOException {
    throw refused(command.length == 0 ? "" : command[0]);
  }

  public static Process program(Runtime runtime, String[] command, String[] environment) throws IOException {
    throw refused(command.length == 0 ? "" : command[0]);
  }

  public static Process program(Runtime runtime, String[] command, String[] environment, java.io.File folder)
      throws IOException {
    throw refused(command.length == 0 ? "" : command[0]);
  }

  private static IOException refused(String program) {
    return new IOException("Cannot run program \"" + program + "\": error=13, Permission denied");
  }
}
