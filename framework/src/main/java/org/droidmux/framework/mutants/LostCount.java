package org.droidmux.framework.mutants;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;

/** A counter is not updated: what is added to a field, or taken from it, is nothing. Xiong et al., "incorrect data"; PIT, "Math". */
final class LostCount implements Operator {
  @Override
  public String name() {
    return "lost-count";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (AbstractInsnNode each : method.code()) {
        int code = each.getOpcode();
        boolean kept = isKept(each);
        if (kept && (code == Opcodes.IADD || code == Opcodes.ISUB)) {
          places.instead(method, each, "counted", "(IIII)I", "a counter is not updated");
        } else if (kept && (code == Opcodes.LADD || code == Opcodes.LSUB)) {
          places.instead(method, each, "counted", "(JJII)J", "a counter is not updated");
        }
      }
    }
  }

  /** Whether a field gets what was computed, perhaps by way of a local variable. */
  private static boolean isKept(AbstractInsnNode at) {
    AbstractInsnNode next = OwnMethod.after(at);
    for (int steps = 0; next != null && steps < 4; steps++) {
      switch (next.getOpcode()) {
        case Opcodes.PUTFIELD, Opcodes.PUTSTATIC -> {
          return true;
        }
        case Opcodes.DUP, Opcodes.DUP_X1, Opcodes.DUP2, Opcodes.DUP2_X1, Opcodes.ISTORE, Opcodes.LSTORE, Opcodes.ILOAD,
            Opcodes.LLOAD, Opcodes.ALOAD -> next = OwnMethod.after(next);
        default -> {
          return false;
        }
      }
    }
    return false;
  }
}
