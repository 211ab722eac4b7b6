package org.droidmux.framework.apk;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A class of Robolectric's shadows or of this host's: for which class of the framework it stands, at which levels, and what
 * its methods do. Read from its class file.
 */
final class ShadowClass extends ClassVisitor {
  String name;
  String above;

  /** The class of the framework, or null for one that only helps. */
  String stands;

  int since = -1;
  int until = -1;

  /** What it does not say of native methods is done by native code. */
  boolean callsNatives;

  /** Names of its own fields. */
  final Set<String> fields = new HashSet<>();

  /** By name and descriptor. */
  final Map<String, ShadowMethod> methods = new LinkedHashMap<>();

  ShadowClass(byte[] code) {
    super(Opcodes.ASM9);
    new ClassReader(code).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
  }

  boolean at(int level) {
    return stands != null && since <= level && (until < 0 || until >= level);
  }

  @Override
  public void visit(int version, int access, String own, String signature, String superName, String[] interfaces) {
    name = own;
    above = superName;
  }

  @Override
  public AnnotationVisitor visitAnnotation(String kind, boolean visible) {
    if (!kind.equals("Lorg/robolectric/annotation/Implements;")) {
      return null;
    }
    return new AnnotationVisitor(Opcodes.ASM9) {
      @Override
      public void visit(String member, Object value) {
        switch (member) {
          case "value" -> stands = stands == null ? ((Type) value).getInternalName() : stands;
          case "className" -> stands = ((String) value).replace('.', '/');
          case "minSdk" -> since = (Integer) value;
          case "maxSdk" -> until = (Integer) value;
          case "callNativeMethodsByDefault" -> callsNatives = (Boolean) value;
          default -> {
            // Nothing else says what it stands for.
          }
        }
      }
    };
  }

  @Override
  public FieldVisitor visitField(int access, String field, String descriptor, String signature, Object value) {
    fields.add(field);
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] exceptions) {
    ShadowMethod made = new ShadowMethod(access, method, descriptor);
    methods.put(method + descriptor, made);
    return made;
  }
}
