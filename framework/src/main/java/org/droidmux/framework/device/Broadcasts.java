package org.droidmux.framework.device;

import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageManager;
import android.os.Build;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowBroadcastPendingResult;
import org.robolectric.shadows.ShadowBroadcastReceiver;

/**
 * Broadcasts to the app's receivers: in flow what the app, the system and the shell send; out flow calls of onReceive on
 * the main thread, in the order of a phone. Receivers that the app registered end with its process, those of the manifest
 * are made for each broadcast.
 */
final class Broadcasts {
  /** Who sends: the shell does not reach what is not exported, and the system needs no permission. */
  enum From { APP, SYSTEM, SHELL }

  /** Hears what came of a broadcast. */
  interface Then {
    void told(int code, String data, Bundle extras);
  }

  /** One broadcast, and what its receivers have made of it. */
  static final class Round {
    private final Intent intent;
    private From from = From.APP;
    private String permission;
    private boolean ordered;
    private int code;
    private String data;
    private Bundle extras;
    private Target last;
    private Then then = (result, text, more) -> {};
    private final AtomicBoolean aborted = new AtomicBoolean();

    Round(Intent intent) {
      this.intent = new Intent(intent);
    }

    Round from(From sender) {
      from = sender;
      return this;
    }

    Round needs(String held) {
      permission = held;
      return this;
    }

    Round ordered(int initialCode, String initialData, Bundle initialExtras) {
      ordered = true;
      code = initialCode;
      data = initialData;
      extras = initialExtras;
      return this;
    }

    Round then(Then listener) {
      then = listener;
      return this;
    }

    /** A receiver that hears the result, whether the broadcast was stopped or not. */
    Round last(BroadcastReceiver receiver, Context context, Handler scheduler) {
      last = receiver == null ? null : new Target(null, 0, context, scheduler, new Held(receiver));
      return this;
    }
  }

  /** Gives the receiver of a target when it is its turn; null when it is gone. */
  private interface Receivers {
    BroadcastReceiver get(Intent intent) throws ReflectiveOperationException;
  }

  private record Held(BroadcastReceiver receiver) implements Receivers {
    @Override
    public BroadcastReceiver get(Intent intent) {
      return receiver;
    }
  }

  /** Who gets a broadcast: {@code component} is that of a receiver of the manifest. */
  private record Target(
      ComponentName component, int priority, Context context, Handler scheduler, Receivers receivers) {}

  private record Registered(
      BroadcastReceiver receiver, IntentFilter filter, String permission, Handler scheduler, Context context,
      boolean exported) {}

  /** Android's own flag, which the interface hides: receivers of the manifest are told as well. */
  static final int TO_BACKGROUND = 0x01000000;

  private static final int INITIAL_STICKY = 0x20000000;

  private final AppProcess process;
  private final List<Registered> registered = new ArrayList<>();

  Broadcasts(AppProcess process) {
    this.process = process;
  }

  /** Returns what was sent last of what sticks, as the system does. */
  synchronized Intent register(
      BroadcastReceiver receiver, IntentFilter filter, String permission, Handler scheduler, int flags,
      Context context) {
    List<Intent> sticking = new ArrayList<>();
    for (Intent each : Phone.get().sticky().all()) {
      if (matches(filter, each)) {
        sticking.add(each);
      }
    }
    if (receiver != null) {
      boolean exported = (flags & Context.RECEIVER_NOT_EXPORTED) == 0;
      registered.add(new Registered(receiver, filter, permission, scheduler, context, exported));
      for (Intent each : sticking) {
        Round round = new Round(each).from(From.SYSTEM);
        round.intent.addFlags(INITIAL_STICKY);
        deliver(round, new Target(null, 0, context, scheduler, stillThere(receiver)), () -> {});
      }
    }
    return sticking.isEmpty() ? null : new Intent(sticking.get(0));
  }

  synchronized void unregister(BroadcastReceiver receiver) {
    if (!registered.removeIf(each -> each.receiver() == receiver)) {
      throw InSystemsName.thrown(new IllegalArgumentException("Receiver not registered: " + receiver));
    }
  }

  /** A context is at its end: what was registered by it and not unregistered is dropped. */
  synchronized void drop(Context context) {
    for (Iterator<Registered> all = registered.iterator(); all.hasNext();) {
      Registered each = all.next();
      if (each.context() == context) {
        all.remove();
        Phone.get().log().system('E', "ActivityThread", context.getClass().getName() + " has leaked IntentReceiver "
            + each.receiver() + " that was originally registered here. Are you missing a call to unregisterReceiver()?");
      }
    }
  }

  /** Sends a broadcast. Receivers are called later, on the main thread or where they want it. */
  synchronized void send(Round round) {
    List<Target> parallel = round.ordered ? new ArrayList<>() : byRegistration(round);
    List<Target> serial = round.ordered ? byRegistration(round) : new ArrayList<>();
    serial.addAll(byManifest(round));
    serial.sort(Comparator.comparingInt(target -> -target.priority()));
    for (Target target : parallel) {
      deliver(round, target, () -> {});
    }
    next(round, new ArrayDeque<>(serial));
  }

  private void next(Round round, Deque<Target> left) {
    if (left.isEmpty() || round.ordered && round.aborted.get()) {
      if (round.last != null) {
        round.aborted.set(false);
        deliver(round, round.last, () -> finish(round));
      } else {
        finish(round);
      }
      return;
    }
    deliver(round, left.remove(), () -> next(round, left));
  }

  private static void finish(Round round) {
    new Handler(Looper.getMainLooper()).post(() -> round.then.told(round.code, round.data, round.extras));
  }

