package org.droidmux.trial;

import android.app.Application;
import android.util.Log;
import java.util.ArrayList;
import java.util.function.Consumer;

public final class TrialApplication extends Application {
  /** Lives as long as the process. */
  static int touches;

  /** What a state carries that is more than data. */
  static ArrayList<Object> carried;

  /** What receivers, alarms and jobs have told, and who shows it. */
  static String heard = "";

  static Consumer<String> listener;

  static void hear(String what) {
    heard = heard.isEmpty() ? what : heard + " " + what;
    Log.i("Trial", "heard " + what);
    if (listener != null) {
      listener.accept(heard);
    }
  }

  @Override
  public void onCreate() {
    super.onCreate();
    if (!TrialProvider.created) {
      throw new IllegalStateException("the provider comes first");
    }
  }
}
