package org.droidmux.framework.apk;

import static org.junit.Assert.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    MethodVisitor said = greets.visitMethod(Opcodes.ACC_PUBLIC, "said", "()Ljava/lang/String;", null, null);
    said.visitCode();
    said.visitLdcInsn("hello");
    said.visitInsn(Opcodes.ARETURN);
    ended(said);
    classes.put("t/Greets", greets.toByteArray());
    classes.put("t/Friendly", written(ofInterface, "t/Friendly", "java/lang/Object", "t/Greets").toByteArray());
    ClassWriter person = written(Opcodes.ACC_PUBLIC, "t/Person", "java/lang/Object", "t/Friendly");
    MethodVisitor made = person.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    made.visitCode();
    made.visitVarInsn(Opcodes.ALOAD, 0);
    made.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    made.visitInsn(Opcodes.RETURN);
    ended(made);
    MethodVisitor told = person.visitMethod(Opcodes.ACC_PUBLIC, "toString", "()Ljava/lang/String;", null, null);
    told.visitCode();
    told.visitVarInsn(Opcodes.ALOAD, 0);
    told.visitMethodInsn(Opcodes.INVOKESPECIAL, "t/Greets", "said", "()Ljava/lang/String;", false);
    told.visitInsn(Opcodes.ARETURN);
    ended(told);
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

  private static void ended(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
