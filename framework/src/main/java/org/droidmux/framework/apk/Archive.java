package org.droidmux.framework.apk;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A zip that somebody made: an APK, or an archive of APKs. Nothing that its headers say is believed. What comes out of
 * an entry is counted as it comes, and names that lead out of a folder are refused when the archive is opened.
 */
final class Archive implements Closeable {
  /** More than the largest APK that a store takes, unpacked. */
  static final long LARGEST_WHOLE = 4L << 30;

  static final long LARGEST_ENTRY = 1L << 30;
  private static final int MOST_ENTRIES = 200_000;

  private final Path file;
  private final ZipFile zip;
  private final List<ZipEntry> entries;

  private Archive(Path file, ZipFile zip, List<ZipEntry> entries) {
    this.file = file;
    this.zip = zip;
    this.entries = entries;
  }

  /** Opens an archive; of entries with the same name, the first one counts. */
  static Archive open(Path file) throws ApkException {
    if (!Files.isRegularFile(file)) {
      throw new ApkException(file + (Files.exists(file) ? ": no file" : ": no such file"));
    }
    ZipFile zip;
    try {
      zip = new ZipFile(file.toFile());
    } catch (IOException | RuntimeException e) {
      throw new ApkException(file + ": no APK and no other archive: " + e.getMessage());
    }
    try {
      if (zip.size() > MOST_ENTRIES) {
        throw new ApkException(file + ": holds " + zip.size() + " entries, more than " + MOST_ENTRIES);
      }
      List<ZipEntry> entries = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String name = entry.getName();
        if (leadsOut(name)) {
          throw new ApkException(file + ": holds an entry whose name leads out of its folder: " + shown(name));
        }
        if (!entry.isDirectory() && names.add(name)) {
          entries.add(entry);
        }
      }
      return new Archive(file, zip, entries);
    } catch (ApkException e) {
      closed(zip);
      throw e;
    }
  }

  private static boolean leadsOut(String name) {
    return name.startsWith("/")
        || name.indexOf('\\') >= 0
        || name.indexOf('\0') >= 0
        || List.of(name.split("/", -1)).contains("..");
  }

  /** A name from outside, fit for one line. */
  static String shown(String name) {
    String cut = name.length() > 200 ? name.substring(0, 200) + "…" : name;
    return cut.replaceAll("\\p{Cntrl}", "?");
  }

  Path file() {
    return file;
  }

  List<String> names() {
    return entries.stream().map(ZipEntry::getName).toList();
  }

  boolean has(String name) {
    return zip.getEntry(name) != null;
  }

  /** An entry as a whole, or a sentence about it when it is larger than {@code most} or broken. */
  byte[] read(String name, long most) throws ApkException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    copy(name, out, most);
    return out.toByteArray();
  }

  /** Copies an entry and says how long it was. What the other side does not take is its own exception. */
  long copy(String name, OutputStream out, long most) throws ApkException {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      throw new ApkException(file + ": holds no " + shown(name));
    }
    long length = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = zip.getInputStream(entry)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        length += count;
        if (length > most) {
          throw new ApkException(
              file + ": " + shown(name) + " unpacks to more than " + (most >> 20) + " MB");
        }
        out.write(buffer, 0, count);
      }
    } catch (IOException | RuntimeException e) {
      throw new ApkException(file + ": " + shown(name) + " cannot be read: " + e.getMessage());
    }
    return length;
  }

  /** Unpacks everything to nowhere: whoever reads the archive later finds nothing broken and nothing endless in it. */
  void probe() throws ApkException {
    long whole = 0;
    for (ZipEntry entry : entries) {
      whole += copy(entry.getName(), OutputStream.nullOutputStream(), LARGEST_ENTRY);
      if (whole > LARGEST_WHOLE) {
        throw new ApkException(file + ": unpacks to more than " + (LARGEST_WHOLE >> 20) + " MB");
      }
    }
  }

  @Override
  public void close() {
    closed(zip);
  }

  private static void closed(ZipFile zip) {
    try {
      zip.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
