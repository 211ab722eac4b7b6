package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** The wrong item of a list or of a cursor: the index is off by one. MDroid+, "Invalid Index Query Parameter". */
final class WrongItem implements Operator {
  private static final Set<String> LISTS =
      Set.of("java/util/List", "java/util/ArrayList", "java/util/LinkedList", "java/util/AbstractList");

  @Override
  public String name() {
    return "wrong-item";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        boolean ofList = LISTS.contains(call.owner) && call.name.equals("get") && call.desc.equals("(I)Ljava/lang/Object;");
        boolean ofCursor = call.owner.equals("android/database/Cursor") && call.name.equals("moveToPosition");
        if (ofList || ofCursor) {
          InsnList both = new InsnList();
          both.add(new InsnNode(Opcodes.DUP2));
          InsnList other = new InsnList();
          other.add(new InsnNode(Opcodes.SWAP));
          other.add(new InsnNode(Opcodes.POP));
          places.before(
              method, call, both, ofList ? "item" : "row", "(Ljava/lang/Object;II)I", other, "the item beside the right one");
        }
      }
    }
  }
}
