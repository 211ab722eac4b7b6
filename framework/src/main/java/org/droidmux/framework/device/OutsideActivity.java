package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.provider.MediaStore;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;

/** Draws what is outside of the app: a column of texts and buttons, which each screen fills by itself. */
public final class OutsideActivity extends Activity {
  private LinearLayout content;

  @Override
  protected void onCreate(Bundle state) {
    setTheme(android.R.style.Theme_Material_Light_NoActionBar);
    super.onCreate(state);
    content = new LinearLayout(this);
    content.setOrientation(LinearLayout.VERTICAL);
    ScrollView scroll = new ScrollView(this);
    scroll.addView(content);
    Intent intent = getIntent();
    if (PermissionQuestion.isIn(intent)) {
      PermissionQuestion.show(this);
    } else if (intent.hasCategory(Intent.CATEGORY_HOME)) {
      addText(Phone.get().label(), "org.droidmux.home:id/icon")
          .setOnClickListener(icon -> Phone.get().stack().askLauncher());
    } else if (MediaStore.ACTION_IMAGE_CAPTURE.equals(intent.getAction())) {
      CameraScreen.show(this);
    } else if (DocumentPicker.isFor(intent)) {
      DocumentPicker.show(this);
    } else {
      addText(title(intent), null);
    }
    setContentView(scroll);
  }

  /** What another app would show of an intent, as far as it is told. */
  private static String title(Intent intent) {
    if (Intent.ACTION_CHOOSER.equals(intent.getAction())) {
      CharSequence title = intent.getCharSequenceExtra(Intent.EXTRA_TITLE);
      return title == null ? "Share" : title.toString();
    }
    return String.valueOf(intent.getAction());
  }

  void clear() {
    content.removeAllViews();
  }

  TextView addText(String text, String id) {
    TextView view = new TextView(this);
    view.setText(text);
    view.setTextSize(20);
    view.setPadding(60, 120, 60, 60);
    if (id != null) {
      NamedView.name(view, id, null);
    }
    content.addView(view);
    return view;
  }

  void addButton(String text, String id, Runnable then) {
    Button button = new Button(this);
    button.setText(text);
    button.setAllCaps(false);
    button.setOnClickListener(clicked -> then.run());
    if (id != null) {
      NamedView.name(button, id, null);
    }
    content.addView(button);
  }
}
