package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** Another preference is written or read. Xiong et al., "incorrect setting"; MDroid+, on keys. */
final class WrongPreference implements Operator {
  @Override
  public String name() {
    return "wrong-preference";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        String key = key(new OwnClass.Call(method, call));
        if (key == null) {
          continue;
        }
        // Of the same type, or it would crash.
        String type = call.name.substring(3);
        Set<String> all = own.texts(each -> each.node().name.endsWith(type) ? key(each) : null);
        String other = OwnClass.other(all, key);
        if (other != null) {
          places.exchange(method, method.source(call, 0), other, "the preference " + other + " instead of " + key);
        }
      }
    }
  }

  private static String key(OwnClass.Call call) {
    MethodInsnNode node = call.node();
    boolean written = node.owner.equals("android/content/SharedPreferences$Editor") && node.name.startsWith("put");
    boolean read = node.owner.equals("android/content/SharedPreferences") && node.name.startsWith("get") && node.name.length() > 3;
    return written || read ? call.method().text(node, 0) : null;
  }
}
