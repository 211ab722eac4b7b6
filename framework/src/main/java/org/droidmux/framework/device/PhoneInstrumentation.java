package org.droidmux.framework.device;

import android.app.Activity;
import android.app.Application;
import android.app.Instrumentation;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.os.IBinder;
import android.os.UserHandle;
import org.robolectric.android.internal.RoboMonitoringInstrumentation;
import org.robolectric.util.ReflectionHelpers;

/** Where the framework asks the system to start activities, and says that the application begins. */
final class PhoneInstrumentation extends RoboMonitoringInstrumentation {
  @Override
  public void callApplicationOnCreate(Application application) {
    AppProcess process = AppProcess.starting();
    if (process != null) {
      process.beforeOnCreate(application);
    }
    super.callApplicationOnCreate(application);
  }

  @Override
  public ActivityResult execStartActivity(
      Context who, IBinder contextThread, IBinder token, Activity target, Intent intent, int requestCode,
      Bundle options) {
    Phone.get().stack().starts().ask(intent, target, within(target), requestCode);
    return null;
  }

  @Override
  public ActivityResult execStartActivity(
      Context who, IBinder contextThread, IBinder token, String target, Intent intent, int requestCode,
      Bundle options) {
    Phone.get().stack().starts().ask(intent, who instanceof Activity ? (Activity) who : null, target, requestCode);
    return null;
  }

  @Override
  public ActivityResult execStartActivity(
      Context who, IBinder contextThread, IBinder token, String target, Intent intent, int requestCode,
      Bundle options, UserHandle user) {
    Phone.get().stack().starts().ask(intent, who instanceof Activity ? (Activity) who : null, target, requestCode);
    return null;
  }

  @Override
  public void execStartActivities(
      Context who, IBinder contextThread, IBinder token, Activity target, Intent[] intents, Bundle options) {
    for (Intent intent : intents) {
      Phone.get().stack().starts().ask(intent, target, null, -1);
    }
  }

  /** By which name the activity around it knows one; null where none is around it. */
  private static String within(Activity target) {
    return target == null ? null : ReflectionHelpers.getField(target, "mEmbeddedID");
  }
}
