package org.droidmux.trial;

import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

public final class TrialService extends Service {
  @Override
  public int onStartCommand(Intent intent, int flags, int id) {
    TrialApplication.touches = 70;
    stopSelf(id);
    return START_NOT_STICKY;
  }

  @Override
  public void onDestroy() {
    TrialApplication.touches++;
  }

  @Override
  public IBinder onBind(Intent intent) {
    return null;
  }
}
