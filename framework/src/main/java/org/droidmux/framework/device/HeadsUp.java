package org.droidmux.framework.device;

import android.app.PendingIntent;
import android.content.Context;
import android.content.res.Resources;
import android.os.Build;
import android.view.Gravity;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.ViewConfiguration;
import android.view.WindowManager;
import android.widget.FrameLayout;

/**
 * The notification that stands over the app for a while, because it is important. In flow those that are posted; out flows a
 * window that takes no keys. It goes after five seconds of the phone's time, or when somebody touches it, moves it away or
 * opens the shade. Moved upwards, the app's next ones come without a stir for a minute.
 *
 * <p>It outlives the process: another one draws it again, for what is left of its time.
 */
final class HeadsUp implements NotificationTouches {
  private static final long SHOWN_MILLIS = 5_000;
  private static final long SNOOZED_MILLIS = 60_000;

  /** Height of the place of the status bar, in dp, below which it stands. */
  private static final int STATUS_BAR = 24;

  private final Phone phone;

  /** Told on whatever thread the app posts from. */
  private volatile Posted asked;

  private Posted shown;
  private long until;
  private long snoozed;
  private Frame window;

  HeadsUp(Phone phone) {
    this.phone = phone;
  }

  /** Something important was posted. */
  void ask(Posted posted) {
    asked = posted;
  }

  /** Follows what is to be seen; false when nothing has changed. */
  boolean pump() {
    Posted next = asked;
    asked = null;
    long now = AppClock.now();
    if (next != null) {
      take(next, now);
    }
    if (shown == null) {
      return false;
    }
    if (now >= until || phone.shade().isOpen() || !phone.notifications().has(shown)) {
      hide();
      return true;
    }
    if (window == null) {
      show();
      return true;
    }
    return false;
  }

  /** One that wants the whole screen gets it where that is off, and else stays until somebody touches it. */
  private void take(Posted next, long now) {
    PendingIntent whole = mayTakeScreen() ? next.notification().fullScreenIntent : null;
    if (!phone.device().lit()) {
      phone.notifications().send(whole, null);
    } else if (now >= snoozed && !phone.shade().isOpen()) {
      hide();
      shown = next;
      until = whole == null ? now + SHOWN_MILLIS : Long.MAX_VALUE;
    }
  }

  /** Apps for Android 10 and later have to say so in their manifests. */
  private boolean mayTakeScreen() {
    return Build.VERSION.SDK_INT < Build.VERSION_CODES.Q
        || phone.app().target() < Build.VERSION_CODES.Q
        || phone.permissions().requested().contains("android.permission.USE_FULL_SCREEN_INTENT");
  }

  /** Whether one stands over the app. */
  boolean isShown() {
    return window != null;
  }

  /** When it goes by itself, in the phone's time of day. */
  long nextTime() {
    return shown == null ? Long.MAX_VALUE : until;
  }

  private void show() {
    Context context = Shade.context();
    WindowManager.LayoutParams params = Shade.params(WindowManager.LayoutParams.WRAP_CONTENT);
    params.flags |=
        WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE | WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL;
    params.gravity = Gravity.TOP;
    params.y = Math.round(STATUS_BAR * Resources.getSystem().getDisplayMetrics().density);
    window = new Frame(context);
    window.addView(NotificationRow.overApp(context, this, shown));
    context.getSystemService(WindowManager.class).addView(window, params);
  }

  /** Takes it away; the notification stays where it is. */
  void hide() {
    shown = null;
    if (window != null) {
      window.getContext().getSystemService(WindowManager.class).removeViewImmediate(window);
      window = null;
    }
  }

  @Override
  public void touched(Posted posted) {
    hide();
    phone.notifications().open(posted);
  }

  @Override
  public void swiped(Posted posted) {
    hide();
    phone.notifications().dismiss(posted);
  }

  /** The window takes keys for as long as somebody writes. */
  @Override
  public void answering() {
    until = Long.MAX_VALUE;
    WindowManager.LayoutParams params = (WindowManager.LayoutParams) window.getLayoutParams();
    params.flags &= ~WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE;
    params.softInputMode = WindowManager.LayoutParams.SOFT_INPUT_STATE_VISIBLE;
    window.getContext().getSystemService(WindowManager.class).updateViewLayout(window, params);
  }

  @Override
  public void answered() {
    hide();
  }

  private void snooze() {
    hide();
    snoozed = AppClock.now() + SNOOZED_MILLIS;
  }

  /** The clock was set: it is shown as long as before. */
  void clockMoved(long by) {
    until = until == Long.MAX_VALUE ? until : until + by;
    snoozed += by;
  }

  /** The process is gone, and the window with it. */
  void processEnded() {
    window = null;
  }

  /** Nothing is shown any more, as after a force-stop. */
  void forget() {
    asked = null;
    shown = null;
    snoozed = 0;
  }

  /** What is around the row: moved upwards it goes away, downwards it opens the shade. */
  private final class Frame extends FrameLayout {
    private final int slop;
    private float downX;
    private float downY;

    Frame(Context context) {
      super(context);
      slop = ViewConfiguration.get(context).getScaledTouchSlop();
      NamedView.name(this, ShadePanel.ID + "heads_up_notification", null);
    }

    @Override
    public boolean dispatchKeyEvent(KeyEvent event) {
      if (event.getKeyCode() == KeyEvent.KEYCODE_BACK && event.getAction() == KeyEvent.ACTION_UP) {
        post(HeadsUp.this::hide);
        return true;
      }
      return super.dispatchKeyEvent(event);
    }

    @Override
    public boolean onInterceptTouchEvent(MotionEvent event) {
      if (event.getActionMasked() == MotionEvent.ACTION_DOWN) {
        downX = event.getRawX();
        downY = event.getRawY();
      }
      float up = Math.abs(event.getRawY() - downY);
      return event.getActionMasked() == MotionEvent.ACTION_MOVE && up > slop && up > Math.abs(event.getRawX() - downX);
    }

    @Override
    public boolean onTouchEvent(MotionEvent event) {
      if (event.getActionMasked() == MotionEvent.ACTION_UP) {
        float down = event.getRawY() - downY;
        if (down < -slop) {
          post(HeadsUp.this::snooze);
        } else if (down > slop) {
          post(phone.shade()::open);
        }
      }
      return true;
    }
  }
}
