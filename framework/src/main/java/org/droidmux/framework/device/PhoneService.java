package org.droidmux.framework.device;

import android.app.Service;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowService;

/** A service that ends itself. */
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
}
