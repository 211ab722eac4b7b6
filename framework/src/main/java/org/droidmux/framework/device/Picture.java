package org.droidmux.framework.device;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.view.WindowManager;
import java.util.List;

/** Draws the windows as they lie over each other. */
final class Picture {
  private Picture() {}

  /** The screen as PNG. */
  static byte[] png(List<Windows.Win> windows, Config config) {
    Bitmap screen =
        Bitmap.createBitmap(config.screenWidth(), config.screenHeight(), Bitmap.Config.ARGB_8888);
    try {
      Canvas canvas = new Canvas(screen);
      canvas.drawColor(Color.BLACK);
      for (Windows.Win window : windows) {
        if (window.has(WindowManager.LayoutParams.FLAG_DIM_BEHIND)) {
          canvas.drawColor(Color.argb(Math.round(255 * window.params().dimAmount), 0, 0, 0));
        }
        Rect bounds = window.bounds();
        int count = canvas.save();
        canvas.translate(bounds.left, bounds.top);
        canvas.clipRect(0, 0, bounds.width(), bounds.height());
        try {
          window.view().draw(canvas);
        } catch (RuntimeException e) {
          // A view that draws with the graphics processor alone: it was drawn in its frame.
          android.util.Log.w("FrameworkLab", "not in the picture: " + e);
        }
        canvas.restoreToCount(count);
      }
      return ScreenPng.of(screen);
    } finally {
      screen.recycle();
    }
  }
}
