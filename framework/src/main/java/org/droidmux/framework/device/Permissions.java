package org.droidmux.framework.device;

import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.os.Build;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.robolectric.Shadows;

/** Which permissions the app has. Those that a person is asked for are missing until they are granted. */
final class Permissions {
  /** Permissions with the protection level "dangerous" of API 34, without android.permission. */
  private static final Set<String> ASKED =
      Set.of(
          "READ_CALENDAR", "WRITE_CALENDAR", "CAMERA", "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS",
          "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_BACKGROUND_LOCATION", "RECORD_AUDIO",
          "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "CALL_PHONE", "ANSWER_PHONE_CALLS", "READ_CALL_LOG",
          "WRITE_CALL_LOG", "USE_SIP", "PROCESS_OUTGOING_CALLS", "BODY_SENSORS", "BODY_SENSORS_BACKGROUND",
          "SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_WAP_PUSH", "RECEIVE_MMS", "READ_EXTERNAL_STORAGE",
          "WRITE_EXTERNAL_STORAGE", "ACCESS_MEDIA_LOCATION", "ACTIVITY_RECOGNITION", "BLUETOOTH_SCAN",
          "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE", "NEARBY_WIFI_DEVICES", "POST_NOTIFICATIONS",
          "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO", "READ_MEDIA_AUDIO", "READ_MEDIA_VISUAL_USER_SELECTED",
          "UWB_RANGING");

  private final Set<String> requested = new LinkedHashSet<>();
  private final Set<String> granted = new LinkedHashSet<>();
  private final Map<String, Integer> refused = new HashMap<>();

  /** After so many refusals, Android does not ask any more. */
  private static final int LAST_REFUSAL = 2;

  /** A process begins: it has what was granted, and what needs no question. */
  void grantTo(AppProcess process) {
    PackageInfo info = process.packageInfo(PackageManager.GET_PERMISSIONS);
    boolean old = process.application().getApplicationInfo().targetSdkVersion < Build.VERSION_CODES.M;
    requested.clear();
    if (info.requestedPermissions != null) {
      requested.addAll(Arrays.asList(info.requestedPermissions));
    }
    for (String permission : requested) {
      if (old || !asked(permission)) {
        granted.add(permission);
      }
    }
    Shadows.shadowOf(process.application()).grantPermissions(granted.toArray(new String[0]));
    refused.keySet().forEach(this::rationale);
  }

  /** Whether a question for it would be shown: requested, not granted, and not refused for good. */
  boolean isOpen(String permission) {
    return requested.contains(permission)
        && !granted.contains(permission)
        && asked(permission)
        && refused.getOrDefault(permission, 0) < LAST_REFUSAL;
  }

  void refuse(String permission) {
    refused.merge(permission, 1, Integer::sum);
    rationale(permission);
  }

  /** After the first refusal, the app is told that it had better explain itself. */
  private void rationale(String permission) {
    boolean explain = refused.getOrDefault(permission, 0) == 1 && !granted.contains(permission);
    Shadows.shadowOf(AppProcess.current().application().getPackageManager())
        .setShouldShowRequestPermissionRationale(permission, explain);
  }

  void grant(String permission) {
    if (requested.contains(permission) && granted.add(permission) && AppProcess.current() != null) {
      Shadows.shadowOf(AppProcess.current().application()).grantPermissions(permission);
    }
  }

  /** Takes a permission away. A phone ends the process for it. */
  boolean revoke(String permission) {
    boolean had = granted.remove(permission);
    if (had && AppProcess.current() != null) {
      Shadows.shadowOf(AppProcess.current().application()).denyPermissions(permission);
    }
    return had;
  }

  /** As after an installation. */
  void forget() {
    granted.clear();
    refused.clear();
  }

  /**
   * Another app calls or takes pictures only for those who may do so themselves; a camera asks that only of apps whose
   * manifest says that they would like to.
   */
  void requireFor(Intent intent, Outside outside) {
    if (outside == null || outside.app() == null) {
      return;
    }
    boolean calls = Intent.ACTION_CALL.equals(intent.getAction());
    boolean pictures = outside.app() == OtherApp.CAMERA && requested.contains("android.permission.CAMERA");
    String needed = "android.permission." + (calls ? "CALL_PHONE" : "CAMERA");
    if ((calls || pictures) && !granted(needed)) {
      throw new SecurityException(
          "Permission Denial: starting " + intent + " from ProcessRecord{" + AppProcess.current().pid() + ":"
              + Phone.get().packageName() + "/u0a100} (pid=" + AppProcess.current().pid() + ", uid=10100) "
              + (calls ? "requires " : "with revoked permission ") + needed);
    }
  }

  boolean granted(String permission) {
    return granted.contains(permission);
  }

  /** All that the manifest requests. */
  List<String> requested() {
    return List.copyOf(requested);
  }

  /** Those of them that a person is asked for. */
  List<String> asked() {
    return requested.stream().filter(Permissions::asked).toList();
  }

  private static boolean asked(String permission) {
    return permission.startsWith("android.permission.")
        && ASKED.contains(permission.substring("android.permission.".length()));
  }
}
