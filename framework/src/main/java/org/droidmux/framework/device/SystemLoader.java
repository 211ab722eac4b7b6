package org.droidmux.framework.device;

/**
 * The class loader that Android has for the system, for an app that asks for it: libraries look there whether they run on
 * Android, and on which level. In flow the app's calls of the JDK, out flow the framework's classes. The host's own loader
 * has those, too, but without anything woven in: their native methods lead nowhere, and what has failed to begin once
 * fails for all processes that come.
 */
public final class SystemLoader {
  private SystemLoader() {}

  /** Has the framework's classes and none of the app's (AOSP, {@code ClassLoader.createSystemClassLoader}). */
  public static ClassLoader get() {
    return SystemLoader.class.getClassLoader();
  }

  /** Without a loader, Android looks among the framework's classes, the JVM among the JDK's alone. */
  public static Class<?> named(String name, boolean initialized, ClassLoader loader) throws ClassNotFoundException {
    return Class.forName(name, initialized, loader == null ? get() : loader);
  }
}
