package org.droidmux.framework.apk;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts where an app's code needs what the lab has not, or has in part only, and which classes nothing defines. A table
 * of prefixes says what belongs to what; {@code droidmux apk check} puts it into sentences.
 */
final class Uses {
  /** From the beginning of a class's internal name to what it is for. The longest that fits counts. */
  private static final Map<String, String> AREAS = new LinkedHashMap<>();

  static {
    AREAS.put("android/webkit/", "web view");
    AREAS.put("android/hardware/Camera", "camera preview");
    AREAS.put("android/hardware/camera2/", "camera preview");
    AREAS.put("android/media/MediaRecorder", "recording");
    AREAS.put("android/media/AudioRecord", "recording");
    AREAS.put("android/media/MediaCodec", "media codecs");
    AREAS.put("android/opengl/", "OpenGL");
    AREAS.put("javax/microedition/khronos/", "OpenGL");
    AREAS.put("android/bluetooth/", "Bluetooth");
    AREAS.put("android/nfc/", "NFC");
    AREAS.put("android/hardware/Sensor", "sensors");
    AREAS.put("android/hardware/usb/", "USB");
    AREAS.put("android/hardware/fingerprint/", "biometrics");
    AREAS.put("android/hardware/biometrics/", "biometrics");
    AREAS.put("android/location/", "location");
    AREAS.put("android/telephony/", "telephony");
    AREAS.put("android/speech/", "speech");
    AREAS.put("android/print/", "printing");
    AREAS.put("android/app/DownloadManager", "downloads");
    AREAS.put("android/app/AlarmManager", "alarms");
    AREAS.put("android/app/job/", "jobs");
    AREAS.put("android/app/Notification", "notifications");
    AREAS.put("android/appwidget/", "app widgets");
    AREAS.put("android/service/wallpaper/", "live wallpaper");
    AREAS.put("android/inputmethodservice/", "input methods");
    AREAS.put("android/accessibilityservice/", "accessibility services");
    AREAS.put("android/net/VpnService", "VPN");
    AREAS.put("android/accounts/", "accounts");
    AREAS.put("android/renderscript/", "RenderScript");
    AREAS.put("com/google/android/gms/", "Play services");
    AREAS.put("com/google/firebase/", "Firebase");
    AREAS.put("com/android/billingclient/", "Play billing");
    AREAS.put("dalvik/system/DexClassLoader", "code loaded later");
    AREAS.put("dalvik/system/PathClassLoader", "code loaded later");
    AREAS.put("dalvik/system/InMemoryDexClassLoader", "code loaded later");
  }

  private static final int MOST_MISSING = 200;

  private final KnownClasses known;
  private final Pretences pretences;
  private final Map<String, Integer> areas = new TreeMap<>();
  private final Map<String, Integer> missing = new TreeMap<>();
  private final Map<Pretences.Pretence, Integer> pretended = new HashMap<>();
  private final Map<String, String> areaOf = new LinkedHashMap<>();
  private String home = "";

  Uses(KnownClasses known, Pretences pretences) {
    this.known = known;
    this.pretences = pretences;
  }

  /** What comes next is the code of this class. A library does not need itself. */
  void within(String name) {
    home = area(name);
  }

  /** Code calls a method. */
  void method(String owner, String name, String descriptor) {
    type(owner);
    Pretences.Pretence pretence = owner.startsWith("[") ? null : pretences.called(known, owner, name, descriptor);
    if (pretence != null) {
      pretended.merge(pretence, 1, Integer::sum);
    }
    if (owner.equals("java/lang/System") && (name.equals("loadLibrary") || name.equals("load"))) {
      areas.merge("native libraries", 1, Integer::sum);
    }
  }

  /** Code names a class. */
  void type(String name) {
    if (name == null || name.startsWith("[") || name.startsWith("dexed/")) {
      return;
    }
    String area = areaOf.computeIfAbsent(name, Uses::area);
    if (!area.isEmpty() && !area.equals(home)) {
      areas.merge(area, 1, Integer::sum);
    }
    if (!known.exists(name) && (missing.size() < MOST_MISSING || missing.containsKey(name))) {
      missing.merge(name, 1, Integer::sum);
    }
  }

  /** What a class of the framework's is for, or its package. */
  private static String group(String name) {
    String area = area(name);
    return area.isEmpty() ? name.substring(0, name.lastIndexOf('/')).replace('/', '.') : area;
  }

  private static String area(String name) {
    String found = "";
    int length = 0;
    for (Map.Entry<String, String> each : AREAS.entrySet()) {
      if (name.startsWith(each.getKey()) && each.getKey().length() > length) {
        found = each.getValue();
        length = each.getKey().length();
      }
    }
    return found;
  }

  /** Places in the code for each area. */
  Map<String, Integer> areas() {
    return areas;
  }

  /** Calls of methods of the framework that the lab only pretends: class, method, how, and how many; the same each time. */
  List<Map<String, Object>> pretended() {
    List<Map<String, Object>> said = new ArrayList<>();
    pretended.forEach(
        (pretence, calls) -> {
          Map<String, Object> each = new LinkedHashMap<>();
          each.put("group", group(pretence.owner()));
          each.put("class", pretence.owner().replace('/', '.'));
          each.put("method", pretence.name());
          each.put("how", pretence.kind().word());
          each.put("calls", calls);
          said.add(each);
        });
    said.sort(Comparator.comparing(each -> each.get("class") + " " + each.get("method") + " " + each.get("how")));
    return said;
  }

  /** Places in the code that name a class which is neither the app's nor the framework's nor the JDK's. */
  Map<String, Integer> missing() {
    return missing;
  }
}
