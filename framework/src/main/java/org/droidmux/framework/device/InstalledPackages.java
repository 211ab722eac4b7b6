package org.droidmux.framework.device;

import android.app.Application;
import android.content.IntentFilter;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.Signature;
import android.content.pm.SigningInfo;
import android.os.Build;
import android.util.Log;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowPackageManager;

/** What the package manager tells of besides the app's manifest: its signature, the system, other apps, features. */
final class InstalledPackages {
  /** What a phone of today has, as far as an app asks before it offers something. */
  private static final List<String> FEATURES =
      List.of(
          "android.hardware.camera", "android.hardware.camera.any", "android.hardware.camera.autofocus",
          "android.hardware.camera.front", "android.hardware.location", "android.hardware.location.gps",
          "android.hardware.location.network", "android.hardware.microphone",
          "android.hardware.sensor.accelerometer", "android.hardware.telephony", "android.hardware.touchscreen",
          "android.hardware.touchscreen.multitouch", "android.hardware.wifi", "android.software.webview");

  private final ShadowPackageManager packages;

  private InstalledPackages(ShadowPackageManager packages) {
    this.packages = packages;
  }

  /** Tells the package manager of a new process. */
  static void install(Application application, Path archive) {
    InstalledPackages installed = new InstalledPackages(Shadows.shadowOf(application.getPackageManager()));
    installed.sign(application.getPackageName(), archive);
    installed.system();
    for (String feature : FEATURES) {
      installed.packages.setSystemFeature(feature, true);
    }
    installed.others();
  }

  /** Each installed app has a signature. */
  private void sign(String name, Path archive) {
    PackageInfo own = packages.getInternalMutablePackageInfo(name);
    if (own.signatures == null) {
      own.signatures = new Signature[] {signature(archive)};
    }
  }

  /** The certificate with which the archive was signed, where it says so; newer ways of signing are not read. */
  private static Signature signature(Path archive) {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (entry.getName().matches("META-INF/[^/]*\\.(RSA|DSA|EC)")) {
          try (InputStream in = zip.getInputStream(entry)) {
            // By name: an app may have brought another one.
            for (Certificate each : CertificateFactory.getInstance("X.509", "SUN").generateCertificates(in)) {
              return new Signature(each.getEncoded());
            }
          }
        }
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      Log.w("PackageManager", "no certificate: " + e);
    }
    return new Signature("d0c0de");
  }

  /** The system is a package as well. */
  private void system() {
    PackageInfo system = new PackageInfo();
    system.packageName = "android";
    system.versionName = Build.VERSION.RELEASE;
    system.signatures = new Signature[] {new Signature("a0b1c2")};
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
      system.signingInfo = new SigningInfo();
    }
    system.applicationInfo = new ApplicationInfo();
    system.applicationInfo.packageName = "android";
    system.applicationInfo.flags = ApplicationInfo.FLAG_SYSTEM | ApplicationInfo.FLAG_INSTALLED;
    system.applicationInfo.uid = 1000;
    packages.installPackage(system);
  }

  /** Apps look whether anything answers an intent before they offer it: what {@link OtherApp} answers is found here. */
  private void others() {
    PackageInfo info = new PackageInfo();
    info.packageName = OtherApp.PACKAGE;
    info.applicationInfo = new ApplicationInfo();
    info.applicationInfo.packageName = info.packageName;
    info.applicationInfo.name = "Other app";
    info.applicationInfo.nonLocalizedLabel = "Other app";
    info.applicationInfo.flags = ApplicationInfo.FLAG_INSTALLED;
    packages.installPackage(info);
    for (OtherApp app : OtherApp.values()) {
      packages.addActivityIfNotPresent(app.component()).nonLocalizedLabel = app.label();
      for (IntentFilter filter : app.filters()) {
        packages.addIntentFilterForActivity(app.component(), filter);
      }
    }
  }
}
