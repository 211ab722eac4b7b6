package org.droidmux.hostile;

import android.app.Activity;
import android.os.Bundle;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries what an app must not do, a button for each deed, and shows what came of it. What is tried lies in an asset: a file
 * to read, a folder to write to, a port that somebody listens at.
 */
public final class HostileActivity extends Activity {
  private TextView status;
  private LinearLayout content;
  private String secret;
  private String outside;
  private int port;

  /** What throws when it is refused. */
  private interface Deed {
    String run() throws Exception;
  }

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    content = new LinearLayout(this);
    content.setOrientation(LinearLayout.VERTICAL);
    status = new TextView(this);
    status.setText("fresh");
    content.addView(status);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(getAssets().open("targets.txt"), StandardCharsets.UTF_8))) {
      secret = lines.readLine();
      outside = lines.readLine();
      port = Integer.parseInt(lines.readLine());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    deed("read", () -> new String(Files.readAllBytes(Paths.get(secret)), StandardCharsets.UTF_8));
    deed("list", () -> String.join(" ", names(new File(secret).getParentFile())));
    deed("link", () -> {
      File link = new File(getFilesDir(), "link");
      link.delete();
      Files.createSymbolicLink(link.toPath(), Paths.get(secret));
      return new String(Files.readAllBytes(link.toPath()), StandardCharsets.UTF_8);
    });
    deed("write", () -> {
      new FileOutputStream(new File(outside, "written")).close();
      return "written";
    });
    deed("remove", () -> {
      Files.delete(Paths.get(secret));
      return "removed";
    });
    deed("socket", () -> {
      new Socket("127.0.0.1", port).close();
      return "connected";
    });
    deed("listen", () -> {
      new ServerSocket(0).close();
      return "listening";
    });
    deed("datagram", () -> {
      new DatagramSocket().close();
      return "open";
    });
    deed("exec", () -> "started " + Runtime.getRuntime().exec("id").waitFor());
    // Past what the app's own calls are led to.
    deed("fork", () -> "started " + ((Process) Runtime.class.getMethod("exec", String.class)
        .invoke(Runtime.getRuntime(), "/bin/sh")).waitFor());
    deed("library", () -> {
      System.loadLibrary("absent");
      return "loaded";
    });
    deed("environment", () -> String.join(" ", System.getenv().keySet()));
    deed("home", () -> new File(System.getProperty("user.home")).canWrite() ? "own home" : "none");
    deed("own files", () -> {
      Files.write(new File(getFilesDir(), "own").toPath(), new byte[] {1});
      delete(getDataDir());
      return getDataDir().exists() ? "still there" : "gone";
    });
    deed("memory", () -> {
      List<byte[]> all = new ArrayList<>();
      while (true) {
        all.add(new byte[16 << 20]);
      }
    });
    deed("exit", () -> {
      System.exit(3);
      return "went on";
    });
    deed("halt", () -> "" + Runtime.class.getMethod("halt", int.class).invoke(Runtime.getRuntime(), 3));
    deed("hang", () -> {
      while (status != null) {
        Thread.onSpinWait();
      }
      return "came back";
    });
    deed("hold", () -> {
      while (status != null) {
        try {
          while (status != null) {
            Thread.onSpinWait();
          }
        } catch (Throwable stopped) {
          // Goes on.
        }
      }
      return "came back";
    });
    setContentView(content);
  }

  private void deed(String name, Deed deed) {
    Button button = new Button(this);
    button.setText(name);
    button.setAllCaps(false);
    button.setOnClickListener(view -> status.setText(name + ": " + outcome(deed)));
    content.addView(button, new LinearLayout.LayoutParams(-1, 80));
  }

  private static String outcome(Deed deed) {
    try {
      return deed.run();
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause());
    } catch (Exception | UnsatisfiedLinkError e) {
      return String.valueOf(e);
    }
  }

  private static String[] names(File folder) throws IOException {
    String[] names = folder.list();
    if (names == null) {
      throw new IOException("no list");
    }
    return names;
  }

  private static void delete(File file) {
    File[] below = file.listFiles();
    if (below != null) {
      for (File each : below) {
        delete(each);
      }
    }
    file.delete();
  }
}
