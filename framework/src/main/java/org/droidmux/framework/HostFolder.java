package org.droidmux.framework;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The one folder that a host writes to: temporary files, the app's files, its home. It goes with the host; what hosts
 * left that were killed, the next one takes away.
 */
final class HostFolder implements AutoCloseable {
  private static final String PREFIX = "droidmux-host-";

  private final Path folder;

  private HostFolder(Path folder) {
    this.folder = folder;
  }

  /** To be made before anything asks the JVM for a temporary file. */
  static HostFolder make() throws AppException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    sweep(parent);
    Path folder = parent.resolve(PREFIX + ProcessHandle.current().pid());
    try {
      delete(folder);
      Files.createDirectories(folder.resolve("home"));
    } catch (IOException e) {
      throw new AppException(folder + ": no folder for the host can be made there: " + e.getMessage());
    }
    System.setProperty("java.io.tmpdir", folder.toString());
    System.setProperty("user.home", folder.resolve("home").toString());
    return new HostFolder(folder);
  }

  private static void sweep(Path parent) {
    try (Stream<Path> all = Files.list(parent)) {
      for (Path each : all.filter(HostFolder::abandoned).toList()) {
        delete(each);
      }
    } catch (IOException e) {
      // Another host takes it away as well.
    }
  }

  private static boolean abandoned(Path folder) {
    String name = String.valueOf(folder.getFileName());
    if (!name.matches(PREFIX + "[0-9]{1,18}") || !Files.isDirectory(folder)) {
      return false;
    }
    return ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length()))).isEmpty();
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < 3; i++) {
      try {
        delete(folder);
        return;
      } catch (IOException e) {
        // A thread of the app's wrote meanwhile.
      }
    }
  }
}
