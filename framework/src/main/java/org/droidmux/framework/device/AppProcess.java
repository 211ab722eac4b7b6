package org.droidmux.framework.device;

import android.app.Application;
import android.content.ContentProvider;
import android.content.pm.ActivityInfo;
import android.content.pm.ApplicationInfo;
import android.content.pm.ComponentInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.content.pm.ProviderInfo;
import android.os.AsyncTask;
import android.view.accessibility.AccessibilityManager;
import dalvik.system.CloseGuard;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.internal.bytecode.ShadowConstants;
import org.robolectric.manifest.AndroidManifest;
import org.robolectric.shadows.ShadowChoreographer;
import org.robolectric.shadows.ShadowContentResolver;
import org.robolectric.shadows.ShadowPackageManager;
import org.robolectric.shadows.ShadowPackageParser;
import org.robolectric.shadows.ShadowProcess;
import org.robolectric.shadows.ShadowView;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.TempDirectory;

/**
 * One process of the app: its classes, its application, its threads. Files outlive it, statics do not.
 * There is at most one at a time; the framework's own state begins anew with it.
 */
final class AppProcess {
  /** Where the app's resources are: in the archive with its manifest, and in splits that add to it. */
  record Archives(Path base, String[] splits) {}

  private static AppProcess current;
  private static AppProcess starting;

  private final AppClasses classes;
  private final Archives archives;
  private final int pid;
  private String applicationClass = Application.class.getName();
  private PackageParser.Package declared;
  private Application application;
  private final Services services = new Services(this);
  private World world;
  private final Broadcasts broadcasts = new Broadcasts(this);

  private AppProcess(Archives archives, URL[] classPath, int pid) {
    this.archives = archives;
    this.classes = new AppClasses(classPath, AppProcess.class.getClassLoader());
    this.pid = pid;
  }

  static AppProcess current() {
    return current;
  }

  static AppProcess starting() {
    return starting;
  }

  /** Starts a process. What the app's own code throws meanwhile comes out of here. */
  static AppProcess start(
      PhoneEnvironment environment, Archives archives, URL[] classPath, TempDirectory files, Config config, int pid) {
    AppProcess process = new AppProcess(archives, classPath, pid);
    Thread.currentThread().setContextClassLoader(process.classes);
    Turns.begin();
    AndroidManifest manifest = new AndroidManifest(null, null, null, List.of(), "", archives.base());
    environment.setUpApplicationState(
        "droidmux", new FixedConfiguration(config.qualifiers(), config.fontScale()), manifest);
    Turns.observeLoopers();
    RuntimeEnvironment.getTempDirectory().destroy();
    RuntimeEnvironment.setTempDirectory(files);
    ShadowProcess.setPid(pid);
    ShadowChoreographer.setPaused(true);
    ShadowChoreographer.setFrameDelay(java.time.Duration.ofMillis(16));
    ShadowView.setUseRealViewAnimations(true);
    CloseGuard.setEnabled(false);
    current = process;
    starting = process;
    process.findApplicationClass();
    try {
      process.application = RuntimeEnvironment.getApplication();
    } finally {
      starting = null;
    }
    return process;
  }

  /** What a phone does between the application's attach and its onCreate. */
  void beforeOnCreate(Application created) {
    application = created;
    ReflectionHelpers.setField(created.getBaseContext(), "mClassLoader", classes);
    ApplicationInfo info = created.getApplicationInfo();
    info.className = applicationClass;
    restorePackage(created);
    InstalledPackages.install(created, archives.base());
    SystemSettings.apply(created.getContentResolver());
    Phone.get().publishServices();
    Phone.get().permissions().grantTo(this);
    Phone.get().device().applyTo(this);
    // As while an agent is connected: lists then report that their rows can be clicked.
    Shadows.shadowOf(created.getSystemService(AccessibilityManager.class)).setEnabled(true);
    // Not before: the framework is not set up until there is an application.
    world = new World();
    world.install(created);
    installProviders(created);
  }

  /**
   * What the package manager knows of the app as it was packed. Robolectric raises the level that an app targets to what
   * it can test, and knows no splits.
   */
  private void restorePackage(Application created) {
    int target = ShadowPackageParser.callParsePackage(archives.base()).applicationInfo.targetSdkVersion;
    created.getApplicationInfo().targetSdkVersion = target;
    if (splits() != null) {
      addSplitComponents(created);
    }
    PackageInfo known =
        Shadows.shadowOf(created.getPackageManager()).getInternalMutablePackageInfo(created.getPackageName());
    known.applicationInfo.targetSdkVersion = target;
    known.splitNames = splitNames();
    for (ApplicationInfo info : List.of(known.applicationInfo, created.getApplicationInfo())) {
      info.splitNames = known.splitNames;
      info.splitSourceDirs = splits();
      info.splitPublicSourceDirs = splits();
    }
    if (known.activities != null) {
      for (ActivityInfo activity : known.activities) {
        activity.applicationInfo.targetSdkVersion = target;
      }
    }
  }

