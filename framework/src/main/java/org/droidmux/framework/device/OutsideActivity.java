package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.graphics.Bitmap;
import android.net.Uri;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.Switch;
import android.widget.TextView;
import java.util.function.Consumer;

/** Draws what is outside of the app: a column of texts, fields and buttons, which each screen fills by itself. */
public final class OutsideActivity extends Activity {
  private LinearLayout content;
  private OtherApp app;

  static OutsideActivity of(Outside outside) {
    OutsideActivity made = new OutsideActivity();
    made.app = outside.app();
    return made;
  }

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
    } else if (app == null) {
      addText(Phone.get().app().label(), "org.droidmux.home:id/icon")
          .setOnClickListener(icon -> Phone.get().stack().starts().askLauncher());
    } else {
      app.show(this);
    }
    setContentView(scroll);
  }

  /** Which of the other apps this is; null for what belongs to the system. */
  OtherApp app() {
    return app;
  }

  /** Another screen takes this one's place; the result that it gives is for the one that asked for this. */
  void forward(Intent intent) {
    Phone.get().stack().starts().forward(intent, this);
    finish();
  }

  /** An address goes back, with the right to use what lies there. */
  void answer(Uri address) {
    answer(new Intent().setData(address));
  }

  void answer(Intent data) {
    if (data.getData() != null) {
      Phone.get().grants().allow(data.getData());
    }
    data.addFlags(
        Intent.FLAG_GRANT_READ_URI_PERMISSION
            | Intent.FLAG_GRANT_WRITE_URI_PERMISSION
            | Intent.FLAG_GRANT_PERSISTABLE_URI_PERMISSION);
    setResult(RESULT_OK, data);
    finish();
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

  EditText addField(String hint, String value, String id) {
    EditText field = new EditText(this);
    field.setHint(hint);
    field.setText(value);
    field.setSingleLine(true);
    NamedView.name(field, id, null);
    content.addView(field);
    return field;
  }

  void addSwitch(String text, boolean on, String id, Consumer<Boolean> then) {
    Switch view = new Switch(this);
    view.setText(text);
    view.setPadding(60, 60, 60, 60);
    view.setChecked(on);
    view.setOnCheckedChangeListener((changed, now) -> then.accept(now));
    NamedView.name(view, id, null);
    content.addView(view);
  }

  CheckBox addCheck(String text, String id) {
    CheckBox view = new CheckBox(this);
    view.setText(text);
    NamedView.name(view, id, null);
    content.addView(view);
    return view;
  }

  void addPicture(Bitmap picture, String description) {
    ImageView view = new ImageView(this);
    view.setImageBitmap(picture);
    view.setContentDescription(description);
    view.setAdjustViewBounds(true);
    view.setMaxHeight(600);
    content.addView(view);
  }
}
