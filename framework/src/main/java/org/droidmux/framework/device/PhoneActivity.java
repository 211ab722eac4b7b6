package org.droidmux.framework.device;

import android.app.ActionBar;
import android.app.Activity;
import android.app.FragmentManager;
import android.content.Intent;
import android.content.IntentSender;
import android.os.Bundle;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowActivity;

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
    return org.robolectric.shadow.api.Shadow.directlyOn(
        real, Activity.class, "showDialog",
        org.robolectric.util.ReflectionHelpers.ClassParameter.from(int.class, id),
        org.robolectric.util.ReflectionHelpers.ClassParameter.from(android.os.Bundle.class, arguments));
  }

  @Override
  @Implementation
  protected void dismissDialog(int id) {
    org.robolectric.shadow.api.Shadow.directlyOn(
        real, Activity.class, "dismissDialog", org.robolectric.util.ReflectionHelpers.ClassParameter.from(int.class, id));
  }

  @Override
  @Implementation
  protected void removeDialog(int id) {
    org.robolectric.shadow.api.Shadow.directlyOn(
        real, Activity.class, "removeDialog", org.robolectric.util.ReflectionHelpers.ClassParameter.from(int.class, id));
  }
}
