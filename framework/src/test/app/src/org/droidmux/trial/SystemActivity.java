package org.droidmux.trial;

import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.app.RemoteInput;
import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.appwidget.AppWidgetManager;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.os.Bundle;
import android.os.SystemClock;
import android.view.View;
import android.widget.TextView;
import android.widget.Toast;

/** What an app asks of the system: notifications, broadcasts, alarms, jobs. */
public final class SystemActivity extends ButtonPage {

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    NotificationManager manager = getSystemService(NotificationManager.class);
    manager.createNotificationChannel(new NotificationChannel("news", "News", NotificationManager.IMPORTANCE_DEFAULT));
    manager.createNotificationChannel(new NotificationChannel("urgent", "Urgent", NotificationManager.IMPORTANCE_HIGH));
    manager.createNotificationChannel(new NotificationChannel("off", "Off", NotificationManager.IMPORTANCE_NONE));
    SecondView late = new SecondView(this);
    late.setText("measured late");
    content.addView(late);
    button("Notify", () -> manager.notify(1, news("First", "news").setAutoCancel(true).build()));
    button("Notify ongoing", () -> manager.notify("tag", 1, news("Ongoing", "news").setOngoing(true).build()));
    button("Notify off", () -> manager.notify(3, news("Nothing", "off").build()));
    button("Notify nowhere", () -> manager.notify(4, news("Nothing", "none").build()));
    button("Notify urgently", () -> manager.notify(5, talk("Urgent", "urgent").setAutoCancel(true).build()));
    button("Notify talk", () -> manager.notify(6, talk("Talk", "news").build()));
    button("Notify group", () -> {
      for (int i = 1; i <= 3; i++) {
        manager.notify("member", i, news("Member " + i, "news").setGroup("all").build());
      }
      manager.notify("about", 1, news("About", "news").setGroup("all").setGroupSummary(true).build());
    });
    button("Notify many", () -> {
      for (int i = 1; i <= 4; i++) {
        manager.notify("many", i, news("One " + i, "news").build());
      }
    });
    button("Active", () -> hear("active " + manager.getActiveNotifications().length));
    button("Cancel", manager::cancelAll);
    button("Foreground", () -> startForegroundService(new Intent(this, ForegroundService.class)));
    button("Background", () -> stopService(new Intent(this, ForegroundService.class)));
    button("Explicit", () -> sendBroadcast(new Intent("explicit", null, this, HearingReceiver.class)));
    button("Implicit", () -> sendBroadcast(new Intent("org.droidmux.trial.HEAR")));
    button("Ordered", this::order);
    AlarmManager alarms = getSystemService(AlarmManager.class);
    button("Alarm", () -> alarms.setExact(
        AlarmManager.RTC_WAKEUP, System.currentTimeMillis() + 30_000, hearing("alarm")));
    button("Alarm often", () -> alarms.setRepeating(
        AlarmManager.ELAPSED_REALTIME, SystemClock.elapsedRealtime() + 60_000, 60_000, hearing("often")));
    button("No alarm", () -> alarms.cancel(hearing("often")));
    button("Alarm here", () -> alarms.set(
        AlarmManager.RTC, System.currentTimeMillis() + 10_000, "here", () -> hear("here"), null));
    JobScheduler jobs = getSystemService(JobScheduler.class);
    button("Job", () -> jobs.schedule(job(1).setMinimumLatency(20_000).build()));
    button("Job online", () -> jobs.schedule(
        job(2).setRequiredNetworkType(JobInfo.NETWORK_TYPE_ANY).setRequiresCharging(true).build()));
    button("Job failing", () -> {
      TrialJobService.fails = 2;
      jobs.schedule(job(3).setBackoffCriteria(10_000, JobInfo.BACKOFF_POLICY_EXPONENTIAL).build());
    });
    button("Job often", () -> jobs.schedule(job(1).setPeriodic(15 * 60_000).build()));
    button("Job idle", () -> jobs.schedule(
        job(2).setRequiresDeviceIdle(true).setOverrideDeadline(40_000).build()));
    button("No jobs", () -> {
      jobs.cancelAll();
      hear("jobs " + jobs.getAllPendingJobs().size());
    });
    button("Widgets", () -> {
      AppWidgetManager widgets = AppWidgetManager.getInstance(this);
      ComponentName provider = new ComponentName(this, HearingReceiver.class);
      widgets.updateAppWidget(provider, null);
      hear("widgets " + widgets.getAppWidgetIds(provider).length + " " + widgets.getInstalledProviders().size()
          + " " + widgets.isRequestPinAppWidgetSupported()
          + " " + getPackageManager().hasSystemFeature("android.software.app_widgets"));
    });
    button("Toast", () -> {
      Toast toast = Toast.makeText(this, "Saved", Toast.LENGTH_SHORT);
      View view = toast.getView();
      if (view != null) {
        ((TextView) view.findViewById(android.R.id.message)).append(" by itself");
      }
      toast.show();
    });
    showContent();
    TrialApplication.listener = status::setText;
    TrialApplication.heard = "";
    told(getIntent());
  }

  @Override
  protected void onNewIntent(Intent intent) {
    hear("again");
    told(intent);
  }

  private void told(Intent intent) {
    if (intent.getData() != null) {
      hear(intent.getDataString());
    }
    Bundle extras = intent.getExtras();
    if (extras != null) {
      for (String key : new java.util.TreeSet<>(extras.keySet())) {
        Object value = extras.get(key);
        String text = value instanceof Object[] ? java.util.Arrays.toString((Object[]) value)
            : value instanceof int[] ? java.util.Arrays.toString((int[]) value) : String.valueOf(value);
        hear(key + "=" + text + (value == null ? "" : ":" + value.getClass().getSimpleName()));
      }
    }
  }

  private Notification.Builder news(String title, String channel) {
    return new Notification.Builder(this, channel)
        .setSmallIcon(android.R.drawable.ic_dialog_info)
        .setContentTitle(title)
        .setContentText("Text of " + title)
        .setContentIntent(PendingIntent.getActivity(this, 0, new Intent(this, AnswerActivity.class), PendingIntent.FLAG_IMMUTABLE))
        .setDeleteIntent(hearing("deleted"))
        .addAction(new Notification.Action.Builder(null, "Do it", hearing("done")).build());
  }

  /** One that wants an answer. */
  private Notification.Builder talk(String title, String channel) {
    Intent intent = new Intent("answer", null, this, HearingReceiver.class);
    // What can be changed takes the answer.
    int mutable = android.os.Build.VERSION.SDK_INT >= 31 ? PendingIntent.FLAG_MUTABLE : 0;
    Notification.Action reply =
        new Notification.Action.Builder(null, "Reply", PendingIntent.getBroadcast(this, 1, intent, mutable))
            .addRemoteInput(new RemoteInput.Builder("words").setLabel("Your words").build())
            .build();
    return news(title, channel).addAction(reply);
  }

  private JobInfo.Builder job(int id) {
    return new JobInfo.Builder(id, new ComponentName(this, TrialJobService.class));
  }

  private PendingIntent hearing(String action) {
    return PendingIntent.getBroadcast(this, 0, new Intent(action, null, this, HearingReceiver.class), PendingIntent.FLAG_IMMUTABLE);
  }

  /** Three receivers in their order: the second changes the result, the third stops the broadcast. */
  private void order() {
    for (int i = 0; i < 3; i++) {
      int number = i;
      IntentFilter filter = new IntentFilter("ordered");
      filter.setPriority(10 - i);
      registerReceiver(
          new BroadcastReceiver() {
            @Override
            public void onReceive(Context context, Intent intent) {
              hear(number + ":" + getResultData());
              setResult(number, "from " + number, null);
              if (number == 1) {
                abortBroadcast();
              }
              unregisterReceiver(this);
            }
          },
          filter);
    }
    sendOrderedBroadcast(
        new Intent("ordered"), null,
        new BroadcastReceiver() {
          @Override
          public void onReceive(Context context, Intent intent) {
            hear("last " + getResultCode() + " " + getResultData());
          }
        },
        null, 7, "first", null);
  }

  private static void hear(String what) {
    TrialApplication.hear(what);
  }

  @Override
  View button(String text, Runnable then) {
    return button(text, 76, () -> {
      TrialApplication.heard = "";
      status.setText("none");
      then.run();
    });
  }
}
