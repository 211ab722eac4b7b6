package org.droidmux.framework.device;

import android.app.ActionBar;
import android.app.Activity;
import android.app.FragmentManager;
import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentSender;
import android.os.Bundle;
import android.view.View;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** What an activity asks the system to do with its task. */
@Implements(className = "android.app.Activity")
public class PhoneActivity extends ShadowActivity {
  @RealObject private Activity real;

  /** Back at the root of the task leaves the task, and keeps it; elsewhere the activity ends. */
  @Implementation
  @SuppressWarnings("deprecation")
  protected void onBackPressed() {
    ActionBar bar = real.getActionBar();
    if (bar != null && bar.collapseActionView()) {
      return;
    }
    FragmentManager fragments = real.getFragmentManager();
    if (!fragments.isStateSaved() && fragments.popBackStackImmediate()) {
      return;
    }
    if (Phone.get().stack().leavesTaskOnBack(real)) {
      Phone.get().stack().goHome();
    } else {
      real.finishAfterTransition();
    }
  }

  /** Robolectric's knows of none but what a test has set. */
  @Override
  @Implementation
  protected Activity getParent() {
    return Shadow.directlyOn(real, Activity.class, "getParent");
  }

  /** One within another ends with it, as that says; Robolectric's ends alone. */
  @Override
  @Implementation
  protected void finish() {
    Activity parent = getParent();
    if (parent == null) {
      super.finish();
    } else {
      parent.finishFromChild(real);
    }
  }

  /** The system has the task. */
  @Implementation
  protected boolean navigateUpTo(Intent up) {
    Activity parent = getParent();
    return parent == null ? Phone.get().stack().navigateUp(real, up) : parent.navigateUpToFromChild(real, up);
  }

  @Implementation
  protected boolean moveTaskToBack(boolean nonRoot) {
    boolean may = nonRoot || isTaskRoot();
    if (may) {
      Phone.get().stack().goHome();
    }
    return may;
  }

  @Override
  @Implementation
  protected boolean isTaskRoot() {
    return Phone.get().stack().isRoot(real);
  }

  /** Robolectric's answers what a test has set: nothing. */
  @Override
  @Implementation
  protected View getCurrentFocus() {
    return Shadow.directlyOn(real, Activity.class, "getCurrentFocus");
  }

  /** Who waits for its result. */
  @Override
  @Implementation
  protected ComponentName getCallingActivity() {
    return Phone.get().stack().callerOf(real);
  }

  @Override
  @Implementation
  protected String getCallingPackage() {
    ComponentName caller = getCallingActivity();
    return caller == null ? null : caller.getPackageName();
  }

  @Override
  @Implementation
  protected void recreate() {
    Phone.get().stack().recreate(real);
  }

  @Override
  @Implementation
  protected void finishAffinity() {
    Phone.get().stack().finishAll();
  }

  @Override
  @Implementation
  protected void finishAndRemoveTask() {
    Phone.get().stack().finishAll();
  }

  @Override
  @Implementation
  public void startIntentSenderForResult(
      IntentSender sender, int request, Intent more, int mask, int values, int extra, Bundle options)
      throws IntentSender.SendIntentException {
    Phone.get().pendingIntents().sendForResult(sender, real, request, more);
  }

  /** Dialogs of old: each showing is prepared, and they come back with the activity. */
  @Override
  @Implementation
  protected void showDialog(int id) {
    real.showDialog(id, null);
  }

  @Override
  @Implementation
  protected boolean showDialog(int id, Bundle arguments) {
    return Shadow.directlyOn(
        real, Activity.class, "showDialog",
        ClassParameter.from(int.class, id),
        ClassParameter.from(Bundle.class, arguments));
  }

  @Override
  @Implementation
  protected void dismissDialog(int id) {
    Shadow.directlyOn(
        real, Activity.class, "dismissDialog", ClassParameter.from(int.class, id));
  }

  @Override
  @Implementation
  protected void removeDialog(int id) {
    Shadow.directlyOn(
        real, Activity.class, "removeDialog", ClassParameter.from(int.class, id));
  }
}
