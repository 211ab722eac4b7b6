package org.droidmux.blank;

import android.app.Activity;
import android.app.AlertDialog;
import android.os.Bundle;
import android.widget.ArrayAdapter;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ListView;
import android.widget.ProgressBar;
import android.widget.ScrollView;
import android.widget.Spinner;
import android.widget.TextView;

/** What most apps show: the classes behind it go into the archive that hosts start from (docs/apk.md). */
public final class BlankActivity extends Activity {
  private static final String[] ROWS = {"One", "Two", "Three"};

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout content = new LinearLayout(this);
    content.setOrientation(LinearLayout.VERTICAL);
    TextView text = new TextView(this);
    text.setText("Blank");
    content.addView(text);
    content.addView(new EditText(this));
    content.addView(new CheckBox(this));
    content.addView(new ProgressBar(this));
    content.addView(new ImageView(this));
    content.addView(new ScrollView(this));
    Spinner spinner = new Spinner(this);
    spinner.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, ROWS));
    content.addView(spinner);
    Button button = new Button(this);
    button.setText("Ask");
    button.setOnClickListener(
        view -> new AlertDialog.Builder(this).setTitle("Blank").setPositiveButton(android.R.string.ok, null).show());
    content.addView(button, 0);
    ListView list = new ListView(this);
    list.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, ROWS));
    content.addView(list);
    setContentView(content);
  }
}
