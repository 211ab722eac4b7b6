package org.droidmux.framework.device;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Build;
import java.util.ArrayList;
import java.util.List;

/**
 * The app's task and the home screen behind it. In flows what was asked of {@link ActivityStarts} and what activities want
 * of themselves; {@link #pump} does one thing at a time in the order in which a phone does it, and says whether there was
 * one.
 *
 * <p>The records outlive the process; {@link #processEnded} leaves them without instances.
 */
final class ActivityStack {
  private final Phone phone;
  private final Lifecycle life;
  private final ActivityStarts starts;
  private final List<ActivityRecord> records = new ArrayList<>();
  private ActivityRecord home;
  private boolean atHome = true;

  ActivityStack(Phone phone) {
    this.phone = phone;
    this.life = new Lifecycle(phone);
    this.starts = new ActivityStarts(phone, this, life);
  }

  /** Where activities are asked for. */
  ActivityStarts starts() {
    return starts;
  }

  void goHome() {
    atHome = true;
  }

  void comeToFront() {
    atHome = false;
  }

  /** One step of what is to be done; false when nothing is. */
  boolean pump() {
    if (starts.pump()) {
      return true;
    }
    for (int i = records.size() - 1; i >= 0; i--) {
      if (records.get(i).finishing()) {
        finish(records.get(i));
        return true;
      }
    }
    for (ActivityRecord record : live()) {
      if (record.recreate) {
        life.relaunch(record, 0);
        return true;
      }
    }
    if (records.isEmpty()) {
      atHome = true;
    }
    return settle();
  }

  /** Makes what is in front run, and only that. */
  private boolean settle() {
    ActivityRecord front = front();
    if (front == null || front.state == ActivityRecord.State.RESUMED) {
      return stopCovered();
    }
    ActivityRecord running = running();
    if (running != null && running != front) {
      life.leave(running);
      return true;
    }
    life.bringUp(front);
    return true;
  }

  private boolean stopCovered() {
    boolean covered = atHome;
    for (int i = records.size() - 1; i >= 0; i--) {
      ActivityRecord record = records.get(i);
      if (covered && record.visible()) {
        stopOrEnd(record);
        return true;
      }
      covered |= record.covers;
    }
    if (!atHome && home != null && home.visible()) {
      life.stop(home);
      return true;
    }
    return false;
  }

  private void stopOrEnd(ActivityRecord record) {
    life.stop(record);
    if (record.info != null && (record.info.flags & ActivityInfo.FLAG_NO_HISTORY) != 0) {
      records.remove(record);
      life.destroy(record);
    }
  }

  /** A finished activity: its result goes to the caller, the one below comes up before it is destroyed. */
  private void finish(ActivityRecord record) {
    boolean wasTop = record == top();
    records.remove(record);
    if (record.caller != null) {
      record.caller.results.add(life.result(record));
    }
    if (record.state == ActivityRecord.State.RESUMED) {
      life.pause(record);
    }
    ActivityRecord next = records.isEmpty() ? null : top();
    if (records.isEmpty()) {
      atHome = true;
    } else if (wasTop && !atHome && next.state != ActivityRecord.State.RESUMED) {
      life.bringUp(next);
    }
    life.end(record);
  }

