package org.droidmux.framework.apk;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.node.DexMethodNode;
import com.googlecode.d2j.node.insn.DexStmtNode;
import com.googlecode.d2j.node.insn.MethodStmtNode;
import com.googlecode.d2j.node.insn.Stmt2RNode;
import com.googlecode.d2j.node.insn.TypeStmtNode;
import com.googlecode.d2j.reader.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Objects that are made by the constructor of a class above theirs, and constructors that leave out those of the class
 * next above. Dex allows both, and R8 does it where it inlines a constructor; the JVM does not. The class that is left
 * out gets a constructor of ours that calls the one above, with one argument more so that it cannot be mistaken for
 * another. Nor does the code have to name the class above: Android's runtime looks for a constructor in the classes above
 * where the one that is named has none such, and R8 takes constructors away that only call the next one.
 *
 * <p>First, all code is looked at ({@link #note}). When a portion of it is translated, such an object is given a type of
 * its own ({@link #mark}), so that the way from its making to its constructor is not lost; {@link Mend} puts the class
 * and the constructor in the place of that type.
 */
final class InlinedConstructors {
  /** The additional argument's type, and a class in the jar: reflection looks for it. */
  static final String MARKER = "dexed/Inlined";

  private static final String PREFIX = "dexed/New$";

  /** Classes above one that are looked at; files can lie about what is above what. */
  private static final int MOST_ABOVE = 100;

  /** A class whose objects are made by another's constructor, by internal names. */
  record Making(String made, String by, String descriptor) {}

  private final KnownClasses known;
  private final Map<String, Set<String>> declared = new HashMap<>();
  private final Map<Making, String> types = new LinkedHashMap<>();
  private final Map<String, Making> makings = new HashMap<>();
  private final Map<String, Set<Making>> added = new HashMap<>();

  InlinedConstructors(KnownClasses known) {
    this.known = known;
  }

  /** Looks for such objects in all classes of the app, some at a time. */
  void note(Stream<DexFileNode> portions) {
    Set<Making> all = new LinkedHashSet<>();
    portions.forEach(
        classes -> {
          classes.clzs.forEach(this::declare);
          visit(classes, (statements, made, call, named) -> all.add(named));
        });
    all.stream().map(this::resolved).forEach(this::add);
  }

  /** Gives them their own types, in the code that is translated next. */
  void mark(DexFileNode classes) {
    visit(classes, this::mark);
  }

  /** What a type of ours stands for, or null. */
  Making making(String type) {
    return type.startsWith(PREFIX) ? makings.get(type) : null;
  }

  /** The constructors that a class gets. */
  Set<Making> addedTo(String name) {
    return added.getOrDefault(name, Set.of());
  }

  static String descriptor(String descriptor) {
    return descriptor.substring(0, descriptor.indexOf(')')) + "L" + MARKER + ";)V";
  }

  private void declare(DexClassNode each) {
    Set<String> constructors = declared.computeIfAbsent(internal(each.className), name -> new HashSet<>());
    for (DexMethodNode method : each.methods == null ? List.<DexMethodNode>of() : each.methods) {
      if (method.method.getName().equals("<init>")) {
        constructors.add(method.method.getDesc());
      }
    }
  }

  /** By the class that has the constructor: the one that the code names, or the next above. */
  private Making resolved(Making named) {
    String by = named.by();
    for (int steps = 0; steps < MOST_ABOVE && lacks(by, named.descriptor()); steps++) {
      by = known.superName(by);
    }
    return by == null ? named : new Making(named.made(), by, named.descriptor());
  }

  private boolean lacks(String name, String descriptor) {
    return name != null && known.isOwn(name) && !declared.getOrDefault(name, Set.of()).contains(descriptor);
  }

  private void add(Making making) {
    // Each class between the two passes it on.
    List<Making> chain = new ArrayList<>();
    String at = making.made();
    while (known.isOwn(at) && !at.equals(making.by()) && chain.size() < MOST_ABOVE) {
      chain.add(new Making(at, making.by(), making.descriptor()));
      at = known.superName(at);
    }
    if (chain.isEmpty() || at == null || !at.equals(making.by())) {
      return;
    }
    for (Making each : chain) {
      added.computeIfAbsent(each.made(), name -> new LinkedHashSet<>()).add(each);
    }
    String type = types.computeIfAbsent(making, key -> PREFIX + types.size());
    makings.put(type, making);
  }

  private void mark(List<DexStmtNode> statements, TypeStmtNode made, MethodStmtNode call, Making named) {
    Making making = resolved(named);
    String type = types.get(making);
    String owner = type == null ? making.by() : type;
    if (owner.equals(named.by())) {
      return;
    }
    String descriptor = "L" + owner + ";";
    Method method = new Method(descriptor, "<init>", call.method.getProto());
    statements.set(statements.indexOf(call), new MethodStmtNode(call.op, call.args, method));
    if (type != null && made != null) {
      statements.set(statements.indexOf(made), new TypeStmtNode(made.op, made.a, made.b, descriptor));
    }
  }

  private static String internal(String descriptor) {
    return descriptor.startsWith("L") && descriptor.endsWith(";")
        ? descriptor.substring(1, descriptor.length() - 1)
        : descriptor;
  }

  private interface Found {
    /**
     * Is told where the object was made, which is null in a constructor of its own class, where a constructor is called,
     * and what the code names for that.
     */
    void at(List<DexStmtNode> statements, TypeStmtNode made, MethodStmtNode call, Making named);
  }

  private void visit(DexFileNode classes, Found found) {
    for (DexClassNode each : classes.clzs) {
      for (DexMethodNode method : each.methods == null ? List.<DexMethodNode>of() : each.methods) {
        if (method.codeNode != null) {
          visit(method.codeNode.stmts, method.method.getName().equals("<init>") ? each : null, found);
        }
      }
    }
  }

  /**
   * Follows new objects through registers to their constructors; between the two, code goes straight on.
   *
   * @param constructed the class whose constructor this is, or null
   */
  private void visit(List<DexStmtNode> statements, DexClassNode constructed, Found found) {
    Map<Integer, TypeStmtNode> made = new HashMap<>();
    for (DexStmtNode each : List.copyOf(statements)) {
      if (each instanceof TypeStmtNode type && type.op == Op.NEW_INSTANCE) {
        made.put(type.a, type);
      } else if (each instanceof Stmt2RNode move && isMove(move.op)) {
        made.put(move.a, made.get(move.b));
      } else if (each instanceof MethodStmtNode call
          && (call.op == Op.INVOKE_DIRECT || call.op == Op.INVOKE_DIRECT_RANGE)
          && call.method.getName().equals("<init>")
          && call.args.length > 0) {
        TypeStmtNode type = made.get(call.args[0]);
        String owner = internal(call.method.getOwner());
        String descriptor = call.method.getDesc();
        if (type != null) {
          made.values().removeIf(other -> other == type);
          found.at(statements, type, call, new Making(internal(type.type), owner, descriptor));
        } else if (constructed != null && constructed.superClass != null && !isOfThis(constructed, owner, descriptor)) {
          found.at(statements, null, call, new Making(internal(constructed.superClass), owner, descriptor));
        }
      }
    }
  }

  /** Whether a constructor goes on to another one of its own class. */
  private boolean isOfThis(DexClassNode constructed, String owner, String descriptor) {
    return owner.equals(internal(constructed.className)) && !lacks(owner, descriptor);
  }

  private static boolean isMove(Op op) {
    return op == Op.MOVE_OBJECT || op == Op.MOVE_OBJECT_FROM16 || op == Op.MOVE_OBJECT_16;
  }
}
