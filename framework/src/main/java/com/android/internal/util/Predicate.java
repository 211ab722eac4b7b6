package com.android.internal.util;

/** Was part of the framework until API 27; libraries of that time still implement it. */
public interface Predicate<T> {
  boolean apply(T value);
}
