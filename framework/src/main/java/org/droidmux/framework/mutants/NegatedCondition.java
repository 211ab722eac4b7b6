package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** A condition does the contrary. PIT, "Negate Conditionals"; Xiong et al., "incorrect condition". */
final class NegatedCondition implements Operator {
  /** Conditions of loops, and those without which the next line fails: the defects that are wanted do not crash. */
  private static final Set<String> NOT_THESE =
      Set.of(
          "hasNext", "hasPrevious", "hasMoreElements", "moveToNext", "moveToFirst", "moveToPosition", "moveToLast",
          "isAfterLast", "size", "length", "getCount", "getChildCount", "getItemCount");

  @Override
  public String name() {
    return "negated-condition";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (AbstractInsnNode each : method.code()) {
        if (!(each instanceof JumpInsnNode jump) || method.place(jump.label) < method.place(jump)) {
          continue;
        }
        AbstractInsnNode top = OwnMethod.before(jump);
        if (top == null || wanted(top) == null) {
          continue;
        }
        int code = jump.getOpcode();
        if ((code == Opcodes.IFEQ || code == Opcodes.IFNE) && isTruth(top)) {
          places.before(method, jump, "negated", "(II)I", "a condition is negated");
        } else if (code >= Opcodes.IF_ICMPEQ && code <= Opcodes.IF_ICMPLE) {
          places.jump(method, jump, "compared", "(IIII)Z", "a comparison is negated");
        }
      }
    }
  }

  /** The instruction, if negating what it gives makes no loop of it. */
  private static AbstractInsnNode wanted(AbstractInsnNode top) {
    boolean unwanted =
        top.getOpcode() == Opcodes.ARRAYLENGTH || top.getOpcode() == Opcodes.INSTANCEOF
            || top instanceof MethodInsnNode call && NOT_THESE.contains(call.name);
    return unwanted ? null : top;
  }

  private static boolean isTruth(AbstractInsnNode top) {
    return top instanceof MethodInsnNode call && call.desc.endsWith(")Z")
        || top instanceof FieldInsnNode field && field.desc.equals("Z")
        || top instanceof VarInsnNode;
  }
}
