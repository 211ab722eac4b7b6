package org.droidmux.framework.apk;

/** An APK that cannot be translated: one sentence, with the file. */
final class ApkException extends Exception {
  private static final long serialVersionUID = 1L;

  ApkException(String message) {
    super(message);
  }
}
