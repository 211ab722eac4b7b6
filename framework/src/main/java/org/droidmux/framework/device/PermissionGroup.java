package org.droidmux.framework.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Permissions that a person is asked for together, by the words of API 34.
 *
 * @param words what the app would be allowed to do
 * @param inUse whether the question is about the time in which the app is used
 */
record PermissionGroup(String words, boolean inUse, Set<String> members) {
  private static final String PREFIX = "android.permission.";

  private static final List<PermissionGroup> ALL =
      List.of(
          group("take pictures and record video", true, "CAMERA"),
          group("record audio", true, "RECORD_AUDIO"),
          group("access this device’s location", true, "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION"),
          group("access this device’s location all the time", false, "ACCESS_BACKGROUND_LOCATION"),
          group("access photos and media on your device", false, "READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE",
              "ACCESS_MEDIA_LOCATION"),
          group("access photos and videos on this device", false, "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO",
              "READ_MEDIA_VISUAL_USER_SELECTED"),
          group("access music and audio on this device", false, "READ_MEDIA_AUDIO"),
          group("access your contacts", false, "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS"),
          group("access your calendar", false, "READ_CALENDAR", "WRITE_CALENDAR"),
          group("make and manage phone calls", false, "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE",
              "ANSWER_PHONE_CALLS", "USE_SIP"),
          group("access your phone call logs", false, "READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS"),
          group("send and view SMS messages", false, "SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_WAP_PUSH",
              "RECEIVE_MMS"),
          group("access sensor data about your vital signs", true, "BODY_SENSORS"),
          group("access your physical activity", false, "ACTIVITY_RECOGNITION"),
          group("find, connect to, and determine the relative position of nearby devices", false, "BLUETOOTH_SCAN",
              "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE", "NEARBY_WIFI_DEVICES", "UWB_RANGING"),
          group("send you notifications", false, "POST_NOTIFICATIONS"));

  private static PermissionGroup group(String words, boolean inUse, String... names) {
    List<String> members = new ArrayList<>();
    for (String name : names) {
      members.add(PREFIX + name);
    }
    return new PermissionGroup(words, inUse, Set.copyOf(members));
  }

  /** The group of a permission; one that no group has is asked for by its name. */
  static PermissionGroup of(String permission) {
    for (PermissionGroup group : ALL) {
      if (group.members().contains(permission)) {
        return group;
      }
    }
    String name = permission.substring(permission.lastIndexOf('.') + 1);
    return new PermissionGroup("use " + name, false, Set.of(permission));
  }

  /** Those permissions by their groups, both in the order in which they were asked for. */
  static Map<PermissionGroup, List<String>> sorted(List<String> permissions) {
    Map<PermissionGroup, List<String>> sorted = new LinkedHashMap<>();
    for (String permission : permissions) {
      sorted.computeIfAbsent(of(permission), group -> new ArrayList<>()).add(permission);
    }
    return sorted;
  }
}
