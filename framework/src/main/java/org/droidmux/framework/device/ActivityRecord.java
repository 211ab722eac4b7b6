package org.droidmux.framework.device;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.os.Bundle;
import android.os.Parcel;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.android.controller.ActivityController;

/**
 * One entry of the back stack. It outlives its instance: after the process is gone, component, intent,
 * saved state and results are what the system still has.
 */
final class ActivityRecord {
  /** Where an instance is in its life. */
  enum State { GONE, STOPPED, PAUSED, RESUMED }

  /** What a finished activity gave back. */
  record Result(String who, int requestCode, int resultCode, Intent data) {}

  final ComponentName component;
  final ActivityInfo info;
  final Outside outside;
  Intent intent;
  State state = State.GONE;
  ActivityController<? extends Activity> controller;
  ActivityRecord caller;
  String who;
  int requestCode = -1;
  boolean covers = true;
  boolean reconfigure;
  boolean recreate;
  Configuration configured;
  Object retained;
  final List<Result> results = new ArrayList<>();
  final List<Intent> newIntents = new ArrayList<>();
  private byte[] saved;
  private Bundle kept;
  private AppProcess keeper;

  ActivityRecord(ComponentName component, ActivityInfo info, Outside outside, Intent intent) {
    this.component = component;
    this.info = info;
    this.outside = outside;
    this.intent = intent;
  }

  /** The class that an activity is of. One that was started by an alias is known by that name, and of another's class. */
  static String classOf(ActivityInfo info) {
    return info.targetActivity != null ? info.targetActivity : info.name;
  }

  String className() {
    return info == null ? component.getClassName() : classOf(info);
  }

  Activity activity() {
    return controller == null ? null : controller.get();
  }

  boolean finishing() {
    Activity activity = activity();
    return activity != null && activity.isFinishing();
  }

  boolean visible() {
    return state == State.RESUMED || state == State.PAUSED;
  }

  /**
   * What an activity that is made anew at once finds: the very objects, which never leave its process (AOSP,
   * ActivityThread.handleRelaunchActivityInner).
   */
  void keep(Bundle state) {
    kept = state;
    keeper = AppProcess.current();
  }

  /** State goes through a parcel, as on its way to the system: what cannot be parcelled fails here. */
  void save(Bundle state) {
    keep(state);
    Parcel parcel = Parcel.obtain();
    try {
      parcel.writeBundle(state);
      saved = parcel.marshall();
    } finally {
      parcel.recycle();
    }
  }

  Bundle restored(ClassLoader classes) {
    if (kept != null && keeper == AppProcess.current()) {
      kept.setClassLoader(classes);
      return kept;
    }
    kept = null;
    if (saved == null) {
      return null;
    }
    Parcel parcel = Parcel.obtain();
    try {
      parcel.unmarshall(saved, 0, saved.length);
      parcel.setDataPosition(0);
      return parcel.readBundle(classes);
    } finally {
      parcel.recycle();
    }
  }
}
