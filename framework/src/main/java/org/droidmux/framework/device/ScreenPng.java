package org.droidmux.framework.device;

import android.graphics.Bitmap;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
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
  private static final int COLOUR = 2;
  private static final int BYTES_A_PIXEL = 3;

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
            .put((byte) BITS).put((byte) COLOUR).put(new byte[3]).array());
    chunk(png, "IDAT", compressed(screen));
    chunk(png, "IEND", new byte[0]);
    return png.toByteArray();
  }

  private static byte[] compressed(Bitmap screen) {
    int width = screen.getWidth();
    // Each row begins with a byte that says how it was changed beforehand: not at all.
    int length = 1 + width * BYTES_A_PIXEL;
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 17);
    byte[] some = new byte[1 << 15];
    byte[] rows = new byte[ROWS * length];
    // As numbers: in which order their bytes lie in a bitmap is the library's choice.
    int[] pixels = new int[ROWS * width];
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      for (int top = 0; top < screen.getHeight(); top += ROWS) {
        int count = Math.min(ROWS, screen.getHeight() - top);
        screen.getPixels(pixels, 0, width, 0, top, width, count);
        for (int row = 0; row < count; row++) {
          unpack(pixels, row * width, width, rows, row * length + 1);
        }
        deflater.setInput(rows, 0, count * length);
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
    }
  }

  private static void unpack(int[] pixels, int from, int count, byte[] bytes, int to) {
    int at = to;
    for (int i = from; i < from + count; i++) {
      int pixel = pixels[i];
      bytes[at++] = (byte) (pixel >> 16);
      bytes[at++] = (byte) (pixel >> 8);
      bytes[at++] = (byte) pixel;
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
