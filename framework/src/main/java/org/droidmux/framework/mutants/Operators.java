package org.droidmux.framework.mutants;

import java.util.List;

/** All operators. Where two could change the same instruction, the first does: the rarer come first. */
final class Operators {
  static final List<Operator> ALL =
      List.of(
          new LesserUndo(), new LostState(), new LostRestore(), new StaleCursor(), new WrongColumn(), new WrongPreference(),
          new WrongExtra(), new LostExtra(), new WrongResource(), new WrongOrder(), new WrongSearch(), new LostWrite(),
          new LostNotification(), new FlippedVisibility(), new WrongItem(), new WrongPosition(), new LostCount(),
          new LostResult(), new SilentListener(), new NegatedCondition());

  private Operators() {}
}
