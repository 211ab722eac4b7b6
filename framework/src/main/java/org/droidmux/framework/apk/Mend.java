package org.droidmux.framework.apk;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
 *   <li>Static methods and super calls on interfaces say that they are an interface's. One that is called by way of
 *       another becomes an interface of the class's own: a dex file need not name it, the JVM wants it to be.
 *   <li>Static methods in interfaces, dex2jar's own helpers among them, are public: other access is not allowed there.
 *   <li>Classes of packages that belong to the JVM get other names.
 *   <li>Objects that are made by the constructor of a class above get one of their own ({@link InlinedConstructors}).
 *   <li>The source file's name comes back, for stacks.
 * </ul>
 */
final class Mend {
  /** Where classes go whose names the JVM keeps for itself. */
  private static final String MOVED = "dexed/";

  private final KnownClasses known;
  private final Uses uses;
  private final InlinedConstructors inlined;

  Mend(KnownClasses known, Uses uses, InlinedConstructors inlined) {
    this.known = known;
    this.uses = uses;
    this.inlined = inlined;
  }

  /** A class as it was mended: its name, which may be another one, and its bytes. */
  record Mended(String name, byte[] code) {}

  Mended mended(byte[] code, String source) {
    ClassReader reader = new ClassReader(code);
    Content content = content(reader);
    boolean modern = content.modern();
    int flags = modern ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS;
    ClassWriter writer =
        new ClassWriter(flags) {
          @Override
          protected String getCommonSuperClass(String one, String other) {
            return known.common(one, other);
          }
        };
    Names names = new Names();
    Set<String> called = new LinkedHashSet<>();
    content.called().forEach(each -> called.add(names.map(each)));
    Rewriter rewriter = new Rewriter(writer, modern ? Opcodes.V1_8 : Opcodes.V1_5, source, called);
    reader.accept(new OwnConstructors(new ClassRemapper(rewriter, names)), ClassReader.SKIP_FRAMES);
    return new Mended(rewriter.name, writer.toByteArray());
  }

  /** The class that the additional argument of our constructors has. */
  static byte[] marker() {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(
        Opcodes.V1_5, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER | Opcodes.ACC_FINAL, InlinedConstructors.MARKER, null,
        "java/lang/Object", null);
    writer.visitEnd();
    return writer.toByteArray();
  }

  private final class Names extends Remapper {
    Names() {
      super(Opcodes.ASM9);
    }

    @Override
    public String map(String name) {
      InlinedConstructors.Making making = inlined.making(name);
      String real = making == null ? name : making.made();
      return real.startsWith("java/") && known.isOwn(real) ? MOVED + real : real;
    }
  }

  /** Calls our constructors where the code has types of ours; those still have their first names here. */
  private final class OwnConstructors extends ClassVisitor {
    private String own;

    OwnConstructors(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String above, String[] interfaces) {
      own = name;
      super.visit(version, access, name, signature, above, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
        @Override
        public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean ofInterface) {
          InlinedConstructors.Making making = inlined.making(owner);
          if (making != null && name.equals("<init>")) {
            super.visitInsn(Opcodes.ACONST_NULL);
            super.visitMethodInsn(
                code, making.made(), name, InlinedConstructors.descriptor(descriptor), false);
          } else {
            super.visitMethodInsn(code, owner, name, descriptor, ofInterface);
          }
        }
      };
    }

    @Override
    public void visitEnd() {
      inlined.addedTo(own).forEach(this::constructor);
      super.visitEnd();
    }

    private void constructor(InlinedConstructors.Making making) {
      String descriptor = InlinedConstructors.descriptor(making.descriptor());
      MethodVisitor code =
          super.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC, "<init>", descriptor, null, null);
      code.visitCode();
      code.visitVarInsn(Opcodes.ALOAD, 0);
      int at = 1;
      for (Type argument : Type.getArgumentTypes(making.descriptor())) {
        code.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), at);
        at += argument.getSize();
      }
      String above = known.superName(own);
      boolean direct = above.equals(making.by());
      if (!direct) {
        code.visitVarInsn(Opcodes.ALOAD, at);
      }
      code.visitMethodInsn(
          Opcodes.INVOKESPECIAL, above, "<init>", direct ? making.descriptor() : descriptor, false);
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(0, 0);
      code.visitEnd();
    }
  }

  /**
   * What is in a class: whether that is something which older ones could not have, and the interfaces whose code it
   * calls as its super's.
   */
  private record Content(boolean modern, Set<String> called) {}

  private Content content(ClassReader reader) {
    uses.within(reader.getClassName());
    boolean[] found = {false};
    Set<String> called = new LinkedHashSet<>();
    boolean ofInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
    MethodVisitor look =
        new MethodVisitor(Opcodes.ASM9) {
          @Override
          public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean marked) {
            boolean isInterfaces = marked || known.isInterface(owner);
            found[0] |= direct(code) && isInterfaces;
            if (code == Opcodes.INVOKESPECIAL && isInterfaces && !owner.equals(reader.getClassName())) {
              called.add(owner);
            }
            uses.method(owner, name, descriptor);
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
    return new Content(found[0], called);
  }

  private static boolean direct(int code) {
    return code == Opcodes.INVOKESTATIC || code == Opcodes.INVOKESPECIAL;
  }

  private final class Rewriter extends ClassVisitor {
    private final int version;
    private final String source;
    private final Set<String> called;
    private boolean ofInterface;
    private String name;

    Rewriter(ClassVisitor next, int version, String source, Set<String> called) {
      super(Opcodes.ASM9, next);
      this.version = version;
      this.source = source;
      this.called = called;
    }

    @Override
    public void visit(int was, int access, String name, String signature, String above, String[] interfaces) {
      this.name = name;
      ofInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      Set<String> all = new LinkedHashSet<>(List.of(interfaces));
      all.addAll(called);
      super.visit(version, access, name, signature, above, all.toArray(String[]::new));
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
