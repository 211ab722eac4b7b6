package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** A saved value is not taken back when the activity is made anew. Riganelli et al., "data loss". */
final class LostRestore implements Operator {
  private static final Set<String> RESTORES =
      Set.of(
          "onCreate", "onRestoreInstanceState", "onViewStateRestored", "onActivityCreated", "onCreateView", "onViewCreated",
          "onPostCreate", "onCreateDialog", "onCreatePreferences");

  @Override
  public String name() {
    return "lost-restore";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      int saved = RESTORES.contains(method.name()) ? saved(method) : -1;
      if (saved < 0) {
        continue;
      }
      for (MethodInsnNode call : method.calls()) {
        if (LostState.ofBundle(call) && call.name.startsWith("get")
            && method.source(call, -1) instanceof VarInsnNode from && from.var == saved) {
          LostValue.of(method, call, places, call.name + " of the saved state gives nothing");
        }
      }
    }
  }

  /** The local variable that has the saved state. */
  private static int saved(OwnMethod method) {
    Type[] types = Type.getArgumentTypes(method.descriptor());
    for (int i = 0; i < types.length; i++) {
      if (types[i].getSort() == Type.OBJECT && types[i].getInternalName().equals("android/os/Bundle")
          && (method.node().access & Opcodes.ACC_STATIC) == 0) {
        return method.local(i);
      }
    }
    return -1;
  }
}
