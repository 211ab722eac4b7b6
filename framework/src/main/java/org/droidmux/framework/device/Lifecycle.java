package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.Configuration;
import android.content.res.TypedArray;
import android.os.Bundle;
import android.os.IBinder;
import android.view.Display;
import android.view.View;
import android.view.ViewConfiguration;
import android.view.Window;
import android.view.WindowManagerGlobal;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.shadows.ShadowViewConfiguration;
import org.robolectric.shadows.ShadowViewRootImpl;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Leads one activity through its life. What the app throws in a callback comes out of here; the caller
 * takes it for a crash.
 */
final class Lifecycle {
  private final Phone phone;

  Lifecycle(Phone phone) {
    this.phone = phone;
  }

  /** Makes an activity run, whether it has no instance, is stopped or is paused. */
  void bringUp(ActivityRecord record) {
    if (record.state == ActivityRecord.State.GONE) {
      if (!create(record)) {
        return;
      }
    } else {
      if (record.state == ActivityRecord.State.STOPPED) {
        show(record, true);
        // Starts as well.
        record.controller.restart();
      }
      if (record.reconfigure) {
        record.state = ActivityRecord.State.PAUSED;
        reconfigure(record);
        if (record.state == ActivityRecord.State.RESUMED) {
          return;
        }
      }
    }
    deliver(record);
    if (record.finishing()) {
      record.state = ActivityRecord.State.PAUSED;
      return;
    }
    record.controller.resume();
    record.state = ActivityRecord.State.RESUMED;
    if (!record.finishing()) {
      record.controller.visible();
    }
  }

  /** False when the activity finished in its onCreate and was never started. */
  private boolean create(ActivityRecord record) {
    Bundle saved = record.restored(AppProcess.current().classes());
    record.controller = ActivityController.of(instance(record), record.intent, null);
    record.state = ActivityRecord.State.STOPPED;
    record.reconfigure = false;
    record.configured = phoneConfiguration();
    if (record.retained != null) {
      ReflectionHelpers.setField(
          Activity.class, record.activity(), "mLastNonConfigurationInstances", record.retained);
      record.retained = null;
    }
    withoutMenuKey(record.activity());
    record.controller.create(saved);
    record.covers = covers(record.activity());
    if (record.finishing()) {
      return false;
    }
    record.controller.start();
    if (saved != null) {
      record.controller.restoreInstanceState(saved);
    }
    record.controller.postCreate(saved);
    return true;
  }

  private Activity instance(ActivityRecord record) {
    if (record.outside != null) {
      return OutsideActivity.of(record.outside);
    }
    AppProcess process = AppProcess.current();
    record.intent.setExtrasClassLoader(process.classes());
    try {
      return new PhoneAppFactory(process, process.application().getApplicationInfo())
          .instantiateActivity(process.classes(), record.className(), record.intent);
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException(
          "Unable to instantiate activity ComponentInfo{" + record.component.flattenToShortString() + "}: " + e, e);
    }
  }

  private static boolean covers(Activity activity) {
    TypedArray attributes = activity.getTheme().obtainStyledAttributes(com.android.internal.R.styleable.Window);
    try {
      return !ActivityInfo.isTranslucentOrFloating(attributes);
    } finally {
      attributes.recycle();
    }
  }

  private void deliver(ActivityRecord record) {
    while (!record.newIntents.isEmpty()) {
      Intent intent = record.newIntents.remove(0);
      intent.setExtrasClassLoader(AppProcess.current().classes());
      record.controller.newIntent(intent);
    }
    while (!record.results.isEmpty()) {
      ActivityRecord.Result result = record.results.remove(0);
      if (result.data() != null) {
        result.data().setExtrasClassLoader(AppProcess.current().classes());
      }
      ReflectionHelpers.callInstanceMethod(
          Activity.class, record.activity(), "dispatchActivityResult",
          ClassParameter.from(String.class, result.who()),
          ClassParameter.from(int.class, result.requestCode()),
          ClassParameter.from(int.class, result.resultCode()),
          ClassParameter.from(Intent.class, result.data()),
          ClassParameter.from(String.class, "ACTIVITY_RESULT"));
    }
  }

  /** Pauses it because something else comes to the front. */
  void leave(ActivityRecord record) {
    if (record.state == ActivityRecord.State.RESUMED) {
      record.controller.userLeaving();
      pause(record);
    }
  }

  void pause(ActivityRecord record) {
    record.controller.pause();
    record.state = ActivityRecord.State.PAUSED;
  }

  void stop(ActivityRecord record) {
    Bundle state = halt(record);
    if (state != null) {
      record.save(state);
    }
    show(record, false);
  }

