package org.droidmux.framework;

/** An app that cannot be loaded: one sentence, with the file. */
final class AppException extends Exception {
  private static final long serialVersionUID = 1L;

  AppException(String message) {
    super(message);
  }
}
