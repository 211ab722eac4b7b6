package org.droidmux.framework.device;

import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAdapterView;
import org.robolectric.shadows.ShadowLinearLayout;
import org.robolectric.shadows.ShadowTextView;
import org.robolectric.shadows.ShadowViewGroup;

/**
 * The framework's own code where Robolectric has a simpler shadow, which is good for a test of one class and wrong for a
 * whole app. Each shadow here is empty: what it does not say is the framework's. It extends the shadow of the class
 * above, as Robolectric wants it.
 */
public final class Unsimplified {
  private Unsimplified() {}

  /** A selection is told once, after the layout; Robolectric tells it at once, and twice. */
  @Implements(className = "android.widget.AbsSpinner")
  public static class Spinner extends ShadowAdapterView<android.widget.Adapter> {}

  /** Filters on a thread of its own; Robolectric's filters on the main thread, within the call. */
  @Implements(className = "android.widget.Filter")
  public static class Filter {}

  /** Robolectric's controller has no buttons at all. */
  @Implements(className = "android.widget.ZoomButtonsController")
  public static class ZoomButtons {}

  /** Robolectric's knows the drawing of its button only if a test has set it. */
  @Implements(className = "android.widget.CompoundButton")
  public static class Compound extends ShadowTextView {}

  /** Robolectric's jumps where the framework scrolls smoothly. */
  @Implements(className = "android.widget.ScrollView")
  public static class ScrollView extends ShadowViewGroup {}

  /** Robolectric's has no tabs that one could see. */
  @Implements(className = "android.widget.TabHost")
  public static class TabHost extends ShadowViewGroup {}

  /** As its host. */
  @Implements(className = "android.widget.TabHost$TabSpec")
  public static class TabSpec {}

  /** Robolectric's starts no activity in the group. */
  @Implements(className = "android.app.ActivityGroup")
  public static class ActivityGroup extends PhoneActivity {}

  /** Robolectric's makes a tab host of its own, without a layout. */
  @Implements(className = "android.app.TabActivity")
  public static class TabActivity extends ActivityGroup {}

  /** Robolectric's only notes the events, and never scales. */
  @Implements(className = "android.view.ScaleGestureDetector")
  public static class ScaleGesture {}

  /** Robolectric's keeps numbers and does not show them. */
  @Implements(className = "android.widget.NumberPicker")
  public static class NumberPicker extends ShadowLinearLayout {}

  /** Robolectric's does not start its thread; the framework's own ends itself by our service. */
  @Implements(className = "android.app.IntentService")
  public static class IntentService extends PhoneService {}

  /** Robolectric's keeps what it was given, with the process; the framework's own asks our list of them. */
  @Implements(className = "android.app.PendingIntent")
  public static class PendingIntent {}

  /** Robolectric's counts the time of day from the phone's start, so that nothing goes off. */
  @Implements(className = "android.app.AlarmManager")
  public static class AlarmManager {}

  /** Robolectric's shows nothing, and takes what has no channel. */
  @Implements(className = "android.app.NotificationManager")
  public static class NotificationManager {}

  /** Robolectric's is shown from any thread, and has no view that an app could change. */
  @Implements(className = "android.widget.Toast")
  public static class Toast {}

  /** Robolectric's keeps jobs, and runs none. */
  @Implements(className = "android.app.JobSchedulerImpl", isInAndroidSdk = false)
  public static class JobScheduler {}

  /** Robolectric's knows widgets that a test has made, and fails for others. */
  @Implements(className = "android.appwidget.AppWidgetManager")
  public static class Widgets {}

  /** Robolectric's notes that a job has finished, and tells nobody. */
  @Implements(className = "android.app.job.JobService")
  public static class JobService extends PhoneService {}
}
