package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.graphics.Bitmap;
import android.net.Uri;
import android.provider.MediaStore;
import android.util.Log;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;

/** The camera: a picture goes where the app wants it; without a place, a small one goes back. */
final class CameraScreen {
  private CameraScreen() {}

  static void show(OutsideActivity screen) {
    screen.addText("Camera", null);
    screen.addButton("Take picture", OtherApp.id("shutter"), () -> take(screen));
  }

  private static void take(OutsideActivity screen) {
    Bitmap picture = picture(new Random(AppClock.now()), 320, 240);
    Uri place = screen.getIntent().getParcelableExtra(MediaStore.EXTRA_OUTPUT);
    Intent data = new Intent();
    if (place == null) {
      data.putExtra("data", Bitmap.createScaledBitmap(picture, 160, 120, false));
    } else {
      try (OutputStream out = screen.getContentResolver().openOutputStream(place)) {
        picture.compress(Bitmap.CompressFormat.JPEG, 90, out);
      } catch (IOException | RuntimeException e) {
        Log.w("Camera", "cannot write " + place, e);
        screen.finish();
        return;
      }
    }
    screen.setResult(Activity.RESULT_OK, data);
    screen.finish();
  }

  /** A colour with noise in it: as many bytes as a picture of the world has. */
  static Bitmap picture(Random random, int width, int height) {
    Bitmap picture = Bitmap.createBitmap(width, height, Bitmap.Config.ARGB_8888);
    int colour = random.nextInt();
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        picture.setPixel(x, y, 0xff000000 | colour ^ random.nextInt() & 0x3f3f3f);
      }
    }
    return picture;
  }
}
