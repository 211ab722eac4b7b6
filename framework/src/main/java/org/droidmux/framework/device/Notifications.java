package org.droidmux.framework.device;

import android.app.ITransientNotification;
import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationChannelGroup;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.content.Intent;
import android.content.pm.ParceledListSlice;
import android.os.Build;
import android.os.Process;
import android.os.UserHandle;
import android.service.notification.StatusBarNotification;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The notifications that the app has posted. In flow the calls of the framework's own NotificationManager and of services
 * in the foreground; out flow what the shade shows and the intents of what was touched there. They outlive the process,
 * except those of its services.
 */
final class Notifications extends SystemService {
  /** How many an app may show at a time. */
  private static final int MOST = 50;

  private static final String PERMISSION = "android.permission.POST_NOTIFICATIONS";

  private record Key(String tag, int id) {}

  private final Phone phone;
  private final Toasts toasts = new Toasts();
  private final NotificationChannels channels = new NotificationChannels();
  private final Map<Key, Posted> posted = new LinkedHashMap<>();
  private int count;
  private int version;

  Notifications(Phone phone) {
    this.phone = phone;
  }

  @Override
  synchronized Object answer(String method, Arguments arguments) {
    switch (method) {
      case "enqueueNotificationWithTag" ->
          post(arguments.beforeNumber(String.class), arguments.number(0), arguments.first(Notification.class));
      case "cancelNotificationWithTag" -> cancel(arguments.beforeNumber(String.class), arguments.number(0));
      case "cancelAllNotifications" -> removeAll(each -> !each.has(Posted.OF_SERVICE));
      case "getAppActiveNotifications" -> {
        return new ParceledListSlice<>(active());
      }
      // The first text is the package's name.
      case "enqueueTextToast" -> toasts.text(arguments.nth(CharSequence.class, 1));
      case "enqueueToast" -> toasts.view(arguments.first(ITransientNotification.class));
      case "areNotificationsEnabled" -> {
        return enabled();
      }
      case "getPackageImportance" -> {
        return enabled() ? NotificationManager.IMPORTANCE_DEFAULT : NotificationManager.IMPORTANCE_NONE;
      }
      case "getNotificationPolicy", "getConsolidatedNotificationPolicy" -> {
        return new NotificationManager.Policy(0, 0, 0);
      }
      default -> {
        return channel(method, arguments);
      }
    }
    return null;
  }

  Toasts toasts() {
    return toasts;
  }

  private Object channel(String method, Arguments arguments) {
    switch (method) {
      case "createNotificationChannels" ->
          list(arguments).forEach(each -> channels.create((NotificationChannel) each));
      case "createNotificationChannelGroups" ->
          list(arguments).forEach(each -> channels.create((NotificationChannelGroup) each));
      case "deleteNotificationChannel" -> {
        String id = arguments.fromEnd(1, String.class);
        if (channels.delete(id)) {
          removeAll(each -> id.equals(each.notification().getChannelId()));
        }
      }
      case "deleteNotificationChannelGroup" -> {
        List<String> gone = channels.deleteGroup(arguments.fromEnd(1, String.class));
        removeAll(each -> gone.contains(each.notification().getChannelId()));
      }
      // With a conversation's id, the last but two is the channel's.
      case "getConversationNotificationChannel" -> {
        return channels.get(arguments.fromEnd(3, String.class));
      }
      case "getNotificationChannel" -> {
        return channels.get(arguments.fromEnd(1, String.class));
      }
      case "getNotificationChannels" -> {
        return new ParceledListSlice<>(new ArrayList<>(channels.all()));
      }
      case "getNotificationChannelGroups" -> {
        return new ParceledListSlice<>(new ArrayList<>(channels.allGroups()));
      }
      case "getNotificationChannelGroup" -> {
        return channels.group(arguments.fromEnd(1, String.class));
      }
      default -> {
        return UNKNOWN;
      }
    }
    return null;
  }

