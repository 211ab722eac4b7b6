package org.droidmux.framework.mutants;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/** Another string or picture of the app's is shown. MDroid+, "Invalid Label" and "Invalid Color". */
final class WrongResource implements Operator {
  /** From a method to the kind of resource that it takes. */
  private static final Map<String, String> TAKEN = new TreeMap<>();

  static {
    for (String name :
        new String[] {
          "getString", "getText", "setText", "setTitle", "setSubtitle", "setMessage", "setHint", "setSummary", "makeText", "make",
          "setContentDescription", "setPositiveButton", "setNegativeButton", "setNeutralButton", "setError"
        }) {
      TAKEN.put(name, "string");
    }
    for (String name : new String[] {"setImageResource", "setIcon", "setBackgroundResource", "getDrawable", "setSmallIcon"}) {
      TAKEN.put(name, "drawable");
    }
  }

  @Override
  public String name() {
    return "wrong-resource";
  }

  @Override
  public void look(OwnClass own, Places places) {
    Map<String, TreeSet<Integer>> numbers = new TreeMap<>();
    Map<String, TreeMap<String, FieldInsnNode>> fields = new TreeMap<>();
    for (int round = 0; round < 2; round++) {
      for (OwnMethod method : own.methods()) {
        for (MethodInsnNode call : method.calls()) {
          String kind = TAKEN.get(call.name);
          AbstractInsnNode source = kind == null ? null : resource(method, call, kind);
          if (source instanceof LdcInsnNode constant && constant.cst instanceof Integer id) {
            TreeSet<Integer> all = numbers.computeIfAbsent(kind + (id >> 16), key -> new TreeSet<>());
            all.add(id);
            Integer other = all.higher(id) != null ? all.higher(id) : all.first();
            if (round == 1 && !other.equals(id)) {
              places.exchangeNumber(method, source, new LdcInsnNode(other), "another " + kind + " of the app's");
            }
          } else if (source instanceof FieldInsnNode field) {
            TreeMap<String, FieldInsnNode> all = fields.computeIfAbsent(field.owner, key -> new TreeMap<>());
            all.put(field.name, field);
            String other = all.higherKey(field.name) != null ? all.higherKey(field.name) : all.firstKey();
            if (round == 1 && !other.equals(field.name)) {
              places.exchangeNumber(
                  method, source, all.get(other).clone(Map.of()), "the " + kind + " " + other + " instead of " + field.name);
            }
          }
        }
      }
    }
  }

  /** The instruction that gives a resource's number to a call. */
  private static AbstractInsnNode resource(OwnMethod method, MethodInsnNode call, String kind) {
    Type[] types = Type.getArgumentTypes(call.desc);
    for (int i = 0; i < types.length; i++) {
      if (types[i].getSort() == Type.INT) {
        AbstractInsnNode source = method.source(call, i);
        boolean number = source instanceof LdcInsnNode constant && constant.cst instanceof Integer id && id >>> 24 == 0x7f;
        if (number || source != null && OwnMethod.loadsStatic(source, "R$" + kind)) {
          return source;
        }
      }
    }
    return null;
  }
}
