package org.droidmux.framework;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The list of what the lab itself did wrong, kept for whoever mends it: a line of JSON for each fault of each app, with
 * the stack. Hosts share the file and only add to it; a fault that is there is not added again, and a full list stays as
 * it is.
 */
final class Faults {
  private static final int MOST = 500;
  private static final int LONGEST = 16_000;

  private final Path file;
  private final String app;
  private final Gson gson = new GsonBuilder().disableHtmlEscaping().create();

  /** @param app what the host said of the app in its first line */
  Faults(Path file, Map<String, Object> app) {
    this.file = file;
    this.app = app.get("package") + " " + app.get("version");
  }

  /** Looks whether an answer tells of such a fault. */
  void note(Map<String, Object> answer) {
    if ("lab".equals(answer.get("of"))) {
      note("crash", String.valueOf(answer.get("crash")));
    }
    if (answer.containsKey("lacking")) {
      note("lacking", String.valueOf(answer.get("lacking")));
    }
  }

  private void note(String kind, String words) {
    try {
      Set<String> known = known();
      if (known.size() >= MOST || known.contains(key(app, words))) {
        return;
      }
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("kind", kind);
      line.put("app", app);
      line.put("words", words.length() > LONGEST ? words.substring(0, LONGEST) : words);
      Files.write(
          file, (gson.toJson(line) + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      System.err.println(file + ": a fault of the lab cannot be noted: " + e.getMessage());
    }
  }

  private Set<String> known() throws IOException {
    Set<String> known = new HashSet<>();
    if (!Files.exists(file)) {
      return known;
    }
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      try {
        JsonObject fault = gson.fromJson(line, JsonObject.class);
        known.add(key(fault.get("app").getAsString(), fault.get("words").getAsString()));
      } catch (JsonParseException | IllegalStateException | NullPointerException e) {
        // Half a line of a host that was killed.
        known.add(line);
      }
    }
    return known;
  }

  /** The same fault has the same exception and the same frames; processes have other numbers. */
  private static String key(String app, String words) {
    return app + "\n" + words.replaceAll("PID: \\d+", "");
  }
}
