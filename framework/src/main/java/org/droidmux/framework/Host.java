package org.droidmux.framework;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.droidmux.framework.device.Phone;
import org.robolectric.internal.AndroidSandbox;

/**
 * The phone seen from outside of the sandbox. Requests go to its main thread one at a time; one that
 * does not come back is an app that does not respond.
 *
 * <p>Between the class loaders go values of the JDK alone.
 */
final class Host implements AutoCloseable {
  /** How long the main thread may be busy. Android asks after five seconds. */
  private static final long PATIENCE_SECONDS = Long.getLong("droidmux.anr.seconds", 10);

  /** How often it is waited so long for a main thread that the computer does not let run. */
  private static final int STARVED = 6;

  /** How long a start may take: the first one loads the framework. */
  private static final long START_SECONDS = 180;

  /** How long an app that hangs may take to end. Longer, and another host is there sooner. */
  private static final long END_SECONDS = 20;

  private final Main.Options options;
  private final AndroidSandbox sandbox;
  private final ExecutorService courier =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "courier");
            thread.setDaemon(true);
            return thread;
          });
  private Faults faults;
  private volatile Thread main;
  private volatile BiFunction<String, Map<String, Object>, Map<String, Object>> phone;

  Host(Main.Options options) throws AppException {
    this.options = options;
    this.sandbox = Sandboxes.make(options.api(), options.sdkFolder());
  }

  /** Starts the phone and looks at the app. It is installed, not launched. */
  Map<String, Object> start() throws AppException {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("resources", options.app().resources().toString());
    settings.put("splits", options.app().splits().stream().map(path -> path.toAbsolutePath().toString()).toList());
    settings.put(
        "class-path", options.app().classPath().stream().map(path -> path.toUri().toString()).toList());
    settings.put("width", options.width());
    settings.put("height", options.height());
    settings.put("density", options.density());
    settings.put("environment", sandbox.getTestEnvironment());
    try {
      Map<String, Object> app = within(
          START_SECONDS,
          () -> {
            main = Thread.currentThread();
            main.setContextClassLoader(sandbox.getRobolectricClassLoader());
            Class<?> phoneClass = sandbox.bootstrappedClass(Phone.class);
            phone = make(phoneClass, settings);
            return phone.apply("hello", Map.of());
          });
      faults = new Faults(options.faults(), app);
      return app;
    } catch (TimeoutException e) {
      throw new AppException(options.app().resources() + ": not started after " + START_SECONDS + " s");
    } catch (RequestException e) {
      throw new AppException(options.app().resources() + ": " + e.getMessage());
    }
  }

  /**
   * Answers one request.
   *
   * @throws IllegalStateException when the app hangs and cannot be ended: the host is of no use then
   */
  Map<String, Object> answer(String what, Map<String, Object> members) throws RequestException {
    Map<String, Object> answer = asked(what, members);
    faults.note(answer);
    return answer;
  }

  private Map<String, Object> asked(String what, Map<String, Object> members) throws RequestException {
    Errand<Map<String, Object>> errand = new Errand<>(() -> phone.apply(what, members));
    Future<Map<String, Object>> done = sent(errand);
    long before = processorTime();
    for (int i = 0; i < STARVED; i++) {
      try {
        return got(done, PATIENCE_SECONDS);
      } catch (TimeoutException e) {
        // A thread that wants to run but hardly gets to is waiting for the computer, not for itself.
        boolean ran = processorTime() - before > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) / 2;
        if (ran || main.getState() != Thread.State.RUNNABLE) {
          break;
        }
      }
    }
    return unresponsive(errand, done);
  }

  /** How long the main thread has had the processor, in nanoseconds. */
  private long processorTime() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(main.getId());
  }

  /** The main thread hangs: the app is ended, with the stack of what it was doing in the log. */
  private Map<String, Object> unresponsive(Errand<Map<String, Object>> errand, Future<Map<String, Object>> done)
      throws RequestException {
    StringBuilder text = new StringBuilder();
    for (StackTraceElement element : main.getStackTrace()) {
      // What lies below the framework is ours and Robolectric's.
      if (!element.getClassName().startsWith("org.robolectric.")
          && !element.getClassName().startsWith("org.droidmux.framework.")) {
        text.append("  at ").append(element).append('\n');
      }
    }
    try {
      if (!errand.stop(main)) {
        // It came back just now.
        return got(done, PATIENCE_SECONDS);
      }
      return within(END_SECONDS, () -> phone.apply("not-responding", Map.of("stack", text.toString())));
    } catch (TimeoutException e) {
      throw new IllegalStateException("the app hangs and cannot be ended");
    }
  }

  /** Something for the main thread, which can be stopped while it is at it and at no other time. */
  private static final class Errand<T> implements Callable<T> {
    private final Callable<T> task;
    private boolean running;

    Errand(Callable<T> task) {
      this.task = task;
    }

    @Override
    public T call() throws Exception {
      synchronized (this) {
        running = true;
      }
      try {
        return task.call();
      } finally {
        synchronized (this) {
          running = false;
        }
      }
    }

    /** Whether it was running, and is stopped now. A thread that is stopped while it waits for work loses its next. */
    @SuppressWarnings({"deprecation", "removal"})
    synchronized boolean stop(Thread thread) {
      if (running) {
        // Nothing milder ends a loop. What it leaves half done is part of the process, which goes as well.
        thread.stop();
      }
      return running;
    }
  }

  private <T> T within(long seconds, Callable<T> task) throws TimeoutException, RequestException {
    return got(sent(task), seconds);
  }

  private <T> Future<T> sent(Callable<T> task) {
    return courier.submit(() -> sandbox.runOnMainThread(task));
  }

  private static <T> T got(Future<T> done, long seconds) throws TimeoutException, RequestException {
    try {
      return done.get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RequestException("interrupted");
    } catch (ExecutionException e) {
      throw refused(e.getCause());
    }
  }

  /** What the phone says about a bad request is a sentence; anything else is a fault of the host. */
  private static RequestException refused(Throwable cause) {
    Throwable last = cause;
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof IllegalArgumentException && each.getStackTrace().length > 0
          && each.getStackTrace()[0].getClassName().startsWith("org.droidmux.framework.")) {
        return new RequestException(each.getMessage());
      }
      last = each;
    }
    cause.printStackTrace();
    return new RequestException("the host broke: " + last);
  }

  @SuppressWarnings("unchecked")
  private static BiFunction<String, Map<String, Object>, Map<String, Object>> make(
      Class<?> phoneClass, Map<String, Object> settings) throws ReflectiveOperationException {
    return (BiFunction<String, Map<String, Object>, Map<String, Object>>)
        phoneClass.getConstructor(Map.class).newInstance(settings);
  }

  @Override
  public void close() {
    courier.shutdownNow();
  }

}
