package org.droidmux.framework.device;

import android.app.Activity;
import android.app.ActivityManager;
import android.app.PendingIntent;
import android.content.IIntentReceiver;
import android.content.IIntentSender;
import android.content.Intent;
import android.content.IntentSender;
import android.os.Bundle;
import android.os.IBinder;
import android.os.RemoteException;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.util.ReflectionHelpers;

/**
 * What apps have asked the system to do in their name later. The records outlive the process: a notification or an alarm
 * starts what it names in the next one. Two askings with the same kind, number, flags and intent are one record.
 */
final class PendingIntents {
  /** The numbers that the framework has for the kinds. */
  static final int BROADCAST = 1;

  static final int ACTIVITY = 2;
  static final int SERVICE = 4;
  static final int FOREGROUND_SERVICE = 5;

  private static final int OF_ASKING =
      PendingIntent.FLAG_NO_CREATE | PendingIntent.FLAG_CANCEL_CURRENT | PendingIntent.FLAG_UPDATE_CURRENT;

  private record Key(int kind, int request, int flags, Intent.FilterComparison intent, int count) {}

  /** One record; the app holds it through a {@link PendingIntent}. */
  static final class Sender extends IIntentSender.Stub {
    private final Key key;
    private Intent[] intents;
    private boolean cancelled;

    private Sender(Key key, Intent[] intents) {
      this.key = key;
      this.intents = intents;
    }

    int kind() {
      return key.kind();
    }

    boolean immutable() {
      return (key.flags() & PendingIntent.FLAG_IMMUTABLE) != 0;
    }

    @Override
    public void send(
        int code, Intent intent, String type, IBinder token, IIntentReceiver finished, String permission,
        Bundle options) {
      Phone.get().pendingIntents().send(this, code, intent, finished, permission);
    }
  }

  private final Phone phone;
  private final Map<Key, Sender> senders = new HashMap<>();

  PendingIntents(Phone phone) {
    this.phone = phone;
  }

  /** The record for this, made or changed as the flags want it; null where they want none to be made. */
  synchronized Sender get(int kind, int request, Intent[] asked, int flags) {
    Intent[] intents = new Intent[asked.length];
    for (int i = 0; i < asked.length; i++) {
      intents[i] = Parcelled.copy(asked[i]);
    }
    Intent.FilterComparison last = new Intent.FilterComparison(intents[intents.length - 1]);
    Key key = new Key(kind, request, flags & ~OF_ASKING, last, intents.length);
    Sender known = senders.get(key);
    if (known != null && (flags & PendingIntent.FLAG_CANCEL_CURRENT) == 0) {
      if ((flags & PendingIntent.FLAG_UPDATE_CURRENT) != 0) {
        known.intents = intents;
      }
      return known;
    }
    if (known != null) {
      cancel(known);
    }
    if ((flags & PendingIntent.FLAG_NO_CREATE) != 0) {
      return null;
    }
    Sender made = new Sender(key, intents);
    senders.put(key, made);
    return made;
  }

  synchronized void cancel(Sender sender) {
    sender.cancelled = true;
    senders.remove(sender.key, sender);
  }

  /** Does what the record says; a negative number when it was cancelled. */
  int send(Sender sender, int code, Intent more, IIntentReceiver finished, String permission) {
    Intent[] intents;
    synchronized (this) {
      if (sender.cancelled) {
        return ActivityManager.START_CANCELED;
      }
      if ((sender.key.flags() & PendingIntent.FLAG_ONE_SHOT) != 0) {
        cancel(sender);
      }
      intents = new Intent[sender.intents.length];
      for (int i = 0; i < intents.length; i++) {
        intents[i] = new Intent(sender.intents[i]);
      }
    }
    Intent last = intents[intents.length - 1];
    if (more != null && !sender.immutable()) {
      last.fillIn(more, sender.key.flags());
    }
    phone.startProcess();
    AppProcess process = AppProcess.current();
    switch (sender.kind()) {
      case ACTIVITY -> {
        phone.shade().close();
        for (Intent intent : intents) {
          phone.stack().starts().askFromOutside(intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
        }
      }
      case SERVICE, FOREGROUND_SERVICE -> process.services().start(last);
      default -> {
        Broadcasts.Round round = new Broadcasts.Round(last).needs(permission);
        if (finished != null) {
          round.ordered(code, null, null).then(
              (result, data, extras) -> tell(finished, last, result, data, extras));
        }
        process.broadcasts().send(round);
        return 0;
      }
    }
    if (finished != null) {
      tell(finished, last, code, null, null);
    }
    return 0;
  }

  /** An activity starts what the record says and waits for its result. */
  void sendForResult(IntentSender asked, Activity from, int request, Intent more)
      throws IntentSender.SendIntentException {
    Sender sender = (Sender) ReflectionHelpers.callInstanceMethod(asked, "getTarget");
    if (sender.kind() != ACTIVITY || request < 0) {
      if (send(sender, 0, more, null, null) < 0) {
        throw new IntentSender.SendIntentException();
      }
      return;
    }
    Intent intent;
    synchronized (this) {
      if (sender.cancelled) {
        throw new IntentSender.SendIntentException();
      }
      intent = new Intent(sender.intents[sender.intents.length - 1]);
    }
    if (more != null && !sender.immutable()) {
      intent.fillIn(more, sender.key.flags());
    }
    phone.stack().starts().ask(intent, from, null, request);
  }

  private static void tell(IIntentReceiver finished, Intent intent, int code, String data, Bundle extras) {
    try {
      finished.performReceive(intent, code, data, extras, false, false, 0);
    } catch (RemoteException e) {
      throw new IllegalStateException("nothing here is remote", e);
    }
  }

  /** As when the app was removed, or its data cleared: what it had asked for is not done any more. */
  synchronized void forget() {
    senders.values().forEach(sender -> sender.cancelled = true);
    senders.clear();
  }
}
