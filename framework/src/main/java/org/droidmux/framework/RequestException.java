package org.droidmux.framework;

/** A request that cannot be answered: what is wrong with it. */
final class RequestException extends Exception {
  private static final long serialVersionUID = 1L;

  RequestException(String message) {
    super(message);
  }
}
