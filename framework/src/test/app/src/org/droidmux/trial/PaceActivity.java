package org.droidmux.trial;

import android.os.Bundle;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;

/** Threads, and who waits for the time. */
public final class PaceActivity extends ButtonPage {

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    button("Spin", () -> {
      long end = System.currentTimeMillis() + 40;
      while (System.currentTimeMillis() < end) {
        Thread.onSpinWait();
      }
      status.setText("spun");
    });
    button("Spin behind", () -> new Thread(() -> {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      tell(" spun");
    }).start());
    button("Endless", () -> new Thread(() -> {
      while (status != null) {
        Thread.onSpinWait();
      }
    }).start());
    button("Sleep", () -> {
      for (int i = 9; i >= 0; i--) {
        int number = i;
        new Thread(() -> {
          sleep(10 + 3 * number);
          tell(" " + number);
        }).start();
      }
    });
    button("Join", () -> {
      Thread sleeper = new Thread(() -> sleep(2_000));
      sleeper.start();
      try {
        sleeper.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      status.append(" joined");
    });
    button("Timer", () -> {
      Timer timer = new Timer();
      timer.scheduleAtFixedRate(new TimerTask() {
        private int told;

        @Override
        public void run() {
          tell(" tick");
          if (++told == 3) {
            timer.cancel();
          }
        }
      }, 50, 100);
    });
    button("Count", () -> status.append("."));
    setContentView(content);
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tell(String what) {
    runOnUiThread(() -> status.append(what));
  }
}
