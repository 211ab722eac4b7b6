package org.droidmux.framework.apk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Type;

/**
 * Makes the table of the framework's methods that the lab only pretends: {@code pretences OUT LEVEL}. In flow the classes on
 * its own class path: this host's, Robolectric's shadows, the framework's. Out flow lines for {@link Pretences}. Part of the
 * host's build.
 *
 * <p>A method is in it when the shadow that stands for it does nothing, answers the same always, notes what nobody looks
 * at, or fails; when it comes to native code that is not there; and when it asks a service that nobody offers. A shadow of
 * this host's takes the place of Robolectric's, and what this host tells a shadow of Robolectric's counts as if the
 * framework had.
 */
public final class PretenceTable {
  private static final String SERVICE = "android/os/IInterface";

  /** Classes that help to look into an app: they do nothing on a phone either, unless somebody looks. */
  private static final Set<String> WATCHING =
      Set.of("android/os/Trace", "android/os/Debug", "android/os/StrictMode", "android/net/TrafficStats");

  /** Of several shadows for a class, the sandbox takes that for native code, for its own looper, for binary resources. */
  private static final List<String> PREFERRED = List.of("ShadowNative", "ShadowPaused", "ShadowArsc");

  private final int level;
  private final Map<String, ShadowClass> shadows;
  private final Set<String> ours;
  private final Set<String> called;

  /** Services that this host offers, or that the framework itself has code for. */
  private final Set<String> served;

  private final Map<String, FrameworkClass> framework;
  private final Map<String, Integer> heirs = new HashMap<>();

  PretenceTable(PretenceSources sources, int level) {
    this.level = level;
    shadows = sources.shadows();
    ours = sources.ours();
    called = sources.called();
    served = new HashSet<>(sources.offered());
    framework = sources.framework();
  }

  public static void main(String[] arguments) throws IOException {
    PretenceTable table = new PretenceTable(PretenceSources.ofClassPath(), Integer.parseInt(arguments[1]));
    Path out = Path.of(arguments[0]);
    Files.createDirectories(out.toAbsolutePath().getParent());
    Files.write(out, table.lines(), StandardCharsets.UTF_8);
  }

  /** The table, in a fixed order. */
  Collection<String> lines() {
    Map<String, ShadowClass> active = active();
    ShadowEffects effects = new ShadowEffects(shadows);
    for (ShadowClass each : active.values()) {
      methods(each).forEach((id, of) -> effects.reach(of, of.methods.get(id)));
    }
    for (ShadowClass each : shadows.values()) {
      each.methods.forEach(
          (id, method) -> {
            if (called.contains(each.name + "." + id)) {
              effects.reach(each, method);
            }
          });
    }
    framework.values().forEach(this::note);
    Set<String> lines = new TreeSet<>();
    for (FrameworkClass each : framework.values()) {
      if (each.isInterface() || WATCHING.contains(each.name) || each.name.startsWith("com/android/internal/")) {
        continue;
      }
      pretended(each, active.get(each.name), effects)
          .forEach(
              (method, kind) -> {
                if (each.open()) {
                  lines.add(line(each, each.methods.get(method), kind));
                }
                // An app calls it by the class above, where that leaves it open.
                FrameworkClass above = framework.get(each.above);
                FrameworkClass.Method meant = above == null ? null : above.methods.get(method);
                boolean only = active.containsKey(each.name) || above != null && heirs.get(above.name) == 1;
                if (meant != null && meant.isAbstract() && only) {
                  lines.add(line(above, meant, kind));
                }
              });
    }
    return lines;
  }

  /** Notes which services the framework itself has code for, and how many classes a class has below it. */
  private void note(FrameworkClass of) {
    heirs.merge(of.above == null ? "" : of.above, 1, Integer::sum);
    String own = of.name.replaceAll("\\$(Stub|Stub\\$Proxy|Default)$", "");
    for (String each : of.interfaces) {
      if (!each.equals(own) && !of.isInterface()) {
        served.add(each);
      }
    }
    if (of.above != null && of.above.endsWith("$Stub")) {
      served.add(of.above.substring(0, of.above.length() - "$Stub".length()));
    }
  }

  private static String line(FrameworkClass of, FrameworkClass.Method method, Pretences.Kind kind) {
    return of.name + "\t" + method.name() + "\t" + method.descriptor() + "\t" + kind.word();
  }

  /** The shadow that stands for each class of the framework: ours, or the one that the sandbox takes. */
  private Map<String, ShadowClass> active() {
    Map<String, ShadowClass> active = new HashMap<>();
    List<ShadowClass> all = new ArrayList<>(shadows.values());
    all.sort(Comparator.comparing((ShadowClass each) -> rank(each)).thenComparing(each -> each.name));
    for (ShadowClass each : all) {
      if (each.at(level)) {
        active.putIfAbsent(each.stands, each);
      }
    }
    return active;
  }

  private int rank(ShadowClass shadow) {
    String name = shadow.name.substring(shadow.name.lastIndexOf('/') + 1);
    return ours.contains(shadow.name) ? 0 : PREFERRED.stream().anyMatch(name::startsWith) ? 1 : 2;
  }

