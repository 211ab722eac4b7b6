package org.droidmux.framework.mutants;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** For operators by which what a call gives is nothing: null, false or zero. */
final class LostValue {
  private LostValue() {}

  static void of(OwnMethod method, MethodInsnNode call, Places places, String what) {
    Type type = Type.getReturnType(call.desc);
    switch (type.getSort()) {
      case Type.BOOLEAN, Type.INT, Type.SHORT, Type.BYTE, Type.CHAR -> places.after(method, call, "lost", "(II)I", what);
      case Type.LONG -> places.after(method, call, "lost", "(JI)J", what);
      case Type.OBJECT, Type.ARRAY -> {
        InsnList cast = new InsnList();
        cast.add(new TypeInsnNode(Opcodes.CHECKCAST, type.getInternalName()));
        places.after(method, call, "lost", "(Ljava/lang/Object;I)Ljava/lang/Object;", cast, what);
      }
      default -> {
        // Fractions are rare, and nothing would be seen of most.
      }
    }
  }
}
