package org.droidmux.framework.mutants;

import java.util.ArrayList;
import java.util.List;

/**
 * Which classes are the app's own. A class is its own where its package is, or lies below,
 *
 * <ul>
 *   <li>the package that the manifest names, or
 *   <li>what the packages of the components in the manifest have in common, if that is two parts or more (the application's
 *       id is often not the package of its code); otherwise the package of each component,
 * </ul>
 *
 * <p>components of known libraries left aside; and where it is neither of a known library nor written by a tool ({@code R},
 * {@code BuildConfig}, view and data binding, Room, Dagger, Butter Knife). Classes that R8 has moved to packages without a
 * name are not known to be the app's, and are left alone.
 */
public final class OwnCode {
  /** Beginnings of names that belong to libraries, wherever an app's manifest names their components. */
  private static final List<String> LIBRARIES =
      List.of(
          "android/", "androidx/", "com/android/", "com/google/android/gms/", "com/google/android/material/",
          "com/google/firebase/", "com/google/common/", "com/google/gson/", "com/google/protobuf/", "com/google/zxing/",
          "com/google/android/play/", "com/google/android/exoplayer2/", "com/google/android/flexbox/", "kotlin/", "kotlinx/",
          "java/", "javax/", "dalvik/", "dagger/", "butterknife/", "timber/", "rx/", "io/reactivex/", "okhttp3/", "okio/",
          "retrofit2/", "retrofit/", "com/squareup/", "com/bumptech/", "com/facebook/", "com/fasterxml/", "com/jakewharton/",
          "com/afollestad/", "com/mikepenz/", "com/github/", "com/nononsenseapps/", "com/amazonaws/", "com/crashlytics/",
          "com/tencent/", "com/alipay/", "com/umeng/", "com/baidu/", "org/acra/", "org/apache/", "org/greenrobot/",
          "org/intellij/", "org/jetbrains/", "org/json/", "org/jsoup/", "org/kxml2/", "org/osmdroid/", "org/slf4j/",
          "org/w3c/", "org/xml/", "org/xmlpull/", "org/osgi/", "org/mapsforge/", "leakcanary/", "net/sqlcipher/",
          "com/dji/", "dji/", "org/droidmux/framework/");

  /** Ends of simple names that tools give. */
  private static final List<String> WRITTEN_BY_TOOLS =
      List.of(
          "Binding", "BindingImpl", "_Impl", "_ViewBinding", "_Factory", "_MembersInjector", "_Provide", "BuildConfig", "BR",
          "DataBinderMapperImpl", "_GeneratedInjector", "$$serializer", "GlideModule");

  private final List<String> own = new ArrayList<>();

  /** An app with this package, and these components, each with its package. */
  public OwnCode(String packageName, List<String> components) {
    own.add(packageName.replace('.', '/'));
    List<String> packages =
        components.stream()
            .map(name -> name.replace('.', '/'))
            .filter(name -> name.contains("/") && !ofLibrary(name) && !within(name))
            .map(name -> name.substring(0, name.lastIndexOf('/')))
            .distinct()
            .sorted()
            .toList();
    if (packages.isEmpty()) {
      return;
    }
    String common = common(packages);
    if (common.contains("/")) {
      own.add(common);
    } else {
      own.addAll(packages);
    }
  }

  /** Whether a class of this name, with slashes, is the app's own. */
  public boolean has(String name) {
    return within(name) && !ofLibrary(name) && !byTool(name.substring(name.lastIndexOf('/') + 1));
  }

  private boolean within(String name) {
    return own.stream().anyMatch(each -> name.startsWith(each + "/"));
  }

  private static boolean ofLibrary(String name) {
    return LIBRARIES.stream().anyMatch(name::startsWith);
  }

  private static boolean byTool(String simple) {
    String outer = simple.contains("$") ? simple.substring(0, simple.indexOf('$')) : simple;
    return outer.equals("R") || outer.startsWith("Dagger") || outer.startsWith("Hilt_")
        || WRITTEN_BY_TOOLS.stream().anyMatch(end -> outer.endsWith(end) || simple.endsWith(end));
  }

  /** The parts that all begin with. */
  private static String common(List<String> packages) {
    String[] first = packages.get(0).split("/");
    int parts = first.length;
    for (String each : packages) {
      String[] other = each.split("/");
      int same = 0;
      while (same < parts && same < other.length && other[same].equals(first[same])) {
        same++;
      }
      parts = same;
    }
    return String.join("/", List.of(first).subList(0, parts));
  }
}