  private static List<?> list(Arguments arguments) {
    return arguments.first(ParceledListSlice.class).getList();
  }

  private static int target() {
    return AppProcess.current().application().getApplicationInfo().targetSdkVersion;
  }

  /** Since API 33 a person is asked; apps for earlier levels are taken for having been allowed. */
  private boolean enabled() {
    return Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU
        || target() < Build.VERSION_CODES.TIRAMISU
        || phone.permissions().granted(PERMISSION);
  }

  /** Takes a notification, unless its channel or the whole app may show none. */
  private synchronized void post(String tag, int id, Notification given) {
    Integer importance = channels.importance(given, target());
    if (importance == null) {
      phone.log().system('E', "NotificationService", "No Channel found for pkg=" + phone.packageName()
          + ", channelId=" + given.getChannelId() + ", id=" + id + ", tag=" + tag + ", notification=" + given);
      return;
    }
    Key key = new Key(tag, id);
    boolean shown = enabled() && importance > NotificationManager.IMPORTANCE_NONE;
    Posted before = posted.get(key);
    if (!shown || before == null && posted.size() >= MOST) {
      phone.log().system('W', "NotificationService", "Suppressing notification from package "
          + phone.packageName() + (shown ? ": it has " + MOST + " already" : " by user request."));
      return;
    }
    Notification kept = Parcelled.copy(given, Notification.CREATOR);
    Posted now =
        before != null
            ? new Posted(tag, id, kept, before.since(), importance, before.order())
            : new Posted(tag, id, kept, AppClock.now(), importance, count++);
    posted.put(key, now);
    version++;
    if (alerts(now, before)) {
      phone.headsUp().ask(now);
    }
  }

  /** Whether it comes with a stir: it is important, and its group or it itself does not want it quiet. */
  private static boolean alerts(Posted now, Posted before) {
    return now.importance() >= NotificationManager.IMPORTANCE_HIGH
        && !now.notification().suppressAlertingDueToGrouping()
        && (before == null || !now.has(Notification.FLAG_ONLY_ALERT_ONCE));
  }

  /** Whether it is there as it was posted. */
  synchronized boolean has(Posted of) {
    return of.equals(posted.get(new Key(of.tag(), of.id())));
  }

  /** A service is in the foreground as long as its notification stands; a later one is a new text for it. */
  synchronized void postForService(int id, Notification notification) {
    notification.flags |= Posted.OF_SERVICE | Notification.FLAG_NO_CLEAR;
    if (Build.VERSION.SDK_INT < Build.VERSION_CODES.UPSIDE_DOWN_CAKE) {
      notification.flags |= Notification.FLAG_ONGOING_EVENT;
    }
    post(null, id, notification);
  }

  /** The service is in the foreground no longer: its notification goes, or stays as any other. */
  synchronized void releaseOfService(int id, boolean remove) {
    Posted of = posted.get(new Key(null, id));
    if (of == null) {
      return;
    }
    of.notification().flags &= ~(Posted.OF_SERVICE | Notification.FLAG_NO_CLEAR);
    if (remove) {
      posted.remove(new Key(null, id));
    }
    version++;
  }

  private void cancel(String tag, int id) {
    Posted known = posted.get(new Key(tag, id));
    if (known != null && !known.has(Posted.OF_SERVICE)) {
      posted.remove(new Key(tag, id));
      version++;
      removeMembers(known);
    }
  }

  /** What a summary is about goes with it. */
  private List<Posted> removeMembers(Posted summary) {
    String group = summary.notification().getGroup();
    return summary.notification().isGroupSummary()
        ? removeAll(each -> each.isChildOf(group) && !each.has(Posted.OF_SERVICE))
        : List.of();
  }

  /** A summary has nothing to say any more, once the last of its members was taken away. */
  private List<Posted> removeSummary(Posted member) {
    String group = member.notification().getGroup();
    boolean last = group != null && posted.values().stream().noneMatch(each -> each.isChildOf(group));
    return last
        ? removeAll(each -> each.notification().isGroupSummary() && group.equals(each.notification().getGroup()))
        : List.of();
  }

