package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.os.Bundle;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;

/** Draws what is outside of the app. */
public final class OutsideActivity extends Activity {
  private static final String NAMES = "android.content.pm.extra.REQUEST_PERMISSIONS_NAMES";
  private static final String RESULTS = "android.content.pm.extra.REQUEST_PERMISSIONS_RESULTS";

  @Override
  protected void onCreate(Bundle state) {
    setTheme(android.R.style.Theme_Material_Light_NoActionBar);
    super.onCreate(state);
    LinearLayout content = new LinearLayout(this);
    content.setOrientation(LinearLayout.VERTICAL);
    String[] permissions = getIntent().getStringArrayExtra(NAMES);
    if (permissions != null) {
      ask(content, permissions);
    } else if (getIntent().hasCategory(Intent.CATEGORY_HOME)) {
      addText(content, Phone.get().label(), "org.droidmux.home:id/icon")
          .setOnClickListener(icon -> Phone.get().stack().askLauncher());
    } else {
      addText(content, String.valueOf(getIntent().getAction()), null);
    }
    setContentView(content);
  }

  private void ask(LinearLayout content, String[] permissions) {
    StringBuilder names = new StringBuilder();
    for (String permission : permissions) {
      names.append(names.length() == 0 ? "" : ", ").append(permission.substring(permission.lastIndexOf('.') + 1));
    }
    String id = "com.android.permissioncontroller:id/";
    addText(content, "Allow " + Phone.get().label() + " " + names + "?", id + "permission_message");
    addButton(content, "Allow", id + "permission_allow_button", () -> answer(permissions, true));
    addButton(content, "Don’t allow", id + "permission_deny_button", () -> answer(permissions, false));
  }

  private void answer(String[] permissions, boolean granted) {
    int[] results = new int[permissions.length];
    for (int i = 0; i < permissions.length; i++) {
      if (granted) {
        Phone.get().permissions().grant(permissions[i]);
      }
      results[i] =
          Phone.get().permissions().granted(permissions[i])
              ? PackageManager.PERMISSION_GRANTED
              : PackageManager.PERMISSION_DENIED;
    }
    setResult(RESULT_OK, new Intent().putExtra(NAMES, permissions).putExtra(RESULTS, results));
    finish();
  }

  private TextView addText(LinearLayout content, String text, String id) {
    TextView view = new TextView(this);
    view.setText(text);
    view.setTextSize(20);
    view.setPadding(60, 120, 60, 60);
    named(view, id);
    content.addView(view);
    return view;
  }

  private void addButton(LinearLayout content, String text, String id, Runnable then) {
    Button button = new Button(this);
    button.setText(text);
    button.setOnClickListener(clicked -> then.run());
    named(button, id);
    content.addView(button);
  }

  private static void named(View view, String id) {
    if (id == null) {
      return;
    }
    view.setAccessibilityDelegate(
        new View.AccessibilityDelegate() {
          @Override
          public void onInitializeAccessibilityNodeInfo(View host, AccessibilityNodeInfo info) {
            super.onInitializeAccessibilityNodeInfo(host, info);
            info.setViewIdResourceName(id);
          }
        });
  }
}
