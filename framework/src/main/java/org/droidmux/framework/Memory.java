package org.droidmux.framework;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Keeps what the host holds of the computer's memory in bounds. Pictures, themes and the classes of ended processes lie
 * outside of the JVM's heap; they go with small objects in it, and nothing tells the collector how much hangs on these.
 * So it is told here, between requests and now and then while one is carried out, each time the whole has grown by so much.
 */
final class Memory {
  private static final Path NOW = Path.of("/proc/self/statm");
  private static final long PAGE = 4096;

  /** So much more than after the last collection is worth another one, which takes some tenths of a second. */
  private static final long GROWTH = 64L << 20;

  private long floor;

  /** To be called often. */
  synchronized void tend() {
    long now = resident();
    if (floor == 0) {
      floor = now;
    }
    if (now < floor + GROWTH) {
      floor = Math.min(floor, now);
      return;
    }
    System.gc();
    // What was found is freed by threads of its own.
    System.runFinalization();
    trim();
    floor = resident();
  }

  /** Bytes in memory; 0 where that is not told. */
  static long resident() {
    try {
      return Long.parseLong(Files.readString(NOW).split(" ")[1]) * PAGE;
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** The C library gives back what it has kept for later. */
  private static void trim() {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "systemTrimNativeHeap", null, null);
    } catch (JMException | RuntimeException e) {
      // Another JDK or C library, which has no such command.
    }
  }
}
