package org.droidmux.framework.apk;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What {@code app.json} says of a translated app, for {@code droidmux apk check}: facts, no judgement. */
final class Description {
  /** Of a list that may be endless, so many are named; the number tells of the others. */
  private static final int MOST_NAMED = 100;

  private Description() {}

  static String json(
      AppFiles apks, DexFiles dexes, Translation translation, KnownClasses known, Uses uses, Engines engines,
      double seconds) {
    Manifest manifest = apks.base().manifest();
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("droidmux-apk", 1);
    said.put("translator", Translate.VERSION);
    said.put("package", manifest.packageName());
    said.put("version", manifest.version());
    said.put("version-code", manifest.versionCode());
    said.put("min", manifest.minimum());
    said.put("target", manifest.target());
    said.put("permissions", manifest.permissions());
    said.put("features", manifest.features());
    said.put("libraries", manifest.libraries());
    said.put("files", apks.all().stream().map(AppFiles.Apk::name).toList());
    said.put("splits", apks.all().stream().skip(1).map(apk -> apk.manifest().split()).toList());
    said.put("dex", dexes.files().stream().map(Description::dex).toList());
    said.put("classes", translation.classes());
    Set<String> activities = new TreeSet<>();
    apks.all().forEach(apk -> activities.addAll(apk.manifest().activities()));
    List<String> without = activities.stream().filter(name -> !known.exists(name.replace('.', '/'))).toList();
    said.put("activities", activities.size());
    said.put("activities-without-code", without.size());
    said.put("without-code", without.stream().limit(MOST_NAMED).toList());
    said.put("java-resources", translation.resources());
    said.put("methods-not-translated", translation.failedMethods().size());
    said.put("classes-not-translated", translation.failedClasses().size());
    said.put("not-translated", named(translation.failedMethods(), translation.failedClasses()));
    said.put("classes-renamed", translation.moved().stream().limit(MOST_NAMED).toList());
    said.put("native", natives(apks));
    said.put("engines", engines.found());
    said.put("engines-that-draw", engines.drawn());
    said.put("uses", uses.areas());
    said.put("pretended", uses.pretended());
    said.put("missing", uses.missing());
    said.put("seconds", Math.round(seconds * 10) / 10.0);
    Gson gson = new GsonBuilder().disableHtmlEscaping().setPrettyPrinting().create();
    return gson.toJson(said) + "\n";
  }

  private static Map<String, Object> dex(DexFiles.Dex dex) {
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("file", dex.file());
    said.put("bytes", dex.bytes());
    said.put("version", dex.version());
    said.put("classes", dex.classes());
    said.put("methods", dex.methods());
    return said;
  }

  private static List<String> named(List<String> methods, List<String> classes) {
    List<String> named = new ArrayList<>(classes.stream().limit(MOST_NAMED).toList());
    methods.stream().limit(MOST_NAMED).forEach(named::add);
    return named;
  }

  /** Native libraries by the kind of processor that they are for. */
  private static Map<String, List<String>> natives(AppFiles apks) {
    Map<String, List<String>> found = new TreeMap<>();
    for (AppFiles.Apk apk : apks.all()) {
      for (String name : apk.archive().names()) {
        String[] parts = name.split("/");
        if (parts.length == 3 && parts[0].equals("lib") && parts[2].endsWith(".so")) {
          found.computeIfAbsent(parts[1], kind -> new ArrayList<>()).add(parts[2]);
        }
      }
    }
    return found;
  }
}
