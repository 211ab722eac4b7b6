package org.droidmux.framework.device;

import android.content.Context;
import android.graphics.Color;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.ViewConfiguration;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.FrameLayout;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** What the shade shows: the time, the notifications in their order, and what clears them. Named as AOSP names them. */
final class ShadePanel extends FrameLayout {
  static final String ID = Shade.PACKAGE + ":id/";
  private static final int BACKGROUND = Color.rgb(0xe4, 0xe6, 0xe9);

  private final Shade shade;
  private final LinearLayout header;
  private final NotificationStack stack;
  private float downY;

  ShadePanel(Context context, Shade shade) {
    super(context);
    this.shade = shade;
    LinearLayout panel = new LinearLayout(context);
    panel.setOrientation(LinearLayout.VERTICAL);
    panel.setBackgroundColor(BACKGROUND);
    NamedView.name(panel, ID + "notification_panel", "android.widget.FrameLayout");
    addView(panel, new LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.MATCH_PARENT));
    header = new LinearLayout(context);
    NamedView.name(header, ID + "header", null);
    int pad = pixels(16);
    header.setPadding(pad, pad, pad, pad);
    panel.addView(header, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT));
    stack = new NotificationStack(context, shade);
    panel.addView(stack, new LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, 0, 1));
  }

  void show(List<Posted> all) {
    showTime();
    stack.removeAllViews();
    boolean first = true;
    boolean clearable = false;
    for (NotificationGroup each : NotificationGroup.of(all)) {
      stack.addRow(
          each.single()
              ? NotificationRow.inShade(getContext(), shade, each.first(), first)
              : new GroupRow(getContext(), shade, each));
      first = false;
      clearable |= each.members().stream().anyMatch(Posted::clearable);
    }
    if (first) {
      TextView none = new TextView(getContext());
      none.setText("No notifications");
      none.setPadding(pixels(16), pixels(32), pixels(16), pixels(16));
      NamedView.name(none, ID + "no_notifications", null);
      stack.addRow(none);
    } else if (clearable) {
      Button clear = new Button(getContext());
      clear.setText("Clear all");
      clear.setContentDescription("Clear all notifications.");
      clear.setAllCaps(false);
      clear.setOnClickListener(touched -> shade.clearAll());
      NamedView.name(clear, ID + "dismiss_text", null);
      stack.addRow(clear);
    }
  }

  private void showTime() {
    header.removeAllViews();
    Instant now = Instant.ofEpochMilli(AppClock.now());
    for (String[] part : new String[][] {{"clock", "HH:mm"}, {"date", "EEE, MMM d"}}) {
      TextView view = new TextView(getContext());
      view.setText(DateTimeFormatter.ofPattern(part[1], Locale.ENGLISH).withZone(ZoneId.systemDefault()).format(now));
      view.setTextSize(18);
      view.setPadding(0, 0, pixels(16), 0);
      NamedView.name(view, ID + part[0], null);
      header.addView(view);
    }
  }

  private int pixels(int dp) {
    return Math.round(dp * getResources().getDisplayMetrics().density);
  }

  @Override
  public boolean dispatchKeyEvent(KeyEvent event) {
    if (event.getKeyCode() == KeyEvent.KEYCODE_BACK && event.getAction() == KeyEvent.ACTION_UP) {
      post(shade::close);
      return true;
    }
    return super.dispatchKeyEvent(event);
  }

  /** Where no notification is, a swipe upwards closes the shade, and so does a touch. */
  @Override
  public boolean onTouchEvent(MotionEvent event) {
    if (event.getActionMasked() == MotionEvent.ACTION_DOWN) {
      downY = event.getY();
    } else if (event.getActionMasked() == MotionEvent.ACTION_UP
        && event.getY() - downY < ViewConfiguration.get(getContext()).getScaledTouchSlop()) {
      post(shade::close);
    }
    return true;
  }
}
