package org.droidmux.framework.device;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/**
 * When files were changed, by the phone's clock: the computer's notes its own time. In flow files of the app, out flow the
 * moment at which it first looked after a change, which is then noted with the file; what the app has set itself stays.
 */
public final class FileTimes {
  private static final int MILLI = 1_000_000;

  /** Nanoseconds within a millisecond, which nobody sees: they say that the time is the phone's. */
  private static final int OURS = 424_242;

  private FileTimes() {}

  /** As the method of a file. */
  public static long lastModified(File file) {
    try {
      return of(file.toPath()).toMillis();
    } catch (IOException | RuntimeException e) {
      return file.lastModified();
    }
  }

  /** As the method of {@code Files}. */
  public static FileTime getLastModifiedTime(Path path, LinkOption... options) throws IOException {
    return options.length == 0 ? of(path) : Files.getLastModifiedTime(path, options);
  }

  private static FileTime of(Path path) throws IOException {
    FileTime noted = Files.getLastModifiedTime(path);
    int fine = noted.toInstant().getNano() % MILLI;
    // Who sets a time by himself does so in milliseconds.
    if (fine == OURS || fine == 0) {
      return FileTime.fromMillis(noted.toMillis());
    }
    long now = AppClock.now();
    if (!Files.isWritable(path)) {
      return noted;
    }
    Files.setLastModifiedTime(path, FileTime.from(Instant.ofEpochMilli(now).plusNanos(OURS)));
    return FileTime.fromMillis(now);
  }
}
