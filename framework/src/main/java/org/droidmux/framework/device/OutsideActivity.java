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
      if ("android.media.action.IMAGE_CAPTURE".equals(getIntent().getAction())) {
        addButton(content, "Take picture", "org.droidmux.outside:id/shutter", this::takePicture);
      }
    }
    setContentView(content);
  }

  /** A picture goes where the app wants it; without a place, a small one goes back. */
  private void takePicture() {
    android.graphics.Bitmap picture =
        android.graphics.Bitmap.createBitmap(320, 240, android.graphics.Bitmap.Config.ARGB_8888);
    // As large as a camera's, so that what reads its beginning finds one.
    java.util.Random random = new java.util.Random(AppClock.currentTimeMillis());
    int colour = random.nextInt();
    for (int y = 0; y < picture.getHeight(); y++) {
      for (int x = 0; x < picture.getWidth(); x++) {
        picture.setPixel(x, y, 0xff000000 | colour ^ random.nextInt() & 0x3f3f3f);
      }
    }
    android.net.Uri place = getIntent().getParcelableExtra(android.provider.MediaStore.EXTRA_OUTPUT);
    Intent data = new Intent();
    if (place == null) {
      data.putExtra("data", android.graphics.Bitmap.createScaledBitmap(picture, 160, 120, false));
    } else {
      try (java.io.OutputStream out = getContentResolver().openOutputStream(place)) {
        picture.compress(android.graphics.Bitmap.CompressFormat.JPEG, 90, out);
      } catch (java.io.IOException | RuntimeException e) {
        android.util.Log.w("Camera", "cannot write " + place, e);
        finish();
        return;
      }
    }
    setResult(RESULT_OK, data);
    finish();
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
