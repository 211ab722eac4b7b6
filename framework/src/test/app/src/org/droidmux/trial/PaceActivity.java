package org.droidmux.trial;

import android.content.Intent;
import android.database.DatabaseUtils;
import android.database.sqlite.SQLiteDatabase;
import android.os.Bundle;
import android.text.format.DateUtils;
import android.widget.DatePicker;
import android.widget.LinearLayout;
import android.widget.TextClock;
import android.widget.TimePicker;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
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
    button("Race", () -> new Race(order -> status.append(" " + order)).start());
    button("Interrupt", () -> Race.interrupt(status::append));
    button("Limits", () -> new Limits(this::tell).start());
    button("Main limits", () -> status.append(Limits.ofMain()));
    button("Schedule", () -> Limits.schedule(this::tell));
    button("Seldom", () -> Limits.seldom(this::tell));
    button("Clocks", this::clocks);
    button("Stored", this::stored);
    button("Move on", this::moveOn);
    button("Grow", () -> {
      ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
      pool.setCorePoolSize(4);
      status.setText("grown to " + pool.getCorePoolSize());
    });
    button("Wait for", () -> status.append(Race.waitedFor()));
    button("Crossed", () -> status.append(Race.crossed()));
    showContent();
  }

  /** Shows another page in its place, a little later each time. */
  private void moveOn() {
    int delay = getIntent().getIntExtra("delay", 440);
    Intent again = new Intent(this, PaceActivity.class).putExtra("delay", delay + 8);
    status.postDelayed(() -> {
      startActivity(again);
      finish();
    }, delay);
  }

  /** What the framework itself makes of the time. */
  private void clocks() {
    TextClock clock = new TextClock(this);
    clock.setFormat12Hour("yyyy-MM-dd");
    clock.setFormat24Hour("yyyy-MM-dd");
    content.addView(clock, new LinearLayout.LayoutParams(-1, 100));
    DatePicker picker = new DatePicker(this);
    long now = System.currentTimeMillis();
    String ago = DateUtils.getRelativeTimeSpanString(now - 2 * DateUtils.HOUR_IN_MILLIS).toString();
    status.setText(
        clock.getText() + " " + picker.getYear() + "-" + picker.getMonth() + "-" + picker.getDayOfMonth() + " "
            + DateUtils.isToday(now) + " " + ago + " " + new TimePicker(this).getHour() + "h " + file());
  }

  /** What a database makes of the time: by itself, as a default, by a trigger, and once more a while later. */
  private void stored() {
    try (SQLiteDatabase database = SQLiteDatabase.create(null)) {
      database.execSQL("CREATE TABLE note (word TEXT, made TEXT DEFAULT CURRENT_TIMESTAMP, day TEXT)");
      database.execSQL(
          "CREATE TRIGGER dated AFTER INSERT ON note BEGIN UPDATE note SET day = date('now') WHERE word = new.word; END");
      database.execSQL("INSERT INTO note (word) VALUES ('now')");
      status.setText(
          DatabaseUtils.stringForQuery(database, "SELECT word || ' ' || made || ' ' || day FROM note", null));
      String seconds = "SELECT strftime('%s', 'now')";
      long first = DatabaseUtils.longForQuery(database, seconds, null);
      sleep(3_000);
      status.append(" +" + (DatabaseUtils.longForQuery(database, seconds, null) - first));
    }
  }

  /** Whether a file was changed when it was, and is as old as it was made. */
  private String file() {
    File file = new File(getFilesDir(), "dated");
    try (FileOutputStream out = new FileOutputStream(file)) {
      out.write(1);
    } catch (IOException e) {
      return e.toString();
    }
    boolean now = file.lastModified() == System.currentTimeMillis();
    return now + " " + (file.setLastModified(1_000_000_000_000L) && file.lastModified() == 1_000_000_000_000L);
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
