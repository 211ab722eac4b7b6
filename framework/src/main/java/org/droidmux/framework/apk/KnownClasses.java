package org.droidmux.framework.apk;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.droidmux.framework.FrameworkNames;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What classes are, by their internal names: the framework's, the JDK's, and the app's own. A name of the framework's
 * stays the framework's, whatever the app defines under it.
 */
final class KnownClasses implements Closeable {
  /** What is known of a class: whether it is an interface, what it extends, and the framework's methods. */
  record Known(boolean isInterface, String superName, Set<String> methods) {}

  private static final Known NONE = new Known(false, null, Set.of());

  private final List<JarFile> framework = new ArrayList<>();
  private final Map<String, Known> own = new HashMap<>();
  private final Map<String, Known> others = new HashMap<>();

  /** Looks into the framework's jars, of which later ones complete the first. */
  KnownClasses(List<Path> jars) throws ApkException {
    for (Path jar : jars) {
      try {
        framework.add(new JarFile(jar.toFile()));
      } catch (IOException e) {
        close();
        throw new ApkException(jar + ": the framework's classes cannot be read: " + e.getMessage());
      }
    }
  }

  /** The app defines a class, which is its own unless the framework has one of this name. */
  void define(String name, boolean isInterface, String superName) {
    if (!isOfFramework(name)) {
      own.putIfAbsent(name, new Known(isInterface, superName, Set.of()));
    }
  }

  boolean isOwn(String name) {
    return own.containsKey(name);
  }

  boolean exists(String name) {
    return known(name) != NONE;
  }

  /** Dex does not say whether the owner of a static method, or of a super's, is an interface; the JVM wants to know. */
  boolean isInterface(String name) {
    return known(name).isInterface();
  }

  /** The nearest class that both extend; what is not known extends nothing but Object. */
  String common(String one, String other) {
    List<String> above = new ArrayList<>();
    for (String each = one; each != null && above.size() < 1_000; each = superName(each)) {
      above.add(each);
    }
    int steps = 0;
    for (String each = other; each != null && steps < 1_000; each = superName(each)) {
      if (above.contains(each)) {
        return each;
      }
      steps++;
    }
    return "java/lang/Object";
  }

  /** What a class extends: Object for an interface, null for Object and for what is not known. */
  String superName(String name) {
    Known known = known(name);
    return known.isInterface() ? "java/lang/Object" : known.superName();
  }

  /** Whether a class of the framework has this method itself, by its name and descriptor. */
  boolean declares(String name, String method) {
    return known(name).methods().contains(method);
  }

  private boolean isOfFramework(String name) {
    return FrameworkNames.has(name.replace('/', '.'))
        && framework.stream().anyMatch(jar -> jar.getEntry(name + ".class") != null);
  }

  private Known known(String name) {
    Known defined = own.get(name);
    return defined != null ? defined : others.computeIfAbsent(name, this::find);
  }

  private Known find(String name) {
    try {
      for (JarFile jar : framework) {
        ZipEntry entry = jar.getEntry(name + ".class");
        if (entry != null) {
          try (InputStream in = jar.getInputStream(entry)) {
            ClassReader reader = new ClassReader(in);
            return new Known((reader.getAccess() & Opcodes.ACC_INTERFACE) != 0, reader.getSuperName(), methods(reader));
          }
        }
      }
      Class<?> found = Class.forName(name.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
      Class<?> above = found.getSuperclass();
      return new Known(found.isInterface(), above == null ? null : above.getName().replace('.', '/'), Set.of());
    } catch (ClassNotFoundException | LinkageError | IOException | IllegalArgumentException e) {
      return NONE;
    }
  }

  private static Set<String> methods(ClassReader reader) {
    Set<String> found = new HashSet<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            found.add(name + descriptor);
            return null;
          }
        },
        ClassReader.SKIP_CODE);
    return found;
  }

  @Override
  public void close() {
    for (JarFile jar : framework) {
      try {
        jar.close();
      } catch (IOException e) {
        // It was only read.
      }
    }
  }
}
