package org.droidmux.framework.mutants;

import org.objectweb.asm.tree.MethodInsnNode;

/** A value is not saved for the time when the activity is made anew. Riganelli et al.; Deng et al., "Lifecycle Method Deletion". */
final class LostState implements Operator {
  @Override
  public String name() {
    return "lost-state";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      if (saves(method)) {
        for (MethodInsnNode call : method.calls()) {
          if (ofBundle(call) && call.name.startsWith("put")) {
            places.skip(method, call, call.name + " into the saved state is left out");
          }
        }
      }
    }
  }

  static boolean saves(OwnMethod method) {
    return method.name().contains("SaveInstanceState") || method.name().equals("onSaveState");
  }

  static boolean ofBundle(MethodInsnNode call) {
    return call.owner.equals("android/os/Bundle") || call.owner.equals("android/os/BaseBundle")
        || call.owner.equals("android/os/PersistableBundle");
  }
}
