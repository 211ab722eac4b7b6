package org.droidmux.trial;

import android.app.RemoteInput;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;

public final class HearingReceiver extends BroadcastReceiver {
  @Override
  public void onReceive(Context context, Intent intent) {
    Bundle written = RemoteInput.getResultsFromIntent(intent);
    TrialApplication.hear(intent.getAction() + (written == null ? "" : " " + written.getCharSequence("words")));
    if (isOrderedBroadcast()) {
      setResult(5, "heard " + intent.getStringExtra("word"), null);
    }
  }
}