  /** Stops one that runs; the state that it wants to have again, if it is to go on. */
  private Bundle halt(ActivityRecord record) {
    if (record.state == ActivityRecord.State.RESUMED) {
      pause(record);
    }
    record.controller.stop();
    record.state = ActivityRecord.State.STOPPED;
    if (record.finishing() || record.outside != null) {
      return null;
    }
    Bundle state = new Bundle();
    record.controller.saveInstanceState(state);
    return state;
  }

  /** Leads it to its end from wherever it is. */
  void end(ActivityRecord record) {
    if (record.controller == null) {
      return;
    }
    if (record.state == ActivityRecord.State.RESUMED) {
      pause(record);
    }
    if (record.state == ActivityRecord.State.PAUSED) {
      record.controller.stop();
    }
    destroy(record);
  }

  void destroy(ActivityRecord record) {
    Activity activity = record.activity();
    ActivityController<? extends Activity> controller = record.controller;
    View decor = activity.getWindow() == null ? null : activity.getWindow().peekDecorView();
    IBinder window = decor == null ? null : decor.getWindowToken();
    record.state = ActivityRecord.State.GONE;
    controller.destroy();
    // What the app left open is leaked, and the window manager closes it (AOSP, ActivityThread.handleDestroyActivity):
    // dialogs belong to the activity, menus and other panels to its window.
    WindowManagerGlobal windows = WindowManagerGlobal.getInstance();
    if (window != null) {
      windows.closeAll(window, activity.getClass().getName(), "Activity");
    }
    windows.closeAll(ReflectionHelpers.getField(activity, "mToken"), activity.getClass().getName(), "Activity");
    AppProcess.current().broadcasts().drop(activity);
    record.controller = null;
  }

  /** What a finished activity gives back. */
  ActivityRecord.Result result(ActivityRecord record) {
    Activity activity = record.activity();
    ShadowActivity given = Shadows.shadowOf(activity);
    return new ActivityRecord.Result(
        record.who, record.requestCode, given.getResultCode(), given.getResultIntent());
  }

  /** The phone was turned or set otherwise: the activity is told, or made anew with its state. */
  void reconfigure(ActivityRecord record) {
    record.reconfigure = false;
    Configuration now = phoneConfiguration();
    int changed = record.configured == null ? 0 : record.configured.diffPublicOnly(now);
    if (changed == 0) {
      return;
    }
    int handled = record.info == null ? 0 : record.info.getRealConfigChanged();
    if ((changed & ~handled) != 0) {
      relaunch(record, changed);
      return;
    }
    record.configured = now;
    Activity activity = record.activity();
    activity.getResources().updateConfiguration(now, activity.getResources().getDisplayMetrics());
    activity.onConfigurationChanged(now);
    View decor = activity.getWindow().peekDecorView();
    if (decor != null && decor.getViewRootImpl() != null) {
      decor.getViewRootImpl().updateConfiguration(Display.INVALID_DISPLAY);
      ((ShadowViewRootImpl) Shadow.extract(decor.getViewRootImpl())).callDispatchResized();
    }
  }

  /** Ends the instance and makes another with its state and what it retained. */
  void relaunch(ActivityRecord record, int changed) {
    record.recreate = false;
    ActivityRecord.State before = record.state;
    Activity old = record.activity();
    ReflectionHelpers.setField(Activity.class, old, "mChangingConfigurations", true);
    ReflectionHelpers.setField(Activity.class, old, "mConfigChangeFlags", changed);
    if (before != ActivityRecord.State.STOPPED) {
      record.keep(halt(record));
    }
    Object retained =
        ReflectionHelpers.callInstanceMethod(Activity.class, old, "retainNonConfigurationInstances");
    destroy(record);
    record.retained = retained;
    if (before == ActivityRecord.State.STOPPED) {
      return;
    }
    bringUp(record);
    if (before == ActivityRecord.State.PAUSED && record.state == ActivityRecord.State.RESUMED) {
      pause(record);
    }
  }

  private static Configuration phoneConfiguration() {
    return new Configuration(RuntimeEnvironment.getApplication().getResources().getConfiguration());
  }

  /** Phones of today have none: menus open from the action bar. */
  private static void withoutMenuKey(Activity activity) {
    ShadowViewConfiguration shadow = Shadow.extract(ViewConfiguration.get(activity));
    shadow.setHasPermanentMenuKey(false);
  }

  private static void show(ActivityRecord record, boolean shown) {
    Window window = record.activity().getWindow();
    View decor = window == null ? null : window.peekDecorView();
    if (decor != null) {
      decor.setVisibility(shown ? View.VISIBLE : View.INVISIBLE);
    }
  }
}
