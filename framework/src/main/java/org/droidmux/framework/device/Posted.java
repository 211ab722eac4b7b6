package org.droidmux.framework.device;

import android.app.Notification;
import android.app.NotificationManager;
import android.os.Build;

/**
 * One notification as the system has it: what the app gave, since when, how important it is; {@code order} counts what was
 * posted first.
 */
record Posted(String tag, int id, Notification notification, long since, int importance, int order) {
  /** Marks that of a service in the foreground. */
  static final int OF_SERVICE = Notification.FLAG_FOREGROUND_SERVICE;

  boolean has(int flag) {
    return (notification.flags & flag) != 0;
  }

  /** What belongs to the thing that it is about and stays as long as that does. */
  boolean ongoing() {
    return has(Notification.FLAG_ONGOING_EVENT) || has(OF_SERVICE);
  }

  String title() {
    return extra(Notification.EXTRA_TITLE);
  }

  String text() {
    return extra(Notification.EXTRA_TEXT);
  }

  private String extra(String name) {
    CharSequence text = notification.extras.getCharSequence(name);
    return text == null ? "" : text.toString();
  }

  /** One of those below the line, which make no sound. */
  boolean quiet() {
    return importance < NotificationManager.IMPORTANCE_DEFAULT;
  }

  /** Whether a finger may take it away: since API 34 also what goes on, unless all are cleared at once. */
  boolean dismissible() {
    return Build.VERSION.SDK_INT >= Build.VERSION_CODES.UPSIDE_DOWN_CAKE || clearable();
  }

  /** Whether 'Clear all' takes it away. */
  boolean clearable() {
    return !ongoing() && !has(Notification.FLAG_NO_CLEAR);
  }

  /** Whether it is put into a group of this name, and not the one that says what the group is about. */
  boolean isChildOf(String group) {
    return group != null && group.equals(notification.getGroup()) && !notification.isGroupSummary();
  }
}
