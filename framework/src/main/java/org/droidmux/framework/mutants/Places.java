package org.droidmux.framework.mutants;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * What an operator can do to a class: each adds a switch of its own, and asks the running host whether it is on. Where it
 * is not, the code does what it did.
 *
 * <p>Invariant: no instruction is changed by two mutants, so that one alone does the same whichever others there are.
 */
final class Places {
  /** The class that the running code asks; by name, as it belongs to the phone. */
  static final String SWITCHES = "org/droidmux/framework/device/Mutants";

  private final OwnClass own;
  private final String operator;
  private final List<Mutant> mutants;
  private final Set<Object> taken;

  Places(OwnClass own, String operator, List<Mutant> mutants, Set<Object> taken) {
    this.own = own;
    this.operator = operator;
    this.mutants = mutants;
    this.taken = taken;
  }

  /** What is taken by nobody yet. */
  static Set<Object> free() {
    return new HashSet<>();
  }

  /** A call is left out: what it was given is dropped, and instead of its result there is one as if it had been made. */
  void skip(OwnMethod method, MethodInsnNode call, String what) {
    if (call.getOpcode() == Opcodes.INVOKESPECIAL || !taken.add(call)) {
      return;
    }
    int number = mutant(method, call, what);
    LabelNode done = new LabelNode();
    LabelNode as = new LabelNode();
    InsnList before = asked(number);
    before.add(new JumpInsnNode(Opcodes.IFEQ, as));
    Type[] arguments = Type.getArgumentTypes(call.desc);
    for (int i = arguments.length - 1; i >= 0; i--) {
      before.add(new InsnNode(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
    }
    Type result = Type.getReturnType(call.desc);
    // What returns itself goes on with itself.
    boolean fluent = result.getSort() == Type.OBJECT && result.getInternalName().equals(call.owner);
    if (call.getOpcode() != Opcodes.INVOKESTATIC && !fluent) {
      before.add(new InsnNode(Opcodes.POP));
    }
    if (!fluent || call.getOpcode() == Opcodes.INVOKESTATIC) {
      push(before, result);
    }
    before.add(new JumpInsnNode(Opcodes.GOTO, done));
    before.add(as);
    method.node().instructions.insertBefore(call, before);
    method.node().instructions.insert(call, done);
  }

  /** A method does nothing. */
  void leave(OwnMethod method, String what) {
    AbstractInsnNode first = method.node().instructions.getFirst();
    if (first == null || !taken.add(method)) {
      return;
    }
    int number = mutant(method, method.code().stream().filter(each -> each.getOpcode() >= 0).findFirst().orElse(first), what);
    LabelNode as = new LabelNode();
    InsnList begin = asked(number);
    begin.add(new JumpInsnNode(Opcodes.IFEQ, as));
    Type result = Type.getReturnType(method.descriptor());
    push(begin, result);
    begin.add(new InsnNode(result.getOpcode(Opcodes.IRETURN)));
    begin.add(as);
    method.node().instructions.insert(begin);
  }

  /** Another text instead of one that is written in the code. */
  void exchange(OwnMethod method, AbstractInsnNode text, String other, String what) {
    exchange(method, text, new LdcInsnNode(other), "(Ljava/lang/String;Ljava/lang/String;I)Ljava/lang/String;", what);
  }

  /** Another number instead of one that is written in the code, or another field's. */
  void exchangeNumber(OwnMethod method, AbstractInsnNode value, AbstractInsnNode other, String what) {
    exchange(method, value, other, "(III)I", what);
  }

  private void exchange(OwnMethod method, AbstractInsnNode value, AbstractInsnNode other, String descriptor, String what) {
    if (!taken.add(value)) {
      return;
    }
    InsnList more = new InsnList();
    more.add(other);
    more.add(constant(mutant(method, value, what)));
    more.add(switched("exchanged", descriptor));
    method.node().instructions.insert(value, more);
  }

  /** What lies on the stack after an instruction goes through a method of the switches, with the number on top of it. */
  void after(OwnMethod method, AbstractInsnNode at, String name, String descriptor, String what) {
    if (taken.add(at)) {
      method.node().instructions.insert(at, through(method, at, name, descriptor, what));
    }
  }

  /** The same, with instructions after it. */
  void after(OwnMethod method, AbstractInsnNode at, String name, String descriptor, InsnList epilogue, String what) {
    if (taken.add(at)) {
      InsnList list = through(method, at, name, descriptor, what);
      list.add(epilogue);
      method.node().instructions.insert(at, list);
    }
  }

  /** Instructions of the operator's own before a call, whose result then goes through a method of the switches. */
  void around(OwnMethod method, MethodInsnNode call, InsnList prologue, String name, String descriptor, String what) {
    if (taken.add(call)) {
      method.node().instructions.insertBefore(call, prologue);
      method.node().instructions.insert(call, through(method, call, name, descriptor, what));
    }
  }

  /** The same before an instruction. */
  void before(OwnMethod method, AbstractInsnNode at, String name, String descriptor, String what) {
    if (taken.add(at)) {
      method.node().instructions.insertBefore(at, through(method, at, name, descriptor, what));
    }
  }

  /** Instead of an instruction, a method of the switches, with the number and {@code code} on top. */
  void instead(OwnMethod method, AbstractInsnNode at, String name, String descriptor, String what) {
    if (taken.add(at)) {
      InsnList list = new InsnList();
      list.add(constant(at.getOpcode()));
      list.add(through(method, at, name, descriptor, what));
      method.node().instructions.insert(at, list);
      method.node().instructions.remove(at);
    }
  }

  /** A jump by two numbers becomes one by what a method of the switches says of them. */
  void jump(OwnMethod method, JumpInsnNode jump, String name, String descriptor, String what) {
    if (taken.add(jump)) {
      InsnList list = new InsnList();
      list.add(constant(jump.getOpcode()));
      list.add(through(method, jump, name, descriptor, what));
      method.node().instructions.insertBefore(jump, list);
      jump.setOpcode(Opcodes.IFNE);
    }
  }

  /** Instructions of the operator's own before one, which end in a call that takes the number. */
  void before(OwnMethod method, AbstractInsnNode at, InsnList prologue, String name, String descriptor, InsnList epilogue, String what) {
    if (taken.add(at)) {
      prologue.add(through(method, at, name, descriptor, what));
      prologue.add(epilogue);
      method.node().instructions.insertBefore(at, prologue);
    }
  }

  private InsnList through(OwnMethod method, AbstractInsnNode at, String name, String descriptor, String what) {
    InsnList list = new InsnList();
    list.add(constant(mutant(method, at, what)));
    list.add(switched(name, descriptor));
    return list;
  }

  private static InsnList asked(int number) {
    InsnList list = new InsnList();
    list.add(constant(number));
    list.add(switched("strikes", "(I)Z"));
    return list;
  }

  private static MethodInsnNode switched(String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKESTATIC, SWITCHES, name, descriptor, false);
  }

  private static AbstractInsnNode constant(int number) {
    return number >= -1 && number <= 5 ? new InsnNode(Opcodes.ICONST_0 + number) : new LdcInsnNode(number);
  }

  /** What says that all went well: true, one, nothing. */
  private static void push(InsnList list, Type type) {
    switch (type.getSort()) {
      case Type.VOID -> { }
      case Type.LONG -> list.add(new InsnNode(Opcodes.LCONST_1));
      case Type.FLOAT -> list.add(new InsnNode(Opcodes.FCONST_0));
      case Type.DOUBLE -> list.add(new InsnNode(Opcodes.DCONST_0));
      case Type.OBJECT, Type.ARRAY -> list.add(new InsnNode(Opcodes.ACONST_NULL));
      default -> list.add(new InsnNode(Opcodes.ICONST_1));
    }
  }

  private int mutant(OwnMethod method, AbstractInsnNode at, String what) {
    int number = mutants.size();
    mutants.add(
        new Mutant(
            number, operator, own.name().replace('/', '.'), method.name() + method.descriptor(), method.line(at), what));
    return number;
  }
}
