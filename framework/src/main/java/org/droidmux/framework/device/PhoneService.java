package org.droidmux.framework.device;

import android.app.Notification;
import android.app.Service;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowService;

/** What a service asks of the system for itself: its end, and to be in the foreground. */
@Implements(className = "android.app.Service")
public class PhoneService extends ShadowService {
  @RealObject private Service real;

  @Override
  @Implementation
  protected void stopSelf() {
    super.stopSelf();
    AppProcess.current().services().stopSelf(real, -1);
  }

  @Override
  @Implementation
  protected void stopSelf(int id) {
    super.stopSelf(id);
    AppProcess.current().services().stopSelf(real, id);
  }

  @Override
  @Implementation
  protected boolean stopSelfResult(int id) {
    super.stopSelfResult(id);
    return AppProcess.current().services().stopSelf(real, id);
  }

  @Override
  @Implementation
  protected void startForeground(int id, Notification notification) {
    AppProcess.current().services().foreground(real, id, notification);
  }

  @Override
  @Implementation(minSdk = 29)
  protected void startForeground(int id, Notification notification, int type) {
    AppProcess.current().services().foreground(real, id, notification);
  }

  @Override
  @Implementation
  protected void stopForeground(boolean remove) {
    AppProcess.current().services().background(real, remove);
  }

  @Override
  @Implementation
  protected void stopForeground(int flags) {
    AppProcess.current().services().background(real, (flags & Service.STOP_FOREGROUND_REMOVE) != 0);
  }
}
