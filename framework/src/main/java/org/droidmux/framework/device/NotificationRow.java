package org.droidmux.framework.device;

import android.app.Notification;
import android.content.Context;
import android.graphics.Color;
import android.os.SystemClock;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewConfiguration;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.FrameLayout;
import android.widget.RemoteViews;
import com.android.internal.widget.NotificationExpandButton;

/**
 * One notification in the shade, drawn by the framework's own templates. It is short or long, as its button wants it; a
 * touch opens it, and a swipe to the side takes it away.
 */
final class NotificationRow extends FrameLayout {
  /** So much of its width must a row be moved to go. */
  private static final float FAR = 0.3f;

  private final Shade shade;
  private final Notifications.Posted posted;
  private final FrameLayout content;
  private final RemoteViews brief;
  private final RemoteViews full;
  private final int slop;
  private float downX;
  private float downY;

  NotificationRow(Context context, Shade shade, Notifications.Posted posted, boolean expanded) {
    super(context);
    this.shade = shade;
    this.posted = posted;
    slop = ViewConfiguration.get(context).getScaledTouchSlop();
    setBackgroundColor(Color.WHITE);
    NamedView.name(this, ShadePanel.ID + "expandableNotificationRow", null);
    content = new FrameLayout(context);
    NamedView.name(content, ShadePanel.ID + "expanded", null);
    addView(content, new LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT));
    Notification.Builder builder = Notification.Builder.recoverBuilder(context, atFrameworksTime(posted.notification()));
    brief = builder.createContentView();
    full = builder.createBigContentView();
    setOnClickListener(touched -> shade.touched(posted));
    fill(expanded && full != null);
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
    View shown;
    try {
      shown = (expanded ? full : brief).apply(getContext(), content);
    } catch (RuntimeException e) {
      // Views that the app gave and that cannot be made: a phone shows an empty row.
      Phone.get().log().system('E', "StatusBar", "couldn't inflate view for notification: " + e);
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

  /** The system's buttons have their texts as the app wrote them. */
  private static void asWritten(View view) {
    if (view instanceof Button button) {
      button.setAllCaps(false);
    } else if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) {
        asWritten(group.getChildAt(i));
      }
    }
  }

  @Override
  public boolean onInterceptTouchEvent(MotionEvent event) {
    if (event.getActionMasked() == MotionEvent.ACTION_DOWN) {
      downX = event.getRawX();
      downY = event.getRawY();
    }
    return event.getActionMasked() == MotionEvent.ACTION_MOVE && sideways(event);
  }

  private boolean sideways(MotionEvent event) {
    float side = Math.abs(event.getRawX() - downX);
    return side > slop && side > Math.abs(event.getRawY() - downY);
  }

  @Override
  public boolean onTouchEvent(MotionEvent event) {
    switch (event.getActionMasked()) {
      case MotionEvent.ACTION_MOVE -> {
        if (sideways(event)) {
          getParent().requestDisallowInterceptTouchEvent(true);
          cancelLongPress();
          setPressed(false);
          setTranslationX(event.getRawX() - downX);
          return true;
        }
      }
      case MotionEvent.ACTION_UP, MotionEvent.ACTION_CANCEL -> {
        float moved = getTranslationX();
        if (moved != 0) {
          setTranslationX(0);
          setPressed(false);
          if (Math.abs(moved) > FAR * getWidth() && Notifications.dismissible(posted)) {
            post(() -> shade.swiped(posted));
          }
          return true;
        }
      }
      default -> {}
    }
    return super.onTouchEvent(event);
  }
}
