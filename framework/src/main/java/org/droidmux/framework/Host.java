package org.droidmux.framework;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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
import org.droidmux.framework.device.Sleepers;
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

  /** How long the main thread waits before it is looked whether it does so for one that sleeps. */
  private static final long NUDGE_MILLIS = 100;

  /** How often it is waited so long for a main thread that the computer does not let run. */
  private static final int STARVED = 6;

  /** How often at the most, also for one that lets the app's other threads run. */
  private static final int MOST_WAITED = 18;

  /** How long a start may take: the first one loads the framework. */
  private static final long START_SECONDS = 180;

  /** By name: the class itself is one of the sandbox's. */
  private static final String SETTLING = Phone.class.getPackageName() + ".AppThreads";

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
  private final Memory memory = new Memory();
  private Faults faults;
  private volatile Thread main;
  private volatile Runnable nudge;
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
    settings.put("given", System.getProperty("java.io.tmpdir") + "/given");
    settings.put("environment", sandbox.getTestEnvironment());
    settings.put("memory", (Runnable) memory::tend);
    try {
      Map<String, Object> app = within(
          START_SECONDS,
          () -> {
            main = Thread.currentThread();
            main.setContextClassLoader(sandbox.getRobolectricClassLoader());
            Class<?> phoneClass = sandbox.bootstrappedClass(Phone.class);
            MethodHandle nudging = MethodHandles.lookup()
                .findStatic(sandbox.bootstrappedClass(Sleepers.class), "nudge", MethodType.methodType(void.class, Thread.class));
            nudge = MethodHandleProxies.asInterfaceInstance(Runnable.class, nudging.bindTo(main));
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
    memory.tend();
    if (what.equals("clear")) {
      // Whoever asked may take another host now, when nothing is lost by that.
      answer.put("memory", Memory.resident());
    }
    return answer;
  }

  private Map<String, Object> asked(String what, Map<String, Object> members) throws RequestException {
    Errand<Map<String, Object>> errand = new Errand<>(() -> phone.apply(what, members));
    Future<Map<String, Object>> done = sent(errand);
    long before = processorTime();
    int starved = 0;
    for (int waited = 0; waited < MOST_WAITED && starved < STARVED; waited++) {
      try {
        return gotMeanwhileNudging(done);
      } catch (TimeoutException e) {
        // Ours waits for the app's other threads, for so long as it thinks right.
        if (settling()) {
          continue;
        }
        // A thread that wants to run but hardly gets to is waiting for the computer, not for itself.
        boolean ran = processorTime() - before > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS) / 2;
        if (ran || main.getState() != Thread.State.RUNNABLE) {
          break;
        }
        starved++;
      }
    }
    return unresponsive(errand, done);
  }

  /** Whether the main thread waits until the app's other threads have nothing to do. */
  private boolean settling() {
    for (StackTraceElement frame : main.getStackTrace()) {
      if (frame.getClassName().equals(SETTLING)) {
        return true;
      }
    }
    return false;
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

  /**
   * As {@link #got}. A main thread that waits for another one of the app's, which sleeps, cannot move the clock that this
   * one waits for.
   */
  private Map<String, Object> gotMeanwhileNudging(Future<Map<String, Object>> done)
      throws TimeoutException, RequestException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < end) {
      try {
        return got(done, NUDGE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (main.getState() != Thread.State.RUNNABLE && !settling()) {
          nudge.run();
        }
      }
    }
    return got(done, 0, TimeUnit.MILLISECONDS);
  }

  private <T> T within(long seconds, Callable<T> task) throws TimeoutException, RequestException {
    return got(sent(task), seconds);
  }

  private <T> Future<T> sent(Callable<T> task) {
    return courier.submit(() -> sandbox.runOnMainThread(task));
  }

  private static <T> T got(Future<T> done, long seconds) throws TimeoutException, RequestException {
    return got(done, seconds, TimeUnit.SECONDS);
  }

  private static <T> T got(Future<T> done, long time, TimeUnit unit) throws TimeoutException, RequestException {
    try {
      return done.get(time, unit);
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
