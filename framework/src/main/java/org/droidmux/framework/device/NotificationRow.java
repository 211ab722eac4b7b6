package org.droidmux.framework.device;

import android.app.Notification;
import android.app.PendingIntent;
import android.app.RemoteInput;
import android.content.Context;
import android.content.res.Resources;
import android.graphics.Color;
import android.os.SystemClock;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.RemoteViews;
import com.android.internal.widget.NotificationExpandButton;
import java.util.Arrays;

/**
 * One notification, drawn by the framework's own templates. It is short or long, as its button wants it; a touch opens it,
 * a swipe to the side takes it away, and a button that wants a text opens a field for it.
 */
final class NotificationRow extends SwipedRow {
  private final NotificationTouches touches;
  private final Posted posted;
  private final LinearLayout content;
  private final RemoteViews brief;
  private final RemoteViews full;

  private NotificationRow(
      Context context, NotificationTouches touches, Posted posted, RemoteViews brief, RemoteViews full, boolean expanded) {
    super(context);
    this.touches = touches;
    this.posted = posted;
    this.brief = brief;
    this.full = full;
    setBackgroundColor(Color.WHITE);
    NamedView.name(this, ShadePanel.ID + "expandableNotificationRow", null);
    content = new LinearLayout(context);
    content.setOrientation(LinearLayout.VERTICAL);
    NamedView.name(content, ShadePanel.ID + "expanded", "android.widget.FrameLayout");
    addView(content, new LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT));
    setOnClickListener(touched -> touches.touched(posted));
    fill(expanded && full != null);
  }

  /** As the shade has it: short, and long when its button was touched. */
  static NotificationRow inShade(Context context, NotificationTouches touches, Posted posted, boolean expanded) {
    Notification.Builder builder = builder(context, posted);
    return new NotificationRow(
        context, touches, posted, builder.createContentView(), builder.createBigContentView(), expanded);
  }

  /** As it stands over the app, with its buttons, where it has some. */
  static NotificationRow overApp(Context context, NotificationTouches touches, Posted posted) {
    Notification.Builder builder = builder(context, posted);
    RemoteViews heads = builder.createHeadsUpContentView();
    return new NotificationRow(
        context, touches, posted, heads == null ? builder.createContentView() : heads, null, false);
  }

  static Notification.Builder builder(Context context, Posted posted) {
    return Notification.Builder.recoverBuilder(context, atFrameworksTime(posted.notification()));
  }

  /** The framework's own clock begins with the process: what it compares with it has to begin there as well. */
  private static Notification atFrameworksTime(Notification notification) {
    Notification copy = notification.clone();
    long begun = AppClock.now() - SystemClock.elapsedRealtime();
    if (copy.when > SystemClock.elapsedRealtime()) {
      copy.when -= begun;
    }
    return copy;
  }

  private void fill(boolean expanded) {
    content.removeAllViews();
    View shown = made(expanded ? full : brief, content);
    if (shown == null) {
      return;
    }
    content.addView(shown);
    asWritten(shown);
    View button = shown.findViewById(com.android.internal.R.id.expand_button);
    if (button instanceof NotificationExpandButton toggle && full != null) {
      toggle.setVisibility(VISIBLE);
      toggle.setExpanded(expanded);
      toggle.setOnClickListener(touched -> fill(!expanded));
    } else if (button != null) {
      button.setVisibility(GONE);
    }
  }

  /** Views of a template, or null where they cannot be made: a phone shows an empty row. */
  static View made(RemoteViews template, ViewGroup into) {
    try {
      return template.apply(into.getContext(), into);
    } catch (RuntimeException e) {
      // Views that the app gave.
      Phone.get().log().system('E', "StatusBar", "couldn't inflate view for notification: " + e);
      return null;
    }
  }

  /** The system's buttons have their texts as the app wrote them; those that want a text ask for it. */
  private void asWritten(View view) {
    if (view instanceof Button button) {
      button.setAllCaps(false);
      RemoteInput[] inputs = (RemoteInput[]) view.getTag(id("remote_input_tag"));
      PendingIntent intent = (PendingIntent) view.getTag(id("pending_intent_tag"));
      if (inputs != null && intent != null && Arrays.stream(inputs).anyMatch(RemoteInput::getAllowFreeFormInput)) {
        button.setOnClickListener(touched -> ask(inputs, intent));
      }
    } else if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        asWritten(group.getChildAt(i));
      }
    }
  }

  private static int id(String name) {
    return Resources.getSystem().getIdentifier(name, "id", "android");
  }

  /** A field for the answer, below the notification; there is one at a time. */
  private void ask(RemoteInput[] inputs, PendingIntent intent) {
    View last = content.getChildAt(content.getChildCount() - 1);
    if (last instanceof ReplyField) {
      content.removeView(last);
    }
    ReplyField field = new ReplyField(getContext(), inputs, intent, touches::answered);
    content.addView(field);
    touches.answering();
    field.begin();
  }

  @Override
  boolean dismissible() {
    return posted.dismissible();
  }

  @Override
  void dismiss() {
    touches.swiped(posted);
  }
}
