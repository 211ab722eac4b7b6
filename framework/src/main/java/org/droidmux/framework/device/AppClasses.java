package org.droidmux.framework.device;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.droidmux.framework.FrameworkNames;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The classes of one process of the app. What the framework has comes from the framework, as on a phone;
 * everything else from the app's class path, however like a library of the host's it is called.
 *
 * <p>What a class is made of is kept for the processes that come: a test begins with a new one, and to unpack and to rewrite
 * the same classes takes a third of its start.
 *
 * <p>Where the app's code asks for the time, waits or would reach the host, it is led elsewhere, and where its tasks begin
 * they wait for their turn (see {@link Redirects}).
 */
final class AppClasses extends URLClassLoader {
  /** Bytes that are kept at most. */
  private static final long MOST = 48L << 20;

  /** By name, for all processes: a host has one app. */
  private static final Map<String, byte[]> KEPT = new ConcurrentHashMap<>();

  private static final AtomicLong SIZE = new AtomicLong();

  private volatile boolean ended;

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

  /** Their process ends: from now on nothing of theirs may do any work in another one. */
  void end() {
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** The framework's names, and those of the host and of Robolectric. */
  private static boolean ofFramework(String name) {
    return FrameworkNames.has(name)
        || name.startsWith("org.robolectric.")
        || name.startsWith("org.droidmux.framework.")
        || name.startsWith("androidx.test.platform.")
        || name.startsWith("androidx.test.runner.lifecycle.");
  }

  private Class<?> own(String name) {
    byte[] code = KEPT.get(name);
    if (code == null) {
      code = made(name);
      if (code == null) {
        return null;
      }
      if (SIZE.addAndGet(code.length) <= MOST) {
        KEPT.put(name, code);
      }
    }
    int dot = name.lastIndexOf('.');
    if (dot > 0 && getDefinedPackage(name.substring(0, dot)) == null) {
      definePackage(name.substring(0, dot), null, null, null, null, null, null, null);
    }
    return defineClass(name, code, 0, code.length);
  }

  /** A class of the app's, rewritten; null where it has none of that name. */
  private byte[] made(String name) {
    URL found = findResource(name.replace('.', '/') + ".class");
    if (found == null) {
      return null;
    }
    try (InputStream in = found.openStream()) {
      return redirected(in.readAllBytes());
    } catch (IOException e) {
      throw new LinkageError(found + ": cannot be read", e);
    }
  }

  private static byte[] redirected(byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
            super.visit(version, access, name, signature, Redirects.above(above), interfaces);
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean begins = Redirects.begins(access, name, descriptor);
            return new Redirects(method) {
              @Override
              public void visitCode() {
                super.visitCode();
                if (begins) {
                  begin();
                }
              }
            };
          }
        },
        0);
    return writer.toByteArray();
  }
}
