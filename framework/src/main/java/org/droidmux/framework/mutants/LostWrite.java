package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** A write to a database, to preferences or to a file is left out. Xiong et al., "data not persisted"; PIT, "Void Method Calls". */
final class LostWrite implements Operator {
  private static final Set<String> STREAMS =
      Set.of(
          "java/io/OutputStream", "java/io/FileOutputStream", "java/io/BufferedOutputStream", "java/io/Writer",
          "java/io/FileWriter", "java/io/BufferedWriter", "java/io/OutputStreamWriter", "java/io/PrintWriter",
          "java/io/ObjectOutputStream");

  @Override
  public String name() {
    return "lost-write";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        if (writes(call)) {
          places.skip(method, call, call.name + " is left out");
        }
      }
    }
  }

  static boolean writes(MethodInsnNode call) {
    String name = call.name;
    return switch (call.owner) {
      case "android/content/SharedPreferences$Editor" ->
          name.startsWith("put") || name.equals("remove") || name.equals("clear") || name.equals("apply") || name.equals("commit");
      case "android/database/sqlite/SQLiteDatabase" ->
          name.startsWith("insert") || name.startsWith("update") || name.equals("delete") || name.startsWith("replace")
              || name.equals("execSQL");
      case "android/content/ContentResolver" -> name.equals("insert") || name.equals("update") || name.equals("delete");
      case "java/io/File" -> name.equals("delete") || name.equals("renameTo");
      default ->
          STREAMS.contains(call.owner) && (name.equals("write") || name.equals("append") || name.startsWith("print"))
              || name.equals("startInsert") || name.equals("startUpdate") || name.equals("startDelete")
              || isOfStore(call.owner) && (name.startsWith("insert") || name.startsWith("update") || name.startsWith("delete"));
    };
  }

  /** Where apps put their own databases. */
  private static boolean isOfStore(String owner) {
    String simple = owner.substring(owner.lastIndexOf('/') + 1).toLowerCase(java.util.Locale.ROOT);
    return !owner.startsWith("java/") && (simple.endsWith("dao") || simple.endsWith("repository") || simple.contains("database"));
  }
}
