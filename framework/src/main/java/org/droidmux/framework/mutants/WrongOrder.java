package org.droidmux.framework.mutants;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;

/** Lists are sorted the other way round. Xiong et al., "incorrect order"; MDroid+, "Invalid SQL Query". */
final class WrongOrder implements Operator {
  private static final Pattern WAY = Pattern.compile("\\b(ASC|DESC|asc|desc)\\b");

  @Override
  public String name() {
    return "wrong-order";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      boolean compares = method.name().equals("compare") || method.name().equals("compareTo");
      for (AbstractInsnNode each : method.code()) {
        if (compares && each.getOpcode() == Opcodes.IRETURN && method.descriptor().endsWith(")I")) {
          places.before(method, each, "reversed", "(II)I", "the order is the contrary");
        } else if (each instanceof LdcInsnNode constant && constant.cst instanceof String text && WAY.matcher(text).find()) {
          places.exchange(method, each, contrary(text), "the order of \"" + text + "\" is the contrary");
        }
      }
    }
  }

  private static String contrary(String text) {
    return WAY.matcher(text).replaceAll(WrongOrder::contrary);
  }

  private static String contrary(MatchResult way) {
    String other =
        switch (way.group()) {
          case "ASC" -> "DESC";
          case "asc" -> "desc";
          case "DESC" -> "ASC";
          default -> "asc";
        };
    return Matcher.quoteReplacement(other);
  }
}