  /** Robolectric has read the first archive alone: what only a split declares is part of the app as well. */
  private void addSplitComponents(Application created) {
    ShadowPackageManager packages = Shadows.shadowOf(created.getPackageManager());
    PackageInfo base = packages.getInternalMutablePackageInfo(created.getPackageName());
    packages.addPackageInternal(declared);
    PackageInfo whole = packages.getInternalMutablePackageInfo(created.getPackageName());
    // Its folders and its user number are the ones that it has.
    whole.applicationInfo = base.applicationInfo;
    for (ComponentInfo[] components :
        new ComponentInfo[][] {whole.activities, whole.receivers, whole.services, whole.providers}) {
      for (ComponentInfo component : components == null ? new ComponentInfo[0] : components) {
        component.applicationInfo = base.applicationInfo;
      }
    }
  }

  private void installProviders(Application created) {
    PackageInfo info = packageInfo(PackageManager.GET_PROVIDERS);
    if (info.providers == null) {
      return;
    }
    List<ProviderInfo> providers = new ArrayList<>(Arrays.asList(info.providers));
    providers.sort(Comparator.comparingInt((ProviderInfo provider) -> -provider.initOrder));
    for (ProviderInfo provider : providers) {
      if (!provider.enabled || provider.authority == null) {
        continue;
      }
      try {
        ContentProvider made =
            new PhoneAppFactory(this, created.getApplicationInfo()).instantiateProvider(classes, provider.name);
        for (String authority : provider.authority.split(";")) {
          ShadowContentResolver.registerProviderInternal(authority, made);
        }
        made.attachInfo(created, provider);
      } catch (ReflectiveOperationException e) {
        throw new RuntimeException("Unable to get provider " + provider.name + ": " + e, e);
      }
    }
  }

  PackageInfo packageInfo(int flags) {
    try {
      return application.getPackageManager().getPackageInfo(application.getPackageName(), flags);
    } catch (PackageManager.NameNotFoundException e) {
      throw new IllegalStateException("the app is not installed", e);
    }
  }

  private void findApplicationClass() {
    // A folder is read as an app with its splits.
    Path archive = splits() == null ? archives.base() : archives.base().toAbsolutePath().getParent();
    declared = ShadowPackageParser.callParsePackage(archive);
    Components.requireClasses(declared, classes);
    if (declared.applicationInfo.className != null) {
      applicationClass = declared.applicationInfo.className;
    }
  }

  /** What the manifest says. */
  PackageParser.Package declared() {
    return declared;
  }

  String applicationClass() {
    return applicationClass;
  }

  /** The archives that add to the app's resources, or null where there are none. */
  String[] splits() {
    return archives.splits().length == 0 ? null : archives.splits().clone();
  }

  /** The splits' names, by those of their files. */
  private String[] splitNames() {
    return archives.splits().length == 0
        ? null
        : Arrays.stream(archives.splits())
            .map(split -> Path.of(split).getFileName().toString().replaceAll("^split-|\\.apk$", ""))
            .toArray(String[]::new);
  }

  AppClasses classes() {
    return classes;
  }

  Application application() {
    return application;
  }

  int pid() {
    return pid;
  }

  Services services() {
    return services;
  }

  World world() {
    return world;
  }

  Broadcasts broadcasts() {
    return broadcasts;
  }

  /** Its threads are being ended: what they throw is not the app's fault. */
  boolean ending() {
    return classes.hasEnded();
  }

  /** Ends the process: no callback is called, threads are ended, the framework's state is dropped. */
  static void end(PhoneEnvironment environment) {
    AppProcess ended = current;
    if (ended == null) {
      return;
    }
    // Files outlive the process: what is reset must not find them.
    TempDirectory meanwhile = new TempDirectory("ended");
    RuntimeEnvironment.setTempDirectory(meanwhile);
    ended.classes.end();
    Phone.get().crashes().wanted(null);
    AppThreads.end(ended.classes);
    Sleepers.forgetCalls();
    if (ended.world != null) {
      ended.world.end();
    }
    Remains.forget(ended.classes);
    // The framework's queue of background tasks belongs to a process. A thread that was ended before it took its task
    // leaves the queue stuck, with all that later tasks hold.
    ReflectionHelpers.callStaticMethod(AsyncTask.class, ShadowConstants.STATIC_INITIALIZER_METHOD_NAME);
    current = null;
    AppClock.across(
        () -> {
          try {
            environment.tearDownApplication();
          } finally {
            environment.resetState();
            PhoneTheme.forget();
            meanwhile.destroy();
          }
        });
  }
}
