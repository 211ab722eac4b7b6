package org.droidmux.framework.device;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Regular expressions as Android has them: its engine takes some that the JDK's refuses. */
public final class AppPatterns {
  private AppPatterns() {}

  public static Pattern pattern(String text, int flags) {
    try {
      return Pattern.compile(text, flags);
    } catch (PatternSyntaxException e) {
      // Comments within an expression.
      String plain = text.replaceAll("\\(\\?#[^)]*\\)", "");
      if (plain.equals(text)) {
        throw e;
      }
      return Pattern.compile(plain, flags);
    }
  }

  public static Pattern pattern(String text) {
    return pattern(text, 0);
  }
}
