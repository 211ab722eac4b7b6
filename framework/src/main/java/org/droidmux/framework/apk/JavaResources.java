package org.droidmux.framework.apk;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;

/**
 * What {@code getResource} finds on a phone: all of an APK that is no code, no resource and no signature, such as
 * {@code META-INF/services}.
 */
final class JavaResources {
  private static final Pattern OTHER =
      Pattern.compile(
          "classes\\d*\\.dex|res/.*|assets/.*|lib/.*|resources\\.arsc|AndroidManifest\\.xml|.*\\.class"
              + "|META-INF/[^/]*\\.(MF|SF|RSA|DSA|EC)|(?i:META-INF/INDEX\\.LIST)");

  private static final long LARGEST_WHOLE = 512L << 20;

  private final JarOutputStream out;
  private final Set<String> names = new HashSet<>();
  private long whole;

  JavaResources(JarOutputStream out) {
    this.out = out;
  }

  void copy(Archive apk) throws ApkException, IOException {
    for (String name : apk.names()) {
      if (OTHER.matcher(name).matches() || !names.add(name)) {
        continue;
      }
      out.putNextEntry(new JarEntry(name));
      whole += apk.copy(name, out, LARGEST_WHOLE - whole);
      out.closeEntry();
    }
  }

  int count() {
    return names.size();
  }
}
