package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

/** An app in two archives: what only the second one declares is part of the app. */
public class SplitIT {
  private static final String FRAMEWORK = "/usr/share/android-framework-res/framework-res.apk";
  private static final String MANIFEST =
      "<manifest xmlns:android='http://schemas.android.com/apk/res/android' package='org.droidmux.trial'"
          + " split='extra' android:versionCode='7'><application>"
          + "<activity android:name='.AnswerActivity' android:exported='true'/></application></manifest>";

  @Test
  public void whatASplitDeclaresIsPartOfTheApp() throws Exception {
    Path sources = copied(Path.of("src/test/app"), Path.of("target/it/split-sources"));
    Path manifest = sources.resolve("AndroidManifest.xml");
    String base = Files.readString(manifest).replaceAll("(?s)<activity android:name=\"\\.AnswerActivity\".*?</activity>", "");
    Files.writeString(manifest, base);
    Path app = Client.built(sources, "in-two");
    Path folder = Files.createDirectories(Path.of("target/it/split"));
    Files.writeString(folder.resolve("AndroidManifest.xml"), MANIFEST, StandardCharsets.UTF_8);
    Process packing = new ProcessBuilder(
            "aapt", "package", "-f", "-M", folder.resolve("AndroidManifest.xml").toString(), "-I", FRAMEWORK, "-F",
            app.resolve("split-extra.apk").toString())
        .redirectErrorStream(true)
        .start();
    String said = new String(packing.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(said, 0, packing.waitFor());
    try (Client phone = new Client(app)) {
      JsonObject about = phone.ask("hello", "{}");
      assertTrue(about.toString(), about.get("activities").toString().contains("org.droidmux.trial.AnswerActivity"));
      phone.ask("start", "{}");
      phone.tap("Keep");
      phone.tap("Answer");
      phone.tap("FORTY-TWO");
      assertEquals("answer 3 42", phone.node("status").get("text"));
      // Its files are still where they were.
      phone.tap("Kept");
      assertEquals("is kept", phone.node("status").get("text"));
    }
  }

  private static Path copied(Path from, Path to) throws Exception {
    try (var all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Path target = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(target);
        } else {
          Files.write(target, Files.readAllBytes(each));
        }
      }
    }
    return to;
  }
}
