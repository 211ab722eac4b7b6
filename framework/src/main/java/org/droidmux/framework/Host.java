package org.droidmux.framework;

import java.util.LinkedHashMap;
import java.util.Map;
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

  /** How long a start may take: the first one loads the framework. */
  private static final long START_SECONDS = 180;

  private final Main.Options options;
  private final AndroidSandbox sandbox;
  private final ExecutorService courier =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "courier");
            thread.setDaemon(true);
            return thread;
          });
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
    settings.put(
        "class-path", options.app().classPath().stream().map(path -> path.toUri().toString()).toList());
    settings.put("width", options.width());
    settings.put("height", options.height());
    settings.put("density", options.density());
    settings.put("environment", sandbox.getTestEnvironment());
    try {
      return within(
          START_SECONDS,
          () -> {
            main = Thread.currentThread();
            main.setContextClassLoader(sandbox.getRobolectricClassLoader());
            Class<?> phoneClass = sandbox.bootstrappedClass(Phone.class);
            phone = make(phoneClass, settings);
            return phone.apply("hello", Map.of());
          });
    } catch (TimeoutException e) {
      throw new AppException(options.app().resources() + ": not started after " + START_SECONDS + " s");
    } catch (RequestException e) {
      throw new AppException(options.app().resources() + ": " + e.getMessage());
    }
  }

  /** Answers one request. */
  Map<String, Object> answer(String what, Map<String, Object> members) throws RequestException {
    try {
      return within(PATIENCE_SECONDS, () -> phone.apply(what, members));
    } catch (TimeoutException e) {
      return unresponsive();
    }
  }

  /** The main thread hangs: the app is ended, with the stack of what it was doing in the log. */
  @SuppressWarnings({"deprecation", "removal"})
  private Map<String, Object> unresponsive() throws RequestException {
    StackTraceElement[] stack = main.getStackTrace();
    StringBuilder text = new StringBuilder();
    for (StackTraceElement element : stack) {
      // What lies below the framework is ours and Robolectric's.
      if (!element.getClassName().startsWith("org.robolectric.")
          && !element.getClassName().startsWith("org.droidmux.framework.")) {
        text.append("  at ").append(element).append('\n');
      }
    }
    // Nothing milder ends a loop. What it leaves half done is part of the process, which goes as well.
    main.stop();
    try {
      return within(START_SECONDS, () -> phone.apply("not-responding", Map.of("stack", text.toString())));
    } catch (TimeoutException e) {
      throw new RequestException("the app hangs and cannot be ended");
    }
  }

  private <T> T within(long seconds, java.util.concurrent.Callable<T> task)
      throws TimeoutException, RequestException {
    Future<T> future = courier.submit(() -> sandbox.runOnMainThread(task));
    try {
      return future.get(seconds, TimeUnit.SECONDS);
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
