package org.droidmux.trial;

import android.app.TabActivity;
import android.content.Intent;
import android.os.Bundle;

/** Activities within an activity, as apps of old have them behind tabs. */
@SuppressWarnings("deprecation")
public final class TabsActivity extends TabActivity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    for (String name : new String[] {"First", "Second"}) {
      Intent page = new Intent(this, TabPage.class).setAction(name);
      getTabHost().addTab(getTabHost().newTabSpec(name).setIndicator(name).setContent(page));
    }
  }

  /** What is behind a tab. */
  public static final class TabPage extends ButtonPage {
    private int opened;

    @Override
    protected void onCreate(Bundle state) {
      super.onCreate(state);
      status.setText(getIntent().getAction() + " within " + getParent().getClass().getSimpleName());
      button("Open", () -> startActivityForResult(new Intent(this, PaceActivity.class), 1));
      button("Leave", this::finish);
      button("Up", () -> getParent().onNavigateUp());
      button("Up to the same", () -> navigateUpTo(new Intent(this, MainActivity.class).addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP)));
      showContent();
    }

    @Override
    protected void onActivityResult(int request, int result, Intent data) {
      status.append(" and back " + ++opened);
    }
  }
}
