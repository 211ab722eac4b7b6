package org.droidmux.framework.apk;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The APKs of one app: the one that it begins with, and its splits in the order of their names. In flow files that a
 * person named, each an APK or an archive of APKs ({@code .apks}, {@code .xapk}, {@code .apkm}).
 */
final class AppFiles implements Closeable {
  private static final long LARGEST_MANIFEST = 16L << 20;
  private static final int MOST_SPLITS = 200;

  /** In an archive that bundletool made: what another variant of an APK is called. */
  private static final Pattern VARIANT = Pattern.compile("_[0-9]+\\.apk$");

  /** One of them, open. */
  record Apk(String name, Archive archive, Manifest manifest) {}

  private final List<Apk> apks = new ArrayList<>();
  private final Path folder;

  private AppFiles(Path folder) {
    this.folder = folder;
  }

  /** Opens the files; what an archive holds is unpacked into {@code folder}. */
  static AppFiles open(List<Path> files, Path folder) throws ApkException {
    AppFiles opened = new AppFiles(folder);
    try {
      for (Path file : files) {
        opened.add(file);
      }
      opened.sort();
      return opened;
    } catch (ApkException e) {
      opened.close();
      throw e;
    }
  }

  private void add(Path file) throws ApkException {
    Archive archive = Archive.open(file);
    boolean apk = archive.has("AndroidManifest.xml");
    List<String> inner = archive.names().stream().filter(name -> name.endsWith(".apk")).toList();
    if (apk || inner.isEmpty()) {
      add(String.valueOf(file.getFileName()), archive);
      return;
    }
    try (archive) {
      for (String name : chosen(inner)) {
        if (apks.size() >= MOST_SPLITS) {
          throw new ApkException(file + ": holds more than " + MOST_SPLITS + " APKs");
        }
        Path unpacked = folder.resolve("part-" + apks.size() + ".apk");
        try (OutputStream out = Files.newOutputStream(unpacked)) {
          archive.copy(name, out, Archive.LARGEST_ENTRY);
        } catch (IOException e) {
          throw new ApkException(unpacked + ": cannot be written: " + e.getMessage());
        }
        add(name.substring(name.lastIndexOf('/') + 1), Archive.open(unpacked));
      }
    }
  }

  /** What of an archive makes one app: its universal APK, or all splits of the first variant, or one that stands alone. */
  private static List<String> chosen(List<String> names) {
    for (String name : names) {
      if (name.equals("universal.apk") || name.endsWith("/universal.apk")) {
        return List.of(name);
      }
    }
    List<String> splits =
        names.stream().filter(name -> !name.contains("standalones/") && !variant(name, names)).toList();
    if (!splits.isEmpty()) {
      return splits;
    }
    return names.stream().sorted().limit(1).toList();
  }

  private static boolean variant(String name, List<String> names) {
    String first = VARIANT.matcher(name).replaceFirst(".apk");
    return !first.equals(name) && names.contains(first);
  }

  private void add(String name, Archive archive) throws ApkException {
    String where = archive.file().toString();
    if (!archive.has("AndroidManifest.xml")) {
      archive.close();
      throw new ApkException(where + ": no APK: it holds no AndroidManifest.xml");
    }
    try {
      Manifest manifest = Manifest.read(archive.read("AndroidManifest.xml", LARGEST_MANIFEST), where);
      archive.probe();
      apks.add(new Apk(name, archive, manifest));
    } catch (ApkException e) {
      archive.close();
      throw e;
    }
  }

  /** The base comes first; splits of another app or of another version are refused, as by a phone. */
  private void sort() throws ApkException {
    List<Apk> bases = apks.stream().filter(apk -> apk.manifest().split() == null).toList();
    if (bases.size() != 1) {
      String first = apks.get(0).archive().file().toString();
      throw new ApkException(
          bases.isEmpty()
              ? first + ": a split, " + apks.get(0).manifest().split() + ", without the APK that it belongs to"
              : first + ": " + bases.size() + " apps at once: " + bases.get(0).name() + " and " + bases.get(1).name());
    }
    Apk base = bases.get(0);
    Set<String> names = new HashSet<>();
    for (Apk apk : apks) {
      Manifest manifest = apk.manifest();
      if (!manifest.packageName().equals(base.manifest().packageName())
          || manifest.versionCode() != base.manifest().versionCode()) {
        throw new ApkException(
            String.format(
                Locale.ROOT, "%s: of %s, version %d; the others are of %s, version %d", apk.archive().file(),
                Archive.shown(manifest.packageName()), manifest.versionCode(),
                Archive.shown(base.manifest().packageName()), base.manifest().versionCode()));
      }
      if (manifest.split() != null && !manifest.split().matches("[A-Za-z0-9._-]{1,100}")) {
        throw new ApkException(apk.archive().file() + ": a split with the name " + Archive.shown(manifest.split()));
      }
      if (!names.add(String.valueOf(manifest.split()))) {
        throw new ApkException(apk.archive().file() + ": the split " + manifest.split() + " is there twice");
      }
    }
    apks.remove(base);
    apks.sort((one, other) -> one.manifest().split().compareTo(other.manifest().split()));
    apks.add(0, base);
  }

  Apk base() {
    return apks.get(0);
  }

  /** All, the base first. */
  List<Apk> all() {
    return apks;
  }

  @Override
  public void close() {
    for (Apk apk : apks) {
      apk.archive().close();
      if (apk.archive().file().startsWith(folder)) {
        try {
          Files.deleteIfExists(apk.archive().file());
        } catch (IOException e) {
          // What is left over there harms nobody.
        }
      }
    }
  }
}
