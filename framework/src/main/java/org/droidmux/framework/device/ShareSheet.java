package org.droidmux.framework.device;

import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentSender;
import android.content.pm.ResolveInfo;
import android.os.Parcelable;
import android.util.Log;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The system's list of apps that take something: those that an intent would find, and those that the sender adds. The one
 * that is chosen gives its result to the sender; Back gives none.
 */
final class ShareSheet {
  private ShareSheet() {}

  /** Whether several apps of a phone take it, so that one is to be chosen. */
  static boolean isFor(Intent intent) {
    boolean sent = Intent.ACTION_SEND.equals(intent.getAction()) || Intent.ACTION_SEND_MULTIPLE.equals(intent.getAction());
    return sent && intent.getComponent() == null && intent.getPackage() == null;
  }

  static void show(OutsideActivity screen) {
    Intent asked = screen.getIntent();
    boolean chooser = Intent.ACTION_CHOOSER.equals(asked.getAction());
    Intent target = chooser ? asked.getParcelableExtra(Intent.EXTRA_INTENT) : asked;
    CharSequence title = chooser ? asked.getCharSequenceExtra(Intent.EXTRA_TITLE) : null;
    screen.addText(title == null || title.length() == 0 ? "Share" : title.toString(), OtherApp.id("title"));
    if (target == null) {
      screen.addText("No apps can perform this action.", null);
      return;
    }
    String text = target.getStringExtra(Intent.EXTRA_TEXT);
    if (text != null) {
      screen.addText(text.length() > 200 ? text.substring(0, 200) : text, OtherApp.id("preview"));
    }
    Map<String, Intent> targets = targets(asked, target);
    targets.forEach((label, intent) -> screen.addButton(label, OtherApp.id("item"), () -> choose(screen, asked, intent)));
    if (targets.isEmpty()) {
      screen.addText("No apps can perform this action.", null);
    }
  }

  /** By what they are called; two of the same name are told apart by their class. */
  private static Map<String, Intent> targets(Intent asked, Intent target) {
    Map<String, Intent> targets = new LinkedHashMap<>();
    Parcelable[] initial = asked.getParcelableArrayExtra(Intent.EXTRA_INITIAL_INTENTS);
    for (int i = 0; initial != null && i < initial.length; i++) {
      if (initial[i] instanceof Intent each) {
        OtherApp app = OtherApp.answering(each, each.getType());
        add(targets, app == null ? Phone.get().app().label() : app.label(), each);
      }
    }
    List<ComponentName> left = left(asked);
    var packages = AppProcess.current().application().getPackageManager();
    for (ResolveInfo taker : PhonePackages.takers(target)) {
      ComponentName component = new ComponentName(taker.activityInfo.packageName, taker.activityInfo.name);
      if (taker.activityInfo.exported && !left.contains(component)) {
        add(targets, String.valueOf(taker.loadLabel(packages)), new Intent(target).setComponent(component));
      }
    }
    String type = target.resolveTypeIfNeeded(AppProcess.current().application().getContentResolver());
    for (OtherApp app : OtherApp.values()) {
      boolean named = target.getPackage() == null || target.getPackage().equals(OtherApp.PACKAGE);
      if (named && app != OtherApp.CHOOSER && app.takes(target, type) && !left.contains(app.component())) {
        add(targets, app.label(), new Intent(target).setComponent(app.component()));
      }
    }
    return targets;
  }

  private static List<ComponentName> left(Intent asked) {
    Parcelable[] left = asked.getParcelableArrayExtra(Intent.EXTRA_EXCLUDE_COMPONENTS);
    return left == null
        ? List.of()
        : Arrays.stream(left)
            .filter(ComponentName.class::isInstance)
            .map(ComponentName.class::cast)
            .toList();
  }

  private static void add(Map<String, Intent> targets, String label, Intent intent) {
    ComponentName component = intent.getComponent();
    targets.put(
        targets.containsKey(label) && component != null ? label + " (" + component.getShortClassName() + ")" : label, intent);
  }

  private static void choose(OutsideActivity screen, Intent asked, Intent chosen) {
    IntentSender told = asked.getParcelableExtra(Intent.EXTRA_CHOSEN_COMPONENT_INTENT_SENDER);
    if (told != null && chosen.getComponent() != null) {
      try {
        Intent component = new Intent().putExtra(Intent.EXTRA_CHOSEN_COMPONENT, chosen.getComponent());
        told.sendIntent(screen, 0, component, null, null);
      } catch (IntentSender.SendIntentException e) {
        Log.w("Chooser", "the sender cannot be told of " + chosen, e);
      }
    }
    screen.forward(chosen);
  }
}
