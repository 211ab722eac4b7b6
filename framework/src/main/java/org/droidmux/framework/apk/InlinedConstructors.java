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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Objects that are made by the constructor of a class above theirs, and constructors that leave out those of the class
 * next above. Dex allows both, and R8 does it where it inlines a constructor; the JVM does not. The class that is left
 * out gets a constructor of ours that calls the one above, with one argument more so that it cannot be mistaken for
 * another.
 *
 * <p>First, all code is looked at ({@link #note}). When a portion of it is translated, such an object is given a type of
 * its own ({@link #mark}), so that the way from its making to its constructor is not lost; {@link Mend} puts the class
 * and the constructor in the place of that type.
 */
final class InlinedConstructors {
  /** The additional argument's type, and a class in the jar: reflection looks for it. */
  static final String MARKER = "dexed/Inlined";

  private static final String PREFIX = "dexed/New$";

  /** A class whose objects are made by another's constructor, by internal names. */
  record Making(String made, String by, String descriptor) {}

  private final KnownClasses known;
  private final Map<Making, String> types = new LinkedHashMap<>();
  private final Map<String, Making> makings = new HashMap<>();
  private final Map<String, Set<Making>> added = new HashMap<>();

  InlinedConstructors(KnownClasses known) {
    this.known = known;
  }

  /** Looks for such objects in some classes. */
  void note(DexFileNode classes) {
    visit(classes, (statements, made, called, making) -> add(making));
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

  private void add(Making making) {
    // Each class between the two passes it on.
    List<Making> chain = new ArrayList<>();
    String at = making.made();
    while (known.isOwn(at) && !at.equals(making.by()) && chain.size() < 100) {
      chain.add(new Making(at, making.by(), making.descriptor()));
      at = known.superName(at);
    }
    if (at == null || !at.equals(making.by())) {
      return;
    }
    for (Making each : chain) {
      added.computeIfAbsent(each.made(), name -> new LinkedHashSet<>()).add(each);
    }
    String type = types.computeIfAbsent(making, key -> PREFIX + types.size());
    makings.put(type, making);
  }

  private void mark(List<DexStmtNode> statements, TypeStmtNode made, MethodStmtNode called, Making making) {
    String type = types.get(making);
    if (type != null) {
      String descriptor = "L" + type + ";";
      Method method = new Method(descriptor, "<init>", called.method.getProto());
      statements.set(statements.indexOf(called), new MethodStmtNode(called.op, called.args, method));
      if (made != null) {
        statements.set(statements.indexOf(made), new TypeStmtNode(made.op, made.a, made.b, descriptor));
      }
    }
  }

  private static String internal(String descriptor) {
    return descriptor.substring(1, descriptor.length() - 1);
  }

  private interface Found {
    /** Is told where the object was made, which is null in a constructor of its own class, and where it is called. */
    void at(List<DexStmtNode> statements, TypeStmtNode made, MethodStmtNode called, Making making);
  }

  private static void visit(DexFileNode classes, Found found) {
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
  private static void visit(List<DexStmtNode> statements, DexClassNode constructed, Found found) {
    Map<Integer, TypeStmtNode> made = new HashMap<>();
    for (DexStmtNode each : List.copyOf(statements)) {
      if (each instanceof TypeStmtNode type && type.op == Op.NEW_INSTANCE) {
        made.put(type.a, type);
      } else if (each instanceof Stmt2RNode move && isMove(move.op)) {
        made.put(move.a, made.get(move.b));
      } else if (each instanceof MethodStmtNode called
          && (called.op == Op.INVOKE_DIRECT || called.op == Op.INVOKE_DIRECT_RANGE)
          && called.method.getName().equals("<init>")
          && called.args.length > 0) {
        TypeStmtNode type = made.get(called.args[0]);
        String owner = called.method.getOwner();
        String of = null;
        if (type != null) {
          made.values().removeIf(other -> other == type);
          of = type.type;
        } else if (constructed != null && !owner.equals(constructed.className)) {
          of = constructed.superClass;
        }
        if (of != null && !of.equals(owner)) {
          Making making = new Making(internal(of), internal(owner), called.method.getDesc());
          found.at(statements, type, called, making);
        }
      }
    }
  }

  private static boolean isMove(Op op) {
    return op == Op.MOVE_OBJECT || op == Op.MOVE_OBJECT_FROM16 || op == Op.MOVE_OBJECT_16;
  }
}