  private void deliver(Round round, Target target, Runnable afterwards) {
    Handler handler = target.scheduler() != null ? target.scheduler() : new Handler(Looper.getMainLooper());
    handler.post(() -> receive(round, target, afterwards));
  }

  private void receive(Round round, Target target, Runnable afterwards) {
    Intent intent = new Intent(round.intent);
    intent.setExtrasClassLoader(process.classes());
    String who = target.component() == null ? null : target.component().getClassName();
    if (who != null) {
      intent.setComponent(target.component());
    }
    BroadcastReceiver receiver;
    try {
      receiver = target.receivers().get(intent);
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate receiver " + who + ": " + e, e);
    }
    if (receiver == null) {
      afterwards.run();
      return;
    }
    BroadcastReceiver.PendingResult result =
        new BroadcastReceiver.PendingResult(
            round.code, round.data, round.extras, 0, round.ordered, (intent.getFlags() & INITIAL_STICKY) != 0, null, 0,
            intent.getFlags() & ~INITIAL_STICKY);
    intent.removeFlags(INITIAL_STICKY);
    receiver.setPendingResult(result);
    ShadowBroadcastPendingResult.class.cast(Shadow.extract(result)).getFuture().addListener(
        () -> {
          if (round.ordered) {
            round.code = result.getResultCode();
            round.data = result.getResultData();
            round.extras = result.getResultExtras(false);
          }
          afterwards.run();
        },
        Runnable::run);
    try {
      ShadowBroadcastReceiver.class.cast(Shadow.extract(receiver))
          .onReceive(target.context(), intent, round.ordered ? round.aborted : new AtomicBoolean());
      receiver.setPendingResult(null);
    } catch (RuntimeException e) {
      throw new RuntimeException(
          who != null
              ? "Unable to start receiver " + who + ": " + e
              : "Error receiving broadcast " + intent + " in " + receiver,
          e);
    }
  }

  private Receivers stillThere(BroadcastReceiver receiver) {
    return intent -> {
      synchronized (this) {
        return registered.stream().anyMatch(each -> each.receiver() == receiver) ? receiver : null;
      }
    };
  }

  private List<Target> byRegistration(Round round) {
    List<Target> found = new ArrayList<>();
    List<BroadcastReceiver> taken = new ArrayList<>();
    if (round.intent.getComponent() != null || elsewhere(round.intent) || !held(round)) {
      return found;
    }
    for (Registered each : registered) {
      boolean may = round.from == From.SYSTEM || holds(each.permission()) && (each.exported() || round.from == From.APP);
      if (may && !taken.contains(each.receiver()) && matches(each.filter(), round.intent)) {
        taken.add(each.receiver());
        found.add(
            new Target(
                null, each.filter().getPriority(), each.context(), each.scheduler(), stillThere(each.receiver())));
      }
    }
    return found;
  }

  private List<Target> byManifest(Round round) {
    List<Target> found = new ArrayList<>();
    Intent intent = round.intent;
    if ((intent.getFlags() & Intent.FLAG_RECEIVER_REGISTERED_ONLY) != 0 || elsewhere(intent) || !held(round)) {
      return found;
    }
    Application application = process.application();
    for (ManifestReceiver receiver : ManifestReceiver.of(process)) {
      int priority = receiver.priority(intent, type(intent));
      if (priority == ManifestReceiver.NO_MATCH || !enabled(receiver)) {
        continue;
      }
      if (round.from == From.SHELL && !receiver.exported()
          || round.from != From.SYSTEM && !holds(receiver.permission())) {
        Phone.get().log().system('W', "BroadcastQueue", "Permission Denial: broadcasting " + intent
            + " requires " + receiver.permission() + " due to receiver " + receiver.component().flattenToShortString());
        continue;
      }
      boolean implicit = intent.getComponent() == null && intent.getPackage() == null;
      if (implicit && (intent.getFlags() & TO_BACKGROUND) == 0
          && application.getApplicationInfo().targetSdkVersion >= Build.VERSION_CODES.O) {
        Phone.get().log().system('W', "BroadcastQueue", "Background execution not allowed: receiving " + intent
            + " to " + receiver.component().flattenToShortString());
        continue;
      }
      found.add(
          new Target(receiver.component(), priority, application, null, asked -> receiver.made(process, asked)));
    }
    return found;
  }

  private boolean enabled(ManifestReceiver receiver) {
    int setting = process.application().getPackageManager().getComponentEnabledSetting(receiver.component());
    return setting == PackageManager.COMPONENT_ENABLED_STATE_DEFAULT
        ? receiver.enabled()
        : setting == PackageManager.COMPONENT_ENABLED_STATE_ENABLED;
  }

  /** Whether it is meant for another app. */
  private boolean elsewhere(Intent intent) {
    String own = process.application().getPackageName();
    return intent.getPackage() != null && !intent.getPackage().equals(own)
        || intent.getComponent() != null && !intent.getComponent().getPackageName().equals(own);
  }

  private boolean held(Round round) {
    return holds(round.permission);
  }

  private boolean holds(String permission) {
    return permission == null
        || process.application().checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED;
  }

  private String type(Intent intent) {
    ContentResolver resolver = process.application().getContentResolver();
    return intent.resolveTypeIfNeeded(resolver);
  }

  private boolean matches(IntentFilter filter, Intent intent) {
    return filter.match(
            intent.getAction(), type(intent), intent.getScheme(), intent.getData(), intent.getCategories(), "droidmux")
        >= 0;
  }
}
