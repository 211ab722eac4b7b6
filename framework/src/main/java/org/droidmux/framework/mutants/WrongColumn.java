package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** Another column of a table is written or read. MDroid+, "Invalid SQL Query" and "Invalid Index Query Parameter". */
final class WrongColumn implements Operator {
  @Override
  public String name() {
    return "wrong-column";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        String column = column(new OwnClass.Call(method, call));
        if (column == null) {
          continue;
        }
        Set<String> all = own.texts(each -> each.node().desc.equals(call.desc) ? column(each) : null);
        String other = OwnClass.other(all, column);
        if (other != null) {
          places.exchange(method, method.source(call, 0), other, "the column " + other + " instead of " + column);
        }
      }
    }
  }

  private static String column(OwnClass.Call call) {
    MethodInsnNode node = call.node();
    boolean written = node.owner.equals("android/content/ContentValues") && node.name.equals("put");
    boolean read = node.owner.equals("android/database/Cursor") && node.name.startsWith("getColumnIndex");
    return written || read ? call.method().text(node, 0) : null;
  }
}
