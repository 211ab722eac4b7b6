package org.droidmux.trial;

import android.app.Application;

public final class TrialApplication extends Application {
  /** Lives as long as the process. */
  static int touches;

  @Override
  public void onCreate() {
    super.onCreate();
    if (!TrialProvider.created) {
      throw new IllegalStateException("the provider comes first");
    }
  }
}
