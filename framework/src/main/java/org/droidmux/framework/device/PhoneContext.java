package org.droidmux.framework.device;

import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.UserHandle;
import java.util.concurrent.Executor;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContextImpl;

/** A context, whose classes are those of the app's process: layouts name views of the app's own. */
@Implements(className = "android.app.ContextImpl")
public class PhoneContext extends ShadowContextImpl {
  @Override
  @Implementation
  protected ClassLoader getClassLoader() {
    AppProcess process = AppProcess.current();
    return process == null ? super.getClassLoader() : process.classes();
  }

  @Override
  @Implementation
  protected ComponentName startService(Intent intent) {
    validateServiceIntent(intent);
    return AppProcess.current().services().start(intent);
  }

  @Override
  @Implementation
  protected ComponentName startServiceAsUser(Intent intent, UserHandle user) {
    return startService(intent);
  }

  @Override
  @Implementation
  protected ComponentName startForegroundService(Intent intent) {
    return startService(intent);
  }

  @Override
  @Implementation
  protected boolean stopService(Intent intent) {
    validateServiceIntent(intent);
    return AppProcess.current().services().stop(intent);
  }

  @Override
  @Implementation
  protected boolean bindService(Intent intent, ServiceConnection connection, int flags) {
    validateServiceIntent(intent);
    return AppProcess.current().services().bind(intent, connection, null);
  }

  @Override
  @Implementation
  protected boolean bindService(Intent intent, int flags, Executor executor, ServiceConnection connection) {
    validateServiceIntent(intent);
    return AppProcess.current().services().bind(intent, connection, executor);
  }

  @Override
  @Implementation
  protected boolean bindServiceAsUser(Intent intent, ServiceConnection connection, int flags, UserHandle user) {
    return bindService(intent, connection, flags);
  }

  @Override
  @Implementation
  protected void unbindService(ServiceConnection connection) {
    AppProcess.current().services().unbind(connection);
  }
}
