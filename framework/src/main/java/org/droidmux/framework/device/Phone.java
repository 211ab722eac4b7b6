package org.droidmux.framework.device;

import android.app.IAlarmManager;
import android.app.INotificationManager;
import android.app.job.IJobScheduler;
import android.content.Context;
import android.content.Intent;
import com.android.internal.appwidget.IAppWidgetService;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.robolectric.util.TempDirectory;

/**
 * The phone, with one app installed. Requests come in by name with their members, answers go out; all on
 * the main thread. An exception of the app's is a crash of the app, never an answer.
 */
public final class Phone implements BiFunction<String, Map<String, Object>, Map<String, Object>> {
  private static Phone phone;

  private final PhoneEnvironment environment;
  private final AppProcess.Archives archives;
  private final URL[] classPath;
  private final TempDirectory files = new TempDirectory("droidmux");
  private final LogBook log = new LogBook();
  private final Permissions permissions = new Permissions();
  private final SpecialAccess access = new SpecialAccess();
  private final UriGrants grants = new UriGrants();
  private final Storage storage;
  private final Supplies supplies;
  private final ActivityStack stack = new ActivityStack(this);
  private final PendingIntents pendingIntents = new PendingIntents(this);
  private final StickyBroadcasts sticky = new StickyBroadcasts();
  private final Alarms alarms = new Alarms(this);
  private final Jobs jobs = new Jobs(this);
  private final Notifications notifications = new Notifications(this);
  private final Shade shade = new Shade(this);
  private final HeadsUp headsUp = new HeadsUp(this);
  private final Widgets widgets = new Widgets();
  private final DeviceState device = new DeviceState(this);
  private final SystemTime time = new SystemTime(this);
  private final Windows windows = new Windows(stack);
  private final Keyboard keyboard = new Keyboard();
  private final Focus focus = new Focus(windows, keyboard);
  private final MainLoop loop = new MainLoop(this);
  private final Input input = new Input(this);
  private final Crashes crashes = new Crashes(this);
  private final Requests requests = new Requests(this);
  private final DisplaySettings settings;
  private int nextPid = 4_000;
  private final Runnable memory;
  private String packageName;
  private InstalledApp app;

  /** Installs the app: its first process starts, so that what cannot be loaded is told at once. */
  public Phone(Map<String, Object> given) throws MalformedURLException {
    phone = this;
    environment = (PhoneEnvironment) given.get("environment");
    memory = (Runnable) given.get("memory");
    List<?> splits = (List<?>) given.get("splits");
    archives =
        new AppProcess.Archives(
            Path.of((String) given.get("resources")), splits.stream().map(String.class::cast).toArray(String[]::new));
    List<?> path = (List<?>) given.get("class-path");
    classPath = new URL[path.size()];
    for (int i = 0; i < classPath.length; i++) {
      classPath[i] = URI.create((String) path.get(i)).toURL();
    }
    Config config =
        new Config(
            (Integer) given.get("width"), (Integer) given.get("height"), (Integer) given.get("density"),
            0, false, "en-rUS", 1f);
    settings = new DisplaySettings(this, config);
    storage = new Storage(Path.of((String) given.get("given")));
    supplies = new Supplies(storage);
    crashes.watchThreads();
    PhoneKeyStore.offer();
    try {
      startProcess();
      app = InstalledApp.of(AppProcess.current());
      loop.passAfterInput();
      boot();
    } catch (RuntimeException | Error e) {
      throw InstalledApp.notStarted(e);
    }
  }

  static Phone get() {
    return phone;
  }

  /** Puts the services of the system where the framework finds them, in each process anew. */
  void publishServices() {
    alarms.publish(Context.ALARM_SERVICE, IAlarmManager.class);
    jobs.publish(Context.JOB_SCHEDULER_SERVICE, IJobScheduler.class);
    widgets.publish(Context.APPWIDGET_SERVICE, IAppWidgetService.class);
    notifications.publish(Context.NOTIFICATION_SERVICE, INotificationManager.class);
  }

  /** The phone boots with the app on it. An app that fails at that is started again when somebody opens it. */
  private void boot() {
    crashes.guarded(
        () -> {
          tell(new Intent(Intent.ACTION_BOOT_COMPLETED).addFlags(Broadcasts.TO_BACKGROUND));
          loop.passAfterInput();
        });
    startProcess();
    crashes.take();
  }

  /** A process for the app, unless it has one. */
  void startProcess() {
    if (AppProcess.current() != null) {
      return;
    }
    log.begin();
    nextPid += 37;
    AppProcess process = AppProcess.start(environment, archives, classPath, files, settings.now(), nextPid);
    packageName = process.packageInfo(0).packageName;
    log.system('I', "ActivityManager", "Start proc " + process.pid() + ":" + packageName + "/u0a100");
  }

