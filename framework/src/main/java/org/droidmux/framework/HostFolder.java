package org.droidmux.framework;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The one folder that a host writes to: temporary files, the app's files, its home. Who starts the JVM has made it and named
 * it as Java's place for temporary files. It goes with the host; what hosts left that were killed, the next one takes away.
 */
final class HostFolder implements AutoCloseable {
  /** Not the one of droidmux's own folders for its hosts, which no host may take away. */
  private static final String PREFIX = "droidmux-jvm-";

  /** A file that a host keeps locked while it runs: a number of a process says nothing in another container. */
  private static final String LOCK = "lock";

  /** How long it may take from the making of a folder to its host. */
  private static final Duration LONGEST_START = Duration.ofMinutes(10);

  private final Path folder;
  private final FileChannel lock;

  private HostFolder(Path folder, FileChannel lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** The folder that this host was given. */
  static HostFolder take() throws AppException {
    Path folder = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    if (!named(folder)) {
      throw new AppException(folder + ": no folder of a host; hosts are started by framework/run");
    }
    sweep(folder.getParent());
    try {
      Files.createDirectories(folder.resolve("home"));
      Path made = Files.createFile(folder.resolve("home").resolve(LOCK));
      FileChannel lock = FileChannel.open(made, StandardOpenOption.WRITE);
      lock.lock();
      // It is locked before anybody can look for it.
      Files.move(made, folder.resolve(LOCK));
      System.setProperty("user.home", folder.resolve("home").toString());
      return new HostFolder(folder, lock);
    } catch (IOException e) {
      throw new AppException(folder + ": no folder for the host can be made there: " + e.getMessage());
    }
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

  private static boolean named(Path folder) {
    return String.valueOf(folder.getFileName()).startsWith(PREFIX);
  }

  private static boolean abandoned(Path folder) {
    if (!named(folder)) {
      return false;
    }
    if (!Files.isRegularFile(folder.resolve(LOCK))) {
      return old(folder);
    }
    try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
        FileLock free = channel.tryLock()) {
      return free != null;
    } catch (IOException | OverlappingFileLockException e) {
      return false;
    }
  }

  /** One that no host has locked yet waits for its host, unless that never came. */
  private static boolean old(Path folder) {
    try {
      return Files.getLastModifiedTime(folder).toInstant().isBefore(Instant.now().minus(LONGEST_START));
    } catch (IOException e) {
      return false;
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException e) {
      // Somebody else takes it away at the same time.
      throw e.getCause();
    }
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < 3; i++) {
      try {
        lock.close();
        delete(folder);
        return;
      } catch (IOException e) {
        // A thread of the app's wrote meanwhile.
      }
    }
  }
}
