package org.droidmux.framework.apk;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.droidmux.framework.mutants.OwnCode;
import org.droidmux.framework.mutants.Weaver;

/**
 * The translator's command line: APKs become a folder that the host loads. In the folder are then {@code
 * resources.apk}, which is the APK itself, {@code split-NAME.apk} if there are splits, {@code classes.jar} and {@code
 * app.json}. They appear together: a translation that fails leaves none of them.
 *
 * <p>With {@code --mutants}, defects are woven into the app's own classes, each with a switch ({@link Weaver}); {@code
 * mutants.json} lists them.
 */
public final class Translate {
  /** What is written changes with this number; translated apps that are kept somewhere are of no use then. */
  static final int VERSION = 2;

  private static final String USAGE = "usage: translate [--mutants] APK... OUT";
  private static final long PATIENCE_SECONDS = Long.getLong("droidmux.translate.seconds", 900);

  /** Below this level, a phone adds the test library that was once part of the framework. */
  private static final int LAST_WITH_TESTS = 29;

  /** Below this level, a phone adds the HTTP client that was once part of the framework. */
  private static final int LAST_WITH_HTTP = 27;

  private Translate() {}

  public static void main(String[] arguments) {
    PrintStream out = System.out;
    PrintStream errors = System.err;
    // What dex2jar has to say is said in app.json.
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    watch(errors);
    int status = 0;
    try {
      out.println(translated(arguments));
    } catch (ApkException e) {
      status = failed(errors, e.getMessage());
    } catch (OutOfMemoryError e) {
      status = failed(errors, "more than " + (Runtime.getRuntime().maxMemory() >> 20)
          + " MB of memory would be needed; set DROIDMUX_TRANSLATE_HEAP, for example to 2g");
    } catch (Throwable e) {
      e.printStackTrace(errors);
      status = failed(errors, "the translator broke: " + e);
    }
    out.flush();
    Runtime.getRuntime().halt(status);
  }

  private static int failed(PrintStream errors, String why) {
    errors.println("translate: " + String.join(" ", why.strip().split("\\s*\\R\\s*")));
    errors.flush();
    return 2;
  }

  /** Code can be made that takes for ever to translate. */
  private static void watch(PrintStream errors) {
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(PATIENCE_SECONDS * 1_000);
              } catch (InterruptedException e) {
                return;
              }
              failed(errors, "not translated after " + PATIENCE_SECONDS + " s");
              Runtime.getRuntime().halt(2);
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static String translated(String[] arguments) throws ApkException {
    boolean mutants = arguments.length > 0 && arguments[0].equals("--mutants");
    int first = mutants ? 1 : 0;
    if (arguments.length < first + 2) {
      throw new ApkException(USAGE);
    }
    List<Path> files = new ArrayList<>();
    for (int i = first; i < arguments.length - 1; i++) {
      files.add(Path.of(arguments[i]));
    }
    Path out = Path.of(arguments[arguments.length - 1]);
    Path work = out.resolve("work");
    try {
      Files.createDirectories(out);
      delete(work);
      Files.createDirectories(work);
    } catch (IOException e) {
      throw new ApkException(out + ": no folder can be made there: " + e.getMessage());
    }
    try {
      String said = translated(files, work, mutants);
      publish(work, out);
      return out + ": " + said;
    } finally {
      delete(work);
    }
  }

  private static String translated(List<Path> files, Path work, boolean mutants) throws ApkException {
    long begun = System.nanoTime();
    try (AppFiles apks = AppFiles.open(files, work);
        KnownClasses known = new KnownClasses(jars("droidmux.framework"))) {
      Engines engines = new Engines();
      apks.all().forEach(apk -> apk.archive().names().forEach(engines::file));
      DexFiles dexes = new DexFiles(apks);
      Uses uses = new Uses(known, Pretences.ofThisBuild());
      Manifest manifest = apks.base().manifest();
      List<String> components = new ArrayList<>();
      apks.all().forEach(apk -> components.addAll(apk.manifest().components()));
      Weaver weaver = mutants ? new Weaver(new OwnCode(manifest.packageName(), components), known::common) : null;
      Translation translation = new Translation(dexes, known, uses, engines, weaver);
      translation.write(work.resolve("classes.jar"), apks, libraries(manifest));
      if (translation.classes() == 0) {
        throw new ApkException(files.get(0) + ": there is no class in its dex files");
      }
      copy(apks, work);
      double seconds = (System.nanoTime() - begun) / 1e9;
      write(work.resolve("app.json"), Description.json(apks, dexes, translation, known, uses, engines, seconds));
      if (weaver != null) {
        write(work.resolve("mutants.json"), MutantList.json(weaver.mutants()));
      }
      return String.format(
          Locale.ROOT, "%s %s, %d classes, %d methods and %d classes not translated, %.1f s",
          manifest.packageName(), manifest.version(), translation.classes(),
          translation.failedMethods().size(), translation.failedClasses().size(), seconds);
    }
  }

  /** The libraries that a phone adds to an app of this age. */
  private static List<Path> libraries(Manifest manifest) throws ApkException {
    List<Path> found = new ArrayList<>();
    for (Path jar : jars("droidmux.legacy")) {
      boolean http = String.valueOf(jar.getFileName()).startsWith("http");
      if (manifest.target() <= (http ? LAST_WITH_HTTP : LAST_WITH_TESTS)
          || manifest.libraries().contains(http ? "org.apache.http.legacy" : "android.test.base")) {
        found.add(jar);
      }
    }
    return found;
  }

  private static List<Path> jars(String property) throws ApkException {
    List<Path> found = new ArrayList<>();
    for (String each : System.getProperty(property, "").split(File.pathSeparator)) {
      if (!each.isEmpty()) {
        if (!Files.isRegularFile(Path.of(each))) {
          throw new ApkException(each + ": no such jar; run mvn package in the folder framework");
        }
        found.add(Path.of(each));
      }
    }
    return found;
  }

  private static void copy(AppFiles apks, Path work) throws ApkException {
    for (AppFiles.Apk apk : apks.all()) {
      String split = apk.manifest().split();
      Path to = work.resolve(split == null ? "resources.apk" : "split-" + split + ".apk");
      try {
        Files.copy(apk.archive().file(), to, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new ApkException(to + ": cannot be written: " + e.getMessage());
      }
    }
  }

  private static void write(Path file, String text) throws ApkException {
    try {
      Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new ApkException(file + ": cannot be written: " + e.getMessage());
    }
  }

  /** Puts what was made in the place of what was there. */
  private static void publish(Path work, Path out) throws ApkException {
    try (Stream<Path> old = Files.list(out)) {
      for (Path each : old.filter(Translate::ours).toList()) {
        Files.delete(each);
      }
      try (Stream<Path> made = Files.list(work)) {
        for (Path each : made.filter(Translate::ours).sorted(Comparator.reverseOrder()).toList()) {
          Files.move(each, out.resolve(each.getFileName()));
        }
      }
    } catch (IOException e) {
      throw new ApkException(out + ": cannot be written: " + e.getMessage());
    }
  }

  private static boolean ours(Path file) {
    return String.valueOf(file.getFileName()).matches("resources\\.apk|split-.*\\.apk|mutants\\.json|classes\\.jar|app\\.json");
  }

  private static void delete(Path folder) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      // What is left is overwritten by the next translation.
    }
  }
}
