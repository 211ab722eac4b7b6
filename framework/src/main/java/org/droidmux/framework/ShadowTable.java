package org.droidmux.framework;

import java.util.List;
import org.droidmux.framework.device.PhoneActivity;
import org.droidmux.framework.device.PhoneActivityManager;
import org.droidmux.framework.device.PhoneAsyncQuery;
import org.droidmux.framework.device.PhoneAudio;
import org.droidmux.framework.device.PhoneChanges;
import org.droidmux.framework.device.PhoneContentResolver;
import org.droidmux.framework.device.PhoneContext;
import org.droidmux.framework.device.PhoneDatabase;
import org.droidmux.framework.device.PhoneDrawables;
import org.droidmux.framework.device.PhoneLoadedApk;
import org.droidmux.framework.device.PhoneMagnifier;
import org.droidmux.framework.device.PhonePackages;
import org.droidmux.framework.device.PhoneParcel;
import org.droidmux.framework.device.PhoneProcess;
import org.droidmux.framework.device.PhoneService;
import org.droidmux.framework.device.PhoneShortcuts;
import org.droidmux.framework.device.PhoneTheme;
import org.droidmux.framework.device.PhoneViewRoot;
import org.droidmux.framework.device.PhoneWebView;
import org.droidmux.framework.device.Unsimplified;

/**
 * The shadows that take the place of Robolectric's, each with its reason: a shadow that stands here is a part of the
 * framework that is not quite Android's own. Where Robolectric's is at fault for everybody, docs/apk.md has a link to it.
 */
final class ShadowTable {
  /** A shadow of ours, and why. */
  record Row(Class<?> shadow, String reason) {}

  private static final List<Row> ROWS =
      List.of(
          // The way to the system, which is ours.
          new Row(PhoneActivity.class, "tasks, Back, Up, activities within others, recreation and old dialogs go by our stack of activities"),
          new Row(PhoneContext.class, "classes are those of the process, and so are services and receivers of broadcasts"),
          new Row(PhoneActivityManager.class, "the framework's own code finds ours: pending intents outlive the process"),
          new Row(Unsimplified.PendingIntent.class, "what it asks for is told by its interface"),
          new Row(Unsimplified.AlarmManager.class, "so are alarms, which go by the phone's clock"),
          new Row(Unsimplified.NotificationManager.class, "so are notifications and their channels"),
          new Row(Unsimplified.Toast.class, "so are toasts, whose view an app may change"),
          new Row(Unsimplified.JobScheduler.class, "so are jobs, which run when the phone is as they want it"),
          new Row(Unsimplified.JobService.class, "a job tells that it has finished"),
          new Row(Unsimplified.Widgets.class, "so are widgets, which the home screen does not take"),
          new Row(PhoneChanges.class, "new behaviour of the framework waits for the level that an app is made for"),
          new Row(PhoneService.class, "a service ends itself, and comes to the foreground with its notification"),
          new Row(Unsimplified.IntentService.class, "so does one with a thread of its own"),
          new Row(PhoneProcess.class, "an app that kills its process does not kill the host"),
          new Row(PhonePackages.class, "menus list the activities that offer something for some data"),
          new Row(PhoneContentResolver.class, "streams of the app's providers; empty providers of the system"),
          new Row(PhoneDatabase.class, "SQLite has the phone's time"),
          new Row(PhoneShortcuts.class, "Robolectric throws where it has no shortcuts of other apps"),
          // Classes of a process.
          new Row(PhoneLoadedApk.class, "components are made with the classes of the process"),
          new Row(PhoneDrawables.class, "so are drawables that resources name"),
          new Row(PhoneParcel.class, "so are serialised objects"),
          new Row(PhoneTheme.class, "themes end with their process: 100 KB each, for ever, otherwise"),
          // Drawing, of which there is no screen.
          new Row(PhoneViewRoot.class, "windows are drawn once a frame: scrolling goes on by that"),
          new Row(PhoneMagnifier.class, "copies from a surface that no window has"),
          new Row(PhoneWebView.class, "texts and links of pages are shown; there is no browser"),
          new Row(PhoneAudio.class, "clicks make no sound: their service names classes that are not there"),
          // The framework's own code where Robolectric's is simpler.
          new Row(PhoneAsyncQuery.class, "answers come after the call that asks, and always in the same order"),
          new Row(Unsimplified.Spinner.class, "a selection is told once, after the layout"),
          new Row(Unsimplified.Filter.class, "lists are filtered on a thread, not within the call"),
          new Row(Unsimplified.ZoomButtons.class, "has buttons"),
          new Row(Unsimplified.Compound.class, "knows the drawing of its button"),
          new Row(Unsimplified.ScrollView.class, "scrolls smoothly"),
          new Row(Unsimplified.TabHost.class, "has tabs"),
          new Row(Unsimplified.TabSpec.class, "makes them"),
          new Row(Unsimplified.ActivityGroup.class, "starts activities within another one"),
          new Row(Unsimplified.TabActivity.class, "so does this"),
          new Row(Unsimplified.ScaleGesture.class, "reads two fingers"),
          new Row(Unsimplified.NumberPicker.class, "shows its numbers"));

  private ShadowTable() {}

  static List<Row> rows() {
    return ROWS;
  }

  static Class<?>[] shadows() {
    return ROWS.stream().map(Row::shadow).toArray(Class<?>[]::new);
  }
}
