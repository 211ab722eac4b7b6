package org.droidmux.framework.device;

import android.content.res.Resources;
import android.graphics.Rect;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.InputEvent;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.MotionEvent;
import android.view.View;
import android.view.WindowManager;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import java.util.List;

/** Touches and keys, on the way that the window's own input takes. */
final class Input {
  private static final long STEP = 16;

  /** Height of the place of the status bar, in dp. */
  private static final int STATUS_BAR = 24;

  private final Phone phone;

  Input(Phone phone) {
    this.phone = phone;
  }

  /** From one point to another, in so many milliseconds of the phone's time. */
  void swipe(float fromX, float fromY, float toX, float toY, long millis) {
    if (fromTheEdge(fromY, toY)) {
      phone.loop().pass(millis);
      phone.shade().open();
      return;
    }
    long down = SystemClock.uptimeMillis();
    Windows.Win target = touched(fromX, fromY);
    if (target == null) {
      return;
    }
    touch(target, MotionEvent.ACTION_DOWN, down, fromX, fromY);
    boolean still = fromX == toX && fromY == toY;
    long passed = 0;
    while (passed < millis) {
      long step = Math.min(STEP, millis - passed);
      phone.loop().pass(step);
      passed += step;
      if (!still) {
        float part = (float) passed / millis;
        touch(target, MotionEvent.ACTION_MOVE, down, fromX + (toX - fromX) * part, fromY + (toY - fromY) * part);
      }
    }
    touch(target, MotionEvent.ACTION_UP, down, toX, toY);
    phone.loop().rest();
  }

  /** A finger that comes from where a phone has its status bar pulls the shade down, unless it turns back. */
  private boolean fromTheEdge(float fromY, float toY) {
    float bar = STATUS_BAR * Resources.getSystem().getDisplayMetrics().density;
    return fromY < bar && toY - fromY > 2 * bar && !phone.shade().isOpen();
  }

  /** The window that gets a touch. Those in front that only watch are told that it was outside. */
  private Windows.Win touched(float x, float y) {
    List<Windows.Win> shown = phone.windows().shown();
    for (int i = shown.size() - 1; i >= 0; i--) {
      Windows.Win window = shown.get(i);
      if (window.has(WindowManager.LayoutParams.FLAG_NOT_TOUCHABLE)) {
        continue;
      }
      if (window.modal() || window.bounds().contains((int) x, (int) y)) {
        return window;
      }
      if (window.has(WindowManager.LayoutParams.FLAG_WATCH_OUTSIDE_TOUCH)) {
        touch(window, MotionEvent.ACTION_OUTSIDE, SystemClock.uptimeMillis(), x, y);
      }
    }
    return null;
  }

  private void touch(Windows.Win window, int action, long down, float x, float y) {
    MotionEvent event = MotionEvent.obtain(down, SystemClock.uptimeMillis(), action, x, y, 0);
    event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
    Rect bounds = window.bounds();
    event.offsetLocation(-bounds.left, -bounds.top);
    send(window, event);
  }

  private void send(Windows.Win window, InputEvent event) {
    if (window.view().isAttachedToWindow()) {
      window.root().dispatchInputEvent(event);
      phone.loop().rest();
    }
  }

  /** Presses and releases a key. */
  void key(int code, boolean held) {
    if (code == KeyEvent.KEYCODE_HOME) {
      phone.shade().close();
      phone.stack().goHome();
      return;
    }
    if (code == KeyEvent.KEYCODE_NOTIFICATION) {
      phone.shade().open();
      return;
    }
    if (code == KeyEvent.KEYCODE_BACK && phone.keyboard().shown()) {
      phone.keyboard().hide();
      return;
    }
    long down = SystemClock.uptimeMillis();
    sendKey(new KeyEvent(down, down, KeyEvent.ACTION_DOWN, code, 0, 0, KeyCharacterMap.VIRTUAL_KEYBOARD, 0,
        KeyEvent.FLAG_FROM_SYSTEM, InputDevice.SOURCE_KEYBOARD));
    if (held) {
      phone.loop().pass(600);
      sendKey(new KeyEvent(down, SystemClock.uptimeMillis(), KeyEvent.ACTION_DOWN, code, 1, 0,
          KeyCharacterMap.VIRTUAL_KEYBOARD, 0, KeyEvent.FLAG_LONG_PRESS | KeyEvent.FLAG_FROM_SYSTEM,
          InputDevice.SOURCE_KEYBOARD));
    }
    sendKey(new KeyEvent(down, SystemClock.uptimeMillis(), KeyEvent.ACTION_UP, code, 0, 0,
        KeyCharacterMap.VIRTUAL_KEYBOARD, 0, KeyEvent.FLAG_FROM_SYSTEM, InputDevice.SOURCE_KEYBOARD));
  }

  private void sendKey(KeyEvent event) {
    Windows.Win window = phone.windows().focused();
    if (window != null) {
      send(window, event);
    }
  }

  /** Types by keys, as {@code input text} does; characters without a key are refused. */
  void text(String text) {
    KeyCharacterMap map = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      KeyEvent[] events = c >= 0x20 && c < 0x7f || c == '\n' ? map.getEvents(new char[] {c}) : null;
      if (events == null) {
        throw new IllegalArgumentException(
            "\"text\": no key types U+" + Integer.toHexString(c) + "; use \"commit\"");
      }
      for (KeyEvent event : events) {
        sendKey(KeyEvent.changeTimeRepeat(event, SystemClock.uptimeMillis(), 0));
      }
      phone.loop().rest();
    }
  }

  /** Gives the focused editor a text, as a keyboard does; false without an editor in focus. */
  boolean commit(String text, boolean instead) {
    InputConnection connection = connection();
    if (connection == null) {
      return false;
    }
    if (instead) {
      connection.performContextMenuAction(android.R.id.selectAll);
    }
    connection.commitText(text, 1);
    phone.loop().rest();
    return true;
  }

  boolean selectAll() {
    InputConnection connection = connection();
    return connection != null && connection.performContextMenuAction(android.R.id.selectAll);
  }

  /** The view that takes text, or null. */
  View editor() {
    Windows.Win window = phone.windows().focused();
    View focus = window == null ? null : window.view().findFocus();
    return focus != null && focus.onCheckIsTextEditor() ? focus : null;
  }

  private InputConnection connection() {
    View editor = editor();
    return editor == null ? null : editor.onCreateInputConnection(new EditorInfo());
  }
}
