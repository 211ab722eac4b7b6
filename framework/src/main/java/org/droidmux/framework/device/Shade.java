package org.droidmux.framework.device;

import android.app.Application;
import android.content.Context;
import android.graphics.PixelFormat;
import android.os.Build;
import android.view.ContextThemeWrapper;
import android.view.WindowManager;
import java.util.ArrayList;
import java.util.List;

/**
 * The shade over everything else, in which the notifications are. It is opened from the upper edge and closed by Back, by
 * a swipe upwards, and by what a notification starts. Its window belongs to the process in which it is drawn; what it
 * shows does not.
 */
final class Shade implements NotificationTouches {
  static final String PACKAGE = "com.android.systemui";

  /** The types that the window manager has for it, by the level of the framework. */
  private static final int TYPE = Build.VERSION.SDK_INT >= Build.VERSION_CODES.R ? 2040 : 2014;

  private final Phone phone;
  private ShadePanel panel;
  private int drawn;

  Shade(Phone phone) {
    this.phone = phone;
  }

  boolean isOpen() {
    return panel != null;
  }

  /** Whether a window is this one. */
  static boolean isOf(WindowManager.LayoutParams params) {
    return params.type == TYPE && PACKAGE.equals(params.packageName);
  }

  void open() {
    if (panel != null || AppProcess.current() == null) {
      return;
    }
    phone.keyboard().hide();
    Context context = context();
    panel = new ShadePanel(context, this);
    fill();
    context.getSystemService(WindowManager.class).addView(panel, params(WindowManager.LayoutParams.MATCH_PARENT));
  }

  /** What the system's own views are made with. */
  static Context context() {
    Application application = AppProcess.current().application();
    return new ContextThemeWrapper(application.getBaseContext(), android.R.style.Theme_DeviceDefault_Light_NoActionBar);
  }

  /** A window of the shade's, as wide as the screen. */
  static WindowManager.LayoutParams params(int height) {
    WindowManager.LayoutParams params =
        new WindowManager.LayoutParams(
            WindowManager.LayoutParams.MATCH_PARENT, height, TYPE, 0, PixelFormat.TRANSLUCENT);
    params.setTitle("NotificationShade");
    params.packageName = PACKAGE;
    return params;
  }

  void close() {
    if (panel != null) {
      AppProcess.current().application().getSystemService(WindowManager.class).removeViewImmediate(panel);
      panel = null;
    }
  }

  /** Draws what has changed; false when nothing has. */
  boolean pump() {
    if (panel == null || drawn == phone.notifications().version()) {
      return false;
    }
    fill();
    return true;
  }

  private void fill() {
    drawn = phone.notifications().version();
    panel.show(phone.notifications().shown());
  }

  @Override
  public void touched(Posted posted) {
    if (posted.notification().contentIntent != null) {
      close();
    }
    phone.notifications().open(posted);
  }

  @Override
  public void swiped(Posted posted) {
    phone.notifications().dismiss(posted);
  }

  /** What can be cleared goes, one after the other, and the shade closes. */
  void clearAll() {
    List<Posted> all = new ArrayList<>(phone.notifications().shown());
    close();
    for (Posted each : all) {
      if (each.clearable()) {
        phone.notifications().dismiss(each);
      }
    }
  }

  /** The process is gone, and the window with it. */
  void processEnded() {
    panel = null;
  }
}
