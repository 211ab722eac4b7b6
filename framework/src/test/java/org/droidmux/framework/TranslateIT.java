package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.BeforeClass;
import org.junit.Test;

/** The translator: the app of src/test/app, dexed with Google's own tools, comes back and runs. */
public class TranslateIT {
  private static final Path FOLDER = Path.of("target/it/apks");
  private static byte[] manifest;
  private static byte[] dex;
  private static Path apk;

  @BeforeClass
  public static void dex() throws Exception {
    trial();
  }

  /** The app of src/test/app, dexed. */
  static Path trial() throws Exception {
    Path app = Client.built(Path.of("src/test/app"), "trial");
    dex = dexed(app, "D8", "--debug", "--min-api", "26");
    Map<String, byte[]> entries = entries(app.resolve("resources.apk"));
    manifest = entries.get("AndroidManifest.xml");
    entries.put("classes.dex", dex);
    entries.put("META-INF/services/org.example.Service", "org.example.Served\n".getBytes(StandardCharsets.UTF_8));
    apk = zip("trial.apk", entries);
    return apk;
  }

  private static byte[] dexed(Path app, String tool, String... options) throws Exception {
    Path out = Files.createDirectories(FOLDER.resolve(tool));
    List<String> command =
        new ArrayList<>(List.of("java", "-cp", "target/r8/r8.jar", "com.android.tools.r8." + tool));
    command.addAll(List.of(options));
    command.addAll(
        List.of("--lib", System.getProperty("java.home"), "--output", out.toString(), app.resolve("classes.jar").toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(said, 0, process.waitFor());
    return Files.readAllBytes(out.resolve("classes.dex"));
  }

  /** R8 inlines constructors, merges classes and gives them short names, which the JVM does not take as they are. */
  @Test
  public void anOptimisedApkRunsAsWell() throws Exception {
    Path framework;
    try (var jars = Files.list(Path.of("target/compile"))) {
      framework = jars.findFirst().orElseThrow();
    }
    Path rules =
        Files.writeString(
            FOLDER.resolve("rules"),
            "-keep public class org.droidmux.trial.*Activity, org.droidmux.trial.*Provider, org.droidmux.trial.*Receiver,"
                + " org.droidmux.trial.*Application { public <init>(); }\n-ignorewarnings\n-allowaccessmodification\n");
    byte[] optimised =
        dexed(
            Path.of("target/it/trial"), "R8", "--release", "--min-api", "30", "--lib", framework.toString(),
            "--pg-conf", rules.toString());
    Map<String, byte[]> entries = entries(apk);
    entries.put("classes.dex", optimised);
    Path out = Path.of("target/it/optimised");
    assertEquals("", translate(0, zip("optimised.apk", entries), out));
    try (Client phone = new Client(out)) {
      phone.ask("start", "{}");
      phone.tap("Count");
      phone.ask("rotate", "{'to':1}");
      assertEquals("restored touches 1", phone.node("status").get("text"));
    }
  }

  @Test
  public void anApkRunsLikeItsSources() throws Exception {
    Path out = Path.of("target/it/translated");
    assertEquals("", translate(0, apk, out));
    JsonObject about = JsonParser.parseString(Files.readString(out.resolve("app.json"))).getAsJsonObject();
    assertEquals("org.droidmux.trial", about.get("package").getAsString());
    assertEquals(0, about.get("methods-not-translated").getAsInt());
    assertEquals(0, about.get("classes-not-translated").getAsInt());
    assertTrue(entries(out.resolve("classes.jar")).containsKey("META-INF/services/org.example.Service"));
    try (Client phone = new Client(out)) {
      phone.ask("start", "{}");
      String[][] rows = {
        {"Count", "touches 1"}, {"Work", "sum 5050"}, {"Time", "year 2024"}, {"Greet", "Good day day"}
      };
      for (String[] row : rows) {
        phone.tap(row[0]);
        assertEquals(row[1], phone.node("status").get("text"));
      }
      JsonObject crash = phone.tap("Crash");
      assertTrue(crash.get("crash").getAsString().contains("(MainActivity.java:"));
      assertEquals("app", crash.get("of").getAsString());
    }
  }

  @Test
  public void whatDrawsByItselfIsNamed() throws Exception {
    Path out = Path.of("target/it/drawn");
    assertEquals("", translate(0, app("drawn.apk", manifest, dex, "lib/arm64-v8a/libflutter.so"), out));
    JsonObject about = JsonParser.parseString(Files.readString(out.resolve("app.json"))).getAsJsonObject();
    assertEquals("[\"Flutter\"]", about.get("engines-that-draw").toString());
  }

  @Test
  public void activitiesWhoseCodeIsElsewhereAreCounted() throws Exception {
    Path all = Path.of("target/it/whole");
    assertEquals("", translate(0, apk, all));
    JsonObject whole = JsonParser.parseString(Files.readString(all.resolve("app.json"))).getAsJsonObject();
    Path out = Path.of("target/it/part");
    assertEquals("", translate(0, app("part.apk", renamed("MainActivity", "ElseActivity"), dex), out));
    JsonObject part = JsonParser.parseString(Files.readString(out.resolve("app.json"))).getAsJsonObject();
    assertEquals(0, whole.get("activities-without-code").getAsInt());
    assertEquals("[]", whole.get("without-code").toString());
    assertEquals(whole.get("activities"), part.get("activities"));
    assertEquals(1, part.get("activities-without-code").getAsInt());
    assertEquals("[\"org.droidmux.trial.ElseActivity\"]", part.get("without-code").toString());
  }

  /** The manifest with another name of the same length. */
  private static byte[] renamed(String from, String to) {
    for (Charset each : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_8)) {
      String text = new String(manifest, StandardCharsets.ISO_8859_1);
      String was = new String(from.getBytes(each), StandardCharsets.ISO_8859_1);
      if (text.contains(was)) {
        String is = new String(to.getBytes(each), StandardCharsets.ISO_8859_1);
        return text.replace(was, is).getBytes(StandardCharsets.ISO_8859_1);
      }
    }
    throw new AssertionError(from + " is not in the manifest");
  }

  @Test
  public void anArchiveOfApksIsTakenApart() throws Exception {
    Path archive = zip("trial.apks", Map.of("toc.pb", new byte[3], "splits/base-master.apk", Files.readAllBytes(apk),
        "splits/base-master_2.apk", "another variant".getBytes(StandardCharsets.UTF_8)));
    Path out = Path.of("target/it/taken-apart");
    assertEquals("", translate(0, archive, out));
    assertTrue(Files.isRegularFile(out.resolve("classes.jar")));
    assertFalse("what was unpacked is gone", Files.exists(out.resolve("work")));
  }

  @Test
  public void whatCannotBeTranslatedIsToldInALine() throws Exception {
    byte[] many = dex.clone();
    ByteBuffer.wrap(many).order(ByteOrder.LITTLE_ENDIAN).putInt(88, 131_072);
    byte[] text = "<manifest/>".getBytes(StandardCharsets.UTF_8);
    byte[] endless = manifest.clone();
    ByteBuffer.wrap(endless).order(ByteOrder.LITTLE_ENDIAN).putInt(12, Integer.MAX_VALUE);
    Path broken = Files.write(FOLDER.resolve("cut.apk"), Arrays.copyOf(Files.readAllBytes(apk), 2_000));
    Object[][] rows = {
      {FOLDER.resolve("nowhere.apk"), "nowhere.apk: no such file"},
      {FOLDER, ": no file"},
      {Files.writeString(FOLDER.resolve("text.apk"), "no archive"), "text.apk: no APK and no other archive: "},
      {broken, "cut.apk: no APK and no other archive: "},
      {app("empty.apk", null, dex), "empty.apk: no APK: it holds no AndroidManifest.xml"},
      {app("source.apk", text, dex), "source.apk: the manifest is broken: it is text, and an APK has it compiled"},
      {app("short.apk", Arrays.copyOf(manifest, 100), dex), "short.apk: the manifest is broken: "},
      {app("endless.apk", endless, dex), "endless.apk: the manifest is broken: a part of it says that it has 2147483647 bytes"},
      {app("codeless.apk", manifest, null), "codeless.apk: holds no classes.dex"},
      {app("native.apk", manifest, null, "lib/arm64-v8a/libmain.so"),
        "native.apk: holds no classes.dex: there is no code in it that this lab could run"},
      {app("cut-dex.apk", manifest, Arrays.copyOf(dex, dex.length / 2)), "cut-dex.apk: classes.dex is cut off: "},
      {app("other.apk", manifest, new byte[500]), "other.apk: classes.dex is no dex file"},
      {app("many.apk", manifest, many), "many.apk: classes.dex says that it names 131072 methods; there can be 65536"},
      {app("out.apk", manifest, dex, "res/../../../etc/passwd"),
        "out.apk: holds an entry whose name leads out of its folder: res/../../../etc/passwd"},
      {app("root.apk", manifest, dex, "/etc/passwd"), "whose name leads out of its folder: /etc/passwd"},
      {bomb(), "bomb.apk: assets/zeros unpacks to more than 1024 MB"},
    };
    for (Object[] row : rows) {
      Path out = Path.of("target/it/refused");
      String told = translate(2, (Path) row[0], out);
      assertTrue(told, told.startsWith("translate: ") && told.contains((String) row[1]) && told.indexOf('\n') == told.length() - 1);
      try (var left = Files.list(out)) {
        assertEquals(told, 0, left.count());
      }
    }
  }

  /** An APK of these parts. */
  private static Path app(String name, byte[] manifest, byte[] dex, String... more) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    if (manifest != null) {
      entries.put("AndroidManifest.xml", manifest);
    }
    if (dex != null) {
      entries.put("classes.dex", dex);
    }
    for (String each : more) {
      entries.put(each, new byte[] {1});
    }
    return zip(name, entries);
  }

  /** A megabyte that unpacks to more than a gigabyte. */
  private static Path bomb() throws IOException {
    Path file = FOLDER.resolve("bomb.apk");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
      out.putNextEntry(new ZipEntry("AndroidManifest.xml"));
      out.write(manifest);
      out.putNextEntry(new ZipEntry("assets/zeros"));
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 1_100; i++) {
        out.write(zeros);
      }
    }
    return file;
  }

  private static Path zip(String name, Map<String, byte[]> entries) throws IOException {
    Path file = FOLDER.resolve(name);
    try (OutputStream to = Files.newOutputStream(file);
        ZipOutputStream out = new ZipOutputStream(to)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return file;
  }

  private static Map<String, byte[]> entries(Path archive) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (var all = zip.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        zip.getInputStream(entry).transferTo(bytes);
        entries.put(entry.getName(), bytes.toByteArray());
      }
    }
    return entries;
  }

  /** What the translator says on its error output. */
  private static String translate(int status, Path file, Path out) throws Exception {
    return translate(status, out, file.toString());
  }

  /** The same, with options before the file. */
  static String translate(int status, Path out, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("./translate"));
    command.addAll(List.of(words));
    command.add(out.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(said, status, process.waitFor());
    return said;
  }
}
