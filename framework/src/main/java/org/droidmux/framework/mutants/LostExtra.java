package org.droidmux.framework.mutants;

import org.objectweb.asm.tree.MethodInsnNode;

/**
 * An extra of an intent, or an argument of a fragment, does not arrive. MDroid+, "Null Value Intent PutExtra"; Deng et al.,
 * "Intent Payload Replacement".
 */
final class LostExtra implements Operator {
  @Override
  public String name() {
    return "lost-extra";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        boolean ofIntent = call.owner.equals("android/content/Intent");
        if (ofIntent && call.name.equals("putExtra")
            || LostState.ofBundle(call) && call.name.startsWith("put") && !LostState.saves(method)) {
          places.skip(method, call, call.name + " is left out");
        } else if (ofIntent && call.name.startsWith("get") && call.name.endsWith("Extra")) {
          LostValue.of(method, call, places, call.name + " gives nothing");
        }
      }
    }
  }
}
