package org.droidmux.framework.mutants;

import java.util.Locale;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** A search finds less or more than it should: where a text begins, or in capitals. Xiong et al., "incorrect search result". */
final class WrongSearch implements Operator {
  @Override
  public String name() {
    return "wrong-search";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        if (!call.owner.equals("java/lang/String")) {
          continue;
        }
        if (call.name.equals("contains") || call.name.equals("startsWith") && call.desc.equals("(Ljava/lang/String;)Z")) {
          InsnList both = new InsnList();
          both.add(new InsnNode(Opcodes.DUP2));
          places.around(method, call, both, "searched", "(Ljava/lang/Object;Ljava/lang/Object;ZI)Z", "another search than " + call.name);
        } else if ((call.name.equals("toLowerCase") || call.name.equals("toUpperCase")) && searches(own, method)) {
          places.skip(method, call, call.name + " of what is searched is left out");
        }
      }
    }
  }

  private static boolean searches(OwnClass own, OwnMethod method) {
    String named = (own.simpleName() + "." + method.name()).toLowerCase(Locale.ROOT);
    return named.contains("search") || named.contains("filter") || named.contains("query") || named.contains("find");
  }
}
