package org.droidmux.trial;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

public final class HearingReceiver extends BroadcastReceiver {
  @Override
  public void onReceive(Context context, Intent intent) {
    TrialApplication.hear(intent.getAction());
    if (isOrderedBroadcast()) {
      setResult(5, "heard " + intent.getStringExtra("word"), null);
    }
  }
}
