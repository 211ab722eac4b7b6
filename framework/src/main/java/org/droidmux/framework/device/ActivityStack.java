package org.droidmux.framework.device;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Build;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The app's task and the home screen behind it. What activities ask for is queued; {@link #pump} does
 * one thing at a time in the order in which a phone does it, and says whether there was one.
 *
 * <p>The records outlive the process; {@link #processEnded} leaves them without instances.
 */
final class ActivityStack {
  private record Start(Intent intent, ActivityInfo info, Outside outside, ActivityRecord caller, String who,
      int requestCode) {}

  private final Phone phone;
  private final Lifecycle life;
  private final Deque<Start> starts = new ArrayDeque<>();
  private final List<ActivityRecord> records = new ArrayList<>();
  private ActivityRecord home;
  private boolean atHome = true;

  ActivityStack(Phone phone) {
    this.phone = phone;
    this.life = new Lifecycle(phone);
  }

  /** Someone wants an activity. An intent that nothing answers is refused at once, as on a phone. */
  void ask(Intent intent, Activity from, String who, int requestCode) {
    Intent copy = new Intent(intent);
    ActivityInfo info = Components.resolve(AppProcess.current().application(), copy);
    Outside outside = info == null || ShareSheet.isFor(copy) ? Outside.answering(copy) : null;
    info = outside == null ? info : null;
    if (info == null && outside == null) {
      throw copy.getComponent() != null
          ? new ActivityNotFoundException(
              "Unable to find explicit activity class " + copy.getComponent().toShortString()
                  + "; have you declared this activity in your AndroidManifest.xml?")
          : new ActivityNotFoundException("No Activity found to handle " + copy);
    }
    phone.permissions().requireFor(copy, outside);
    phone.log().system('I', "ActivityTaskManager", "START u0 {" + copy.toShortString(true, true, true, true) + "}");
    starts.add(new Start(copy, info, outside, recordOf(from), who, requestCode));
  }

  /** A screen of ours passes on what it was asked for, and with it who waits for the result. */
  void forward(Intent intent, Activity from) {
    ActivityRecord record = recordOf(from);
    ask(intent, record.caller == null ? null : record.caller.activity(), record.who, record.requestCode);
    record.caller = null;
  }

  /** As {@link #ask}, by who is no activity; what nothing answers is told in the log alone. */
  boolean askFromOutside(Intent intent) {
    try {
      ask(intent, null, null, -1);
      return true;
    } catch (ActivityNotFoundException e) {
      phone.log().system('W', "ActivityTaskManager", "Unable to start " + intent + ": " + e.getMessage());
      return false;
    }
  }

  /** The task as it is, to see afterwards what a start has made of it. */
  record Scene(List<ActivityRecord> records, boolean front) {
    boolean running() {
      return !records.isEmpty();
    }
  }

  /** What a start came to: another activity, one that was there already, or nothing but the task in front. */
  enum Came { STARTED, DELIVERED, BROUGHT }

  Scene scene() {
    return new Scene(List.copyOf(records), !atHome);
  }

  Came cameOf(Scene before) {
    ActivityRecord top = top();
    if (top == null || !before.records().contains(top)) {
      return Came.STARTED;
    }
    boolean wasTop = before.front() && before.records().get(before.records().size() - 1) == top;
    return wasTop ? Came.DELIVERED : Came.BROUGHT;
  }

  /** The home screen's icon was clicked: the task comes to the front, or begins. */
  void askLauncher() {
    if (!records.isEmpty()) {
      atHome = false;
      return;
    }
    Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK).setComponent(phone.launcher());
    ask(intent, null, null, -1);
  }

  void goHome() {
    atHome = true;
  }

  /** One step of what is to be done; false when nothing is. */
  boolean pump() {
    if (!starts.isEmpty()) {
      start(starts.remove());
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

  private void start(Start start) {
    if (start.outside() != null && start.outside().kind() == Outside.Kind.HOME) {
      atHome = true;
      return;
    }
    boolean begins = start.caller() == null && start.outside() == null && !records.isEmpty();
    if (begins && records.get(0).outside == null && isRootOf(records.get(0), start)) {
      atHome = false;
      return;
    }
    atHome = false;
    ActivityRecord again = start.outside() == null ? existing(start) : null;
    if (again != null) {
      again.newIntents.add(start.intent());
      life.leave(again);
      return;
    }
    ActivityRecord top = top();
    if (top != null) {
      life.leave(top);
    }
    ComponentName component =
        start.info() != null ? new ComponentName(start.info().packageName, start.info().name) : outsideName();
    Intent intent = start.intent();
    if (start.info() != null) {
      intent.setComponent(component);
    }
    ActivityRecord record = new ActivityRecord(component, start.info(), start.outside(), intent);
    if (start.requestCode() >= 0) {
      record.caller = start.caller();
      record.who = start.who();
      record.requestCode = start.requestCode();
    }
    records.add(record);
    life.bringUp(record);
  }

  /** What a task was begun with brings it to the front, as it is. */
  private static boolean isRootOf(ActivityRecord root, Start start) {
    Intent intent = new Intent(start.intent());
    intent.setComponent(new ComponentName(start.info().packageName, start.info().name));
    int clear = Intent.FLAG_ACTIVITY_CLEAR_TOP | Intent.FLAG_ACTIVITY_CLEAR_TASK;
    boolean plain = start.info().launchMode == ActivityInfo.LAUNCH_MULTIPLE;
    return plain && (intent.getFlags() & clear) == 0 && root.intent.filterEquals(intent);
  }

  private ComponentName outsideName() {
    return new ComponentName(phone.packageName(), OutsideActivity.class.getName());
  }

  /** An instance that takes the intent instead of a new one; what lies over it is ended. */
  private ActivityRecord existing(Start start) {
    int flags = start.intent().getFlags();
    int mode = start.info().launchMode;
    boolean single = mode == ActivityInfo.LAUNCH_SINGLE_TASK || mode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    boolean singleTop =
        single || mode == ActivityInfo.LAUNCH_SINGLE_TOP || (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0;
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0 && (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0) {
      endFrom(0);
      return null;
    }
    int found = -1;
    for (int i = records.size() - 1; i >= 0; i--) {
      if (records.get(i).component.getClassName().equals(start.info().name)) {
        found = i;
        break;
      }
    }
    if (found < 0) {
      return null;
    }
    ActivityRecord record = records.get(found);
    if ((flags & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0) {
      ActivityRecord top = top();
      if (top != record) {
        life.leave(top);
      }
      records.remove(record);
      records.add(record);
      return record;
    }
    if (found == records.size() - 1 && singleTop) {
      return record;
    }
    if (single || (flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0) {
      // A standard activity that is cleared to is created anew.
      endFrom(singleTop ? found + 1 : found);
      return singleTop ? record : null;
    }
    return null;
  }

  private void endFrom(int index) {
    while (records.size() > index) {
      ActivityRecord record = records.remove(records.size() - 1);
      life.end(record);
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

  boolean inFront() {
    return !atHome;
  }

  boolean isEmpty() {
    return records.isEmpty();
  }

  /** The instances are gone with the process; the home screen begins anew. */
  void processEnded() {
    starts.clear();
    home = null;
    for (ActivityRecord record : records) {
      record.controller = null;
      record.state = ActivityRecord.State.GONE;
    }
  }

  /** The task is removed, too, as by a force-stop. */
  void clear() {
    records.clear();
    starts.clear();
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

  private ActivityRecord recordOf(Activity activity) {
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
