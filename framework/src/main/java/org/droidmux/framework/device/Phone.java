package org.droidmux.framework.device;

import android.app.IAlarmManager;
import android.app.INotificationManager;
import android.app.job.IJobScheduler;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.view.Display;
import com.android.internal.appwidget.IAppWidgetService;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowDisplay;
import org.robolectric.shadows.ShadowDisplayManager;
import org.robolectric.util.TempDirectory;

/**
 * The phone, with one app installed. Requests come in by name with their members, answers go out; all on
 * the main thread. An exception of the app's is a crash of the app, never an answer.
 */
public final class Phone implements BiFunction<String, Map<String, Object>, Map<String, Object>> {
  /** How long the phone goes on after an input, in its own time: dialogs open, lists stop. */
  private static final int AFTER_INPUT = 500;

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
  private final Widgets widgets = new Widgets();
  private final DeviceState device = new DeviceState(this);
  private final SystemTime time = new SystemTime(this);
  private final SystemRequests system = new SystemRequests(this);
  private final Windows windows = new Windows(stack);
  private final Keyboard keyboard = new Keyboard();
  private final Focus focus = new Focus(windows, keyboard);
  private final MainLoop loop = new MainLoop(this);
  private final Input input = new Input(this);
  private final Crashes crashes = new Crashes(this);
  private Config config;
  private int nextPid = 4_000;
  private ComponentName launcher;
  private String packageName;
  private String label;
  private String version;
  private int versionCode;
  private int minimum;
  private int target;
  private List<String> activities = List.of();

  /** Installs the app: its first process starts, so that what cannot be loaded is told at once. */
  public Phone(Map<String, Object> settings) throws MalformedURLException {
    phone = this;
    environment = (PhoneEnvironment) settings.get("environment");
    List<?> splits = (List<?>) settings.get("splits");
    archives =
        new AppProcess.Archives(
            Path.of((String) settings.get("resources")), splits.stream().map(String.class::cast).toArray(String[]::new));
    List<?> path = (List<?>) settings.get("class-path");
    classPath = new URL[path.size()];
    for (int i = 0; i < classPath.length; i++) {
      classPath[i] = URI.create((String) path.get(i)).toURL();
    }
    config =
        new Config(
            (Integer) settings.get("width"), (Integer) settings.get("height"), (Integer) settings.get("density"),
            0, false, "en-rUS", 1f);
    storage = new Storage(Path.of((String) settings.get("given")));
    supplies = new Supplies(storage);
    crashes.watchThreads();
    try {
      startProcess();
      install();
    } catch (RuntimeException | Error e) {
      throw ended(e);
    }
  }

