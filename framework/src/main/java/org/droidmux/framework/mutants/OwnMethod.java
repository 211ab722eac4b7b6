package org.droidmux.framework.mutants;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** A method of the app's own: its calls, and where their arguments come from. */
final class OwnMethod {
  /** Instructions at most; longer ones are generated. */
  static final int LONGEST = 6_000;

  private final ClassNode owner;
  private final MethodNode node;
  private final List<AbstractInsnNode> code;
  private final Map<AbstractInsnNode, Integer> places = new IdentityHashMap<>();
  private Frame<SourceValue>[] frames;
  private boolean analysed;

  OwnMethod(ClassNode owner, MethodNode node) {
    this.owner = owner;
    this.node = node;
    this.code = List.of(node.instructions.toArray());
    for (int i = 0; i < code.size(); i++) {
      places.put(code.get(i), i);
    }
  }

  MethodNode node() {
    return node;
  }

  String name() {
    return node.name;
  }

  String descriptor() {
    return node.desc;
  }

  boolean isStatic() {
    return (node.access & Opcodes.ACC_STATIC) != 0;
  }

  /** Its instructions as they were before anything was woven in. */
  List<AbstractInsnNode> code() {
    return code;
  }

  /** The place of an instruction among them; -1 for one that was woven in. */
  int place(AbstractInsnNode at) {
    return places.getOrDefault(at, -1);
  }

  /** Instructions that do something. */
  int size() {
    return (int) code.stream().filter(each -> each.getOpcode() >= 0).count();
  }

  List<MethodInsnNode> calls() {
    List<MethodInsnNode> calls = new ArrayList<>();
    for (AbstractInsnNode each : code) {
      if (each instanceof MethodInsnNode call) {
        calls.add(call);
      }
    }
    return calls;
  }

  /** The place of a parameter among the local variables. */
  int local(int parameter) {
    Type[] types = Type.getArgumentTypes(node.desc);
    int at = isStatic() ? 0 : 1;
    for (int i = 0; i < parameter; i++) {
      at += types[i].getSize();
    }
    return at;
  }

  /** The one instruction that an argument of a call comes from, the receiver being -1; null when there are several. */
  AbstractInsnNode source(MethodInsnNode call, int argument) {
    int last = Type.getArgumentTypes(call.desc).length - 1;
    return below(call, last - argument);
  }

  /** The one instruction that a value on the stack comes from, the topmost being 0, before {@code at}. */
  AbstractInsnNode below(AbstractInsnNode at, int depth) {
    Frame<SourceValue> frame = frame(at);
    if (frame == null || depth < 0 || frame.getStackSize() <= depth) {
      return null;
    }
    SourceValue value = frame.getStack(frame.getStackSize() - 1 - depth);
    return value.insns.size() == 1 ? value.insns.iterator().next() : null;
  }

  /** The text that is given for an argument, where it is written there. */
  String text(MethodInsnNode call, int argument) {
    return source(call, argument) instanceof LdcInsnNode constant && constant.cst instanceof String text ? text : null;
  }

  private Frame<SourceValue> frame(AbstractInsnNode at) {
    if (!analysed) {
      analysed = true;
      try {
        frames = new Analyzer<>(new SourceInterpreter()).analyzeAndComputeMaxs(owner.name, node);
      } catch (AnalyzerException | RuntimeException e) {
        // Where arguments come from is not known then.
        frames = null;
      }
    }
    int index = frames == null ? -1 : place(at);
    return index < 0 || index >= frames.length ? null : frames[index];
  }

  /** The line of an instruction; 0 where the code does not say. */
  int line(AbstractInsnNode at) {
    for (AbstractInsnNode each = at; each != null; each = each.getPrevious()) {
      if (each instanceof LineNumberNode line) {
        return line.line;
      }
    }
    return 0;
  }

  /** The instruction before one that does something; null at the beginning. */
  static AbstractInsnNode before(AbstractInsnNode at) {
    AbstractInsnNode each = at.getPrevious();
    while (each != null && each.getOpcode() < 0) {
      each = each.getPrevious();
    }
    return each;
  }

  /** The one after it. */
  static AbstractInsnNode after(AbstractInsnNode at) {
    AbstractInsnNode each = at.getNext();
    while (each != null && each.getOpcode() < 0) {
      each = each.getNext();
    }
    return each;
  }

  /** Whether an instruction loads a field of this kind of a class whose name ends so. */
  static boolean loadsStatic(AbstractInsnNode at, String ownerEnd) {
    return at instanceof FieldInsnNode field && field.getOpcode() == Opcodes.GETSTATIC && field.desc.equals("I")
        && field.owner.endsWith(ownerEnd);
  }
}
