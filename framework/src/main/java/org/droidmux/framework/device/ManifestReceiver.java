package org.droidmux.framework.device;

import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageParser;
import java.util.ArrayList;
import java.util.List;

/** A receiver that the manifest declares: what it takes, who may send to it, and an instance for each broadcast. */
record ManifestReceiver(
    ComponentName component, List<IntentFilter> filters, boolean enabled, boolean exported, String permission) {
  /** The priority of a receiver that does not take an intent. */
  static final int NO_MATCH = Integer.MIN_VALUE;

  static List<ManifestReceiver> of(AppProcess process) {
    List<ManifestReceiver> receivers = new ArrayList<>();
    if (process.declared() == null) {
      // Its manifest is still being read.
      return receivers;
    }
    for (PackageParser.Activity receiver : process.declared().receivers) {
      receivers.add(
          new ManifestReceiver(
              receiver.getComponentName(), new ArrayList<>(receiver.intents), receiver.info.enabled,
              receiver.info.exported, receiver.info.permission));
    }
    return receivers;
  }

  /** The priority with which it takes an intent of this type. */
  int priority(Intent intent, String type) {
    if (intent.getComponent() != null) {
      return intent.getComponent().getClassName().equals(component.getClassName()) ? 0 : NO_MATCH;
    }
    int highest = NO_MATCH;
    for (IntentFilter filter : filters) {
      int match =
          filter.match(
              intent.getAction(), type, intent.getScheme(), intent.getData(), intent.getCategories(), "droidmux");
      if (match >= 0) {
        highest = Math.max(highest, filter.getPriority());
      }
    }
    return highest;
  }

  BroadcastReceiver made(AppProcess process, Intent intent) throws ReflectiveOperationException {
    return new PhoneAppFactory(process, process.application().getApplicationInfo())
        .instantiateReceiver(process.classes(), component.getClassName(), intent);
  }
}