  /** What the app's own code threw before anything was shown is told with its place; the rest is the host's. */
  private static RuntimeException ended(Throwable thrown) {
    if (AppProcess.current() != null) {
      for (Throwable each = thrown; each != null; each = each.getCause()) {
        for (StackTraceElement frame : each.getStackTrace()) {
          if (AppProcess.current().classes().has(frame.getClassName())) {
            return new IllegalArgumentException("the app ends as it starts: " + root(thrown) + ", at " + frame, thrown);
          }
        }
      }
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return (RuntimeException) thrown;
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  static Phone get() {
    return phone;
  }

  private void install() {
    launcher = Components.launcher(AppProcess.current().application());
    if (launcher == null) {
      throw new IllegalArgumentException("the manifest of " + packageName + " has no launcher activity");
    }
    label = String.valueOf(
        AppProcess.current().application().getApplicationInfo()
            .loadLabel(AppProcess.current().application().getPackageManager()));
    PackageInfo info = AppProcess.current().packageInfo(PackageManager.GET_ACTIVITIES);
    versionCode = info.versionCode;
    minimum = info.applicationInfo.minSdkVersion;
    target = info.applicationInfo.targetSdkVersion;
    activities =
        info.activities == null
            ? List.of()
            : Arrays.stream(info.activities)
                .map(activity -> activity.name)
                .filter(name -> !name.equals(OutsideActivity.class.getName()))
                .toList();
    loop.pass(AFTER_INPUT);
    boot();
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
          loop.pass(AFTER_INPUT);
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
    AppProcess process = AppProcess.start(environment, archives, classPath, files, config, nextPid);
    PackageInfo info = process.packageInfo(0);
    packageName = info.packageName;
    version = info.versionName;
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
    crashes.guarded(() -> answer(what, request, answer));
    // What crashed may leave an activity to come back, which may crash as well.
    for (int i = 0; i < 3 && AppProcess.current() == null; i++) {
      crashes.guarded(this::startProcess);
      crashes.guarded(() -> loop.pass(AFTER_INPUT));
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

  private void answer(String what, Request request, Map<String, Object> answer) {
    switch (what) {
      case "hello" -> about(answer);
      case "focus" -> focus(answer);
      case "dump" -> dump(answer);
      case "screenshot" ->
          answer.put("png", Base64.getEncoder().encodeToString(Picture.png(windows.shown(), config)));
      case "log" -> log(request, answer);
      case "notifications" -> answer.put("lines", notifications.dump());
      case "idle" -> loop.pass(request.number("ms", 0, 60_000));
      case "not-responding" -> crashes.notResponding(request.text("stack"));
      default -> {
        if (supplies.answer(what, request, answer)) {
          return;
        }
        if (!act(what, request, answer)) {
          throw new IllegalArgumentException("\"" + what + "\": no such request");
        }
        loop.pass(AFTER_INPUT);
      }
    }
  }

  private boolean act(String what, Request request, Map<String, Object> answer) {
    switch (what) {
      case "start" -> start(request);
      case "tap" -> {
        int x = x(request, "x");
        int y = y(request, "y");
        input.swipe(x, y, x, y, request.number("ms", 0, 10_000, 50));
      }
      case "swipe" ->
          input.swipe(
              x(request, "x"), y(request, "y"), x(request, "to-x"), y(request, "to-y"),
              request.number("ms", 0, 60_000, 300));
      case "key" -> input.key(request.number("code", 1, 400), request.truth("held", false));
      case "text" -> input.text(request.text("text"));
      case "commit" -> answer.put("done", input.commit(request.text("text"), request.truth("instead", false)));
      case "select-all" -> answer.put("done", input.selectAll());
      case "rotate" -> reconfigure(config.withRotation(request.number("to", 0, 3)));
      case "set" -> set(request);
      case "kill" -> kill();
      case "stop" -> stop();
      case "clear" -> clear();
      case "grant" -> permissions.grant(request.text("permission"));
      case "revoke" -> {
        if (permissions.revoke(request.text("permission"))) {
          endProcess("permissions revoked");
        }
      }
      default -> {
        return system.act(what, request, answer);
      }
    }
    return true;
  }

  private int x(Request request, String name) {
    return request.number(name, 0, config.screenWidth() - 1);
  }

  private int y(Request request, String name) {
    return request.number(name, 0, config.screenHeight() - 1);
  }

  private void about(Map<String, Object> answer) {
    answer.put("package", packageName);
    answer.put("activity", launcher.getClassName());
    answer.put("label", label);
    answer.put("version", version == null ? "" : version);
    answer.put("version-code", versionCode);
    answer.put("min", minimum);
    answer.put("target", target);
    answer.put("activities", activities);
    answer.put("permissions", permissions.requested());
    answer.put("asked", permissions.asked());
    answer.put("api", Build.VERSION.SDK_INT);
    answer.put("release", Build.VERSION.RELEASE);
    answer.put("width", config.width());
    answer.put("height", config.height());
    answer.put("density", config.density());
  }

  private void focus(Map<String, Object> answer) {
    ActivityRecord shown = stack.shown();
    boolean outside = shown == null || shown.outside != null;
    answer.put("package", shown == null ? Outside.HOME.packageName() : outside ? shown.outside.packageName() : packageName);
    answer.put("activity", outside ? OutsideActivity.class.getName() : shown.component.getClassName());
    Windows.Win window = windows.focused();
    answer.put("window", window == null ? "" : String.valueOf(window.params().getTitle()));
    answer.put("outside", outside);
    answer.put("home", shown == null || shown.outside == Outside.HOME);
    answer.put("shade", shade.isOpen());
    answer.put("keyboard", keyboard.shown());
    answer.put("editor", input.editor() != null);
    answer.put("rotation", config.rotation());
    answer.put("pid", AppProcess.current() == null ? 0 : AppProcess.current().pid());
    answer.put("time", AppClock.now());
  }

  private void dump(Map<String, Object> answer) {
    Windows.Win window = windows.focused();
    if (window == null) {
      throw new IllegalArgumentException("null root node returned: no window has focus");
    }
    answer.put("xml", Hierarchy.dump(window, config));
  }

  private void log(Request request, Map<String, Object> answer) {
    if (AppProcess.current() != null) {
      log.collect(AppProcess.current().pid());
    }
    answer.put("lines", log.since(request.number("since", 0, Integer.MAX_VALUE, 0)));
    answer.put("next", log.next());
    if (request.truth("clear", false)) {
      log.clear();
    }
  }

  private void start(Request request) {
    startProcess();
    if (!request.has("activity") && !request.has("action")) {
      stack.askLauncher();
      return;
    }
    Intent intent = new Intent(request.text("action", Intent.ACTION_MAIN)).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    if (request.has("data")) {
      intent.setData(Uri.parse(request.text("data")));
    }
    if (request.has("activity")) {
      intent.setComponent(new ComponentName(packageName, request.text("activity")));
    }
    try {
      stack.ask(intent, null, null, -1);
    } catch (android.content.ActivityNotFoundException e) {
      throw new IllegalArgumentException(e.getMessage());
    }
  }

  private void set(Request request) {
    Config changed = config;
    if (request.has("night")) {
      changed = changed.withNight(request.truth("night", false));
    }
    if (request.has("locale")) {
      String locale = request.text("locale");
      if (!locale.matches("[a-z]{2,3}(-r[A-Z]{2})?")) {
        throw new IllegalArgumentException("\"locale\": like en-rUS, not " + locale);
      }
      changed = changed.withLocale(locale);
    }
    if (request.has("font")) {
      changed = changed.withFontScale((float) request.fraction("font", 0.5, 3));
    }
    reconfigure(changed);
  }

  private void reconfigure(Config changed) {
    if (changed.equals(config)) {
      return;
    }
    boolean language = !changed.locale().equals(config.locale());
    config = changed;
    if (AppProcess.current() == null) {
      return;
    }
    ShadowDisplayManager.changeDisplay(Display.DEFAULT_DISPLAY, config.qualifiers());
    Shadows.shadowOf(ShadowDisplay.getDefaultDisplay()).setRotation(config.rotation());
    RuntimeEnvironment.setFontScale(config.fontScale());
    RuntimeEnvironment.setQualifiers(config.qualifiers());
    boolean wasOpen = shade.isOpen();
    shade.close();
    stack.reconfigured();
    if (wasOpen) {
      shade.open();
    }
    if (language) {
      tell(new Intent(Intent.ACTION_LOCALE_CHANGED).addFlags(Broadcasts.TO_BACKGROUND));
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

  /** The system ends the process in the background, and only there. */
  private void kill() {
    if (stack.inFront()) {
      throw new IllegalArgumentException("the app is in front; go home first");
    }
    endProcess("cached");
  }

  private void clear() {
    endProcess("clear data");
    stack.clear();
    stopAsking(true);
    permissions.forget();
    access.forget();
    grants.forget();
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
    return time.pump() | alarms.pump() | jobs.pump() | stack.pump() | shade.pump() | focus.follow();
  }

  /** When the system has something to do by itself, in the phone's time of day. */
  long nextWake() {
    return Math.min(time.nextTime(), Math.min(alarms.nextTime(), jobs.nextTime()));
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

  ComponentName launcher() {
    return launcher;
  }

  String packageName() {
    return packageName;
  }

  String label() {
    return label;
  }
}
