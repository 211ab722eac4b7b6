package org.droidmux.framework.device;

import android.os.Looper;
import android.os.SystemClock;
import java.time.Duration;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowLooper;
import org.robolectric.shadows.ShadowSystemClock;

/**
 * Runs the main thread's messages while the phone's time goes on. Time moves here only, to the next moment for which
 * anything is planned, so what happens does not depend on how fast the computer is.
 */
final class MainLoop {
  /** The longest step while another thread still runs: what it plans meanwhile comes that much later at the most. */
  private static final long LONGEST_STEP = 100;

  /** Threads that sleep for less wake up a little later: each waking costs a round. */
  private static final long SHORTEST_SLEEP = 4;

  /** So many messages at one moment are an app that posts itself for ever; time goes on nevertheless. */
  private static final int MOST_ROUNDS = 200;

  /** How long it stays awake for what has woken it. */
  private static final long AWAKE = 50;

  /** So often a phone that is asleep wakes for each alarm at its moment; then for all of a quarter of an hour. */
  private static final int MOST_WAKES = 200;

  private static final long WINDOW = 900_000;

  /** How long the phone goes on after an input, in its own time: dialogs open, lists stop. */
  private static final long AFTER_INPUT = 500;

  /** An activity that has just come has a window a frame or two later; one that has none for so long shows none. */
  private static final long ITS_WINDOW = 1_000;

  private static final long FRAME = 20;

  /** Each of them may draw a frame, and an app may make a picture or two of its own for one. */
  private static final int STEPS_BETWEEN_TENDING = 8;

  private final Phone phone;

  MainLoop(Phone phone) {
    this.phone = phone;
  }

  /** Lets so many milliseconds pass. */
  void pass(long millis) {
    long end = SystemClock.uptimeMillis() + millis;
    rest();
    for (int steps = 1; SystemClock.uptimeMillis() < end; steps++) {
      if (steps % STEPS_BETWEEN_TENDING == 0) {
        phone.tendMemory();
      }
      long now = SystemClock.uptimeMillis();
      long step = resting() ? end - now : Math.min(LONGEST_STEP, end - now);
      step = Math.min(step, nextMessage(now) - now);
      step = Math.min(step, nextFrame(now) - now);
      step = Math.min(step, Math.max(SHORTEST_SLEEP, Sleepers.next() - now));
      step = Math.min(step, Math.max(1, phone.nextWake() - AppClock.now()));
      ShadowSystemClock.advanceBy(Duration.ofMillis(Math.max(1, step)));
      rest();
    }
  }

  /** Lets the time pass that an input is given, and as long as what is in front has no window yet. */
  void passAfterInput() {
    pass(AFTER_INPUT);
    for (long passed = 0; passed < ITS_WINDOW && phone.awaitsWindow(); passed += FRAME) {
      pass(FRAME);
    }
  }

  /**
   * Lets so many milliseconds pass while nobody touches the phone: it is asleep, and what runs by its time awake stands
   * still. For alarms and jobs it wakes, at their moments; when they are too many, for several at once.
   */
  void sleep(long millis) {
    long end = SystemClock.elapsedRealtime() + millis;
    rest();
    for (int wakes = 0; SystemClock.elapsedRealtime() < end; wakes++) {
      long now = SystemClock.elapsedRealtime();
      long step = Math.max(1, phone.nextAlarm() - AppClock.now());
      if (wakes > MOST_WAKES) {
        step = Math.max(step, WINDOW);
      }
      ShadowSystemClock.simulateDeepSleep(Duration.ofMillis(Math.min(step, end - now)));
      pass(Math.min(AWAKE, Math.max(0, end - SystemClock.elapsedRealtime())));
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
        AppThreads.settle(process.classes(), ran || moved);
        if (Sleepers.wakeNext()) {
          // Before the main thread goes on, which would not be at the same moment in each host.
          AppThreads.settle(process.classes(), true);
          moved = true;
        }
      }
      if (!moved && looper().isIdle()) {
        return;
      }
    }
  }

  /** Whether nothing happens until the next moment for which something is planned. */
  private static boolean resting() {
    AppProcess process = AppProcess.current();
    return process == null || AppThreads.allRest(process.classes());
  }

  /** When the next message is due on any thread that has a queue of them. */
  private static long nextMessage(long now) {
    long next = Long.MAX_VALUE;
    for (Looper each : ShadowLooper.getAllLoopers()) {
      long at = Shadows.shadowOf(each).getNextScheduledTaskTime().toMillis();
      if (at > now) {
        next = Math.min(next, at);
      }
    }
    return next;
  }

  /** When the next frame is drawn, if one is wanted: the end of time otherwise. */
  private static long nextFrame(long now) {
    long at = ShadowChoreographer.getNextVsyncTime();
    return at > now ? at : Long.MAX_VALUE;
  }

  private static ShadowLooper looper() {
    return Shadows.shadowOf(Looper.getMainLooper());
  }
}
