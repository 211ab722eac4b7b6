package org.droidmux.framework;

import java.util.List;

/**
 * Names of classes that belong to the framework of a phone: it is asked first, so what an app defines under one of them
 * counts only where the framework has none. R8 puts such stand-ins into apps for classes that older phones lack.
 */
public final class FrameworkNames {
  private static final List<String> BEGINNINGS =
      List.of(
          "java.", "javax.", "android.", "dalvik.", "libcore.", "com.android.internal.", "org.json.", "org.xmlpull.",
          "org.xml.", "org.w3c.");

  private FrameworkNames() {}

  /** Whether a name, as Java writes it, is one of them. */
  public static boolean has(String name) {
    return BEGINNINGS.stream().anyMatch(name::startsWith);
  }
}
