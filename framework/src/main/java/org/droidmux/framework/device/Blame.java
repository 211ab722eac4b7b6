package org.droidmux.framework.device;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whose fault an exception is that ended the app: the app's, or the lab's. Above the app's uppermost frame (or above the
 * loop that ran a message of the framework's) stand only frames of the framework, the JVM, Robolectric and the host. It
 * is the lab's when
 *
 * <ul>
 *   <li>Robolectric's code or ours threw it, and not in the name of the system, as a missing activity is told;
 *   <li>the framework threw it, called by a shadow on its own account: one that only hands on the same call has no part
 *       in it;
 *   <li>it is an error of linking: of code that was translated, or that is native, also where the JVM tells of it once more
 *       because a class failed to begin before;
 *   <li>memory ran out: the host has less of it than a phone, and keeps more;
 *   <li>a provider of security is not there that each phone has, or a service of the system that the framework asks.
 * </ul>
 */
final class Blame {
  private static final List<String> INSTEAD =
      Stream.of(AppClock.class, AppPools.class, AppSchedule.class, AppTimer.class, Sleepers.class, Turns.class, Waits.class)
          .map(Class::getName)
          .toList();

  /** Providers of a phone that the JVM's stand for in part, or not at all. */
  private static final List<String> PROVIDERS = List.of("AndroidKeyStore", "AndroidNSSP", "HarmonyJSSE");

  /** What the JVM says where the interface of a service is asked that is not there; all of them have such a name. */
  private static final Pattern NO_SERVICE =
      Pattern.compile("Cannot invoke \"(com\\.)?android\\.[\\w.]*\\.I[A-Z]\\w*\\.\\w+\\(.*", Pattern.DOTALL);

  /** What the JVM keeps of an exception by which a class failed to begin: its class's name, in words. */
  private static final Pattern FAILED_BEFORE = Pattern.compile("Exception ([\\w.$]+)(:| \\[in thread ).*", Pattern.DOTALL);

  private final Predicate<String> ofApp;

  /** Told by the class loader of the app's process which classes are the app's. */
  Blame(Predicate<String> ofApp) {
    this.ofApp = ofApp;
  }

  boolean isOfLab(Throwable thrown) {
    Throwable root = root(thrown);
    return linking(root)
        || root instanceof OutOfMemoryError
        || missingProvider(root)
        || missingService(root)
        || !inTheNameOfTheSystem(root) && stack(root.getStackTrace());
  }

  /** What an exception was in the beginning. */
  static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    for (int i = 0; i < 100 && root.getCause() != null; i++) {
      root = root.getCause();
    }
    return root;
  }

  private static boolean linking(Throwable root) {
    if (root instanceof ExceptionInInitializerError) {
      Matcher first = FAILED_BEFORE.matcher(String.valueOf(root.getMessage()));
      return first.matches() && isLinkage(first.group(1));
    }
    return root instanceof LinkageError;
  }

  private static boolean isLinkage(String name) {
    try {
      return LinkageError.class.isAssignableFrom(Class.forName(name, false, null));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static boolean missingProvider(Throwable root) {
    String message = String.valueOf(root.getMessage());
    return root instanceof GeneralSecurityException && PROVIDERS.stream().anyMatch(message::contains);
  }

  private static boolean missingService(Throwable root) {
    StackTraceElement[] stack = root.getStackTrace();
    return root instanceof NullPointerException
        && NO_SERVICE.matcher(String.valueOf(root.getMessage())).matches()
        && stack.length > 0
        && (stack[0].getClassName().startsWith("android.") || stack[0].getClassName().startsWith("com.android."));
  }

  /** Kinds of exceptions that the framework has for its callers; the JDK's say nothing about who meant them. */
  private static boolean inTheNameOfTheSystem(Throwable root) {
    return root instanceof SecurityException || root.getClass().getName().startsWith("android.");
  }

  private boolean stack(StackTraceElement[] stack) {
    String above = null;
    for (StackTraceElement frame : stack) {
      String name = frame.getClassName();
      if (ofApp.test(name) || bottom(name)) {
        return false;
      }
      if (plumbing(name)) {
        continue;
      }
      String method = method(frame);
      // The first one is where it was thrown.
      if (ofLab(name) && !method.equals(above)) {
        return true;
      }
      above = method;
    }
    return false;
  }

  /** The woven body of a method has the method's name at its end, what a method does in a lambda has it in the middle. */
  private static String method(StackTraceElement frame) {
    String name = frame.getMethodName();
    return name.startsWith("$$robo$$")
        ? name.substring(name.lastIndexOf('$') + 1)
        : name.replaceFirst("^lambda\\$(.+)\\$\\d+$", "$1");
  }

  private static boolean ofLab(String name) {
    return name.startsWith("org.robolectric.") || name.startsWith("org.droidmux.framework.");
  }

  /** What only leads from a call to its body. */
  private static boolean plumbing(String name) {
    return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")
        || name.startsWith("org.robolectric.internal.")
        || name.startsWith("org.robolectric.shadow.api.")
        || name.startsWith("org.robolectric.util.")
        // A class that its loader does not find is missing in the app.
        || name.equals(AppClasses.class.getName())
        // These stand in the place of the JDK's, and throw what those throw.
        || INSTEAD.stream().anyMatch(name::startsWith)
        || name.contains("$$Lambda");
  }

  /** Here begins what runs the app at all. */
  private static boolean bottom(String name) {
    return name.equals("android.os.Looper")
        || name.equals("org.robolectric.shadows.ShadowPausedMessage")
        || name.startsWith("org.robolectric.shadows.ShadowPausedLooper")
        || name.startsWith("org.robolectric.android.controller.")
        || name.startsWith(Lifecycle.class.getName())
        || name.startsWith(Input.class.getName())
        || name.startsWith(MainLoop.class.getName())
        || name.startsWith(Services.class.getName())
        || name.startsWith(AppProcess.class.getName())
        || name.startsWith(PhoneInstrumentation.class.getName());
  }
}
