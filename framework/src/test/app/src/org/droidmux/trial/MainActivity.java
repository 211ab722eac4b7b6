package org.droidmux.trial;

import android.app.AlertDialog;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.AsyncTask;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.util.Log;
import android.view.ContextMenu;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.view.WindowManager;
import android.widget.EditText;
import android.widget.PopupMenu;
import android.widget.TextView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Scanner;

public final class MainActivity extends ButtonPage {

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    EditText entry = new EditText(this);
    entry.setId(R.id.entry);
    entry.setHint("Entry");
    content.addView(entry);
    button("Crash", () -> fail("on purpose"));
    button("Crash behind", () -> new Thread(() -> fail("behind"), "worker").start())
        .setOnLongClickListener(view -> watch());
    button("Hang", () -> { while (status != null) { Thread.onSpinWait(); } });
    button("Dialog", () -> new AlertDialog.Builder(this).setMessage("Sure?")
        .setPositiveButton("Yes", (dialog, which) -> say("yes")).show());
    button("Popup", this::popup).setOnLongClickListener(view -> panel());
    button("Ask", () -> requestPermissions(new String[] {"android.permission.CAMERA"}, 5));
    button("Focus", () -> status.setText("focus " + (getCurrentFocus() == entry)));
    button("Answer", () -> startActivityForResult(new Intent(this, AnswerActivity.class), 3));
    button("Later", () -> new Handler(Looper.getMainLooper()).postDelayed(() -> say("later"), 300));
    button("Work", this::work).setOnLongClickListener(view -> hold());
    button("Count", () -> say("touches " + ++TrialApplication.touches)).setOnLongClickListener(view -> carry());
    button("Queue", MainActivity::queue).setOnLongClickListener(view -> system());
    button("Keep", () -> getSharedPreferences("kept", Context.MODE_PRIVATE).edit().putString("kept", "kept").commit());
    button("Kept", () -> say("is " + getSharedPreferences("kept", Context.MODE_PRIVATE).getString("kept", "gone")));
    button("Time", () -> say("year " + (1900 + new Date().getYear())));
    button("Greet", () -> say(getString(R.string.greeting) + " " + getString(R.string.light)));
    button("Pick", () -> startActivityForResult(
        new Intent(Intent.ACTION_GET_CONTENT).addCategory(Intent.CATEGORY_OPENABLE).setType("text/plain"), 6));
    button("Serve", () -> startService(new Intent(this, TrialService.class)));
    button("World", () -> startActivity(new Intent(this, WorldActivity.class)));
    button("Exit", () -> System.exit(0));
    View menu = button("Context", () -> say("clicked"));
    registerForContextMenu(menu);
    showContent();
    say(state == null ? "fresh" : "restored " + state.getString("status"));
    if (state != null && state.getSerializable("carried") != null) {
      say(state.getSerializable("carried") == TrialApplication.carried ? "the very one" : "a copy");
    }
  }

  /** From now on the state holds what cannot leave the process. */
  private boolean carry() {
    TrialApplication.carried = new ArrayList<>(List.of(new Object()));
    return true;
  }

  private static void fail(String why) {
    throw new IllegalStateException(why);
  }

  private void popup() {
    PopupMenu popup = new PopupMenu(this, status);
    popup.getMenu().add("Popped");
    popup.setOnMenuItemClickListener(item -> say("popped"));
    popup.show();
  }

  /** A window of this one that nobody closes, as some libraries make their menus. */
  private boolean panel() {
    TextView panel = new TextView(this);
    panel.setText("Panel");
    WindowManager.LayoutParams params =
        new WindowManager.LayoutParams(WindowManager.LayoutParams.TYPE_APPLICATION_PANEL);
    params.token = getWindow().getDecorView().getWindowToken();
    params.height = WindowManager.LayoutParams.WRAP_CONTENT;
    getWindowManager().addView(panel, params);
    return true;
  }

  private void work() {
    AsyncTask.execute(() -> {
      int sum = 0;
      for (int i = 1; i <= 100; i++) {
        sum += i;
      }
      int all = sum;
      runOnUiThread(() -> say("sum " + all));
    });
  }

  /** Keeps the queue of background tasks, also when its thread is interrupted and stopped. */
  private static boolean hold() {
    AsyncTask.execute(() -> {
      for (int told = 0; told < 3;) {
        try {
          Thread.sleep(60_000);
          return;
        } catch (Throwable interruptedOrStopped) {
          told++;
        }
      }
    });
    return true;
  }

  /** Tasks that wait one behind the other, and go on when one of them is woken too early. */
  private static void queue() {
    for (int i = 0; i < 4; i++) {
      new AsyncTask<Void, Void, Void>() {
        @Override
        protected Void doInBackground(Void... nothing) {
          try {
            Thread.sleep(5_000);
          } catch (InterruptedException wokenTooEarly) {
            Log.i("Queue", "woken");
          }
          return null;
        }

        @Override
        protected void onPostExecute(Void nothing) {
          Log.i("Queue", "done");
        }
      }.execute();
    }
  }

  /** What libraries ask to learn which Android they are on. */
  private boolean system() {
    try {
      Class<?> asked = Class.forName("android.os.Build$VERSION", true, ClassLoader.getSystemClassLoader());
      Class<?> found = Class.forName("android.os.Build$VERSION", true, null);
      return say("level " + asked.getField("SDK_INT").get(null) + ", " + (asked == found));
    } catch (ReflectiveOperationException e) {
      return say(e.toString());
    }
  }

  /** Tells of each thread that ends by an exception, and has one that only its process's end can end. */
  private static boolean watch() {
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
      Log.e("Watch", "saw " + thrown);
      System.exit(1);
    });
    Thread thread = new Thread(() -> {
      while (true) {
        try {
          Thread.sleep(60_000);
        } catch (InterruptedException e) {
          // Not by being asked.
        }
      }
    });
    thread.setUncaughtExceptionHandler(Thread.getDefaultUncaughtExceptionHandler());
    thread.start();
    return true;
  }

  private boolean say(String text) {
    status.setText(text);
    return true;
  }

  @Override
  protected void onSaveInstanceState(Bundle state) {
    super.onSaveInstanceState(state);
    state.putString("status", String.valueOf(status.getText()));
    state.putSerializable("carried", TrialApplication.carried);
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    if (request == 6) {
      say("picked " + (data == null ? "none" : firstLine(data.getData())));
      return;
    }
    say("answer " + request + " " + (result == RESULT_OK ? data.getIntExtra("answer", 0) : "none"));
  }

  private String firstLine(Uri document) {
    try (Scanner scanner = new Scanner(getContentResolver().openInputStream(document), "UTF-8")) {
      return scanner.nextLine();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void onRequestPermissionsResult(int request, String[] names, int[] results) {
    say("camera " + (results.length > 0 && results[0] == PackageManager.PERMISSION_GRANTED));
  }

  @Override
  public boolean onCreateOptionsMenu(Menu menu) {
    menu.add("Settings");
    // What other activities offer for two pieces of data, the second of which has no type.
    for (String path : new String[] {"thing", "throws"}) {
      Intent offered = new Intent(null, Uri.parse("content://org.droidmux.trial/" + path));
      offered.addCategory(Intent.CATEGORY_ALTERNATIVE);
      menu.addIntentOptions(
          Menu.CATEGORY_ALTERNATIVE, 0, 0, getComponentName(), null, offered, Menu.FLAG_APPEND_TO_GROUP, null);
    }
    return true;
  }

  @Override
  public boolean onOptionsItemSelected(MenuItem item) {
    return item.getIntent() == null && say("option " + item.getTitle());
  }

  @Override
  public void onCreateContextMenu(ContextMenu menu, View view, ContextMenu.ContextMenuInfo info) {
    menu.add("Choice");
  }

  @Override
  public boolean onContextItemSelected(MenuItem item) {
    return say("context " + item.getTitle());
  }
}
