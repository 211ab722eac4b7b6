package org.droidmux.framework.apk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes empty classes for those of the framework that Robolectric's shadows name and the framework at hand does not
 * have, because they are newer: {@code stubs OUT SHADOWS... -- FRAMEWORK...}. Without them a look at a shadow's methods
 * ends in an error that has nothing to do with the app. Part of the host's build.
 */
public final class Stubs {
  private static final List<String> OF_FRAMEWORK =
      List.of("android/", "com/android/", "dalvik/", "libcore/", "androidx/", "sun/", "org/");

  private final Set<String> there = new HashSet<>();
  private final Set<String> named = new TreeSet<>();
  private final Set<String> interfaces = new HashSet<>();
  private final Set<String> thrown = new HashSet<>();

  private Stubs() {}

  public static void main(String[] arguments) throws IOException {
    Stubs stubs = new Stubs();
    boolean known = false;
    for (int i = 1; i < arguments.length; i++) {
      if (arguments[i].equals("--")) {
        known = true;
        continue;
      }
      try (JarFile jar = new JarFile(arguments[i])) {
        for (JarEntry entry : Collections.list(jar.entries())) {
          if (entry.getName().endsWith(".class")) {
            stubs.there.add(entry.getName().substring(0, entry.getName().length() - 6));
            if (!known) {
              try (InputStream in = jar.getInputStream(entry)) {
                stubs.look(new ClassReader(in));
              }
            }
          }
        }
      }
    }
    stubs.write(Path.of(arguments[0]));
  }

  private void write(Path file) throws IOException {
    named.removeAll(there);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
      for (String name : named) {
        if (OF_FRAMEWORK.stream().anyMatch(name::startsWith)
            && ClassLoader.getPlatformClassLoader().getResource(name + ".class") == null) {
          out.putNextEntry(new JarEntry(name + ".class"));
          out.write(stub(name));
          out.closeEntry();
        }
      }
    }
  }

  private byte[] stub(String name) {
    boolean isInterface = interfaces.contains(name);
    int kind = isInterface ? Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT : Opcodes.ACC_SUPER;
    String above = thrown.contains(name) ? "java/lang/RuntimeException" : "java/lang/Object";
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC | kind, name, null, above, null);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private void name(String name) {
    if (name != null && !name.startsWith("[")) {
      named.add(name);
    }
  }

  private void type(Type type) {
    switch (type.getSort()) {
      case Type.ARRAY -> type(type.getElementType());
      case Type.OBJECT -> name(type.getInternalName());
      case Type.METHOD -> {
        for (Type each : type.getArgumentTypes()) {
          type(each);
        }
        type(type.getReturnType());
      }
      default -> {
        // A primitive type is no class.
      }
    }
  }

  private void look(ClassReader reader) {
    name(reader.getSuperName());
    for (String each : reader.getInterfaces()) {
      name(each);
      interfaces.add(each);
    }
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            type(Type.getType(descriptor));
            return null;
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            type(Type.getMethodType(descriptor));
            for (String each : exceptions == null ? new String[0] : exceptions) {
              name(each);
              thrown.add(each);
            }
            return new Code();
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  private final class Code extends MethodVisitor {
    Code() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean isInterface) {
      name(owner);
      if (isInterface) {
        interfaces.add(owner);
      }
      type(Type.getMethodType(descriptor));
    }

    @Override
    public void visitFieldInsn(int code, String owner, String name, String descriptor) {
      name(owner);
      type(Type.getType(descriptor));
    }

    @Override
    public void visitTypeInsn(int code, String name) {
      name(name);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String name) {
      name(name);
      if (name != null) {
        thrown.add(name);
      }
    }
  }
}
