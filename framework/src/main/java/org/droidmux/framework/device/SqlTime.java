package org.droidmux.framework.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * SQL that asks for the phone's time where it asked for the computer's: {@code CURRENT_TIMESTAMP} and its kin, and the functions
 * of date and time with {@code 'now'}, or without the moment that it stands for, ask {@link #NOW} instead. Strings, quoted names
 * and comments stay as they are.
 *
 * <p>A moment in the place of the function would be that of the statement's preparation: statements are kept, and what a table's
 * default or a trigger says is part of the database.
 */
final class SqlTime {
  /** A function with one argument, of which it makes nothing, that gives the phone's time: {@code 2024-03-05 10:00:00.000}. */
  static final String NOW = "droidmux_now";

  private static final String CALL = NOW + "('')";
  private static final Set<String> FUNCTIONS = Set.of("date", "time", "datetime", "julianday", "unixepoch", "strftime");

  private final String sql;
  private final StringBuilder made = new StringBuilder();
  private int at;

  private SqlTime(String sql) {
    this.sql = sql;
  }

  /** The statement with the phone's time; itself where it asks for none. */
  static String of(String sql) {
    String lower = sql.toLowerCase(Locale.ROOT);
    if (!lower.contains("current_") && FUNCTIONS.stream().noneMatch(lower::contains)) {
      return sql;
    }
    return new SqlTime(sql).whole();
  }

  private String whole() {
    while (at < sql.length()) {
      step();
    }
    return made.toString();
  }

  /** Takes the next token, and with a function of time all its arguments. */
  private void step() {
    if (!Character.isLetter(sql.charAt(at)) && sql.charAt(at) != '_') {
      copy(tokenEnd(at));
      return;
    }
    int end = tokenEnd(at);
    String word = sql.substring(at, end).toLowerCase(Locale.ROOT);
    boolean isName = at > 0 && sql.charAt(at - 1) == '.';
    String constant = isName ? null : constant(word);
    if (constant != null) {
      made.append(constant);
      at = end;
      return;
    }
    copy(end);
    int open = blankEnd(at);
    if (!isName && FUNCTIONS.contains(word) && open < sql.length() && sql.charAt(open) == '(') {
      copy(open + 1);
      arguments(word.equals("strftime") ? 1 : 0);
    }
  }

  /** The arguments of a function of time up to its bracket; the moment is the one with this number. */
  private void arguments(int moment) {
    List<String> all = new ArrayList<>();
    int from = made.length();
    while (at < sql.length() && sql.charAt(at) != ')') {
      if (sql.charAt(at) == ',') {
        all.add(made.substring(from));
        made.setLength(from);
        at++;
      } else if (sql.charAt(at) == '(') {
        nested();
      } else {
        step();
      }
    }
    String last = made.substring(from);
    made.setLength(from);
    if (!all.isEmpty() || !last.isBlank()) {
      all.add(last);
    }
    if (all.size() == moment) {
      all.add(CALL);
    } else if (all.size() > moment && all.get(moment).trim().equalsIgnoreCase("'now'")) {
      all.set(moment, CALL);
    }
    made.append(String.join(",", all));
  }

  /** What stands in brackets of its own. */
  private void nested() {
    copy(at + 1);
    while (at < sql.length() && sql.charAt(at) != ')') {
      if (sql.charAt(at) == '(') {
        nested();
      } else {
        step();
      }
    }
    if (at < sql.length()) {
      copy(at + 1);
    }
  }

  private static String constant(String word) {
    return switch (word) {
      case "current_timestamp" -> "(strftime('%Y-%m-%d %H:%M:%S'," + CALL + "))";
      case "current_date" -> "(strftime('%Y-%m-%d'," + CALL + "))";
      case "current_time" -> "(strftime('%H:%M:%S'," + CALL + "))";
      default -> null;
    };
  }

  private void copy(int end) {
    made.append(sql, at, end);
    at = end;
  }

  private int blankEnd(int from) {
    int end = from;
    while (end < sql.length() && Character.isWhitespace(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Where the token that begins here ends: a word, a quoted string or name, a comment, or one character. */
  private int tokenEnd(int from) {
    char first = sql.charAt(from);
    if (first == '-' && sql.startsWith("--", from)) {
      return past("\n", from + 2);
    }
    if (first == '/' && sql.startsWith("/*", from)) {
      return past("*/", from + 2);
    }
    // A quote that is doubled ends one string and begins another, which comes to the same.
    if (first == '\'' || first == '"' || first == '`') {
      return past(String.valueOf(first), from + 1);
    }
    if (first == '[') {
      return past("]", from + 1);
    }
    int end = from;
    while (end < sql.length() && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '_')) {
      end++;
    }
    return Math.max(end, from + 1);
  }

  private int past(String mark, int from) {
    int found = sql.indexOf(mark, from);
    return found < 0 ? sql.length() : found + mark.length();
  }
}
