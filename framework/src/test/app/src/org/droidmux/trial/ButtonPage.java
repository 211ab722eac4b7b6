package org.droidmux.trial;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** A page of buttons below a line that says what came of the last one. */
abstract class ButtonPage extends Activity {
  TextView status;
  LinearLayout content;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    content = new LinearLayout(this);
    content.setOrientation(LinearLayout.VERTICAL);
    status = new TextView(this);
    status.setId(R.id.status);
    content.addView(status);
  }

  /** Shows all that is in the page by now. */
  final void showContent() {
    ScrollView scroll = new ScrollView(this);
    scroll.addView(content);
    setContentView(scroll);
  }

  View button(String text, Runnable then) {
    return button(text, 100, then);
  }

  final View button(String text, int height, Runnable then) {
    Button button = new Button(this);
    button.setText(text);
    button.setAllCaps(false);
    button.setOnClickListener(view -> then.run());
    content.addView(button, new LinearLayout.LayoutParams(-1, height));
    return button;
  }
}
