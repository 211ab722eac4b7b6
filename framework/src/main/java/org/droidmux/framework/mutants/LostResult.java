package org.droidmux.framework.mutants;

import java.util.Set;

/** What a dialog or another activity gives back is ignored. Xiong et al., "incorrect interaction"; Deng et al., on intents. */
final class LostResult implements Operator {
  private static final Set<String> NAMES =
      Set.of(
          "onActivityResult", "onRequestPermissionsResult", "onDateSet", "onTimeSet", "onFragmentResult", "onDismiss",
          "onCancel", "onColorSelected", "onDialogPositiveClick", "onDialogNegativeClick");

  @Override
  public String name() {
    return "lost-result";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      boolean named = NAMES.contains(method.name()) && method.descriptor().endsWith(")V");
      if ((named || isOfDialog(method)) && method.size() >= 3 && !method.isStatic()) {
        places.leave(method, "what comes to " + method.name() + " of " + own.simpleName() + " is ignored");
      }
    }
  }

  /** Whether a dialog tells it what was chosen. */
  static boolean isOfDialog(OwnMethod method) {
    return method.name().equals("onClick") && method.descriptor().startsWith("(Landroid/content/DialogInterface;I");
  }
}
