package org.droidmux.framework.apk;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Makes of a class that dex2jar wrote one that the JVM takes.
 *
 * <ul>
 *   <li>Its version is the oldest that will do: up to 49, the JVM infers the types on the stack by itself. What needs
 *       interfaces with code, or call sites, gets version 52 and frames.
 *   <li>Static methods and super calls on interfaces say that they are an interface's.
 *   <li>Static methods in interfaces, dex2jar's own helpers among them, are public: other access is not allowed there.
 *   <li>Classes of packages that belong to the JVM get other names.
 *   <li>The source file's name comes back, for stacks.
 * </ul>
 */
final class Mend {
  /** Where classes go whose names the JVM keeps for itself. */
  private static final String MOVED = "dexed/";

  private final KnownClasses known;
  private final Uses uses;
  private boolean anyMoved;

  Mend(KnownClasses known, Uses uses) {
    this.known = known;
    this.uses = uses;
  }

  /** The app defines a class under this name; to be told of all before the first is mended. */
  void define(String name) {
    anyMoved |= moves(name);
  }

  static boolean moves(String name) {
    return name.startsWith("java/");
  }

  /** A class as it was mended: its name, which may be another one, and its bytes. */
  record Mended(String name, byte[] code) {}

  Mended mended(byte[] code, String source) {
    ClassReader reader = new ClassReader(code);
    boolean modern = modern(reader);
    int flags = modern ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS;
    ClassWriter writer =
        new ClassWriter(flags) {
          @Override
          protected String getCommonSuperClass(String one, String other) {
            return known.common(one, other);
          }
        };
    Rewriter rewriter = new Rewriter(writer, modern ? Opcodes.V1_8 : Opcodes.V1_5, source);
    reader.accept(anyMoved ? new ClassRemapper(rewriter, new Moved()) : rewriter, ClassReader.SKIP_FRAMES);
    return new Mended(rewriter.name, writer.toByteArray());
  }

  private final class Moved extends Remapper {
    Moved() {
      super(Opcodes.ASM9);
    }

    @Override
    public String map(String name) {
      return moves(name) && known.isOwn(name) ? MOVED + name : name;
    }
  }

  /** Whether a class has something in it that older ones could not have. */
  private boolean modern(ClassReader reader) {
    uses.within(reader.getClassName());
    boolean[] found = {false};
    boolean ofInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
    MethodVisitor look =
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean marked) {
            found[0] |= direct(code) && (marked || known.isInterface(owner));
            uses.method(owner, name);
          }

          @Override
          public void visitFieldInsn(int code, String owner, String name, String descriptor) {
            uses.type(owner);
          }

          @Override
          public void visitTypeInsn(int code, String type) {
            uses.type(type);
          }

          @Override
          public void visitInvokeDynamicInsn(String name, String descriptor, Handle handle, Object... arguments) {
            found[0] = true;
          }

          @Override
          public void visitLdcInsn(Object value) {
            found[0] |= value instanceof Handle || value instanceof Type type && type.getSort() == Type.METHOD;
          }
        };
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            found[0] |= ofInterface && (access & Opcodes.ACC_ABSTRACT) == 0 && !name.equals("<clinit>");
            return look;
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    uses.type(reader.getSuperName());
    for (String each : reader.getInterfaces()) {
      uses.type(each);
    }
    return found[0];
  }

  private static boolean direct(int code) {
    return code == Opcodes.INVOKESTATIC || code == Opcodes.INVOKESPECIAL;
  }

  private final class Rewriter extends ClassVisitor {
    private final int version;
    private final String source;
    private boolean ofInterface;
    private String name;

    Rewriter(ClassVisitor next, int version, String source) {
      super(Opcodes.ASM9, next);
      this.version = version;
      this.source = source;
    }

    @Override
    public void visit(int was, int access, String name, String signature, String above, String[] interfaces) {
      this.name = name;
      ofInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      super.visit(version, access, name, signature, above, interfaces);
      if (source != null && !source.isEmpty()) {
        super.visitSource(source, null);
      }
    }

    @Override
    public void visitSource(String file, String debug) {
      // That of the dex file was told above.
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      boolean open = ofInterface && (access & Opcodes.ACC_STATIC) != 0 && !name.equals("<clinit>");
      int allowed =
          open ? access & ~(Opcodes.ACC_PRIVATE | Opcodes.ACC_PROTECTED) | Opcodes.ACC_PUBLIC : access;
      return new MethodVisitor(Opcodes.ASM9, super.visitMethod(allowed, name, descriptor, signature, exceptions)) {
        @Override
        public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean marked) {
          // Moved classes are known by their first names.
          String first = owner.startsWith(MOVED) ? owner.substring(MOVED.length()) : owner;
          super.visitMethodInsn(code, owner, name, descriptor, marked || direct(code) && known.isInterface(first));
        }
      };
    }
  }
}
