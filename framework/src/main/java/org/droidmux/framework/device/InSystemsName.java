package org.droidmux.framework.device;

import java.util.Arrays;

/**
 * Exceptions that a system service throws at the app. They lose the frames of ours, so that they count as what they are:
 * the app's, which did what Android does not allow.
 */
final class InSystemsName {
  private InSystemsName() {}

  /** The same exception, as if the framework had thrown it. */
  static <T extends RuntimeException> T thrown(T exception) {
    StackTraceElement[] stack = exception.getStackTrace();
    int ours = 0;
    while (ours < stack.length && isPlumbing(stack[ours].getClassName())) {
      ours++;
    }
    exception.setStackTrace(Arrays.copyOfRange(stack, ours, stack.length));
    return exception;
  }

  private static boolean isPlumbing(String name) {
    return name.startsWith("org.droidmux.framework.")
        || name.startsWith("org.robolectric.")
        || name.startsWith("java.")
        || name.startsWith("jdk.")
        || name.contains("$Proxy");
  }
}
