package org.droidmux.framework.device;

import android.os.Looper;
import android.os.SystemClock;
import java.time.Duration;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * Runs the main thread's messages while the phone's time goes on. Time moves here only, in steps of a
 * frame or less, so what happens does not depend on how fast the computer is.
 */
final class MainLoop {
  private static final long FRAME = 16;

  /** Threads that sleep for less wake up a little later: each waking costs a round. */
  private static final long SHORTEST_SLEEP = 4;

  /** So many messages at one moment are an app that posts itself for ever; time goes on nevertheless. */
  private static final int MOST_ROUNDS = 200;

  private final Phone phone;
  private boolean woken;

  MainLoop(Phone phone) {
    this.phone = phone;
  }

  /** Lets so many milliseconds pass. */
  void pass(long millis) {
    long end = SystemClock.uptimeMillis() + millis;
    rest();
    while (SystemClock.uptimeMillis() < end) {
      long now = SystemClock.uptimeMillis();
      long step = Math.min(FRAME, end - now);
      long next = looper().getNextScheduledTaskTime().toMillis();
      if (next > now) {
        step = Math.min(step, next - now);
      }
      step = Math.min(step, Math.max(SHORTEST_SLEEP, Sleepers.next() - now));
      step = Math.min(step, Math.max(1, phone.nextWake() - AppClock.now()));
      ShadowSystemClock.advanceBy(Duration.ofMillis(Math.max(1, step)));
      rest();
    }
  }

  /** Runs what is due, on the main thread and others, until nothing is. */
  void rest() {
    for (int round = 0; round < MOST_ROUNDS; round++) {
      boolean ran = !looper().isIdle();
      looper().idle();
      boolean moved = phone.pump();
      AppProcess process = AppProcess.current();
      if (process != null) {
        AppThreads.settle(process.classes(), ran || moved || woken);
        woken = Sleepers.wakeNext();
        moved |= woken;
      }
      if (!moved && looper().isIdle()) {
        return;
      }
    }
  }

  private static ShadowLooper looper() {
    return Shadows.shadowOf(Looper.getMainLooper());
  }
}
