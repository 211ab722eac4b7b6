package org.droidmux.framework.device;

import android.graphics.Bitmap;
import android.graphics.Canvas;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A screen as PNG. In flows a picture without transparency, out flow the bytes of a file. It is for a pipe and is read at
 * once: little time goes into making it small. The framework's own encoder looks for the smallest file, which takes five
 * times as long as the drawing.
 */
final class ScreenPng {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final int BITS = 8;
  private static final int COLOUR_WITH_ALPHA = 6;
  private static final int BYTES_A_PIXEL = 4;

  /** So many rows are compressed at a time. */
  private static final int ROWS = 64;

  private ScreenPng() {}

  static byte[] of(Bitmap screen) {
    ByteArrayOutputStream png = new ByteArrayOutputStream(1 << 17);
    png.writeBytes(SIGNATURE);
    chunk(
        png,
        "IHDR",
        ByteBuffer.allocate(13).putInt(screen.getWidth()).putInt(screen.getHeight())
            .put((byte) BITS).put((byte) COLOUR_WITH_ALPHA).put(new byte[3]).array());
    chunk(png, "IDAT", compressed(screen));
    chunk(png, "IEND", new byte[0]);
    return png.toByteArray();
  }

  private static byte[] compressed(Bitmap screen) {
    int width = screen.getWidth();
    int length = width * BYTES_A_PIXEL;
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 17);
    byte[] some = new byte[1 << 15];
    // Each row begins with a byte that says how it was changed beforehand: not at all.
    byte[] rows = new byte[ROWS * (1 + length)];
    ByteBuffer pixels = ByteBuffer.allocateDirect(ROWS * length).order(ByteOrder.nativeOrder());
    Bitmap strip = Bitmap.createBitmap(width, ROWS, Bitmap.Config.ARGB_8888);
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      Canvas canvas = new Canvas(strip);
      for (int top = 0; top < screen.getHeight(); top += ROWS) {
        canvas.drawBitmap(screen, 0, -top, null);
        pixels.clear();
        strip.copyPixelsToBuffer(pixels);
        int count = Math.min(ROWS, screen.getHeight() - top);
        for (int row = 0; row < count; row++) {
          pixels.get(row * length, rows, row * (1 + length) + 1, length);
        }
        deflater.setInput(rows, 0, count * (1 + length));
        if (top + ROWS >= screen.getHeight()) {
          deflater.finish();
        }
        for (int made = deflater.deflate(some); made > 0; made = deflater.deflate(some)) {
          out.write(some, 0, made);
        }
      }
      return out.toByteArray();
    } finally {
      deflater.end();
      strip.recycle();
    }
  }

  private static void chunk(ByteArrayOutputStream png, String name, byte[] content) {
    byte[] kind = name.getBytes(StandardCharsets.US_ASCII);
    CRC32 sum = new CRC32();
    sum.update(kind);
    sum.update(content);
    png.writeBytes(ByteBuffer.allocate(4).putInt(content.length).array());
    png.writeBytes(kind);
    png.writeBytes(content);
    png.writeBytes(ByteBuffer.allocate(4).putInt((int) sum.getValue()).array());
  }
}
