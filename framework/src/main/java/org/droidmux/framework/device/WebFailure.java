package org.droidmux.framework.device;

import android.webkit.WebResourceError;

/** Why a page is not there, as an app is told. */
final class WebFailure extends WebResourceError {
  private final int code;
  private final String words;

  WebFailure(int code, String words) {
    this.code = code;
    this.words = words;
  }

  @Override
  public int getErrorCode() {
    return code;
  }

  @Override
  public CharSequence getDescription() {
    return words;
  }
}
