package org.droidmux.framework.mutants;

import java.util.Set;

/** A listener that does nothing. MDroid+, "Buggy GUI Listener"; Deng et al., "OnClick Event Replacement". */
final class SilentListener implements Operator {
  private static final Set<String> NAMES =
      Set.of(
          "onClick", "onLongClick", "onItemClick", "onItemLongClick", "onItemSelected", "onCheckedChanged", "onMenuItemClick",
          "onOptionsItemSelected", "onContextItemSelected", "onNavigationItemSelected", "onActionItemClicked",
          "onPreferenceChange", "onPreferenceClick", "onSharedPreferenceChanged", "onEditorAction", "onQueryTextSubmit",
          "onQueryTextChange", "afterTextChanged", "onTextChanged", "onProgressChanged", "onStopTrackingTouch", "onRefresh",
          "onListItemClick", "onSwiped", "onGroupClick", "onChildClick", "onTabSelected", "onPageSelected",
          "onPreferenceTreeClick");

  /** What does less does nothing that anybody could miss. */
  private static final int LEAST = 4;

  @Override
  public String name() {
    return "silent-listener";
  }

  @Override
  public void look(OwnClass own, Places places) {
    for (OwnMethod method : own.methods()) {
      String descriptor = method.descriptor();
      boolean answers = descriptor.endsWith(")V") || descriptor.endsWith(")Z");
      if (NAMES.contains(method.name()) && answers && !method.isStatic() && method.size() >= LEAST
          && !LostResult.isOfDialog(method)) {
        places.leave(method, method.name() + " of " + own.simpleName() + " does nothing");
      }
    }
  }
}
