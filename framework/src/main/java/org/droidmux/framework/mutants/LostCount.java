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
        AbstractInsnNode next = OwnMethod.after(each);
        boolean kept = next != null && (next.getOpcode() == Opcodes.PUTFIELD || next.getOpcode() == Opcodes.PUTSTATIC);
        if (kept && (code == Opcodes.IADD || code == Opcodes.ISUB)) {
          places.instead(method, each, "counted", "(IIII)I", "a counter is not updated");
        } else if (kept && (code == Opcodes.LADD || code == Opcodes.LSUB)) {
          places.instead(method, each, "counted", "(JJII)J", "a counter is not updated");
        }
      }
    }
  }
}
