package org.droidmux.framework.mutants;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which classes are the app's own. A class is its own where its package is, or lies below,
 *
 * <ul>
 *   <li>the package that the manifest names, or
 *   <li>what the packages of the app's components have in common: the application's id is often not the package of its code.
 * </ul>
 *
 * <p>A manifest also names components of libraries, even libraries' applications. The app's are those of its author, who is
 * told by the first two parts of a package ({@code com.example}; three where many authors share two, as {@code
 * com.github.somebody}): the author of the manifest's package, where a component lies within it, and otherwise whoever has the
 * most components.
 *
 * <p>Left aside is what belongs to a known library or was written by a tool ({@code R}, {@code BuildConfig}, view and data
 * binding, Room, Dagger, Butter Knife). Classes that R8 has moved to packages without a name are not known to be the app's,
 * and are left alone.
 */
public final class OwnCode {
  /** Beginnings of names that belong to libraries. */
  private static final List<String> LIBRARIES =
      List.of(
          "android/", "androidx/", "com/android/billingclient/", "com/android/installreferrer/", "com/android/internal/",
          "com/android/tools/", "com/android/vending/", "com/android/volley/", "com/google/android/gms/", "com/google/android/material/",
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

  /** Where the third part of a package tells its author. */
  private static final List<String> SHARED =
      List.of("com/github", "io/github", "com/gitlab", "io/gitlab", "org/codeberg", "com/google", "com/sourceforge");

  private final List<String> own = new ArrayList<>();

  /** An app with this package, and these components, each with its package. */
  public OwnCode(String packageName, List<String> components) {
    String named = packageName.replace('.', '/');
    own.add(named);
    List<String> packages =
        components.stream()
            .map(name -> name.replace('.', '/'))
            .filter(name -> name.contains("/") && !ofLibrary(name))
            .map(name -> name.substring(0, name.lastIndexOf('/')))
            .toList();
    String author = packages.stream().anyMatch(this::within) ? author(named) : busiest(packages);
    List<String> apart = packages.stream().filter(each -> author(each).equals(author) && !within(each)).toList();
    if (!apart.isEmpty()) {
      own.add(common(apart));
    }
  }

  /** Whether a class of this name, with slashes, is the app's own. */
  public boolean has(String name) {
    return within(name) && !ofLibrary(name) && !byTool(name.substring(name.lastIndexOf('/') + 1));
  }

  private boolean within(String name) {
    return own.stream().anyMatch(each -> (name + "/").startsWith(each + "/"));
  }

  /** An app's package may lie below what libraries' names begin with. */
  private boolean ofLibrary(String name) {
    String named = own.get(0) + "/";
    boolean isOfApp = name.startsWith(named) && LIBRARIES.stream().noneMatch(named::equals);
    return !isOfApp && LIBRARIES.stream().anyMatch(name::startsWith);
  }

  /** The beginning of a package that tells who wrote it. */
  private static String author(String name) {
    int parts = SHARED.stream().anyMatch(each -> name.startsWith(each + "/")) ? 3 : 2;
    return Arrays.stream(name.split("/")).limit(parts).collect(Collectors.joining("/"));
  }

  /** The author of the most of these packages; of several, the first by name. */
  private static String busiest(List<String> packages) {
    List<String> authors = packages.stream().map(OwnCode::author).sorted().toList();
    return authors.stream().max(Comparator.comparingInt(each -> Collections.frequency(authors, each))).orElse("");
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
