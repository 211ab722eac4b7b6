package org.droidmux.framework.mutants;

import java.util.Locale;
import org.objectweb.asm.tree.MethodInsnNode;

/** An undo that restores too little: one of its steps is left out. Xiong et al., "incorrect undo"; Deng et al., deletions. */
final class LesserUndo implements Operator {
  @Override
  public String name() {
    return "lesser-undo";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      if (!undoes(own, method)) {
        continue;
      }
      for (MethodInsnNode call : method.calls()) {
        boolean gathers = call.owner.startsWith("java/util/") && (call.name.equals("add") || call.name.equals("put"));
        if (LostWrite.writes(call) || gathers || near(own, call) && call.desc.endsWith(")V")) {
          places.skip(method, call, call.name + " of an undo is left out");
        }
      }
    }
  }

  /** Whether a call is of a class in the same package, or below it. */
  private static boolean near(OwnClass own, MethodInsnNode call) {
    return call.owner.startsWith(own.name().substring(0, own.name().lastIndexOf('/') + 1));
  }

  private static boolean undoes(OwnClass own, OwnMethod method) {
    String name = method.name().toLowerCase(Locale.ROOT);
    String type = own.simpleName().toLowerCase(Locale.ROOT);
    boolean ofState = name.contains("instancestate") || name.contains("staterestored");
    return !ofState
        && (name.contains("undo") || name.contains("redo") || name.contains("revert") || name.contains("restore")
            || type.contains("undo"));
  }
}