  private interface Which {
    boolean is(Posted posted);
  }

  /** Those that went. */
  private List<Posted> removeAll(Which which) {
    List<Posted> gone = new ArrayList<>();
    for (Iterator<Posted> all = posted.values().iterator(); all.hasNext();) {
      Posted each = all.next();
      if (which.is(each)) {
        all.remove();
        gone.add(each);
        version++;
      }
    }
    return gone;
  }

  private List<StatusBarNotification> active() {
    List<StatusBarNotification> found = new ArrayList<>();
    for (Posted each : shown()) {
      found.add(status(each));
    }
    return found;
  }

  private StatusBarNotification status(Posted of) {
    String name = phone.packageName();
    return new StatusBarNotification(
        name, name, of.id(), of.tag(), Process.myUid(), Process.myPid(), of.notification().clone(),
        UserHandle.getUserHandleForUid(Process.myUid()), null, of.since());
  }

  /** As the shade shows them: the more important ones first, and of these what was posted last. */
  synchronized List<Posted> shown() {
    List<Posted> shown = new ArrayList<>(posted.values());
    shown.sort(
        Comparator.comparingInt((Posted each) -> each.quiet() ? 1 : 0)
            .thenComparingInt(each -> -each.order()));
    return shown;
  }

  /** Changes whenever something else is to be shown. */
  synchronized int version() {
    return version;
  }

  /** A touch on the notification: its intent goes off, and it goes away if it wants to. */
  void open(Posted posted) {
    send(posted.notification().contentIntent, null);
    if (posted.has(Notification.FLAG_AUTO_CANCEL)) {
      remove(posted, false);
    }
  }

  /** Swiped away, or cleared with all others. */
  void dismiss(Posted posted) {
    remove(posted, true);
  }

  /** Takes it away, and with it what is about it alone. A person's doing is told to the app. */
  private void remove(Posted gone, boolean byPerson) {
    List<Posted> all;
    synchronized (this) {
      if (!posted.remove(new Key(gone.tag(), gone.id()), gone)) {
        return;
      }
      version++;
      all = gone.notification().isGroupSummary() ? removeMembers(gone) : removeSummary(gone);
    }
    if (byPerson) {
      send(gone.notification().deleteIntent, null);
      all.forEach(each -> send(each.notification().deleteIntent, null));
    }
  }

  /** An intent of a notification's goes off, with what else it is told. */
  void send(PendingIntent intent, Intent more) {
    if (intent == null) {
      return;
    }
    try {
      intent.send(AppProcess.current().application(), 0, more);
    } catch (PendingIntent.CanceledException e) {
      phone.log().system('W', "StatusBar", "Sending intent failed: " + e);
    }
  }

  /** Services end with their process, and their notifications with them. */
  synchronized void processEnded() {
    removeAll(each -> each.has(Posted.OF_SERVICE));
  }

  /** After a force-stop nothing is shown; after the data was cleared there are no channels either. */
  synchronized void forget(boolean data) {
    removeAll(each -> true);
    if (data) {
      channels.forget();
    }
  }

  /** As {@code dumpsys notification} lists them. */
  synchronized List<String> dump() {
    List<String> lines = new ArrayList<>();
    for (Posted each : shown()) {
      StatusBarNotification status = status(each);
      lines.add(
          "    NotificationRecord(0x" + String.format("%08x", Objects.hash(each.tag(), each.id())) + ": pkg="
              + phone.packageName() + " user=UserHandle{0} id=" + each.id() + " tag=" + each.tag() + " importance="
              + each.importance() + " key=" + status.getKey() + ": " + each.notification() + ")");
      lines.add("      flags=0x" + Integer.toHexString(each.notification().flags));
      lines.add("      extras={");
      lines.add("          android.title=String (" + each.title() + ")");
      lines.add("          android.text=String (" + each.text() + ")");
      lines.add("      }");
    }
    return lines;
  }
}
