package org.droidmux.framework.device;

import android.graphics.Bitmap;
import android.os.Environment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadows.ShadowEnvironment;
import org.robolectric.util.ReflectionHelpers;

/**
 * The phone's shared storage: folders, a few pictures, and what was put there from outside. What the app leaves is taken
 * away when its data is cleared, and what it took away comes back, so that each replay finds the same.
 */
final class Storage {
  /** Most files that are looked at, and that may be put there from outside. */
  static final int MOST = 5_000;

  /** Where files lie from the beginning of each replay that were put there from outside; outlives the app's data. */
  private final Path given;

  /** Pictures that each phone has, made once. */
  private static final Map<String, byte[]> PICTURES = new LinkedHashMap<>();

  Storage(Path given) {
    this.given = given;
  }

  static Path root() {
    return RuntimeEnvironment.getTempDirectory().createIfNotExists("storage").resolve("emulated").resolve("0");
  }

  /** A process begins: it is told where the storage is, which is filled if it is new. */
  void mount(boolean legacy) {
    Path root = root();
    try {
      if (!Files.isDirectory(root)) {
        for (String folder : List.of("Alarms", "DCIM/Camera", "Documents", "Download", "Movies", "Music", "Pictures")) {
          Files.createDirectories(root.resolve(folder));
        }
        for (Map.Entry<String, byte[]> picture : pictures().entrySet()) {
          Path file = Files.write(root.resolve(picture.getKey()), picture.getValue());
          Files.setLastModifiedTime(file, FileTime.fromMillis(AppClock.BEGINNING));
        }
        copy(given, root);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the storage cannot be made: " + e, e);
    }
    ShadowEnvironment.setExternalStorageDirectory(root);
    ShadowEnvironment.setExternalStoragePublicDirectory(root);
    ShadowEnvironment.setExternalStorageState(Environment.MEDIA_MOUNTED);
    ShadowEnvironment.setExternalStorageState(root.toFile(), Environment.MEDIA_MOUNTED);
    ShadowEnvironment.setExternalStorageEmulated(root.toFile(), true);
    ShadowEnvironment.setIsExternalStorageEmulated(true);
    ShadowEnvironment.setIsExternalStorageLegacy(legacy);
    List<java.io.File> volumes = ReflectionHelpers.getStaticField(ShadowEnvironment.class, "externalDirs");
    volumes.clear();
    volumes.add(root.toFile());
  }

  private static synchronized Map<String, byte[]> pictures() {
    if (PICTURES.isEmpty()) {
      for (String name : List.of("DCIM/Camera/IMG_20240301_101500.jpg", "DCIM/Camera/IMG_20240302_174233.jpg", "Pictures/Drawing.png")) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CameraScreen.picture(new Random(name.hashCode()), 160, 120)
            .compress(name.endsWith("png") ? Bitmap.CompressFormat.PNG : Bitmap.CompressFormat.JPEG, 90, out);
        PICTURES.put(name, out.toByteArray());
      }
    }
    return PICTURES;
  }

  /** A file comes from outside, as by adb push: it is there now, and from the beginning of each replay. */
  void put(String relative, byte[] bytes, boolean append) throws IOException {
    for (Path base : List.of(given, root())) {
      Path file = within(base, relative);
      Files.createDirectories(file.getParent());
      if (append) {
        Files.write(file, bytes, StandardOpenOption.APPEND);
      } else {
        Files.write(file, bytes);
      }
      Files.setLastModifiedTime(file, FileTime.fromMillis(AppClock.now() / 1_000 * 1_000));
    }
  }

  void makeFolder(String relative) throws IOException {
    for (Path base : List.of(given, root())) {
      Files.createDirectories(within(base, relative));
    }
  }

  void remove(String relative) throws IOException {
    for (Path base : List.of(given, root())) {
      Path file = within(base, relative);
      if (!file.equals(base)) {
        delete(file);
      }
    }
  }

  byte[] get(String relative, long most) throws IOException {
    Path file = within(root(), relative);
    if (Files.size(file) > most) {
      throw new IOException(relative + " is larger than " + most + " bytes");
    }
    return Files.readAllBytes(file);
  }

  /** Names that lead out of the storage are refused. */
  private static Path within(Path base, String relative) throws IOException {
    Path file = base.resolve(relative).normalize();
    if (!file.startsWith(base) || relative.startsWith("/")) {
      throw new IOException("outside of the storage: " + relative);
    }
    return file;
  }

  /** Files and folders below the root, in order, without those that belong to apps alone. */
  static List<Path> all() {
    Path root = root();
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> walk = Files.walk(root, 12, new FileVisitOption[0])) {
      Path apps = root.resolve("Android");
      return walk.filter(each -> !each.equals(root) && !each.startsWith(apps)).limit(MOST).sorted().toList();
    } catch (IOException | java.io.UncheckedIOException e) {
      return List.of();
    }
  }

  /** A file among the downloads, or null. */
  static Path download(String name) {
    if (name == null || name.isEmpty() || name.contains("/") || name.contains("..")) {
      return null;
    }
    Path file = root().resolve("Download").resolve(name);
    return Files.isRegularFile(file) ? file : null;
  }

  private static void copy(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(from)) {
      walk.filter(each -> !each.equals(from)).forEach(all::add);
    }
    for (Path each : all) {
      Path target = to.resolve(from.relativize(each));
      if (Files.isDirectory(each)) {
        Files.createDirectories(target);
      } else {
        Files.createDirectories(target.getParent());
        Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void delete(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(file)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }
}
