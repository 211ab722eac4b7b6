package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** The row that was touched is taken for another, as if the list was not the one on the screen. Xiong et al., "incorrect data". */
final class WrongPosition implements Operator {
  private static final Set<String> LISTENERS = Set.of("onItemClick", "onItemLongClick", "onItemSelected", "onListItemClick");
  private static final Set<String> HOLDERS =
      Set.of("getAdapterPosition", "getLayoutPosition", "getBindingAdapterPosition", "getAbsoluteAdapterPosition");

  @Override
  public String name() {
    return "wrong-position";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      if (LISTENERS.contains(method.name()) && method.descriptor().contains("Landroid/view/View;IJ)") && !method.isStatic()) {
        // The view that holds the rows, the row, its position.
        AbstractInsnNode first = method.code().stream().filter(each -> each.getOpcode() >= 0).findFirst().orElse(null);
        if (first != null) {
          InsnList given = new InsnList();
          given.add(new VarInsnNode(Opcodes.ALOAD, method.local(0)));
          given.add(new VarInsnNode(Opcodes.ILOAD, method.local(2)));
          InsnList kept = new InsnList();
          kept.add(new VarInsnNode(Opcodes.ISTORE, method.local(2)));
          places.before(
              method, first, given, "position", "(Ljava/lang/Object;II)I", kept, "another row than the one that was touched");
        }
      }
      for (MethodInsnNode call : method.calls()) {
        if (HOLDERS.contains(call.name) && call.desc.equals("()I")) {
          places.after(method, call, "holder", "(II)I", "the row above the one that was touched");
        }
      }
    }
  }
}