  /** What a shadow has for methods of its class, its own and those of the shadows above that stand for the same one. */
  private Map<String, ShadowClass> methods(ShadowClass shadow) {
    Map<String, ShadowClass> found = new HashMap<>();
    for (ShadowClass each = shadow; each != null; each = shadows.get(each.above)) {
      boolean same = each.stands == null || each.stands.equals(shadow.stands);
      for (Map.Entry<String, ShadowMethod> method : same ? each.methods.entrySet() : Set.<Map.Entry<String, ShadowMethod>>of()) {
        if (method.getValue().isCalledAt(level)) {
          found.putIfAbsent(method.getKey(), each);
        }
      }
    }
    return found;
  }

  private Map<String, Pretences.Kind> pretended(FrameworkClass of, ShadowClass shadow, ShadowEffects effects) {
    Map<String, Pretences.Kind> found = new HashMap<>();
    Set<String> shadowed = new HashSet<>();
    Map<String, ShadowClass> standing = shadow == null ? Map.of() : methods(shadow);
    for (Map.Entry<String, ShadowClass> each : standing.entrySet()) {
      ShadowMethod method = each.getValue().methods.get(each.getKey());
      if (method.filter) {
        continue;
      }
      for (FrameworkClass.Method real : meant(of, method)) {
        shadowed.add(real.name() + real.descriptor());
        Pretences.Kind kind = ours.contains(each.getValue().name) ? null : effects.pretence(each.getValue(), method);
        if (kind != null && real.open()) {
          found.put(real.name() + real.descriptor(), kind);
        }
      }
    }
    boolean natives = shadow != null && shadow.callsNatives;
    Set<String> empty = new HashSet<>();
    Set<String> asking = new HashSet<>();
    for (FrameworkClass.Method each : of.methods.values()) {
      String id = each.name() + each.descriptor();
      if (!shadowed.contains(id) && each.isNative() && !natives) {
        empty.add(id);
      } else if (!shadowed.contains(id) && !each.acts() && asksNobody(each)) {
        asking.add(id);
      }
    }
    Set<String> idle = idle(of, shadowed);
    reaching(of, empty, idle).forEach(id -> put(found, of, id, Pretences.Kind.NATIVE));
    reaching(of, asking, idle).forEach(id -> put(found, of, id, Pretences.Kind.SERVICE));
    return found;
  }

  private static void put(Map<String, Pretences.Kind> found, FrameworkClass of, String id, Pretences.Kind kind) {
    if (of.methods.get(id).open()) {
      found.putIfAbsent(id, kind);
    }
  }

  private boolean asksNobody(FrameworkClass.Method method) {
    return !method.asks().isEmpty() && method.asks().stream().allMatch(this::isMissingService);
  }

  private boolean isMissingService(String name) {
    FrameworkClass asked = framework.get(name);
    return asked != null && asked.interfaces.contains(SERVICE) && !served.contains(name);
  }

  /** The methods that do nothing by themselves, but perhaps call others of their class. */
  private Set<String> idle(FrameworkClass of, Set<String> shadowed) {
    Set<String> idle = new HashSet<>();
    for (FrameworkClass.Method each : of.methods.values()) {
      String id = each.name() + each.descriptor();
      if (!shadowed.contains(id) && !each.acts() && (each.asks().isEmpty() || asksNobody(each))) {
        idle.add(id);
      }
    }
    return idle;
  }

  /** The methods that come to one of these, within their class, and do nothing else on the way. */
  private static Set<String> reaching(FrameworkClass of, Set<String> these, Set<String> idle) {
    Set<String> reaching = new HashSet<>(these);
    boolean more = !these.isEmpty();
    while (more) {
      more = false;
      for (FrameworkClass.Method each : of.methods.values()) {
        String id = each.name() + each.descriptor();
        boolean leads = idle.contains(id) && !reaching.contains(id) && each.calls().stream().anyMatch(reaching::contains);
        if (leads && each.calls().stream().allMatch(call -> reaching.contains(call) || idle.contains(call))) {
          reaching.add(id);
          more = true;
        }
      }
    }
    return reaching;
  }

  /** The methods of the framework that a shadow's method stands for: types that it cannot name are Object there. */
  private static List<FrameworkClass.Method> meant(FrameworkClass of, ShadowMethod method) {
    FrameworkClass.Method same = of.methods.get(method.stands + method.descriptor);
    if (same != null) {
      return List.of(same);
    }
    Type[] given = Type.getArgumentTypes(method.descriptor);
    return of.methods.values().stream()
        .filter(each -> each.name().equals(method.stands) && fits(given, Type.getArgumentTypes(each.descriptor())))
        .toList();
  }

  private static boolean fits(Type[] given, Type[] real) {
    if (given.length != real.length) {
      return false;
    }
    for (int i = 0; i < given.length; i++) {
      boolean loose = given[i].getDescriptor().equals("Ljava/lang/Object;") && real[i].getSort() >= Type.ARRAY;
      if (!loose && !given[i].equals(real[i])) {
        return false;
      }
    }
    return true;
  }
}
