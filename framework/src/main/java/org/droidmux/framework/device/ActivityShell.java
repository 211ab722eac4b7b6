package org.droidmux.framework.device;

import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.os.Bundle;
import android.os.Process;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The shell's {@code am}, as far as it is about the app: in flow its words, out flow what it prints and its exit code. The
 * framework's own parser reads the intents, so that each option of it means what it means on a phone.
 */
final class ActivityShell {
  /** A broadcast that somebody waits for may take so long. */
  private static final int PATIENCE = 10_000;

  private static final int FROM_SHELL = 0x00400000;
  private static final String SHELL = "pid=" + 4_712 + ", uid=" + Process.SHELL_UID;

  private final Phone phone;
  private final StringBuilder output = new StringBuilder();
  private final StringBuilder errors = new StringBuilder();
  private boolean waits;
  private boolean stopsFirst;

  private ActivityShell(Phone phone) {
    this.phone = phone;
  }

  /** Runs one command, whose name comes first. */
  static Map<String, Object> run(Phone phone, List<String> words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("\"words\": what is am to do?");
    }
    ActivityShell shell = new ActivityShell(phone);
    int code = shell.guarded(words.get(0), words.subList(1, words.size()));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("output", shell.output.toString());
    answer.put("errors", shell.errors.toString());
    answer.put("code", code);
    return answer;
  }

  /** What the framework's parser refuses is told as the tool tells it. */
  private int guarded(String command, List<String> words) {
    Intent intent;
    try {
      intent = read(words);
    } catch (SecurityException e) {
      return security(e.getMessage());
    } catch (IllegalArgumentException | URISyntaxException e) {
      errors.append("\nException occurred while executing '").append(command).append("':\n").append(e).append('\n');
      return 255;
    }
    return switch (command) {
      case "start", "start-activity" -> start(intent);
      case "broadcast" -> broadcast(intent);
      case "startservice", "start-service", "startforegroundservice", "start-foreground-service" -> service(intent);
      case "stopservice", "stop-service" -> stopService(intent);
      default -> throw new IllegalArgumentException("\"words\": am does not know " + command);
    };
  }

  private Intent read(List<String> words) throws URISyntaxException {
    ShellWords shell = new ShellWords(words);
    Intent intent =
        Intent.parseCommandArgs(
            shell,
            (option, command) -> {
              switch (option) {
                case "-W" -> waits = true;
                case "-S" -> stopsFirst = true;
                case "-D", "-N", "--streaming", "--track-allocation", "--task-overlay", "--lock-task", "--async",
                    "--allow-background-activity-starts" -> {}
                case "--user", "--display", "--windowingMode", "--activityType", "--task", "-R", "-P",
                    "--start-profiler", "--sampling", "--attach-agent", "--attach-agent-bind",
                    "--receiver-permission", "--splashscreen-show-icon" -> shell.getNextArgRequired();
                default -> {
                  return false;
                }
              }
              return true;
            });
    intent.setExtrasClassLoader(AppProcess.current().classes());
    return intent;
  }

  private int start(Intent intent) {
    if (stopsFirst) {
      phone.stop();
      phone.startProcess();
    }
    intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    output.append("Starting: ").append(withoutFlags(intent)).append('\n');
    StringBuilder told = waits ? output : errors;
    Context context = AppProcess.current().application();
    ActivityInfo info = Components.resolve(context, intent);
    ComponentName named = intent.getComponent();
    if (info == null && (named != null || Outside.answering(intent) == null)) {
      told.append(
          named != null
              ? "Error type 3\nError: Activity class " + named.toShortString() + " does not exist.\n"
              : "Error: Activity not started, unable to resolve " + withoutFlags(intent) + "\n");
      return 1;
    }
    if (info != null && !info.exported) {
      return security(
          "Permission Denial: starting " + intent + " from null (" + SHELL + ") not exported from uid " + Process.myUid());
    }
    ActivityStarts.Scene before = phone.stack().starts().scene();
    phone.stack().starts().ask(intent, null, null, -1);
    phone.loop().rest();
    switch (phone.stack().starts().cameOf(before)) {
      case DELIVERED ->
          told.append("Warning: Activity not started, intent has been delivered to currently running top-most instance.\n");
      case BROUGHT -> told.append("Warning: Activity not started, its current task has been brought to the front\n");
      default -> {}
    }
    if (waits) {
      ComponentName shown = phone.stack().top() == null ? named : phone.stack().top().component;
      output.append("Status: ok\nLaunchState: ").append(before.running() ? "HOT" : "COLD");
      output.append("\nActivity: ").append(shown == null ? "" : shown.flattenToShortString());
      output.append("\nTotalTime: 300\nWaitTime: 303\nComplete\n");
    }
    return 0;
  }

  /** The tool prints intents before it adds what it adds to each. */
  private static Intent withoutFlags(Intent intent) {
    Intent printed = new Intent(intent);
    printed.removeFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    return printed;
  }

  private int broadcast(Intent intent) {
    intent.addFlags(FROM_SHELL);
    output.append("Broadcasting: ").append(intent).append('\n');
    boolean[] done = new boolean[1];
    AppProcess.current()
        .broadcasts()
        .send(
            new Broadcasts.Round(intent)
                .from(Broadcasts.From.SHELL)
                .ordered(0, null, null)
                .then(
                    (code, data, extras) -> {
                      done[0] = true;
                      output.append(completed(code, data, extras));
                    }));
    for (int passed = 0; !done[0] && passed < PATIENCE; passed += 100) {
      phone.loop().pass(100);
    }
    return 0;
  }

  private static String completed(int code, String data, Bundle extras) {
    return "Broadcast completed: result=" + code + (data == null ? "" : ", data=\"" + data + "\"")
        + (extras == null ? "" : ", extras: " + extras) + "\n";
  }

  private int service(Intent intent) {
    output.append("Starting service: ").append(intent).append('\n');
    if (AppProcess.current().services().start(intent) == null) {
      errors.append("Error: Not found; no service started.\n");
      return 255;
    }
    return 0;
  }

  private int stopService(Intent intent) {
    output.append("Stopping service: ").append(intent).append('\n');
    boolean stopped = AppProcess.current().services().stop(intent);
    errors.append(stopped ? "Service stopped\n" : "Service not stopped: was not running.\n");
    return stopped ? 0 : 255;
  }

  private int security(String message) {
    errors.append("\nException occurred while executing 'start':\njava.lang.SecurityException: ");
    errors.append(message).append('\n');
    return 255;
  }
}
