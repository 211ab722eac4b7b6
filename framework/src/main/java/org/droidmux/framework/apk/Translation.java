package org.droidmux.framework.apk;

import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.BaseDexExceptionHandler;
import com.googlecode.d2j.dex.Dex2jar;
import com.googlecode.d2j.node.DexMethodNode;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.Deflater;
import org.droidmux.framework.mutants.Weaver;
import org.objectweb.asm.MethodVisitor;

/**
 * An app's dex files on their way to a jar: dex2jar translates a portion of classes, each is mended and written. A
 * method that cannot be translated throws when it is called; a class that cannot be is left out. Both are told by name.
 */
final class Translation {
  private static final int PORTION = 300;
  private static final int LONGEST_NAME = 300;

  private final DexFiles dexes;
  private final Mend mend;
  private final InlinedConstructors inlined;
  private final Weaver weaver;
  private final Map<String, String> sources = new HashMap<>();
  private final Set<String> written = new HashSet<>();
  private final Set<String> expected = new HashSet<>();
  private final List<String> failedMethods = new ArrayList<>();
  private final List<String> failedClasses = new ArrayList<>();
  private final List<String> moved = new ArrayList<>();
  private int classes;
  private int resources;

  /** With a {@code weaver}, mutants are woven into the app's own classes; without one it is null. */
  Translation(DexFiles dexes, KnownClasses known, Uses uses, Engines engines, Weaver weaver) {
    this.dexes = dexes;
    this.weaver = weaver;
    inlined = new InlinedConstructors(known);
    mend = new Mend(known, uses, inlined);
    for (DexFiles.Declared each : dexes.classes()) {
      known.define(each.name(), each.isInterface(), each.superName());
      engines.type(each.name());
      sources.put(each.name(), each.source());
      expected.add(each.name());
    }
  }

  /** Writes the jar: the app's classes, what else a class path has of it, and the libraries that old apps are given. */
  void write(Path jar, AppFiles apks, List<Path> libraries) throws ApkException {
    try (JarOutputStream out = new JarOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)))) {
      // It is read at each start of a host and written once, but seconds count here and bytes do not.
      out.setLevel(Deflater.BEST_SPEED);
      List<Portion> portions = dexes.portions(PORTION);
      inlined.note(portions.stream().map(Portion::read));
      for (Portion portion : portions) {
        write(out, portion.changed(inlined::mark));
      }
      put(out, InlinedConstructors.MARKER, Mend.marker());
      classes = written.size();
      for (String name : expected) {
        failedClasses.add(name.replace('/', '.'));
      }
      for (Path library : libraries) {
        add(out, library);
      }
      JavaResources copied = new JavaResources(out);
      for (AppFiles.Apk apk : apks.all()) {
        copied.copy(apk.archive());
      }
      resources = copied.count();
    } catch (IOException e) {
      throw new ApkException(jar + ": cannot be written: " + e.getMessage());
    }
  }

  private void write(JarOutputStream out, Portion portion) throws IOException {
    ByteArrayOutputStream classes = new ByteArrayOutputStream(1 << 20);
    Dex2jar.from(portion)
        .withExceptionHandler(new Failures())
        .topoLogicalSort(true)
        .skipDebug(false)
        .dontSanitizeNames(true)
        .doTranslate(classes);
    ByteBuffer in = ByteBuffer.wrap(classes.toByteArray());
    while (in.hasRemaining()) {
      String name = new String(next(in), StandardCharsets.UTF_8);
      byte[] code = next(in);
      expected.remove(name);
      try {
        Mend.Mended mended = mend.mended(code, sources.get(name));
        if (!mended.name().equals(name)) {
          moved.add(name.replace('/', '.'));
        }
        put(out, mended.name(), weaver == null ? mended.code() : weaver.woven(mended.name(), mended.code()));
      } catch (RuntimeException e) {
        failedClasses.add(cut(name.replace('/', '.') + ": " + e));
      }
    }
  }

  private static byte[] next(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }

  private void put(JarOutputStream out, String name, byte[] code) throws IOException {
    if (written.add(name)) {
      out.putNextEntry(new JarEntry(name + ".class"));
      out.write(code);
      out.closeEntry();
    }
  }

  /** A library's classes, less those that the app brings itself. */
  private void add(JarOutputStream out, Path library) throws IOException {
    try (JarFile jar = new JarFile(library.toFile())) {
      for (JarEntry entry : java.util.Collections.list(jar.entries())) {
        String name = entry.getName();
        if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
          try (InputStream in = jar.getInputStream(entry)) {
            put(out, name.substring(0, name.length() - 6), in.readAllBytes());
          }
        }
      }
    }
  }

  private final class Failures extends BaseDexExceptionHandler {
    @Override
    public void handleMethodTranslateException(Method method, DexMethodNode node, MethodVisitor visitor, Exception e) {
      String owner = method.getOwner();
      String name = owner.substring(1, owner.length() - 1).replace('/', '.');
      failedMethods.add(cut(name + "." + method.getName() + method.getDesc() + ": " + e));
      super.handleMethodTranslateException(method, node, visitor, e);
    }

    @Override
    public void handleFileException(Exception e) {
      // A class of the portion is missing then, which is noticed at the end.
    }
  }

  private static String cut(String text) {
    return text.length() > LONGEST_NAME ? text.substring(0, LONGEST_NAME) + "…" : text;
  }

  /** The app's own, without those of the libraries that it is given. */
  int classes() {
    return classes;
  }

  int resources() {
    return resources;
  }

  List<String> failedMethods() {
    return failedMethods;
  }

  List<String> failedClasses() {
    return failedClasses;
  }

  List<String> moved() {
    return moved;
  }
}
