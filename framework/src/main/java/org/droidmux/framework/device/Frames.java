package org.droidmux.framework.device;

import android.graphics.Canvas;
import android.graphics.Picture;
import android.graphics.Rect;
import android.view.View;
import android.view.ViewRootImpl;
import org.robolectric.util.ReflectionHelpers;

/**
 * Draws what has changed, once a frame, to nowhere: views go on with their scrolling when they are drawn, and what an
 * app does wrong in drawing is its fault. A window without a surface is never drawn by the framework itself.
 *
 * <p>Not by display lists: animations that a graphics processor would run never end without one.
 */
final class Frames {
  private Frames() {}

  static void draw(ViewRootImpl root) {
    Rect dirty = ReflectionHelpers.getField(root, "mDirty");
    View view = root.getView();
    if (dirty.isEmpty() || view == null || view.getWidth() <= 0 || view.getHeight() <= 0) {
      return;
    }
    dirty.setEmpty();
    Object info = ReflectionHelpers.getField(root, "mAttachInfo");
    ReflectionHelpers.setField(info, "mDrawingTime", android.os.SystemClock.uptimeMillis());
    Picture picture = new Picture();
    Canvas canvas = picture.beginRecording(view.getWidth(), view.getHeight());
    try {
      ReflectionHelpers.callInstanceMethod(view.getViewTreeObserver(), "dispatchOnDraw");
      view.draw(canvas);
    } catch (IllegalStateException | UnsupportedOperationException e) {
      if (!String.valueOf(e.getMessage()).contains("hardware accelerated")) {
        throw e;
      }
    } finally {
      picture.endRecording();
      picture.close();
    }
  }
}
