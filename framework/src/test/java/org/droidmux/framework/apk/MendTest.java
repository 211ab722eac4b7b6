package org.droidmux.framework.apk;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes as dex2jar writes them, and what the JVM says of them once they are mended. */
public class MendTest {
  /** Takes classes as they are. */
  private static final class Mended extends ClassLoader {
    Class<?> taken(String name, byte[] code) {
      return defineClass(name, code, 0, code.length);
    }
  }

  @Test
  public void anInterfaceThatIsCalledByWayOfAnotherIsTaken() throws Exception {
    // Greets says something, Friendly extends it, and Person, which names Friendly alone, asks Greets as its super.
    Map<String, byte[]> classes = new HashMap<>();
    int ofInterface = Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;
    ClassWriter greets = written(ofInterface, "t/Greets", "java/lang/Object");
    method(greets, "said", "()Ljava/lang/String;", Opcodes.ARETURN, code -> code.visitLdcInsn("hello"));
    classes.put("t/Greets", greets.toByteArray());
    classes.put("t/Friendly", written(ofInterface, "t/Friendly", "java/lang/Object", "t/Greets").toByteArray());
    ClassWriter person = written(Opcodes.ACC_PUBLIC, "t/Person", "java/lang/Object", "t/Friendly");
    method(person, "<init>", "()V", Opcodes.RETURN, code -> ofSuper(code, "java/lang/Object", "<init>", "()V"));
    method(
        person, "toString", "()Ljava/lang/String;", Opcodes.ARETURN,
        code -> ofSuper(code, "t/Greets", "said", "()Ljava/lang/String;"));
    classes.put("t/Person", person.toByteArray());

    try (KnownClasses known = new KnownClasses(List.of())) {
      known.define("t/Greets", true, "java/lang/Object");
      known.define("t/Friendly", true, "java/lang/Object");
      known.define("t/Person", false, "java/lang/Object");
      Mend mend = new Mend(known, new Uses(known, new Pretences()), new InlinedConstructors(known));
      Mended loader = new Mended();
      Class<?> last = null;
      for (String each : List.of("t/Greets", "t/Friendly", "t/Person")) {
        last = loader.taken(each.replace('/', '.'), mend.mended(classes.get(each), null).code());
      }
      assertEquals("hello", last.getConstructor().newInstance().toString());
    }
  }

  private static ClassWriter written(int access, String name, String above, String... interfaces) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_6, access, name, null, above, interfaces);
    return writer;
  }

  private static void method(
      ClassWriter writer, String name, String descriptor, int end, Consumer<MethodVisitor> body) {
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, name, descriptor, null, null);
    code.visitCode();
    body.accept(code);
    code.visitInsn(end);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  /** Calls what a class or an interface above does by this name. */
  private static void ofSuper(MethodVisitor code, String owner, String name, String descriptor) {
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, owner, name, descriptor, false);
  }
}
