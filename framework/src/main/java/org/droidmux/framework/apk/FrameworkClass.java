package org.droidmux.framework.apk;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A class of the framework as far as pretended methods go: which of its methods are native, and whom the others call. */
final class FrameworkClass extends ClassVisitor {
  /** What only leads to a service or back, or checks what is given. */
  private static final List<String> LEADING =
      List.of(
          "java/", "android/util/", "android/os/RemoteException", "android/os/ServiceManager", "android/os/UserHandle",
          "android/os/Process", "android/text/TextUtils", "android/content/AttributionSource",
          "com/android/internal/util/Preconditions");

  /** What each object has: nobody counts calls of that. */
  private static final Set<String> OF_OBJECT = Set.of("finalize", "equals", "hashCode", "toString");

  /** A method: those of its own class that it calls, the interfaces that it asks, and whether it does anything else. */
  static final class Method {
    private final String name;
    private final String descriptor;
    private final int access;
    private final Set<String> calls = new HashSet<>();
    private final Set<String> asks = new HashSet<>();
    private boolean acts;

    Method(String name, String descriptor, int access) {
      this.name = name;
      this.descriptor = descriptor;
      this.access = access;
    }

    String name() {
      return name;
    }

    String descriptor() {
      return descriptor;
    }

    Set<String> calls() {
      return calls;
    }

    Set<String> asks() {
      return asks;
    }

    boolean acts() {
      return acts;
    }

    boolean isAbstract() {
      return (access & Opcodes.ACC_ABSTRACT) != 0;
    }

    boolean isNative() {
      return (access & Opcodes.ACC_NATIVE) != 0;
    }

    /** Whether an app can call it. */
    boolean open() {
      return (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0
          && (access & (Opcodes.ACC_SYNTHETIC | Opcodes.ACC_ABSTRACT)) == 0
          && !name.startsWith("<")
          && !OF_OBJECT.contains(name);
    }
  }

  /** By name and descriptor. */
  final Map<String, Method> methods = new LinkedHashMap<>();

  String name;
  String above;
  List<String> interfaces = List.of();
  private int access;

  FrameworkClass(byte[] code) {
    super(Opcodes.ASM9);
    new ClassReader(code).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  boolean open() {
    return (access & Opcodes.ACC_PUBLIC) != 0;
  }

  boolean isInterface() {
    return (access & Opcodes.ACC_INTERFACE) != 0;
  }

  @Override
  public void visit(int version, int flags, String own, String signature, String superName, String[] inherited) {
    name = own;
    access = flags;
    above = superName;
    interfaces = List.of(inherited);
  }

  @Override
  public MethodVisitor visitMethod(
      int flags, String method, String descriptor, String signature, String[] exceptions) {
    Method made = new Method(method, descriptor, flags);
    methods.put(method + descriptor, made);
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public void visitMethodInsn(int code, String owner, String called, String type, boolean isInterface) {
        if (owner.equals(name)) {
          made.calls.add(called + type);
        } else if (isInterface && !owner.startsWith("java/")) {
          made.asks.add(owner);
        } else {
          boolean leads =
              LEADING.stream().anyMatch(owner::startsWith)
                  || called.equals("<init>")
                  || called.equals("asInterface")
                  || owner.equals("android/content/Context") && called.startsWith("get");
          made.acts |= !leads;
        }
      }

      @Override
      public void visitFieldInsn(int code, String owner, String field, String type) {
        // What is kept is the way to a service at most.
        made.acts |= (code == Opcodes.PUTFIELD || code == Opcodes.PUTSTATIC) && !type.matches("L.*/I[A-Z][^/]*;");
      }
    };
  }
}
