package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;
import org.robolectric.annotation.Implements;

/** The table of shadows is complete, and the documentation says the same. */
public class ShadowTableTest {
  private static final Path CLASSES = Path.of("target/classes");
  private static final Path DOCUMENTATION = Path.of("../docs/apk.md");
  private static final String HEAD = "| shadow of ours | stands for | why |\n|---|---|---|\n";
  private static final Pattern UPSTREAM = Pattern.compile("/org/robolectric/shadows/(Shadow\\w+)\\.java\\)");

  @Test
  public void eachShadowIsInTheTable() throws Exception {
    Set<String> there = new TreeSet<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = CLASSES.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
        Class<?> found = Class.forName(name, false, ShadowTableTest.class.getClassLoader());
        if (found.isAnnotationPresent(Implements.class)) {
          there.add(name);
        }
      }
    }
    Set<String> named = new TreeSet<>();
    for (ShadowTable.Row row : ShadowTable.rows()) {
      assertTrue(row.shadow() + " stands there twice", named.add(row.shadow().getName()));
      assertTrue(row.shadow() + " has no reason", row.reason().length() > 5);
    }
    assertEquals(there, named);
  }

  /** With DROIDMUX_WRITE_DOCS the documentation is written and not compared. */
  @Test
  public void theDocumentationHasTheTable() throws Exception {
    StringBuilder table = new StringBuilder(HEAD);
    for (ShadowTable.Row row : ShadowTable.rows()) {
      String ours = row.shadow().getName().replaceAll(".*\\.", "").replace('$', '.');
      String theirs = row.shadow().getAnnotation(Implements.class).className().replaceAll(".*\\.", "").replace('$', '.');
      table.append("| `").append(ours).append("` | `").append(theirs).append("` | ").append(row.reason()).append(" |\n");
    }
    String text = Files.readString(DOCUMENTATION);
    int begin = text.indexOf(HEAD);
    assertTrue(DOCUMENTATION + " has no table of shadows", begin >= 0);
    int end = text.indexOf("\n\n", begin) + 1;
    if (System.getenv("DROIDMUX_WRITE_DOCS") != null) {
      Files.writeString(DOCUMENTATION, text.substring(0, begin) + table + text.substring(end));
      return;
    }
    assertEquals(
        "run it with DROIDMUX_WRITE_DOCS=1, which writes the table", table.toString(), text.substring(begin, end));
  }

  @Test
  public void theShadowsThatAreSimplerArePartOfRobolectric() throws IOException, ClassNotFoundException {
    Matcher links = UPSTREAM.matcher(Files.readString(DOCUMENTATION));
    int count = 0;
    while (links.find()) {
      Class.forName("org.robolectric.shadows." + links.group(1), false, ShadowTableTest.class.getClassLoader());
      count++;
    }
    assertTrue("links: " + count, count > 20);
  }
}
