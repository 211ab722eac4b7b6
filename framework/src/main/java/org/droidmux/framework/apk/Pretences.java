package org.droidmux.framework.apk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The methods of the framework that the lab only pretends: the table that {@link PretenceTable} writes at the build, for
 * the translator to look calls up in. Invariant: what is not in the table is the framework's own code, or does what it says.
 */
final class Pretences {
  /** How a method pretends. */
  enum Kind {
    /** It does nothing. */
    NOTHING,
    /** Its answer is always the same. */
    CONSTANT,
    /** It notes what it was given, and nobody looks. */
    NOTED,
    /** It fails whatever it is given. */
    FAILS,
    /** Its code is native and not there: nothing happens, the answer is nothing. */
    NATIVE,
    /** It asks a service of the system that is not there: nothing happens, the answer is nothing. */
    SERVICE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A method in the table. */
  record Pretence(String owner, String name, Kind kind) {}

  private static final String RESOURCE = "pretences.tsv";

  private final Map<String, Map<String, Kind>> byClass = new HashMap<>();

  Pretences() {}

  /** The table of this build. */
  static Pretences ofThisBuild() throws ApkException {
    try (InputStream in = Pretences.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new ApkException("the table of pretended methods is missing; run mvn package in the folder framework");
      }
      return read(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new ApkException("the table of pretended methods cannot be read: " + e.getMessage());
    }
  }

  /** Lines of class, method, descriptor and kind, with tabs. */
  static Pretences read(InputStream in) throws IOException {
    Pretences table = new Pretences();
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] parts = line.split("\t", -1);
      if (parts.length != 4) {
        throw new IllegalArgumentException("a line of " + parts.length + " parts: " + line);
      }
      table.add(parts[0], parts[1] + parts[2], Kind.valueOf(parts[3].toUpperCase(Locale.ROOT)));
    }
    return table;
  }

  void add(String owner, String method, Kind kind) {
    byClass.computeIfAbsent(owner, name -> new HashMap<>()).put(method, kind);
  }

  /** What a call comes to that names this class and method, if that is pretended; null otherwise. */
  Pretence called(KnownClasses known, String owner, String name, String descriptor) {
    String method = name + descriptor;
    int steps = 0;
    for (String each = owner; each != null && steps < 100; each = known.superName(each)) {
      Kind kind = byClass.getOrDefault(each, Map.of()).get(method);
      if (kind != null) {
        return new Pretence(each, name, kind);
      }
      if (known.declares(each, method)) {
        return null;
      }
      steps++;
    }
    return null;
  }

  Set<String> classes() {
    return byClass.keySet();
  }
}
