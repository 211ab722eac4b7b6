package org.droidmux.trial;

import android.app.Notification;
import android.app.Service;
import android.content.Intent;
import android.os.IBinder;

public final class ForegroundService extends Service {
  @Override
  public int onStartCommand(Intent intent, int flags, int id) {
    startForeground(
        9,
        new Notification.Builder(this, "news")
            .setSmallIcon(android.R.drawable.ic_dialog_info)
            .setContentTitle("At work")
            .build());
    return START_NOT_STICKY;
  }

  @Override
  public IBinder onBind(Intent intent) {
    return null;
  }
}
