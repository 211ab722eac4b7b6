package org.droidmux.framework.device;

import android.graphics.Bitmap;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A screen in the <a href="https://qoiformat.org/qoi-specification.pdf">Quite OK Image format</a>. In flows a picture
 * without transparency, out flow the bytes of a file. It is what a session asks for at each step: a pass over the pixels
 * takes a tenth of the time that compression does, and most of a screen is runs of one colour.
 */
final class ScreenQoi {
  private static final int RGB = 3;
  private static final int LONGEST_RUN = 62;
  private static final int INDEX = 0;
  private static final int DIFFERENCE = 0x40;
  private static final int LUMA = 0x80;
  private static final int RUN = 0xc0;
  private static final int WHOLE = 0xfe;

  /** Where a colour's parts lie in a number of a bitmap's memory, which is the library's choice. */
  private final int red;
  private final int green;
  private final int blue;
  private final int opaque;

  private byte[] out = new byte[1 << 16];
  private int length;

  private ScreenQoi() {
    Bitmap one = Bitmap.createBitmap(1, 1, Bitmap.Config.ARGB_8888);
    one.setPixel(0, 0, 0xff010204);
    int[] pixel = pixels(one);
    one.recycle();
    red = shift(pixel[0], 1);
    green = shift(pixel[0], 2);
    blue = shift(pixel[0], 4);
    opaque = shift(pixel[0], 0xff);
  }

  static byte[] of(Bitmap screen) {
    return new ScreenQoi().encode(screen);
  }

  private static int[] pixels(Bitmap bitmap) {
    int[] pixels = new int[bitmap.getWidth() * bitmap.getHeight()];
    bitmap.copyPixelsToBuffer(IntBuffer.wrap(pixels));
    return pixels;
  }

  private static int shift(int pixel, int part) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      if ((pixel >>> shift & 0xff) == part) {
        return shift;
      }
    }
    throw new IllegalStateException("a bitmap's memory holds no colours: " + Integer.toHexString(pixel));
  }

  private byte[] encode(Bitmap screen) {
    int[] pixels = pixels(screen);
    // Nothing without transparency is zero.
    int[] seen = new int[64];
    // Black without transparency comes before the first pixel.
    int before = 0xff << opaque;
    for (int at = 0; at < pixels.length; ) {
      int end = at;
      while (end < pixels.length && pixels[end] == before) {
        end++;
      }
      run(end - at);
      at = end;
      if (at < pixels.length) {
        room();
        colour(pixels[at], before, seen);
        before = pixels[at++];
      }
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream(length + 22);
    file.writeBytes("qoif".getBytes(StandardCharsets.US_ASCII));
    file.writeBytes(ByteBuffer.allocate(8).putInt(screen.getWidth()).putInt(screen.getHeight()).array());
    file.write(RGB);
    file.write(0);
    file.write(out, 0, length);
    file.writeBytes(new byte[] {0, 0, 0, 0, 0, 0, 0, 1});
    return file.toByteArray();
  }

  private void run(int count) {
    for (int left = count; left > 0; left -= LONGEST_RUN) {
      room();
      out[length++] = (byte) (RUN | Math.min(left, LONGEST_RUN) - 1);
    }
  }

  private void colour(int pixel, int before, int[] seen) {
    int r = pixel >>> red & 0xff;
    int g = pixel >>> green & 0xff;
    int b = pixel >>> blue & 0xff;
    int place = (r * 3 + g * 5 + b * 7 + 255 * 11) & 63;
    if (seen[place] == pixel) {
      out[length++] = (byte) (INDEX | place);
      return;
    }
    seen[place] = pixel;
    // Differences wrap around, as bytes do.
    int dr = (byte) (r - (before >>> red & 0xff));
    int dg = (byte) (g - (before >>> green & 0xff));
    int db = (byte) (b - (before >>> blue & 0xff));
    if (dr >= -2 && dr <= 1 && dg >= -2 && dg <= 1 && db >= -2 && db <= 1) {
      out[length++] = (byte) (DIFFERENCE | dr + 2 << 4 | dg + 2 << 2 | db + 2);
    } else if (dg >= -32 && dg <= 31 && dr - dg >= -8 && dr - dg <= 7 && db - dg >= -8 && db - dg <= 7) {
      out[length++] = (byte) (LUMA | dg + 32);
      out[length++] = (byte) (dr - dg + 8 << 4 | db - dg + 8);
    } else {
      out[length++] = (byte) WHOLE;
      out[length++] = (byte) r;
      out[length++] = (byte) g;
      out[length++] = (byte) b;
    }
  }

  /** Room for the longest way to say a pixel. */
  private void room() {
    if (length + 4 > out.length) {
      out = Arrays.copyOf(out, out.length * 2);
    }
  }
}
