package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** An extra of an intent goes under another's key. MDroid+, "Invalid Key Intent PutExtra"; Deng et al., "Intent Payload Replacement". */
final class WrongExtra implements Operator {
  @Override
  public String name() {
    return "wrong-extra";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        String key = key(new OwnClass.Call(method, call));
        if (key == null) {
          continue;
        }
        Set<String> all = own.texts(each -> each.node().desc.equals(call.desc) ? key(each) : null);
        String other = OwnClass.other(all, key);
        if (other != null) {
          places.exchange(method, method.source(call, 0), other, "the extra " + other + " instead of " + key);
        }
      }
    }
  }

  private static String key(OwnClass.Call call) {
    MethodInsnNode node = call.node();
    boolean extra =
        node.owner.equals("android/content/Intent")
            && (node.name.equals("putExtra") || node.name.startsWith("get") && node.name.endsWith("Extra"));
    return extra ? call.method().text(node, 0) : null;
  }
}
