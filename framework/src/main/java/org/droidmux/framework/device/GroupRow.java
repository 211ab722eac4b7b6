package org.droidmux.framework.device;

import android.content.Context;
import android.graphics.Color;
import android.os.Build;
import android.view.View;
import android.view.ViewGroup;
import android.widget.LinearLayout;
import android.widget.RemoteViews;
import android.widget.TextView;
import com.android.internal.widget.NotificationExpandButton;
import java.util.List;

/**
 * A group of notifications in the shade: a line that says whose they are, and below it a line for each of the first ones, or
 * all of them in full. A touch on the closed group opens what it is about; a swipe takes all of it away.
 */
final class GroupRow extends SwipedRow {
  /** So many are told in a line each. */
  private static final int TOLD = 2;

  private final NotificationTouches touches;
  private final NotificationGroup group;
  private final LinearLayout content;
  private boolean expanded;

  GroupRow(Context context, NotificationTouches touches, NotificationGroup group) {
    super(context);
    this.touches = touches;
    this.group = group;
    setBackgroundColor(Color.WHITE);
    NamedView.name(this, ShadePanel.ID + "expandableNotificationRow", null);
    content = new LinearLayout(context);
    content.setOrientation(LinearLayout.VERTICAL);
    NamedView.name(content, ShadePanel.ID + "notification_children_container", "android.view.ViewGroup");
    addView(content, new LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT));
    setOnClickListener(touched -> touched());
    fill();
  }

  private void touched() {
    if (!expanded) {
      touches.touched(group.summary() == null ? group.first() : group.summary());
    }
  }

  private void fill() {
    content.removeAllViews();
    addHeader();
    if (expanded) {
      for (Posted each : group.members()) {
        content.addView(NotificationRow.inShade(getContext(), touches, each, false));
      }
      return;
    }
    List<Posted> members = group.members();
    for (Posted each : members.subList(0, Math.min(TOLD, members.size()))) {
      content.addView(line(each));
    }
    if (members.size() > TOLD) {
      content.addView(text("+" + (members.size() - TOLD), "more_text", pixels(16)));
    }
  }

  private void addHeader() {
    Posted about = group.summary() == null ? group.first() : group.summary();
    RemoteViews template =
        Build.VERSION.SDK_INT >= Build.VERSION_CODES.S
            ? NotificationRow.builder(getContext(), about).makeNotificationGroupHeader()
            : NotificationRow.builder(getContext(), about).createContentView();
    View header = NotificationRow.made(template, content);
    if (header == null) {
      return;
    }
    content.addView(header);
    header.setClickable(false);
    View button = header.findViewById(com.android.internal.R.id.expand_button);
    if (button instanceof NotificationExpandButton toggle) {
      toggle.setVisibility(VISIBLE);
      toggle.setExpanded(expanded);
      toggle.setOnClickListener(
          touched -> {
            expanded = !expanded;
            fill();
          });
    }
  }

  /** Title and text in one line. */
  private View line(Posted posted) {
    LinearLayout line = new LinearLayout(getContext());
    line.setPadding(pixels(16), pixels(4), pixels(16), pixels(4));
    line.addView(text(posted.title(), "notification_title", 0));
    line.addView(text(posted.text(), "notification_text", pixels(8)));
    return line;
  }

  private TextView text(String text, String id, int before) {
    TextView view = new TextView(getContext());
    view.setText(text);
    view.setSingleLine(true);
    view.setPadding(before, 0, 0, 0);
    NamedView.name(view, ShadePanel.ID + id, null);
    return view;
  }

  private int pixels(int dp) {
    return Math.round(dp * getResources().getDisplayMetrics().density);
  }

  /** An open group leaves the finger to its notifications. */
  @Override
  boolean movable() {
    return !expanded;
  }

  @Override
  boolean dismissible() {
    return group.members().stream().allMatch(Posted::dismissible);
  }

  @Override
  void dismiss() {
    group.members().forEach(touches::swiped);
  }
}
