package org.droidmux.framework.mutants;

import org.objectweb.asm.tree.MethodInsnNode;

/** Nobody is told that something has changed, so that it is not drawn. Xiong et al., "UI not refreshed". */
final class LostNotification implements Operator {
  @Override
  public String name() {
    return "lost-notification";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        if (call.desc.endsWith(")V") && tells(call.name)) {
          places.skip(method, call, call.name + " is left out");
        }
      }
    }
  }

  private static boolean tells(String name) {
    return name.equals("notifyDataSetChanged") || name.startsWith("notifyItem") || name.equals("notifyDataSetInvalidated")
        || name.equals("notifyChanged") || name.equals("invalidate") || name.equals("postInvalidate") || name.equals("invalidateViews")
        || name.equals("invalidateOptionsMenu") || name.equals("supportInvalidateOptionsMenu") || name.equals("requestLayout")
        || name.equals("submitList");
  }
}
