package org.droidmux.framework.apk;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

/** Which methods of a woven class still ask for a shadow, by shadows of our own. */
public class DirectCallsTest {
  /** What the shadow of a class above stands for, it stands for as well. */
  public static class ShadowAbove {
    @Implementation
    protected void inherited() {}
  }

  @Implements(className = "org.droidmux.Woven")
  public static class ShadowWoven extends ShadowAbove {
    @Implementation
    protected void told() {}

    @Implementation(methodName = "renamed")
    protected void any() {}

    @Implementation(maxSdk = 10)
    protected void once() {}
  }

  private static final String BOOTSTRAP =
      "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
          + "Ljava/lang/invoke/MethodHandle;I)Ljava/lang/invoke/CallSite;";

  @Test
  public void onlyWhatAShadowCanStandForAsks() throws IOException {
    PretenceSources sources = new PretenceSources();
    for (Class<?> each : List.of(ShadowAbove.class, ShadowWoven.class)) {
      try (InputStream code = each.getResourceAsStream("/" + Type.getInternalName(each) + ".class")) {
        sources.shadow(code.readAllBytes());
      }
    }
    DirectCalls calls = new DirectCalls(sources);
    List<String> methods = List.of("told", "renamed", "once", "inherited", "free", "static free", "native raw");
    assertEquals(
        List.of("told", "renamed", "once", "inherited", "raw"), asking(calls.direct(woven("org/droidmux/Woven", methods))));
    assertEquals(List.of("raw"), asking(calls.direct(woven("org/droidmux/Other", methods))));
  }

  /** A class as Robolectric weaves it: each method asks, and its own code stands beside it. */
  private static byte[] woven(String owner, List<String> methods) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, owner, null, "java/lang/Object", null);
    for (String each : methods) {
      boolean isStatic = each.startsWith("static ");
      boolean isNative = each.startsWith("native ");
      String name = each.substring(each.indexOf(' ') + 1);
      String own = "$$robo$$" + (isStatic ? "static$" : "") + name;
      int access = Opcodes.ACC_PUBLIC | (isStatic ? Opcodes.ACC_STATIC : 0);
      MethodVisitor method = writer.visitMethod(access, isStatic ? "s" + name : name, "()V", null, null);
      method.visitCode();
      if (!isStatic) {
        method.visitVarInsn(Opcodes.ALOAD, 0);
      }
      method.visitInvokeDynamicInsn(
          name,
          isStatic ? "()V" : "(L" + owner + ";)V",
          new Handle(
              Opcodes.H_INVOKESTATIC,
              "org/robolectric/internal/bytecode/InvokeDynamicSupport",
              isStatic ? "bootstrapStatic" : "bootstrap",
              BOOTSTRAP,
              false),
          new Handle(isStatic ? Opcodes.H_INVOKESTATIC : Opcodes.H_INVOKESPECIAL, owner, own, "()V", false),
          isNative ? 1 : 0);
      method.visitInsn(Opcodes.RETURN);
      method.visitMaxs(0, 0);
      method.visitEnd();
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static List<String> asking(byte[] code) {
    List<String> asking = new ArrayList<>();
    new ClassReader(code)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitInvokeDynamicInsn(String asked, String type, Handle bootstrap, Object... given) {
                    asking.add(asked);
                  }

                  @Override
                  public void visitMethodInsn(int code, String owner, String called, String type, boolean isInterface) {
                    boolean isStatic = name.startsWith("s");
                    assertEquals(isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL, code);
                    assertEquals("$$robo$$" + (isStatic ? "static$" + name.substring(1) : name), called);
                  }
                };
              }
            },
            0);
    return asking;
  }
}
