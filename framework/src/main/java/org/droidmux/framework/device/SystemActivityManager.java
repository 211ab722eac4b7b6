package org.droidmux.framework.device;

import android.app.ActivityManager;
import android.app.IActivityManager;
import android.content.IIntentReceiver;
import android.content.IIntentSender;
import android.content.Intent;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The activity manager as the framework's own code asks it: for what was asked to be done later. */
final class SystemActivityManager extends SystemService {
  private static final IActivityManager INSTANCE = new SystemActivityManager().as(IActivityManager.class);

  static IActivityManager get() {
    return INSTANCE;
  }

  @Override
  Object answer(String method, Arguments arguments) {
    PendingIntents pending = Phone.get().pendingIntents();
    PendingIntents.Sender sender = (PendingIntents.Sender) arguments.first(IIntentSender.class);
    return switch (method) {
      // Kind, number of the request, flags, user.
      case "getIntentSender", "getIntentSenderWithFeature" ->
          pending.get(
              arguments.number(0), arguments.number(1), arguments.first(Intent[].class), arguments.number(2));
      case "sendIntentSender" ->
          pending.send(
              sender, arguments.number(0), arguments.first(Intent.class), arguments.first(IIntentReceiver.class),
              arguments.fromEnd(2, String.class));
      case "cancelIntentSender" -> {
        pending.cancel(sender);
        yield null;
      }
      case "getInfoForIntentSender" -> info(sender);
      case "getPackageForIntentSender" -> Phone.get().packageName();
      case "getUidForIntentSender" -> android.os.Process.myUid();
      case "isIntentSenderAnActivity" -> sender.kind() == PendingIntents.ACTIVITY;
      default -> UNKNOWN;
    };
  }

  private static Object info(PendingIntents.Sender sender) {
    return ReflectionHelpers.callConstructor(
        ActivityManager.PendingIntentInfo.class,
        ClassParameter.from(String.class, Phone.get().packageName()),
        ClassParameter.from(int.class, android.os.Process.myUid()),
        ClassParameter.from(boolean.class, sender.immutable()),
        ClassParameter.from(int.class, sender.kind()));
  }
}
