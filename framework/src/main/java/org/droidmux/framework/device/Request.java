package org.droidmux.framework.device;

import java.util.List;
import java.util.Map;

/** The members of a request, read with care. */
final class Request {
  private final Map<String, Object> members;

  Request(Map<String, Object> members) {
    this.members = members;
  }

  /** A whole number within limits. */
  int number(String name, int least, int most) {
    if (!(members.get(name) instanceof Double value)) {
      throw new IllegalArgumentException("\"" + name + "\": a number is missing");
    }
    if (value != Math.rint(value) || value < least || value > most) {
      throw new IllegalArgumentException("\"" + name + "\": a whole number from " + least + " to " + most);
    }
    return value.intValue();
  }

  int number(String name, int least, int most, int otherwise) {
    return members.containsKey(name) ? number(name, least, most) : otherwise;
  }

  double fraction(String name, double least, double most) {
    if (!(members.get(name) instanceof Double value) || !(value >= least && value <= most)) {
      throw new IllegalArgumentException("\"" + name + "\": a number from " + least + " to " + most);
    }
    return value;
  }

  String text(String name) {
    if (!(members.get(name) instanceof String value)) {
      throw new IllegalArgumentException("\"" + name + "\": a string is missing");
    }
    return value;
  }

  String text(String name, String otherwise) {
    return members.containsKey(name) ? text(name) : otherwise;
  }

  boolean truth(String name, boolean otherwise) {
    Object value = members.get(name);
    if (value == null) {
      return otherwise;
    }
    if (!(value instanceof Boolean truth)) {
      throw new IllegalArgumentException("\"" + name + "\": true or false");
    }
    return truth;
  }

  /** A list of strings. */
  List<String> words(String name) {
    if (!(members.get(name) instanceof List<?> value) || !value.stream().allMatch(String.class::isInstance)) {
      throw new IllegalArgumentException("\"" + name + "\": a list of strings is missing");
    }
    return value.stream().map(String.class::cast).toList();
  }

  /** Numbers of mutants. */
  List<Integer> numbers(String name) {
    if (!(members.get(name) instanceof List<?> value)) {
      throw new IllegalArgumentException("\"" + name + "\": a list of numbers is missing");
    }
    return value.stream().map(each -> mutant(name, each)).toList();
  }

  private static Integer mutant(String name, Object each) {
    if (each instanceof Double number && number == Math.rint(number) && Mutants.knows(number.intValue())) {
      return number.intValue();
    }
    throw new IllegalArgumentException("\"" + name + "\": numbers of mutants, not " + each);
  }

  boolean has(String name) {
    return members.containsKey(name);
  }
}
