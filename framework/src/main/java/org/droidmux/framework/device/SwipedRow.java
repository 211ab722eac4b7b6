package org.droidmux.framework.device;

import android.content.Context;
import android.view.MotionEvent;
import android.view.ViewConfiguration;
import android.widget.FrameLayout;

/** A row that follows a finger to the side, and goes when it was moved far enough. */
abstract class SwipedRow extends FrameLayout {
  /** So much of its width must a row be moved to go. */
  private static final float FAR = 0.3f;

  private final int slop;
  private float downX;
  private float downY;

  SwipedRow(Context context) {
    super(context);
    slop = ViewConfiguration.get(context).getScaledTouchSlop();
  }

  /** Whether it follows the finger now, instead of what is in it. */
  boolean movable() {
    return true;
  }

  /** Whether it goes, or comes back to its place. */
  abstract boolean dismissible();

  abstract void dismiss();

  @Override
  public boolean onInterceptTouchEvent(MotionEvent event) {
    if (event.getActionMasked() == MotionEvent.ACTION_DOWN) {
      downX = event.getRawX();
      downY = event.getRawY();
    }
    return event.getActionMasked() == MotionEvent.ACTION_MOVE && movable() && sideways(event);
  }

  private boolean sideways(MotionEvent event) {
    float side = Math.abs(event.getRawX() - downX);
    return side > slop && side > Math.abs(event.getRawY() - downY);
  }

  @Override
  public boolean onTouchEvent(MotionEvent event) {
    switch (event.getActionMasked()) {
      case MotionEvent.ACTION_MOVE -> {
        if (movable() && sideways(event)) {
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
          if (Math.abs(moved) > FAR * getWidth() && dismissible()) {
            post(this::dismiss);
          }
          return true;
        }
      }
      default -> {}
    }
    return super.onTouchEvent(event);
  }
}
