package org.droidmux.framework.device;

import android.app.Activity;
import android.graphics.Rect;
import android.os.IBinder;
import android.view.View;
import android.view.ViewRootImpl;
import android.view.WindowManager;
import android.view.WindowManagerGlobal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The windows that are on the screen, as the window manager of the framework has them. */
final class Windows {
  /** A window: its root, its parameters, and the activity it belongs to. */
  record Win(ViewRootImpl root, View view, WindowManager.LayoutParams params, ActivityRecord owner, int order) {
    boolean has(int flag) {
      return (params.flags & flag) != 0;
    }

    boolean focusable() {
      return !has(WindowManager.LayoutParams.FLAG_NOT_FOCUSABLE);
    }

    /** Takes all touches, wherever they are. */
    boolean modal() {
      return focusable() && !has(WindowManager.LayoutParams.FLAG_NOT_TOUCH_MODAL);
    }

    Rect bounds() {
      int[] at = new int[2];
      view.getLocationOnScreen(at);
      return new Rect(at[0], at[1], at[0] + view.getWidth(), at[1] + view.getHeight());
    }
  }

  private static final HiddenField ROOTS = HiddenField.of(WindowManagerGlobal.class, "mRoots");
  private static final HiddenField PARAMS = HiddenField.of(WindowManagerGlobal.class, "mParams");
  private static final HiddenField VIEWS = HiddenField.of(WindowManagerGlobal.class, "mViews");
  private static final HiddenField TOKEN = HiddenField.of(Activity.class, "mToken");

  private final ActivityStack stack;

  Windows(ActivityStack stack) {
    this.stack = stack;
  }

  /** From the back to the front. */
  List<Win> shown() {
    WindowManagerGlobal manager = WindowManagerGlobal.getInstance();
    List<ViewRootImpl> roots = ROOTS.get(manager);
    List<WindowManager.LayoutParams> params = PARAMS.get(manager);
    List<View> views = VIEWS.get(manager);
    List<Win> found = new ArrayList<>();
    for (int i = 0; i < roots.size() && i < params.size() && i < views.size(); i++) {
      View view = views.get(i);
      ActivityRecord owner = owner(params.get(i).token, view, views, params);
      boolean hidden = owner != null && !owner.visible();
      if (!hidden && view.getVisibility() == View.VISIBLE && view.getWidth() > 0 && view.getHeight() > 0) {
        found.add(new Win(roots.get(i), view, params.get(i), owner, i));
      }
    }
    found.sort(
        Comparator.comparingInt((Win win) -> stack.depth(win.owner()))
            .thenComparingInt(win -> layer(win.params().type))
            .thenComparingInt(Win::order));
    return found;
  }

  /** Where keys go: the foremost window that takes focus. */
  Win focused() {
    List<Win> shown = shown();
    for (int i = shown.size() - 1; i >= 0; i--) {
      if (shown.get(i).focusable()) {
        return shown.get(i);
      }
    }
    return null;
  }

  /** Panels are over their window, whatever their number. */
  private static int layer(int type) {
    // A dialog that is shown before its activity has a window lies over it all the same.
    return type == WindowManager.LayoutParams.TYPE_BASE_APPLICATION ? -1 : type >= WindowManager.LayoutParams.FIRST_SYSTEM_WINDOW ? 2 : type >= WindowManager.LayoutParams.FIRST_SUB_WINDOW ? 1 : 0;
  }

  private ActivityRecord owner(
      IBinder token, View view, List<View> views, List<WindowManager.LayoutParams> params) {
    IBinder application = view.getApplicationWindowToken();
    for (ActivityRecord record : stack.live()) {
      Activity activity = record.activity();
      IBinder own = TOKEN.get(activity);
      View decor = activity.getWindow() == null ? null : activity.getWindow().peekDecorView();
      if (decor == view || (own != null && own == token)) {
        return record;
      }
      if (decor != null && application != null && application == decor.getApplicationWindowToken()) {
        return record;
      }
      if (decor != null && token != null && token == decor.getWindowToken()) {
        return record;
      }
    }
    // A panel of a panel: its token is another window's.
    for (int i = 0; i < views.size(); i++) {
      if (views.get(i) != view && token != null && views.get(i).getWindowToken() == token) {
        return params.get(i).token == token ? null : owner(params.get(i).token, views.get(i), views, params);
      }
    }
    return null;
  }
}
