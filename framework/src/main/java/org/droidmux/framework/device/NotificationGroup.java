package org.droidmux.framework.device;

import java.util.ArrayList;
import java.util.List;

/**
 * Notifications that the shade shows together. In flow those that are posted, in the order of the shade; out flow groups in
 * the order of their first members. Invariant: a group has a member; one with a single member is shown as that one alone.
 *
 * @param summary what the app says about all of them, or null where it says nothing
 */
record NotificationGroup(Posted summary, List<Posted> members) {
  /** So many of an app's that are in no group of its own are put into one by the system. */
  private static final int CROWD = 4;

  static List<NotificationGroup> of(List<Posted> shown) {
    List<Posted> alone = new ArrayList<>();
    for (Posted each : shown) {
      if (!each.notification().isGroupSummary() && summary(each, shown) == null) {
        alone.add(each);
      }
    }
    boolean crowded = alone.stream().filter(each -> !each.ongoing()).count() >= CROWD;
    List<NotificationGroup> groups = new ArrayList<>();
    for (Posted each : shown) {
      if (groups.stream().anyMatch(group -> group.members().contains(each))) {
        continue;
      }
      if (each.notification().isGroupSummary()) {
        if (members(each, shown).isEmpty()) {
          groups.add(new NotificationGroup(null, List.of(each)));
        }
        continue;
      }
      Posted summary = summary(each, shown);
      if (summary != null) {
        groups.add(new NotificationGroup(summary, members(summary, shown)));
      } else if (crowded && !each.ongoing()) {
        groups.add(new NotificationGroup(null, alone.stream().filter(other -> !other.ongoing()).toList()));
      } else {
        groups.add(new NotificationGroup(null, List.of(each)));
      }
    }
    return groups;
  }

  /** The summary of a notification's group, or null. */
  private static Posted summary(Posted of, List<Posted> all) {
    return all.stream()
        .filter(each -> each.notification().isGroupSummary() && of.isChildOf(each.notification().getGroup()))
        .findFirst()
        .orElse(null);
  }

  private static List<Posted> members(Posted summary, List<Posted> all) {
    return all.stream().filter(each -> each.isChildOf(summary.notification().getGroup())).toList();
  }

  boolean single() {
    return members.size() == 1;
  }

  Posted first() {
    return members.get(0);
  }
}