  private ActivityRecord front() {
    if (!atHome) {
      return top();
    }
    if (AppProcess.current() == null) {
      return null;
    }
    if (home == null) {
      Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_HOME);
      home = new ActivityRecord(outsideName(), null, Outside.HOME, intent);
    }
    return home;
  }

  private ActivityRecord running() {
    for (ActivityRecord record : live()) {
      if (record.state == ActivityRecord.State.RESUMED) {
        return record;
      }
    }
    return null;
  }

  /** The last activity of the task, or null. */
  ActivityRecord top() {
    return records.isEmpty() ? null : records.get(records.size() - 1);
  }

  /** What is in front: an activity of the task, or home. */
  ActivityRecord shown() {
    return atHome ? home : top();
  }

  /** All that have an instance. */
  List<ActivityRecord> live() {
    List<ActivityRecord> live = new ArrayList<>();
    for (ActivityRecord record : records) {
      if (record.controller != null) {
        live.add(record);
      }
    }
    if (home != null && home.controller != null) {
      live.add(home);
    }
    return live;
  }

  /** How far in front a window's activity is. */
  int depth(ActivityRecord owner) {
    if (owner == null) {
      return Integer.MAX_VALUE;
    }
    return owner == home ? (atHome ? records.size() : -1) : records.indexOf(owner);
  }

  /** The first activity of the task, or null. */
  ActivityRecord root() {
    return records.isEmpty() ? null : records.get(0);
  }

  /** The task from its root on, as it is now. */
  List<ActivityRecord> records() {
    return List.copyOf(records);
  }

  /** Lays one over the others, from wherever it was. */
  void putOnTop(ActivityRecord record) {
    records.remove(record);
    records.add(record);
  }

  /** Ends what lies at this place and above. */
  void endFrom(int index) {
    while (records.size() > index) {
      life.end(records.remove(records.size() - 1));
    }
  }

  /** The component that our own screens have. */
  ComponentName outsideName() {
    return new ComponentName(phone.packageName(), OutsideActivity.class.getName());
  }

  boolean inFront() {
    return !atHome;
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  /** The instances are gone with the process; the home screen begins anew. */
  void processEnded() {
    starts.forget();
    home = null;
    for (ActivityRecord record : records) {
      record.controller = null;
      record.state = ActivityRecord.State.GONE;
    }
  }

  /** The task is removed, too, as by a force-stop. */
  void clear() {
    records.clear();
    starts.forget();
    atHome = true;
  }

  /** The activity that crashed goes; what lies below comes back in the next process. */
  void dropTop() {
    if (!records.isEmpty()) {
      records.remove(records.size() - 1);
    }
    if (records.isEmpty()) {
      atHome = true;
    }
  }

  /** The phone is set otherwise: what is on the screen follows now, what is stopped when it comes back. */
  void reconfigured() {
    for (ActivityRecord record : live()) {
      record.reconfigure = true;
      if (record.visible()) {
        life.reconfigure(record);
      }
    }
  }

  /** An activity wants to be made anew. */
  void recreate(Activity activity) {
    ActivityRecord record = recordOf(activity);
    if (record != null) {
      record.recreate = true;
    }
  }

  /** Since Android 12 the root of a task that a launcher began is not ended by Back. */
  boolean leavesTaskOnBack(Activity activity) {
    ActivityRecord record = recordOf(activity);
    return Build.VERSION.SDK_INT >= Build.VERSION_CODES.S
        && record != null
        && isRoot(activity)
        && record.intent.hasCategory(Intent.CATEGORY_LAUNCHER);
  }

  /**
   * After AOSP's {@code Task.navigateUpTo}: down to the nearest activity of this kind, which takes the intent if it may and is
   * made anew otherwise; where none is below, only the one that asks ends. Whether there was one.
   */
  boolean navigateUp(Activity from, Intent up) {
    Intent wanted = new Intent(up);
    ActivityInfo info = Components.resolve(AppProcess.current().application(), wanted);
    String name = info == null ? null : ActivityRecord.classOf(info);
    List<ActivityRecord> below = records.subList(0, Math.max(0, records.indexOf(recordOf(from))));
    if (below.stream().noneMatch(each -> each.className().equals(name))) {
      from.finish();
      return false;
    }
    boolean takes = info.launchMode != ActivityInfo.LAUNCH_MULTIPLE || (up.getFlags() & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0;
    wanted.addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP | (takes ? Intent.FLAG_ACTIVITY_SINGLE_TOP : 0));
    starts.ask(wanted, from, null, -1);
    return true;
  }

  /** The activity that waits for this one's result, or null. */
  ComponentName callerOf(Activity activity) {
    ActivityRecord record = recordOf(activity);
    return record == null || record.caller == null ? null : record.caller.component;
  }

  boolean isRoot(Activity activity) {
    return !records.isEmpty() && records.get(0) == recordOf(activity);
  }

  void finishAll() {
    for (ActivityRecord record : live()) {
      if (record.outside == null) {
        record.activity().finish();
      }
    }
    // Those without an instance have nothing to say.
    records.removeIf(record -> record.controller == null);
  }

  /** Whose instance it is, or null. */
  ActivityRecord recordOf(Activity activity) {
    Activity outermost = activity;
    while (outermost != null && outermost.getParent() != null) {
      outermost = outermost.getParent();
    }
    for (ActivityRecord record : live()) {
      if (record.activity() == outermost) {
        return record;
      }
    }
    return null;
  }
}
