package org.droidmux.framework.device;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Rect;
import android.view.WindowManager;
import java.util.List;
import java.util.function.Function;

/**
 * Draws the windows as they lie over each other. The memory that it draws to is kept: to get and to clear eight megabytes
 * for each screen takes longer than the drawing.
 */
final class Picture {
  private Bitmap screen;

  /** The screen, as {@code encoder} writes it down. */
  byte[] of(List<Windows.Win> windows, Config config, Function<Bitmap, byte[]> encoder) {
    Canvas canvas = new Canvas(sized(config.screenWidth(), config.screenHeight()));
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
    return encoder.apply(screen);
  }

  private Bitmap sized(int width, int height) {
    if (screen != null && (screen.getWidth() != width || screen.getHeight() != height)) {
      screen.recycle();
      screen = null;
    }
    if (screen == null) {
      screen = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
    }
    return screen;
  }
}
