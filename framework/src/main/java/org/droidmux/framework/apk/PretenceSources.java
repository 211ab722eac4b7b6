package org.droidmux.framework.apk;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What {@link PretenceTable} and {@link DirectCalls} go by: in flow class files of Robolectric's shadows, of the framework and of this host; out
 * flow what each of them is, which shadows are this host's, and what it calls and offers.
 */
final class PretenceSources {
  private final Map<String, ShadowClass> shadows = new HashMap<>();

  /** Names of this host's. */
  private final Set<String> ours = new HashSet<>();

  /** Methods of shadows that this host calls. */
  private final Set<String> called = new HashSet<>();

  /** Interfaces of the framework that this host names as classes: those of its services. */
  private final Set<String> offered = new HashSet<>();

  private final Map<String, FrameworkClass> framework = new HashMap<>();

  /** The classes on the class path: folders are this host's, jars tell by what is in them. */
  static PretenceSources ofClassPath() throws IOException {
    PretenceSources sources = new PretenceSources();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path entry = Path.of(each);
      if (Files.isDirectory(entry)) {
        try (Stream<Path> files = Files.walk(entry)) {
          for (Path file : files.filter(path -> path.toString().endsWith(".class")).sorted().toList()) {
            sources.host(Files.readAllBytes(file));
          }
        }
      } else if (Files.isRegularFile(entry)) {
        try (JarFile jar = new JarFile(entry.toFile())) {
          sources.jar(jar);
        }
      }
    }
    return sources;
  }

  private void jar(JarFile jar) throws IOException {
    boolean ofShadows = jar.getEntry("META-INF/services/org.robolectric.internal.ShadowProvider") != null;
    boolean ofFramework = jar.getEntry("android/app/Activity.class") != null;
    for (JarEntry entry : ofShadows || ofFramework ? Collections.list(jar.entries()) : List.<JarEntry>of()) {
      String name = entry.getName();
      boolean wanted =
          ofShadows
              ? name.startsWith("org/robolectric/shadows/")
              : name.startsWith("android/") || name.startsWith("com/android/internal/");
      if (wanted && name.endsWith(".class")) {
        try (InputStream in = jar.getInputStream(entry)) {
          if (ofShadows) {
            shadow(in.readAllBytes());
          } else {
            framework(in.readAllBytes());
          }
        }
      }
    }
  }

  void shadow(byte[] code) {
    ShadowClass shadow = new ShadowClass(code);
    shadows.put(shadow.name, shadow);
  }

  void framework(byte[] code) {
    FrameworkClass made = new FrameworkClass(code);
    framework.put(made.name, made);
  }

  /** A class of this host: perhaps a shadow, perhaps one that tells or asks a shadow of Robolectric's. */
  void host(byte[] code) {
    ShadowClass own = new ShadowClass(code);
    shadows.put(own.name, own);
    if (own.stands != null) {
      ours.add(own.name);
    }
    new ClassReader(code).accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return new HostCode();
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  /** Whom this host's code calls, and which interfaces it offers. */
  private final class HostCode extends MethodVisitor {
    HostCode() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean isInterface) {
      if (code != Opcodes.INVOKESPECIAL && owner.startsWith("org/robolectric/shadows/")) {
        called.add(owner + "." + name + descriptor);
      }
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... given) {
      for (Object each : given) {
        if (each instanceof Handle handle && handle.getOwner().startsWith("org/robolectric/shadows/")) {
          called.add(handle.getOwner() + "." + handle.getName() + handle.getDesc());
        }
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      if (value instanceof Type type && type.getSort() == Type.OBJECT) {
        offered.add(type.getInternalName());
      }
    }
  }

  /** All shadows, and what helps them, by name. */
  Map<String, ShadowClass> shadows() {
    return shadows;
  }

  Set<String> ours() {
    return ours;
  }

  Set<String> called() {
    return called;
  }

  Set<String> offered() {
    return offered;
  }

  Map<String, FrameworkClass> framework() {
    return framework;
  }
}
