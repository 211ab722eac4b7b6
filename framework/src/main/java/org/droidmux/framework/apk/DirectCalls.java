package org.droidmux.framework.apk;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.zip.Deflater;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lets the framework call itself: {@code direct-calls OUT WOVEN}. In flow Robolectric's woven frameworks, jars in the folder
 * WOVEN, in which each method asks at its first call whether a shadow stands for it, by a method handle that stays in the way of all later
 * calls. Out flow, into the folder OUT and by the same names, frameworks whose methods call their own code where no shadow
 * can stand for them. What was made before of the same is left as it is. Part of the host's build.
 *
 * <p>A method keeps its question when any shadow on the class path, of whatever level, names its class and has a method of
 * its name. What is left out of the way is thereby what the sandbox would answer itself (ShadowWrangler,
 * pickShadowMethod).
 */
public final class DirectCalls {
  private static final String QUESTION = "org/robolectric/internal/bytecode/InvokeDynamicSupport";

  /** Changes when this class makes something else of the same. */
  private static final int VERSION = 1;

  /** By class of the framework: names of methods that shadows may stand for. */
  private final Map<String, Set<String>> shadowed = new HashMap<>();

  private int direct;

  DirectCalls(PretenceSources sources) {
    Map<String, ShadowClass> shadows = sources.shadows();
    for (ShadowClass each : shadows.values()) {
      if (each.stands == null) {
        continue;
      }
      Set<String> names = shadowed.computeIfAbsent(each.stands, any -> new HashSet<>());
      for (ShadowClass of = each; of != null; of = shadows.get(of.above)) {
        for (ShadowMethod method : of.methods.values()) {
          names.add(method.name);
          names.add(method.stands);
        }
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    DirectCalls calls = new DirectCalls(PretenceSources.ofClassPath());
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[1]), "*.jar")) {
      for (Path woven : jars) {
        calls.make(woven, folder.resolve(woven.getFileName()));
      }
    }
  }

  private void make(Path woven, Path out) throws IOException {
    String origin = origin(woven);
    if (Files.isRegularFile(out)) {
      try (ZipFile made = new ZipFile(out.toFile())) {
        if (origin.equals(made.getComment())) {
          return;
        }
      }
    }
    direct = 0;
    Path part = out.resolveSibling(out.getFileName() + ".part");
    write(woven, part, origin);
    if (direct == 0) {
      throw new IOException(woven + ": asks for no shadow; is it Robolectric's woven framework?");
    }
    Files.move(part, out, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** What a jar is made of: the framework, the shadows, and this class's way. */
  private String origin(Path woven) throws IOException {
    SortedMap<String, SortedSet<String>> sorted = new TreeMap<>();
    shadowed.forEach((name, methods) -> sorted.put(name, new TreeSet<>(methods)));
    return "direct-calls " + VERSION + " of " + Files.size(woven) + " bytes, shadows "
        + UUID.nameUUIDFromBytes(sorted.toString().getBytes(StandardCharsets.UTF_8));
  }

  private void write(Path woven, Path out, String origin) throws IOException {
    try (JarFile in = new JarFile(woven.toFile());
        OutputStream file = new BufferedOutputStream(Files.newOutputStream(out), 1 << 16);
        JarOutputStream jar = new JarOutputStream(file)) {
      jar.setComment(origin);
      jar.setLevel(Deflater.BEST_SPEED);
      for (JarEntry entry : Collections.list(in.entries())) {
        JarEntry made = new JarEntry(entry.getName());
        made.setTime(entry.getTime());
        jar.putNextEntry(made);
        try (InputStream bytes = in.getInputStream(entry)) {
          if (entry.getName().endsWith(".class")) {
            jar.write(direct(bytes.readAllBytes()));
          } else {
            bytes.transferTo(jar);
          }
        }
        jar.closeEntry();
      }
    }
  }

  /** A class of the framework, with what no shadow stands for called at once. */
  byte[] direct(byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, 0);
    Set<String> names = shadowed.getOrDefault(reader.getClassName(), Set.of());
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return new Method(super.visitMethod(access, name, descriptor, signature, exceptions), names);
          }
        },
        0);
    return writer.toByteArray();
  }

  private final class Method extends MethodVisitor {
    private final Set<String> names;

    Method(MethodVisitor next, Set<String> names) {
      super(Opcodes.ASM9, next);
      this.names = names;
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... given) {
      boolean asks =
          bootstrap.getOwner().equals(QUESTION)
              && (bootstrap.getName().equals("bootstrap") || bootstrap.getName().equals("bootstrapStatic"))
              && given.length == 2
              && given[0] instanceof Handle
              // Behind a native method there is no code: the sandbox makes up an answer.
              && Integer.valueOf(0).equals(given[1]);
      if (!asks || names.contains(name)) {
        super.visitInvokeDynamicInsn(name, descriptor, bootstrap, given);
        return;
      }
      Handle own = (Handle) given[0];
      int call = own.getTag() == Opcodes.H_INVOKESTATIC ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL;
      super.visitMethodInsn(call, own.getOwner(), own.getName(), own.getDesc(), own.isInterface());
      direct++;
    }
  }
}
