package org.droidmux.framework.apk;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.droidmux.framework.mutants.Mutant;

/** What {@code mutants.json} says of the mutants that were woven into an app. */
final class MutantList {
  /** Raised when a number means another mutant than before, for the same APK. */
  static final int VERSION = 1;

  private MutantList() {}

  static String json(List<Mutant> mutants) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Mutant mutant : mutants) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("number", mutant.number());
      each.put("operator", mutant.operator());
      each.put("class", mutant.type());
      each.put("method", mutant.method());
      each.put("line", mutant.line());
      each.put("what", mutant.what());
      all.add(each);
    }
    Gson gson = new GsonBuilder().disableHtmlEscaping().setPrettyPrinting().create();
    return gson.toJson(Map.of("droidmux-mutants", VERSION, "mutants", all)) + "\n";
  }
}
