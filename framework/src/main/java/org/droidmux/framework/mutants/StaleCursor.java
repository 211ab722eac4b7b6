package org.droidmux.framework.mutants;

import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** What is shown of a database is not asked for again. Xiong et al., "stale data". */
final class StaleCursor implements Operator {
  private static final Set<String> CURSORS =
      Set.of(
          "requery", "restartLoader", "initLoader", "swapCursor", "changeCursor", "notifyChange", "setNotificationUri",
          "forceLoad", "startQuery");

  @Override
  public String name() {
    return "stale-cursor";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      for (MethodInsnNode call : method.calls()) {
        boolean live = call.owner.contains("LiveData") && (call.name.equals("setValue") || call.name.equals("postValue"));
        if (CURSORS.contains(call.name) || live) {
          places.skip(method, call, call.name + " is left out");
        }
      }
    }
  }
}
