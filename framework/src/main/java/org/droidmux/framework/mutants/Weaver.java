package org.droidmux.framework.mutants;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * Weaves mutants into an app's own classes, all of them at once, each with a switch: mutant schemata (Untch, Offutt and
 * Harrold, ISSTA 1993). In flow classes that the JVM takes, in an order that is always the same; out flow the classes with
 * the switches, and the list of them. With no switch on, a class does what it did.
 */
public final class Weaver {
  /** More are never needed to choose from, and the switches of all have room in the host. */
  public static final int MOST = 30_000;

  private final OwnCode own;
  private final BinaryOperator<String> common;
  private final List<Mutant> mutants = new ArrayList<>();

  /** For this app; {@code common} tells the nearest class that two extend, for frames. */
  public Weaver(OwnCode own, BinaryOperator<String> common) {
    this.own = own;
    this.common = common;
  }

  /** A class with its switches; the same bytes where it has no place for any. */
  public byte[] woven(String name, byte[] code) {
    if (!own.has(name) || mutants.size() >= MOST) {
      return code;
    }
    int before = mutants.size();
    try {
      ClassNode node = new ClassNode();
      ClassReader reader = new ClassReader(code);
      reader.accept(node, ClassReader.SKIP_FRAMES);
      OwnClass looked = new OwnClass(node);
      Set<Object> taken = Places.free();
      for (Operator operator : Operators.ALL) {
        operator.look(looked, new Places(looked, operator.name(), mutants, taken));
      }
      if (mutants.size() == before || mutants.size() > MOST) {
        forget(before);
        return code;
      }
      ClassWriter writer = new Writer((node.version & 0xffff) > Opcodes.V1_5);
      node.accept(writer);
      return writer.toByteArray();
    } catch (RuntimeException e) {
      // A method that grew too large, or code that cannot be followed: the class stays as it is.
      forget(before);
      return code;
    }
  }

  private void forget(int from) {
    mutants.subList(from, mutants.size()).clear();
  }

  /** All that were woven in, by number. */
  public List<Mutant> mutants() {
    return List.copyOf(mutants);
  }

  /** Classes of old need no frames; those of others are worked out anew. */
  private final class Writer extends ClassWriter {
    Writer(boolean frames) {
      super(frames ? COMPUTE_FRAMES : COMPUTE_MAXS);
    }

    @Override
    protected String getCommonSuperClass(String one, String other) {
      return common.apply(one, other);
    }
  }
}
