package org.droidmux.framework.device;

import android.os.Build;
import android.text.Hyphenator;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.robolectric.nativeruntime.DefaultNativeRuntimeLoader;
import org.robolectric.util.OsUtil;

/**
 * Loads what the framework does in native code from the one copy that the host's build has unpacked. Robolectric unpacks
 * 200 MB at each start, into a temporary folder that outlives a host that is halted.
 */
public final class PhoneNatives extends DefaultNativeRuntimeLoader {
  @Override
  public synchronized void ensureLoaded() {
    // Each object with a native part asks, thousands of times a second.
    if (loaded.get()) {
      return;
    }
    Path folder = Path.of(System.getProperty("droidmux.native", ""));
    Path library = folder.resolve("native").resolve(system()).resolve(System.mapLibraryName("robolectric-nativeruntime"));
    if (Build.VERSION.SDK_INT > Build.VERSION_CODES.UPSIDE_DOWN_CAKE || !Files.isRegularFile(library)) {
      super.ensureLoaded();
      return;
    }
    if (!loaded.compareAndSet(false, true)) {
      return;
    }
    System.setProperty("robolectric.nativeruntime.fontdir", folder.resolve("fonts").toAbsolutePath() + File.separator);
    System.setProperty("hyphen.data.dir", folder.resolve("hyphen-data").toAbsolutePath().toString());
    System.setProperty("icu.data.path", folder.resolve("icu").resolve("icudt68l.dat").toAbsolutePath().toString());
    System.setProperty("icu.locale.default", Locale.getDefault().toLanguageTag());
    System.load(library.toAbsolutePath().toString());
    Hyphenator.init();
  }

  private static String system() {
    String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    return (OsUtil.isMac() ? "mac/" : "linux/") + (machine.equals("amd64") ? "x86_64" : machine);
  }
}
