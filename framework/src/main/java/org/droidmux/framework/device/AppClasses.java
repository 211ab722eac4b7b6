package org.droidmux.framework.device;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The classes of one process of the app. What the framework has comes from the framework, as on a phone;
 * everything else from the app's class path, however like a library of the host's it is called.
 *
 * <p>Where the app's code asks for the time or sleeps, it is led to the phone's clock.
 */
final class AppClasses extends URLClassLoader {
  private static final String CLOCK = Type.getInternalName(AppClock.class);

  /** Static methods of the JDK that our clock has, too, with the same name and shape. */
  private static final Map<String, String> CLOCKED =
      Map.of(
          "java/lang/System.currentTimeMillis()J", "currentTimeMillis",
          "java/lang/System.nanoTime()J", "nanoTime",
          "java/lang/Thread.sleep(J)V", "sleep",
          "java/util/Calendar.getInstance()Ljava/util/Calendar;", "calendar",
          "java/time/LocalDate.now()Ljava/time/LocalDate;", "localDate",
          "java/time/LocalDateTime.now()Ljava/time/LocalDateTime;", "localDateTime",
          "java/time/LocalTime.now()Ljava/time/LocalTime;", "localTime",
          "java/time/Instant.now()Ljava/time/Instant;", "instant",
          "java/time/ZonedDateTime.now()Ljava/time/ZonedDateTime;", "zonedDateTime");

  AppClasses(URL[] path, ClassLoader framework) {
    super(path, framework);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null && !ofFramework(name)) {
        loaded = own(name);
      }
      return loaded != null ? loaded : super.loadClass(name, resolve);
    }
  }

  /** Whether a class of this name was loaded from the app's class path. */
  boolean has(String name) {
    Class<?> loaded = findLoadedClass(name);
    return loaded != null && loaded.getClassLoader() == this;
  }

  /** Names that no app can define on a phone, and those of the host and of Robolectric. */
  private static boolean ofFramework(String name) {
    return name.startsWith("java.")
        || name.startsWith("javax.")
        || name.startsWith("android.")
        || name.startsWith("dalvik.")
        || name.startsWith("libcore.")
        || name.startsWith("com.android.internal.")
        || name.startsWith("org.json.")
        || name.startsWith("org.xmlpull.")
        || name.startsWith("org.xml.")
        || name.startsWith("org.w3c.")
        || name.startsWith("org.robolectric.")
        || name.startsWith("org.droidmux.framework.")
        || name.startsWith("androidx.test.platform.")
        || name.startsWith("androidx.test.runner.lifecycle.");
  }

  private Class<?> own(String name) {
    URL found = findResource(name.replace('.', '/') + ".class");
    if (found == null) {
      return null;
    }
    try (InputStream in = found.openStream()) {
      byte[] code = clocked(in.readAllBytes());
      int dot = name.lastIndexOf('.');
      if (dot > 0 && getDefinedPackage(name.substring(0, dot)) == null) {
        definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
      }
      return defineClass(name, code, 0, code.length);
    } catch (IOException e) {
      throw new LinkageError(found + ": cannot be read", e);
    }
  }

  private static byte[] clocked(byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return new Clocked(super.visitMethod(access, name, descriptor, signature, exceptions));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class Clocked extends MethodVisitor {
    Clocked(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean ofInterface) {
      String ours = code == Opcodes.INVOKESTATIC ? CLOCKED.get(owner + "." + name + descriptor) : null;
      if (ours != null) {
        super.visitMethodInsn(code, CLOCK, ours, descriptor, false);
      } else if (owner.equals("java/util/Date") && name.equals("<init>") && descriptor.equals("()V")) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CLOCK, "currentTimeMillis", "()J", false);
        super.visitMethodInsn(code, owner, name, "(J)V", false);
      } else {
        super.visitMethodInsn(code, owner, name, descriptor, ofInterface);
      }
    }

    @Override
    public void visitMaxs(int stack, int locals) {
      super.visitMaxs(stack + 2, locals);
    }
  }
}
