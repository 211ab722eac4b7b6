package org.droidmux.framework.device;

import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import java.util.ArrayList;
import java.util.List;

/** A receiver that the manifest declares. */
record ManifestReceiver(String name, List<IntentFilter> filters) {
  static List<ManifestReceiver> of(Application application) {
    List<ManifestReceiver> receivers = new ArrayList<>();
    PackageManager packages = application.getPackageManager();
    try {
      PackageInfo info = packages.getPackageInfo(application.getPackageName(), PackageManager.GET_RECEIVERS);
      if (info.receivers != null) {
        for (ActivityInfo receiver : info.receivers) {
          receivers.add(
              new ManifestReceiver(receiver.name, Components.filters(application, receiver.name)));
        }
      }
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException("the app is not installed", e);
    }
    return receivers;
  }

  /** Makes an instance and hands it the broadcast. */
  void deliver(AppProcess process, Context context, Intent intent) {
    try {
      BroadcastReceiver receiver =
          new PhoneAppFactory(process, process.application().getApplicationInfo())
              .instantiateReceiver(process.classes(), name, intent);
      receiver.onReceive(context, intent);
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate receiver " + name + ": " + e, e);
    }
  }
}
