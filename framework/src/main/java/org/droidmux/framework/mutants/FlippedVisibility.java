package org.droidmux.framework.mutants;

import org.objectweb.asm.tree.MethodInsnNode;

/** What should be seen is not, and the contrary; what should be enabled is not. MDroid+, "View Component Not Visible". */
final class FlippedVisibility implements Operator {
  @Override
  public String name() {
    return "flipped-visibility";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        String what = call.name + " with the contrary";
        if (call.name.equals("setVisibility") && call.desc.equals("(I)V")) {
          places.before(method, call, "visibility", "(II)I", what);
        } else if ((call.name.equals("setVisible") || call.name.equals("setEnabled") || call.name.equals("setChecked"))
            && call.desc.startsWith("(Z)")) {
          places.before(method, call, "negated", "(II)I", what);
        }
      }
    }
  }
}