  /** Ends the process without a word to the app. */
  void endProcess(String why) {
    AppProcess process = AppProcess.current();
    if (process == null) {
      return;
    }
    log.collect(process.pid());
    focus.forget();
    stack.processEnded();
    shade.processEnded();
    headsUp.processEnded();
    alarms.processEnded();
    jobs.processEnded();
    notifications.processEnded();
    AppProcess.end(environment);
    log.system('I', "ActivityManager", "Killing " + process.pid() + ":" + packageName + "/u0a100: " + why);
  }

  @Override
  public Map<String, Object> apply(String what, Map<String, Object> members) {
    Map<String, Object> answer = new LinkedHashMap<>();
    Request request = new Request(members);
    crashes.guarded(() -> requests.answer(what, request, answer));
    comeBack();
    if (request.has("look")) {
      crashes.guarded(() -> answer.put("seen", requests.seen(request)));
      comeBack();
    }
    if (AppProcess.current() != null) {
      log.collect(AppProcess.current().pid());
    }
    answer.putAll(crashes.take());
    String toast = notifications.toasts().take();
    if (toast != null) {
      answer.put("toast", toast);
    }
    return answer;
  }

  /** What crashed may leave an activity to come back, which may crash as well. */
  private void comeBack() {
    for (int i = 0; i < 3 && AppProcess.current() == null; i++) {
      crashes.guarded(this::startProcess);
      crashes.guarded(loop::passAfterInput);
    }
  }

  /** The system tells the app. */
  void tell(Intent intent) {
    if ((intent.getFlags() & Intent.FLAG_RECEIVER_REGISTERED_ONLY) == 0) {
      startProcess();
    } else if (AppProcess.current() == null) {
      return;
    }
    AppProcess.current().broadcasts().send(new Broadcasts.Round(intent).from(Broadcasts.From.SYSTEM));
  }

  /** As after an installation: process, task, data and permissions go. */
  void clear() {
    endProcess("clear data");
    stack.clear();
    stopAsking(true);
    permissions.forget();
    access.forget();
    grants.forget();
    PhoneKeyStore.forget();
    time.back();
    Path base = files.getBasePath();
    try (Stream<Path> all = Files.walk(base)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        if (!each.equals(base)) {
          Files.delete(each);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot clear " + base + ": " + e, e);
    }
  }

  /** As by force-stop: the process and its task end, and nothing goes off any more. */
  void stop() {
    endProcess("stop " + packageName);
    stack.clear();
    stopAsking(false);
  }

  /** After a force-stop the system does nothing more of what the app has asked for. */
  private void stopAsking(boolean data) {
    alarms.forget();
    jobs.forget();
    notifications.forget(data);
    headsUp.forget();
    if (data) {
      pendingIntents.forget();
    }
  }

  /** What the system has to do between two messages; false when nothing. */
  boolean pump() {
    crashes.raise();
    if (AppProcess.current() == null) {
      return false;
    }
    return time.pump() | alarms.pump() | jobs.pump() | stack.pump() | shade.pump() | headsUp.pump() | focus.follow();
  }

  /** Whether an activity is in front, and nothing to be seen of it yet. */
  boolean awaitsWindow() {
    return AppProcess.current() != null && stack.shown() != null && windows.focused() == null;
  }

  /** Frees what nothing refers to any more, where that is much: pictures that were drawn once. */
  void tendMemory() {
    memory.run();
  }

  /** When the system has something to do by itself, in the phone's time of day. */
  long nextWake() {
    return Math.min(Math.min(time.nextTime(), headsUp.nextTime()), nextAlarm());
  }

  /** When an alarm goes off, or a job becomes due. */
  long nextAlarm() {
    return Math.min(alarms.nextTime(), jobs.nextTime());
  }

  Jobs jobs() {
    return jobs;
  }

  Alarms alarms() {
    return alarms;
  }

  SystemTime time() {
    return time;
  }

  DeviceState device() {
    return device;
  }

  PendingIntents pendingIntents() {
    return pendingIntents;
  }

  StickyBroadcasts sticky() {
    return sticky;
  }

  Notifications notifications() {
    return notifications;
  }

  Shade shade() {
    return shade;
  }

  HeadsUp headsUp() {
    return headsUp;
  }

  ActivityStack stack() {
    return stack;
  }

  Windows windows() {
    return windows;
  }

  MainLoop loop() {
    return loop;
  }

  LogBook log() {
    return log;
  }

  Permissions permissions() {
    return permissions;
  }

  SpecialAccess access() {
    return access;
  }

  UriGrants grants() {
    return grants;
  }

  Supplies supplies() {
    return supplies;
  }

  Storage storage() {
    return storage;
  }

  Crashes crashes() {
    return crashes;
  }

  Keyboard keyboard() {
    return keyboard;
  }

  Input input() {
    return input;
  }

  DisplaySettings settings() {
    return settings;
  }

  /** What is installed; null until its first process has started. */
  InstalledApp app() {
    return app;
  }

  String packageName() {
    return packageName;
  }
}
