package org.droidmux.framework.apk;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a method of a shadow does together with those that it calls. In flow the classes, out flow effects; a field counts
 * for what it is only if somebody else than a test touches it.
 */
final class ShadowEffects {
  /** The sum of a method's and its helpers' effects. */
  record Effect(Set<String> reads, Set<String> writes, Set<String> makes, Set<String> runs, boolean acts) {}

  private static final int DEEPEST = 12;

  private final Map<String, ShadowClass> classes;
  private final Map<String, Effect> known = new HashMap<>();

  /** Fields that methods of the framework, or the host, read and write. */
  private final Set<String> read = new HashSet<>();

  private final Set<String> written = new HashSet<>();
  private final Set<String> reached = new HashSet<>();

  ShadowEffects(Map<String, ShadowClass> classes) {
    this.classes = classes;
  }

  /** The app, or the host, may call this method: what it touches is no matter of tests alone. */
  void reach(ShadowClass of, ShadowMethod method) {
    reach(of(of, method));
  }

  private void reach(Effect effect) {
    read.addAll(effect.reads());
    written.addAll(effect.writes());
    for (String each : effect.runs()) {
      ShadowMethod method = find(each);
      if (method != null && reached.add(each)) {
        reach(effect(each, method, 0));
      }
    }
    // Whoever gets such an object may call whatever it has.
    for (String each : effect.makes()) {
      ShadowClass made = classes.get(each);
      if (made != null && reached.add(each)) {
        made.methods.values().forEach(method -> reach(made, method));
      }
    }
  }

  /** As it pretends, or null where it does what it says. All that is reached is to be told before. */
  Pretences.Kind pretence(ShadowClass of, ShadowMethod method) {
    Effect effect = of(of, method);
    if (effect.acts()) {
      return null;
    }
    if (method.fails && !method.returns) {
      return Pretences.Kind.FAILS;
    }
    if (!effect.writes().isEmpty()) {
      return effect.writes().stream().noneMatch(read::contains) ? Pretences.Kind.NOTED : null;
    }
    if (method.isVoid()) {
      return Pretences.Kind.NOTHING;
    }
    boolean same = effect.reads().stream().noneMatch(written::contains);
    return same && !method.computes ? Pretences.Kind.CONSTANT : null;
  }

  Effect of(ShadowClass of, ShadowMethod method) {
    return effect(of.name + "." + method.name + method.descriptor, method, 0);
  }

  private Effect effect(String id, ShadowMethod method, int depth) {
    Effect found = known.get(id);
    if (found != null) {
      return found;
    }
    Set<String> reads = new HashSet<>();
    method.reads.forEach(field -> reads.add(declared(field)));
    Set<String> writes = new HashSet<>();
    method.writes.forEach(field -> writes.add(declared(field)));
    Set<String> makes = new HashSet<>(method.makes);
    Set<String> runs = new HashSet<>(method.runs);
    boolean acts = method.acts || depth > DEEPEST;
    // One that calls itself adds nothing to itself.
    known.put(id, new Effect(reads, writes, makes, runs, acts));
    for (String each : depth > DEEPEST ? Set.<String>of() : method.calls) {
      ShadowMethod called = find(each);
      if (called == null) {
        // A helper outside of the shadows, or an interface: it may do anything, unless it only makes an object.
        acts |= !each.contains(".<init>");
        continue;
      }
      Effect effect = effect(each, called, depth + 1);
      reads.addAll(effect.reads());
      writes.addAll(effect.writes());
      makes.addAll(effect.makes());
      runs.addAll(effect.runs());
      acts |= effect.acts();
    }
    Effect whole = new Effect(reads, writes, makes, runs, acts);
    known.put(id, whole);
    return whole;
  }

  /** A field by the class that has it, whichever class below names it. */
  private String declared(String id) {
    int dot = id.indexOf('.');
    String field = id.substring(dot + 1);
    for (ShadowClass of = classes.get(id.substring(0, dot)); of != null; of = classes.get(of.above)) {
      if (of.fields.contains(field)) {
        return of.name + "." + field;
      }
    }
    return id;
  }

  /** A method by its class, name and descriptor, looked for in the classes above as well. */
  private ShadowMethod find(String id) {
    int dot = id.indexOf('.');
    String method = id.substring(dot + 1);
    ShadowClass of = classes.get(id.substring(0, dot));
    while (of != null) {
      ShadowMethod found = of.methods.get(method);
      if (found != null) {
        return found;
      }
      of = classes.get(of.above);
    }
    return null;
  }
}
