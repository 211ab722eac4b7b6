package org.droidmux.framework.apk;

import static org.junit.Assert.assertEquals;

import com.googlecode.d2j.DexConstants;
import com.googlecode.d2j.Method;
import com.googlecode.d2j.dex.Dex2Asm;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.reader.Op;
import com.googlecode.d2j.visitors.DexClassVisitor;
import com.googlecode.d2j.visitors.DexCodeVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Objects as the code of apps that R8 has optimised makes them, and which class they have in the JVM. */
public class InlinedConstructorsTest {
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String ABOVE = "Lt/Above;";
  private static final String MADE = "Lt/Made;";

  /**
   * An object of Made, which extends Above.
   *
   * @param aboveHasOne whether Above has a constructor
   * @param ofMade the class whose constructor is called by that of Made, which takes a number; null where Made has none
   * @param by the constructor that the code names
   */
  private record Case(String name, boolean aboveHasOne, String ofMade, Method by) {}

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Takes classes as they are. */
  private static final class Translated extends ClassLoader {
    Class<?> taken(String name, byte[] code) {
      return defineClass(name, code, 0, code.length);
    }
  }

  @Test
  public void objectsAreOfTheClassThatIsNamed() throws Exception {
    List<Case> cases =
        List.of(
            new Case("inlined", true, null, constructor(OBJECT)),
            new Case("taken away, since it only called the next above", true, null, constructor(MADE)),
            new Case("two taken away", false, null, constructor(MADE)),
            new Case("taken away beside another one", true, ABOVE, constructor(MADE)),
            new Case("taken away from above one that is there", false, ABOVE, constructor(MADE, "I")),
            new Case("taken away below one that went on to it", true, MADE, constructor(MADE, "I")));
    for (Case each : cases) {
      Map<String, byte[]> classes = translated(each);
      Translated loader = new Translated();
      loader.taken("t.Above", classes.get("t/Above"));
      Class<?> made = loader.taken("t.Made", classes.get("t/Made"));
      Class<?> maker = loader.taken("t.Maker", classes.get("t/Maker"));
      assertEquals(each.name(), made, maker.getMethod("make").invoke(null).getClass());
    }
  }

  /** R8 puts an empty class of a name of the framework's into an app that is meant for phones without it, too. */
  @Test
  public void aStandInIsNotTheFrameworksClass() throws Exception {
    byte[] frameworks = classWithNumber("android/t/Above");
    Path jar = folder.newFile("framework.jar").toPath();
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("android/t/Above.class"));
      out.write(frameworks);
    }
    DexFileNode dex = new DexFileNode();
    dex.visit(Opcodes.ACC_PUBLIC, "Landroid/t/Above;", OBJECT, null);
    DexClassVisitor made = dex.visit(Opcodes.ACC_PUBLIC, MADE, "Landroid/t/Above;", null);
    DexCodeVisitor code =
        made.visitMethod(Opcodes.ACC_PUBLIC | DexConstants.ACC_CONSTRUCTOR, constructor(MADE, "I")).visitCode();
    code.visitRegister(2);
    code.visitMethodStmt(Op.INVOKE_DIRECT, new int[] {0, 1}, constructor("Landroid/t/Above;", "I"));
    code.visitStmt0R(Op.RETURN_VOID);
    Translated loader = new Translated();
    loader.taken("android.t.Above", frameworks);
    Class<?> taken = loader.taken("t.Made", translated(dex, List.of(jar)).get("t/Made"));
    assertEquals(taken, taken.getConstructor(int.class).newInstance(7).getClass());
  }

  /** A class whose only constructor takes a number. */
  private static byte[] classWithNumber(String name) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, name, null, "java/lang/Object", null);
    MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(I)V", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(0, 0);
    code.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static Map<String, byte[]> translated(Case each) throws ApkException {
    DexFileNode dex = new DexFileNode();
    DexClassVisitor above = dex.visit(Opcodes.ACC_PUBLIC, ABOVE, OBJECT, null);
    if (each.aboveHasOne()) {
      define(above, constructor(ABOVE), OBJECT);
    }
    DexClassVisitor made = dex.visit(Opcodes.ACC_PUBLIC, MADE, ABOVE, null);
    if (each.ofMade() != null) {
      define(made, constructor(MADE, "I"), each.ofMade());
    }
    DexClassVisitor maker = dex.visit(Opcodes.ACC_PUBLIC, "Lt/Maker;", OBJECT, null);
    DexCodeVisitor code =
        maker.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC,
            new Method("Lt/Maker;", "make", new String[0], OBJECT)).visitCode();
    code.visitRegister(2);
    code.visitTypeStmt(Op.NEW_INSTANCE, 0, 0, MADE);
    code.visitConstStmt(Op.CONST_4, 1, 7);
    int[] registers = each.by().getParameterTypes().length == 0 ? new int[] {0} : new int[] {0, 1};
    code.visitMethodStmt(Op.INVOKE_DIRECT, registers, each.by());
    code.visitStmt1R(Op.RETURN_OBJECT, 0);
    return translated(dex, List.of());
  }

  private static Map<String, byte[]> translated(DexFileNode dex, List<Path> framework) throws ApkException {
    try (KnownClasses known = new KnownClasses(framework)) {
      dex.clzs.forEach(
          each -> known.define(internal(each.className), false, internal(each.superClass)));
      InlinedConstructors inlined = new InlinedConstructors(known);
      inlined.note(Stream.of(dex));
      inlined.mark(dex);
      Map<String, ClassWriter> written = new LinkedHashMap<>();
      new Dex2Asm().convertDex(dex, name -> kept(written, name));
      Mend mend = new Mend(known, new Uses(known, new Pretences()), inlined);
      Map<String, byte[]> mended = new LinkedHashMap<>();
      written.forEach((name, writer) -> mended.put(name, mend.mended(writer.toByteArray(), null).code()));
      return mended;
    }
  }

  private static ClassVisitor kept(Map<String, ClassWriter> written, String name) {
    return written.computeIfAbsent(name, each -> new ClassWriter(ClassWriter.COMPUTE_MAXS));
  }

  /** A constructor that calls that of a class, which takes nothing. */
  private static void define(DexClassVisitor of, Method constructor, String called) {
    DexCodeVisitor code = of.visitMethod(Opcodes.ACC_PUBLIC | DexConstants.ACC_CONSTRUCTOR, constructor).visitCode();
    int arguments = constructor.getParameterTypes().length;
    code.visitRegister(1 + arguments);
    code.visitMethodStmt(Op.INVOKE_DIRECT, new int[] {0}, constructor(called));
    code.visitStmt0R(Op.RETURN_VOID);
  }

  private static Method constructor(String owner, String... parameters) {
    return new Method(owner, "<init>", parameters, "V");
  }

  private static String internal(String descriptor) {
    return descriptor.substring(1, descriptor.length() - 1);
  }
}
