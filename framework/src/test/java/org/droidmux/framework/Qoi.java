package org.droidmux.framework;

import static org.junit.Assert.assertEquals;

import java.nio.ByteBuffer;

/** Reads an image in the Quite OK Image format, as its specification says: pixels as 0xrrggbb, row by row. */
final class Qoi {
  final int width;
  final int height;
  final int[] pixels;

  private Qoi(ByteBuffer in) {
    assertEquals(0x716f6966, in.getInt());
    width = in.getInt();
    height = in.getInt();
    assertEquals("channels", 3, in.get());
    in.get();
    pixels = new int[width * height];
    int[] seen = new int[64];
    int pixel = 0;
    for (int at = 0; at < pixels.length; at++) {
      int next = in.get() & 0xff;
      int run = 1;
      if (next == 0xfe) {
        pixel = (in.get() & 0xff) << 16 | (in.get() & 0xff) << 8 | in.get() & 0xff;
      } else if (next >> 6 == 0) {
        pixel = seen[next];
      } else if (next >> 6 == 1) {
        pixel = moved(pixel, (next >> 4 & 3) - 2, (next >> 2 & 3) - 2, (next & 3) - 2);
      } else if (next >> 6 == 2) {
        int green = (next & 63) - 32;
        int rest = in.get() & 0xff;
        pixel = moved(pixel, green + (rest >> 4) - 8, green, green + (rest & 15) - 8);
      } else {
        run += next & 63;
      }
      seen[((pixel >> 16) * 3 + (pixel >> 8 & 0xff) * 5 + (pixel & 0xff) * 7 + 255 * 11) & 63] = pixel;
      for (int i = 0; i < run; i++) {
        pixels[at + i] = pixel;
      }
      at += run - 1;
    }
    assertEquals("the end", 1, in.getLong());
    assertEquals("nothing after it", 0, in.remaining());
  }

  static Qoi read(byte[] file) {
    return new Qoi(ByteBuffer.wrap(file));
  }

  private static int moved(int pixel, int red, int green, int blue) {
    return ((pixel >> 16) + red & 0xff) << 16 | ((pixel >> 8) + green & 0xff) << 8 | pixel + blue & 0xff;
  }
}
