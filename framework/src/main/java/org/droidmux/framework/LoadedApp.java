package org.droidmux.framework;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * What an app is made of: compiled resources with the binary manifest, and the class path of its code.
 *
 * <p>In flows a path that a person named; out flow paths that exist. Two forms are read: a folder that
 * {@code build-app} or {@code translate} has written, and a module as Gradle's unit tests leave it. Only the second of
 * them writes splits, which add resources to the first archive.
 */
record LoadedApp(Path resources, List<Path> splits, List<Path> classPath) {
  private static final String CONFIG = "com/android/tools/test_config.properties";

  /** Reads the app at {@code path}, with more jars and folders of classes in {@code more}. */
  static LoadedApp at(Path path, List<Path> more) throws AppException {
    for (Path entry : more) {
      if (!Files.exists(entry)) {
        throw new AppException(entry + ": no such jar or folder of classes");
      }
    }
    if (!Files.exists(path)) {
      throw new AppException(path + ": no such app");
    }
    if (Files.isDirectory(path) && Files.isRegularFile(path.resolve("resources.apk"))) {
      return built(path, more);
    }
    Path config = Files.isDirectory(path) ? path.resolve(CONFIG) : path;
    if (Files.isRegularFile(config) && config.getFileName().toString().endsWith(".properties")) {
      return module(config, more);
    }
    throw new AppException(
        path + ": neither a folder made by build-app or translate (resources.apk, *.jar) nor one with " + CONFIG);
  }

  private static LoadedApp built(Path folder, List<Path> more) throws AppException {
    List<Path> classPath = new ArrayList<>();
    List<Path> splits = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().collect(Collectors.toList())) {
        String name = file.getFileName().toString();
        if (name.endsWith(".jar")) {
          classPath.add(file);
        } else if (name.startsWith("split-") && name.endsWith(".apk")) {
          splits.add(file);
        }
      }
    } catch (IOException e) {
      throw new AppException(folder + ": cannot be listed: " + e.getMessage());
    }
    classPath.addAll(more);
    if (classPath.isEmpty()) {
      throw new AppException(folder + ": no jar with the app's classes");
    }
    return whole(folder.resolve("resources.apk"), splits, classPath);
  }

  private static LoadedApp module(Path config, List<Path> more) throws AppException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(config)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new AppException(config + ": cannot be read: " + e.getMessage());
    }
    String named = properties.getProperty("android_resource_apk");
    if (named == null) {
      throw new AppException(
          config + ": names no android_resource_apk; set testOptions.unitTests.includeAndroidResources = true");
    }
    Path resources = Path.of(named);
    if (!resources.isAbsolute()) {
      // Gradle writes it relative to the project, and keeps the file itself somewhere below.
      resources = besideOf(config, resources);
    }
    if (!Files.isRegularFile(resources)) {
      throw new AppException(config + ": android_resource_apk " + named + " is not there");
    }
    if (more.isEmpty()) {
      throw new AppException(config + ": a module needs its class path; name it with --class-path");
    }
    return whole(resources, List.of(), more);
  }

  /** Looks into each file, so that a broken one is told by its name. */
  private static LoadedApp whole(Path resources, List<Path> splits, List<Path> classPath) throws AppException {
    if (!holds(resources, "AndroidManifest.xml", "no archive of resources")) {
      throw new AppException(resources + ": holds no AndroidManifest.xml");
    }
    for (Path entry : classPath) {
      if (!Files.isDirectory(entry)) {
        holds(entry, "", "no jar");
      }
    }
    for (Path split : splits) {
      holds(split, "", "no archive of resources");
    }
    return new LoadedApp(resources, splits, classPath);
  }

  /** Whether an archive has an entry. */
  private static boolean holds(Path archive, String entry, String otherwise) throws AppException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      return zip.getEntry(entry) != null;
    } catch (IOException e) {
      throw new AppException(archive + ": " + otherwise + ": " + e.getMessage());
    }
  }

  private static Path besideOf(Path config, Path relative) {
    for (Path folder = config.toAbsolutePath().getParent(); folder != null; folder = folder.getParent()) {
      Path candidate = folder.resolve(relative);
      if (Files.isRegularFile(candidate)) {
        return candidate;
      }
    }
    return relative;
  }
}
