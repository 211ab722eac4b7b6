package org.droidmux.framework.device;

import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.Handler;
import android.os.UserHandle;
import java.util.concurrent.Executor;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowContextImpl;
import org.robolectric.util.ReflectionHelpers;

/**
 * A context, whose classes are those of the app's process: layouts name views of the app's own. Services and broadcasts
 * go to our lists of them.
 */
@Implements(className = "android.app.ContextImpl")
public class PhoneContext extends ShadowContextImpl {
  @RealObject private Context real;

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

  @Override
  @Implementation
  protected void sendBroadcast(Intent intent) {
    send(new Broadcasts.Round(intent));
  }

  @Override
  @Implementation
  protected void sendBroadcast(Intent intent, String permission) {
    send(new Broadcasts.Round(intent).needs(permission));
  }

  @Override
  @Implementation
  protected void sendBroadcast(Intent intent, String permission, Bundle options) {
    send(new Broadcasts.Round(intent).needs(permission));
  }

  @Override
  @Implementation
  protected void sendBroadcastAsUser(Intent intent, UserHandle user) {
    send(new Broadcasts.Round(intent));
  }

  @Override
  @Implementation
  protected void sendBroadcastAsUser(Intent intent, UserHandle user, String permission) {
    send(new Broadcasts.Round(intent).needs(permission));
  }

  @Override
  @Implementation
  protected void sendOrderedBroadcast(Intent intent, String permission) {
    send(new Broadcasts.Round(intent).needs(permission).ordered(0, null, null));
  }

  @Override
  @Implementation
  protected void sendOrderedBroadcast(
      Intent intent, String permission, BroadcastReceiver last, Handler scheduler, int code, String data,
      Bundle extras) {
    send(
        new Broadcasts.Round(intent).needs(permission).ordered(code, data, extras).last(last, outer(), scheduler));
  }

  @Override
  @Implementation
  protected void sendOrderedBroadcastAsUser(
      Intent intent, UserHandle user, String permission, BroadcastReceiver last, Handler scheduler, int code,
      String data, Bundle extras) {
    sendOrderedBroadcast(intent, permission, last, scheduler, code, data, extras);
  }

  @Override
  @Implementation
  protected void sendStickyBroadcast(Intent intent) {
    Phone.get().sticky().put(intent);
    send(new Broadcasts.Round(intent));
  }

  @Implementation
  protected void removeStickyBroadcast(Intent intent) {
    Phone.get().sticky().remove(intent);
  }

  private static void send(Broadcasts.Round round) {
    AppProcess.current().broadcasts().send(round);
  }

  @Override
  @Implementation
  protected Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
    return register(receiver, filter, null, null, 0);
  }

  @Override
  @Implementation(minSdk = 26)
  protected Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter, int flags) {
    return register(receiver, filter, null, null, flags);
  }

  @Override
  @Implementation
  protected Intent registerReceiver(
      BroadcastReceiver receiver, IntentFilter filter, String permission, Handler scheduler) {
    return register(receiver, filter, permission, scheduler, 0);
  }

  @Override
  @Implementation(minSdk = 26)
  protected Intent registerReceiver(
      BroadcastReceiver receiver, IntentFilter filter, String permission, Handler scheduler, int flags) {
    return register(receiver, filter, permission, scheduler, flags);
  }

  @Override
  @Implementation
  protected Intent registerReceiverAsUser(
      BroadcastReceiver receiver, UserHandle user, IntentFilter filter, String permission, Handler scheduler) {
    return register(receiver, filter, permission, scheduler, 0);
  }

  /** While the application is made, framework code may ask before there is a process. */
  private Intent register(
      BroadcastReceiver receiver, IntentFilter filter, String permission, Handler scheduler, int flags) {
    AppProcess process = AppProcess.current();
    return process == null
        ? null
        : process.broadcasts().register(receiver, filter, permission, scheduler, flags, outer());
  }

  @Override
  @Implementation
  protected void unregisterReceiver(BroadcastReceiver receiver) {
    AppProcess.current().broadcasts().unregister(receiver);
  }

  private Context outer() {
    return ReflectionHelpers.callInstanceMethod(real, "getOuterContext");
  }
}
