package org.droidmux.framework.device;

import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationChannelGroup;
import android.app.NotificationManager;
import android.os.Build;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The channels of the app's notifications and their groups. A person's choice stands above the app's: what exists already
 * keeps its importance unless the app lowers it, and what was deleted comes back as it was.
 */
final class NotificationChannels {
  private final Map<String, NotificationChannel> channels = new LinkedHashMap<>();
  private final Map<String, NotificationChannel> deleted = new LinkedHashMap<>();
  private final Map<String, NotificationChannelGroup> groups = new LinkedHashMap<>();

  void create(NotificationChannel asked) {
    NotificationChannel known = channels.get(asked.getId());
    if (known == null) {
      known = deleted.remove(asked.getId());
      if (known != null) {
        channels.put(known.getId(), known);
      }
    }
    if (known == null) {
      channels.put(asked.getId(), Parcelled.copy(asked, NotificationChannel.CREATOR));
      return;
    }
    known.setName(asked.getName());
    known.setDescription(asked.getDescription());
    if (known.getGroup() == null) {
      known.setGroup(asked.getGroup());
    }
    if (asked.getImportance() < known.getImportance()) {
      known.setImportance(asked.getImportance());
    }
  }

  /** False when there is none, or when it is the one that cannot be deleted. */
  boolean delete(String id) {
    if (NotificationChannel.DEFAULT_CHANNEL_ID.equals(id)) {
      throw InSystemsName.thrown(new IllegalArgumentException("Cannot delete default channel"));
    }
    NotificationChannel gone = channels.remove(id);
    if (gone != null) {
      deleted.put(id, gone);
    }
    return gone != null;
  }

  void create(NotificationChannelGroup group) {
    groups.put(group.getId(), group);
  }

  /** The channels that went with the group. */
  List<String> deleteGroup(String id) {
    groups.remove(id);
    List<String> gone = channels.values().stream().filter(each -> id.equals(each.getGroup()))
        .map(NotificationChannel::getId).toList();
    gone.forEach(this::delete);
    return gone;
  }

  NotificationChannel get(String id) {
    NotificationChannel found = channels.get(id);
    return found == null ? null : Parcelled.copy(found, NotificationChannel.CREATOR);
  }

  List<NotificationChannel> all() {
    return channels.values().stream().map(each -> Parcelled.copy(each, NotificationChannel.CREATOR)).toList();
  }

  List<NotificationChannelGroup> allGroups() {
    List<NotificationChannelGroup> all = new ArrayList<>();
    for (String id : groups.keySet()) {
      all.add(group(id));
    }
    return all;
  }

  /** A group with its channels, or null. */
  NotificationChannelGroup group(String id) {
    NotificationChannelGroup known = groups.get(id);
    if (known == null) {
      return null;
    }
    NotificationChannelGroup full = known.clone();
    full.setChannels(
        new ArrayList<>(all().stream().filter(each -> id.equals(each.getGroup())).toList()));
    return full;
  }

  /** How important what is sent through a channel is; null when there is no such channel. Apps of old have none. */
  Integer importance(Notification notification, int target) {
    if (target < Build.VERSION_CODES.O) {
      return ofOld(notification);
    }
    NotificationChannel channel = channels.get(notification.getChannelId());
    return channel == null ? null : channel.getImportance();
  }

  /** How important one of an app is that knows no channels: by its priority, if it is heard. */
  private static int ofOld(Notification notification) {
    if (notification.fullScreenIntent != null) {
      return NotificationManager.IMPORTANCE_HIGH;
    }
    boolean heard =
        (notification.defaults & (Notification.DEFAULT_SOUND | Notification.DEFAULT_VIBRATE)) != 0
            || notification.sound != null
            || notification.vibrate != null;
    int byPriority =
        notification.priority <= Notification.PRIORITY_MIN
            ? NotificationManager.IMPORTANCE_MIN
            : notification.priority < Notification.PRIORITY_DEFAULT
                ? NotificationManager.IMPORTANCE_LOW
                : notification.priority < Notification.PRIORITY_HIGH
                    ? NotificationManager.IMPORTANCE_DEFAULT
                    : NotificationManager.IMPORTANCE_HIGH;
    return heard
        ? Math.max(byPriority, NotificationManager.IMPORTANCE_DEFAULT)
        : Math.min(byPriority, NotificationManager.IMPORTANCE_LOW);
  }

  void forget() {
    channels.clear();
    deleted.clear();
    groups.clear();
  }
}
