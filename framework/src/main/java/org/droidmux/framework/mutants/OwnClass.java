package org.droidmux.framework.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** A class of the app's own, as operators look at it: before anything is woven into it. */
final class OwnClass {
  private final ClassNode node;
  private final List<OwnMethod> methods = new ArrayList<>();

  OwnClass(ClassNode node) {
    this.node = node;
    for (MethodNode method : node.methods) {
      boolean empty = (method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_BRIDGE)) != 0;
      if (!empty && !method.name.equals("<clinit>") && method.instructions.size() <= OwnMethod.LONGEST) {
        methods.add(new OwnMethod(node, method));
      }
    }
  }

  /** Its name, with slashes. */
  String name() {
    return node.name;
  }

  /** Its name without its package. */
  String simpleName() {
    return node.name.substring(node.name.lastIndexOf('/') + 1);
  }

  /** Those with code that a person wrote. */
  List<OwnMethod> methods() {
    return methods;
  }

  /** The constants of one kind in all its code: what {@code constant} gives for some call. */
  Set<String> texts(Function<Call, String> constant) {
    Set<String> found = new TreeSet<>();
    for (OwnMethod method : methods) {
      for (MethodInsnNode call : method.calls()) {
        String text = constant.apply(new Call(method, call));
        if (text != null) {
          found.add(text);
        }
      }
    }
    return found;
  }

  /** A call, and the method that makes it. */
  record Call(OwnMethod method, MethodInsnNode node) {}

  /** The one after {@code text} in a set, or the first; null when there is no other. */
  static String other(Set<String> all, String text) {
    TreeSet<String> sorted = new TreeSet<>(all);
    sorted.remove(text);
    String next = sorted.higher(text);
    return next != null ? next : sorted.isEmpty() ? null : sorted.first();
  }
}
