package org.droidmux.framework.device;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Activities that somebody wants. In flow intents, from activities, the home screen, the system and the shell: what nothing
 * answers is refused at once, the rest is queued. Out flows what a start makes of the task: another activity, an intent for
 * one that is there, or the task in front.
 */
final class ActivityStarts {
  private record Start(Intent intent, ActivityInfo info, Outside outside, ActivityRecord caller, String who,
      int requestCode) {}

  private final Phone phone;
  private final ActivityStack stack;
  private final Lifecycle life;
  /** Threads of the app ask as well. */
  private final Queue<Start> asked = new ConcurrentLinkedQueue<>();

  ActivityStarts(Phone phone, ActivityStack stack, Lifecycle life) {
    this.phone = phone;
    this.stack = stack;
    this.life = life;
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
    asked.add(new Start(copy, info, outside, stack.recordOf(from), who, requestCode));
  }

  /** A screen of ours passes on what it was asked for, and with it who waits for the result. */
  void forward(Intent intent, Activity from) {
    ActivityRecord record = stack.recordOf(from);
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
    return new Scene(stack.records(), stack.inFront());
  }

  Came cameOf(Scene before) {
    ActivityRecord top = stack.top();
    if (top == null || !before.records().contains(top)) {
      return Came.STARTED;
    }
    boolean wasTop = before.front() && before.records().get(before.records().size() - 1) == top;
    return wasTop ? Came.DELIVERED : Came.BROUGHT;
  }

  /** The home screen's icon was clicked: the task comes to the front, or begins. */
  void askLauncher() {
    if (!stack.isEmpty()) {
      stack.comeToFront();
      return;
    }
    Intent intent = new Intent(Intent.ACTION_MAIN).addCategory(Intent.CATEGORY_LAUNCHER);
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK).setComponent(phone.app().launcher());
    ask(intent, null, null, -1);
  }

  /** Does what was asked for first; false when nothing was. */
  boolean pump() {
    Start next = asked.poll();
    if (next == null) {
      return false;
    }
    start(next);
    return true;
  }

  /** Who asked is gone. */
  void forget() {
    asked.clear();
  }

  private void start(Start start) {
    if (start.outside() != null && start.outside().kind() == Outside.Kind.HOME) {
      stack.goHome();
      return;
    }
    ActivityRecord root = stack.root();
    boolean begins = start.caller() == null && start.outside() == null && root != null;
    if (begins && root.outside == null && isRootOf(root, start)) {
      stack.comeToFront();
      return;
    }
    stack.comeToFront();
    ActivityRecord again = start.outside() == null ? existing(start) : null;
    if (again != null) {
      again.newIntents.add(start.intent());
      life.leave(again);
      return;
    }
    ActivityRecord top = stack.top();
    if (top != null) {
      life.leave(top);
    }
    ComponentName component =
        start.info() != null ? new ComponentName(start.info().packageName, start.info().name) : stack.outsideName();
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
    stack.putOnTop(record);
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

  /** An instance that takes the intent instead of a new one; what lies over it is ended. */
  private ActivityRecord existing(Start start) {
    int flags = start.intent().getFlags();
    int mode = start.info().launchMode;
    boolean single = mode == ActivityInfo.LAUNCH_SINGLE_TASK || mode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    boolean singleTop =
        single || mode == ActivityInfo.LAUNCH_SINGLE_TOP || (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0;
    if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0 && (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0) {
      stack.endFrom(0);
      return null;
    }
    List<ActivityRecord> records = stack.records();
    int found = -1;
    for (int i = records.size() - 1; i >= 0; i--) {
      if (records.get(i).className().equals(ActivityRecord.classOf(start.info()))) {
        found = i;
        break;
      }
    }
    if (found < 0) {
      return null;
    }
    ActivityRecord record = records.get(found);
    if ((flags & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0) {
      ActivityRecord top = stack.top();
      if (top != record) {
        life.leave(top);
      }
      stack.putOnTop(record);
      return record;
    }
    if (found == records.size() - 1 && singleTop) {
      return record;
    }
    if (single || (flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0) {
      // A standard activity that is cleared to is created anew.
      stack.endFrom(singleTop ? found + 1 : found);
      return singleTop ? record : null;
    }
    return null;
  }
}
