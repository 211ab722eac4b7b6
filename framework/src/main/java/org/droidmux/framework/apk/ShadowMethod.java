package org.droidmux.framework.apk;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What the code of one method of a shadow does: in flow its instructions, out flows which fields of shadows it reads and
 * writes, whom it calls, and whether it does anything beyond that.
 */
final class ShadowMethod extends MethodVisitor {
  private static final String SHADOWS = "org/robolectric/";

  /** Classes of the framework that hold values: to use them does nothing. */
  private static final Set<String> VALUES =
      Set.of(
          "android/content/Intent", "android/content/ComponentName", "android/os/Bundle", "android/net/Uri",
          "android/text/TextUtils", "android/util/Log", "android/util/Pair", "android/util/SparseArray",
          "android/util/ArrayMap", "android/util/ArraySet", "android/os/Build", "android/os/Build$VERSION");

  /** What changes a collection. */
  private static final Set<String> CHANGES =
      Set.of(
          "add", "addAll", "addFirst", "addLast", "put", "putAll", "putIfAbsent", "remove", "removeAll", "removeIf",
          "clear", "set", "push", "pop", "offer", "poll", "append", "delete", "getAndSet", "incrementAndGet",
          "getAndIncrement", "computeIfAbsent", "compute", "merge");

  /** What runs code of somebody else's. */
  private static final Set<String> RUNS = Set.of("execute", "run", "accept", "apply", "submit", "start", "call");

  final String name;
  final String descriptor;
  final boolean isStatic;
  final Set<String> reads = new HashSet<>();
  final Set<String> writes = new HashSet<>();

  /** Methods of shadows that it calls. */
  final Set<String> calls = new HashSet<>();

  /** Classes of shadows that it makes objects of. */
  final Set<String> makes = new HashSet<>();

  /** Methods of shadows that somebody may call later for it. */
  final Set<String> runs = new HashSet<>();

  /** It calls the framework, or code that it was given. */
  boolean acts;

  /** Its answer depends on what it was given. */
  boolean computes;

  boolean returns;
  boolean fails;

  /** Whether it stands for a method of the framework, at the levels from the first to the last. */
  boolean implementation;

  /** It runs, and the framework's own code after it. */
  boolean filter;

  int since = -1;
  int until = -1;
  String stands;

  private final int arguments;
  private final Set<String> held = new HashSet<>();

  ShadowMethod(int access, String name, String descriptor) {
    super(Opcodes.ASM9);
    this.name = name;
    this.descriptor = descriptor;
    isStatic = (access & Opcodes.ACC_STATIC) != 0;
    arguments = (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - (isStatic ? 1 : 0);
    // Code that is not here may do anything.
    acts = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0;
    stands = name;
  }

  boolean isVoid() {
    return descriptor.endsWith(")V");
  }

  /** Whether the app's calls come to it. */
  boolean isCalledAt(int level) {
    return filter || at(level);
  }

  boolean at(int level) {
    return implementation && since <= level && (until < 0 || until >= level);
  }

  @Override
  public AnnotationVisitor visitAnnotation(String kind, boolean visible) {
    filter |= kind.equals("Lorg/robolectric/annotation/Filter;");
    if (!kind.equals("Lorg/robolectric/annotation/Implementation;")) {
      return null;
    }
    implementation = true;
    return new AnnotationVisitor(Opcodes.ASM9) {
      @Override
      public void visit(String member, Object value) {
        switch (member) {
          case "minSdk" -> since = (Integer) value;
          case "maxSdk" -> until = (Integer) value;
          case "methodName" -> stands = ((String) value).isEmpty() ? stands : (String) value;
          default -> {
            // Nothing else says what it stands for.
          }
        }
      }
    };
  }

  @Override
  public void visitInsn(int code) {
    returns |= code >= Opcodes.IRETURN && code <= Opcodes.RETURN;
    fails |= code == Opcodes.ATHROW;
  }

  @Override
  public void visitVarInsn(int code, int index) {
    boolean own = index == 0 && !isStatic;
    computes |= code <= Opcodes.ALOAD && !own && index < arguments;
  }

  @Override
  public void visitFieldInsn(int code, String owner, String field, String type) {
    boolean writing = code == Opcodes.PUTFIELD || code == Opcodes.PUTSTATIC;
    if (!isOfShadow(owner)) {
      acts |= writing;
      return;
    }
    String id = owner + "." + field;
    (writing ? writes : reads).add(id);
    if (!writing && (type.startsWith("Ljava/util/") || type.startsWith("Lcom/google/") || type.startsWith("["))) {
      held.add(id);
    }
  }

  @Override
  public void visitMethodInsn(int code, String owner, String called, String type, boolean isInterface) {
    if (owner.startsWith("java/") || owner.startsWith("com/google/common/")) {
      acts |= RUNS.contains(called);
      if (CHANGES.contains(called)) {
        writes.addAll(held);
        if (isVoid()) {
          // It was looked up to be changed.
          reads.removeAll(held);
        }
      }
    } else if (isOfShadow(owner)) {
      calls.add(owner + "." + called + type);
      if (called.equals("<init>")) {
        makes.add(owner);
      }
    } else if (owner.equals(SHADOWS + "util/ReflectionHelpers")) {
      acts |= !called.equals("createNullProxy") && !called.equals("defaultValueForType");
    } else if (owner.startsWith(SHADOWS)) {
      acts |= !called.equals("extract") && !owner.equals(SHADOWS + "RuntimeEnvironment");
    } else if (!owner.startsWith("[")) {
      // An object of the framework's that is handed out does what such objects do.
      acts |= !VALUES.contains(owner) && !(called.equals("<init>") && isVoid());
    }
  }

  @Override
  public void visitInvokeDynamicInsn(String made, String type, Handle bootstrap, Object... given) {
    // What a lambda does is done by who calls it; what it touches is touched.
    for (Object each : given) {
      if (each instanceof Handle handle && isOfShadow(handle.getOwner())) {
        runs.add(handle.getOwner() + "." + handle.getName() + handle.getDesc());
      }
    }
  }

  private static boolean isOfShadow(String owner) {
    return owner.startsWith(SHADOWS + "shadows/") || owner.startsWith("org/droidmux/framework/");
  }
}
