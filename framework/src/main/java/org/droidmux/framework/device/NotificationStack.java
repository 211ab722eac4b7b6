package org.droidmux.framework.device;

import android.content.Context;
import android.view.MotionEvent;
import android.view.View;
import android.view.ViewConfiguration;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.widget.LinearLayout;

/** The rows of the shade, which scroll where there are too many; pulled up from their end, they close it. */
final class NotificationStack extends LinearLayout {
  private final Shade shade;
  private final int slop;
  private float lastY;
  private float downX;
  private float downY;
  private boolean fromEnd;

  NotificationStack(Context context, Shade shade) {
    super(context);
    this.shade = shade;
    slop = ViewConfiguration.get(context).getScaledTouchSlop();
    setOrientation(VERTICAL);
    NamedView.name(this, ShadePanel.ID + "notification_stack_scroller", "android.widget.ScrollView");
  }

  void addRow(View row) {
    LayoutParams params = new LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.WRAP_CONTENT);
    int gap = Math.round(4 * getResources().getDisplayMetrics().density);
    params.setMargins(4 * gap, gap, 4 * gap, gap);
    addView(row, params);
  }

  /** Rows are as high as they want to be: what does not fit is scrolled. */
  @Override
  protected void measureChildWithMargins(View child, int widthSpec, int usedWidth, int heightSpec, int usedHeight) {
    super.measureChildWithMargins(
        child, widthSpec, usedWidth, MeasureSpec.makeMeasureSpec(0, MeasureSpec.UNSPECIFIED), 0);
  }

  private int range() {
    View last = getChildAt(getChildCount() - 1);
    return last == null ? 0 : Math.max(0, last.getBottom() + last.getPaddingBottom() - getHeight());
  }

  @Override
  public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {
    super.onInitializeAccessibilityNodeInfo(info);
    info.setScrollable(range() > 0);
  }

  @Override
  public boolean onInterceptTouchEvent(MotionEvent event) {
    switch (event.getActionMasked()) {
      case MotionEvent.ACTION_DOWN -> begin(event);
      case MotionEvent.ACTION_MOVE -> {
        float up = Math.abs(event.getY() - downY);
        return up > slop && up > Math.abs(event.getX() - downX);
      }
      default -> {}
    }
    return false;
  }

  private void begin(MotionEvent event) {
    downX = event.getX();
    downY = event.getY();
    lastY = downY;
    fromEnd = getScrollY() >= range();
  }

  @Override
  public boolean onTouchEvent(MotionEvent event) {
    switch (event.getActionMasked()) {
      case MotionEvent.ACTION_DOWN -> begin(event);
      case MotionEvent.ACTION_MOVE -> {
        scrollTo(0, Math.max(0, Math.min(range(), getScrollY() + Math.round(lastY - event.getY()))));
        lastY = event.getY();
      }
      case MotionEvent.ACTION_UP -> {
        boolean pulledUp = downY - event.getY() > 4 * slop && fromEnd;
        boolean onNothing = Math.abs(event.getY() - downY) < slop && Math.abs(event.getX() - downX) < slop;
        if (pulledUp || onNothing) {
          post(shade::close);
        }
      }
      default -> {}
    }
    return true;
  }
}
