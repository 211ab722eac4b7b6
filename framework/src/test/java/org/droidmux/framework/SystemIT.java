package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import org.junit.Test;

/** What the system does for an app besides showing its windows: notifications, broadcasts, alarms, jobs, intents. */
public class SystemIT extends TrialPhone {
  private static final String HERE = "org.droidmux.trial.SystemActivity";

  private static void fresh() throws Exception {
    phone.ask("clear", "{}");
    open();
  }

  private static void open() throws Exception {
    phone.ask("start", "{'activity':'" + HERE + "'}");
  }

  /** Lets time pass, in pieces that a busy computer can do at once. */
  private static void pass(int millis) throws Exception {
    for (int left = millis; left > 0; left -= 2_000) {
      phone.ask("idle", "{'ms':" + Math.min(2_000, left) + "}");
    }
  }

  private static boolean shade() throws Exception {
    return phone.ask("focus", "{}").get("shade").getAsBoolean();
  }

  private static void pullDown() throws Exception {
    phone.ask("swipe", "{'x':500,'y':10,'to-x':500,'to-y':1200}");
    assertTrue(shade());
  }

  private static boolean shows(String text) throws Exception {
    return phone.xml().contains("text=\"" + text + "\"");
  }

  @Test
  public void theShadeShowsNotificationsAsAPhoneDoes() throws Exception {
    fresh();
    pullDown();
    assertTrue(shows("No notifications"));
    phone.ask("key", "{'code':4}");
    assertFalse(shade());
    phone.tap("Notify");
    phone.tap("Notify off");
    phone.tap("Notify nowhere");
    phone.tap("Active");
    assertEquals("active 1", status());
    pullDown();
    String xml = phone.xml();
    for (String each :
        new String[] {
          "package=\"com.android.systemui\"", "com.android.systemui:id/notification_stack_scroller",
          "com.android.systemui:id/expandableNotificationRow", "android:id/title", "android:id/app_name_text",
          "text=\"Trial\"", "text=\"Text of First\"", "android:id/action0"
        }) {
      assertTrue(each + " in " + xml, xml.contains(each));
    }
    assertFalse(xml, xml.contains("org.droidmux") && xml.contains("package=\"org.droidmux.trial\""));
    phone.tap("Do it");
    phone.ask("swipe", "{'x':500,'y':1800,'to-x':500,'to-y':900}");
    assertFalse("pulled up", shade());
    assertEquals("active 1 done", status());
  }

  @Test
  public void aTouchOpensAndASwipeTakesAway() throws Exception {
    fresh();
    phone.tap("Notify");
    pullDown();
    phone.tap("Text of First");
    assertFalse(shade());
    assertTrue("its activity", shows("FORTY-TWO"));
    pullDown();
    assertTrue("it cancels itself", shows("No notifications"));
    phone.ask("key", "{'code':4}");
    phone.ask("key", "{'code':4}");
    phone.tap("Notify");
    phone.tap("Notify ongoing");
    pullDown();
    phone.tap("dismiss_text");
    assertFalse(shade());
    assertEquals("deleted", status());
    pullDown();
    assertTrue("what goes on stays", shows("Ongoing") && !shows("First"));
    int top = Client.sides(phone.node("Ongoing").get("bounds"))[1];
    phone.ask("swipe", "{'x':100,'y':" + top + ",'to-x':900,'to-y':" + top + "}");
    assertTrue(shows("No notifications"));
    phone.ask("shade", "{'open':false}");
    assertEquals("deleted deleted", status());
  }

  @Test
  public void notificationsOutliveTheProcessButNotTheData() throws Exception {
    fresh();
    phone.tap("Notify");
    phone.tap("Foreground");
    assertEquals(2, count());
    phone.tap("Cancel");
    assertEquals("that of the service stays", 1, count());
    phone.tap("Notify");
    phone.ask("key", "{'code':3}");
    phone.ask("kill", "{}");
    assertEquals("that of the service has gone with it", 1, count());
    phone.ask("shade", "{}");
    phone.tap("Do it");
    phone.ask("shade", "{'open':false}");
    assertTrue(phone.ask("log", "{}").get("lines").toString().contains("heard done"));
    open();
    phone.tap("Foreground");
    assertEquals(2, count());
    phone.tap("Background");
    assertEquals(1, count());
    phone.ask("clear", "{}");
    assertEquals(0, count());
  }

  private static long count() throws Exception {
    return phone.ask("notifications", "{}").get("lines").toString().split("NotificationRecord", -1).length - 1;
  }

  @Test
  public void broadcastsReachTheirReceivers() throws Exception {
    fresh();
    String[][] rows = {
      {"Explicit", "explicit"}, {"Ordered", "0:first 1:from 0 last 1 from 1"}, {"Implicit", "none"},
    };
    for (String[] row : rows) {
      phone.ask("log", "{'clear':true}");
      phone.tap(row[0]);
      assertEquals(row[0], row[1], status());
    }
    phone.tap("Implicit");
    assertTrue(phone.ask("log", "{}").get("lines").toString().contains("Background execution not allowed: receiving"));
  }

  @Test
  public void alarmsGoOffAtTheirMoment() throws Exception {
    fresh();
    phone.tap("Alarm");
    phone.tap("Alarm here");
    pass(9000);
    assertEquals("none", status());
    pass(1000);
    assertEquals("here", status());
    phone.ask("key", "{'code':3}");
    phone.ask("kill", "{}");
    phone.ask("log", "{'clear':true}");
    pass(20000);
    assertTrue("in another process", phone.ask("log", "{}").get("lines").toString().contains("heard alarm"));
    open();
    phone.tap("Alarm often");
    pass(61000);
    assertEquals("often", status());
    pass(60000);
    assertEquals("often often", status());
    phone.tap("No alarm");
    pass(61000);
    assertEquals("none", status());
  }

  @Test
  public void jobsRunWhenThePhoneIsAsTheyWantIt() throws Exception {
    fresh();
    phone.tap("Job");
    pass(19000);
    assertEquals("none", status());
    pass(1000);
    assertEquals("job1", status());
    phone.ask("device", "{'online':false}");
    phone.tap("Job online");
    pass(5000);
    assertEquals("none", status());
    phone.ask("device", "{'online':true}");
    assertEquals("job2", status());
    phone.ask("device", "{'charging':false}");
    assertEquals("job2 stopped", status());
    phone.ask("device", "{'charging':true}");
    pass(31000);
    assertEquals("it wants to go on", "job2 stopped job2 end", status());
    phone.tap("Job failing");
    pass(1000);
    assertEquals("job3 end", status());
    pass(12000);
    assertEquals("job3 end job3 end", status());
    pass(17000);
    assertEquals("twice as long", "job3 end job3 end", status());
    pass(5000);
    assertEquals("job3 end job3 end job3 end", status());
    phone.tap("Job idle");
    pass(39000);
    assertEquals("none", status());
    pass(2000);
    assertEquals("its last moment", "job2! end", status());
    phone.tap("Job often");
    assertEquals("job1", status());
    pass(5000);
    assertEquals("once in its period", "job1", status());
    phone.tap("No jobs");
    assertEquals("jobs 0", status());
  }

  @Test
  public void theShellSendsIntents() throws Exception {
    fresh();
    String[][] rows = {
      {"start -n org.droidmux.trial/.SystemActivity --es text here --ei number 7 --ez truth true --esn nothing",
        "", "again nothing=null number=7:Integer text=here:String truth=true:Boolean"},
      {"start -a android.intent.action.VIEW -d https://trial.droidmux.org/open/7 --eia all 1,2 --el long 5 --ef part 0.5",
        "", "again https://trial.droidmux.org/open/7 all=[1, 2]:int[] long=5:Long part=0.5:Float"},
    };
    for (String[] row : rows) {
      phone.tap("No jobs");
      JsonObject answer = am(row[0]);
      assertEquals(row[0], "Warning: Activity not started, intent has been delivered to currently running top-most "
          + "instance.\n", answer.get("errors").getAsString());
      assertEquals(row[0], "jobs 0 " + row[2], status());
    }
    String[][] refused = {
      {"start -n org.droidmux.trial/.Gone", "Error type 3\nError: Activity class {org.droidmux.trial/"
          + "org.droidmux.trial.Gone} does not exist.\n"},
      {"start -a no.such.ACTION", "Error: Activity not started, unable to resolve Intent { act=no.such.ACTION }\n"},
      {"start -n org.droidmux.trial/.AnswerActivity", "not exported from uid"},
      {"start --bad", "java.lang.IllegalArgumentException: Unknown option: --bad"},
      {"start -n nonsense", "java.lang.IllegalArgumentException: Bad component name: nonsense"},
    };
    for (String[] row : refused) {
      JsonObject answer = am(row[0]);
      assertTrue(row[0] + ": " + answer, answer.get("errors").getAsString().contains(row[1]));
      assertTrue(answer.get("code").getAsInt() != 0);
    }
    String said = am("broadcast -a org.droidmux.trial.HEAR -n org.droidmux.trial/.HearingReceiver --es word hello")
        .get("output").getAsString();
    assertEquals("Broadcasting: Intent { act=org.droidmux.trial.HEAR flg=0x400000 cmp=org.droidmux.trial/.HearingReceiver "
        + "(has extras) }\nBroadcast completed: result=5, data=\"heard hello\"\n", said);
  }

  /** It is of its target's class, known by the name that it was started by, and the same activity. */
  @Test
  public void anAliasIsAnotherNameOfAnActivity() throws Exception {
    phone.ask("clear", "{}");
    assertEquals(0, am("start -n org.droidmux.trial/.OldName --es text first").get("code").getAsInt());
    assertTrue(status(), status().endsWith("text=first:String"));
    assertEquals("org.droidmux.trial.OldName", phone.ask("focus", "{}").get("activity").getAsString());
    am("start -n org.droidmux.trial/.SystemActivity --es text second");
    assertTrue(status(), status().endsWith("again text=second:String"));
  }

  /** What every phone answers somehow is no crash for want of an activity; going back from it chooses nothing. */
  @Test
  public void theSystemsOwnQuestionsAreThere() throws Exception {
    for (String intent : new String[] {
      "-a android.appwidget.action.APPWIDGET_PICK", "-a android.bluetooth.adapter.action.REQUEST_ENABLE",
      "-a android.intent.action.SET_WALLPAPER", "-a android.intent.action.DELETE -d package:org.droidmux.trial",
      "-a android.intent.action.VIEW -t application/vnd.android.package-archive -d content://x/y.apk",
      "-a android.media.action.DISPLAY_AUDIO_EFFECT_CONTROL_PANEL",
    }) {
      fresh();
      JsonObject answer = am("start " + intent);
      assertEquals(intent + ": " + answer, 0, answer.get("code").getAsInt());
      assertEquals(intent, "org.droidmux.outside", phone.ask("focus", "{}").get("package").getAsString());
      phone.ask("key", "{'code':4}");
      assertEquals(intent, "org.droidmux.trial", phone.ask("focus", "{}").get("package").getAsString());
    }
  }

  private static JsonObject am(String line) throws Exception {
    return phone.ask("am", "{'words':['" + line.replace(" ", "','") + "']}");
  }

  @Test
  public void theClockCanBeSet() throws Exception {
    fresh();
    phone.ask("time", "{'to':1709700000000,'zone':'Europe/Berlin'}");
    assertEquals("heard", "android.intent.action.TIMEZONE_CHANGED android.intent.action.TIME_SET", status());
    phone.tap("Alarm");
    phone.ask("time", "{'to':1709710000000}");
    assertEquals("none alarm", "none " + status().replaceAll("android.intent.action.TIME_SET ?", "").trim());
    phone.ask("time", "{'zone':'UTC'}");
  }

  private static long time() throws Exception {
    return phone.ask("focus", "{}").get("time").getAsLong();
  }

  /** What is due on the way happens at its moment, and the next who begins anew finds the day as it was. */
  @Test
  public void aDayPasses() throws Exception {
    fresh();
    phone.tap("Alarm");
    phone.tap("Alarm here");
    phone.tap("Job");
    long before = time();
    phone.ask("pass", "{'ms':86400000}");
    assertEquals("here job1 alarm", status());
    long day = time() - before;
    assertTrue("a day: " + day, day >= 86_400_000 && day < 86_402_000);
    phone.tap("Alarm often");
    phone.ask("pass", "{'ms':3600000}");
    assertTrue(status(), status().split(" ").length > 55);
    fresh();
    long again = time() - before;
    assertTrue("the same day: " + again, again >= 0 && again < 60_000);
    assertTrue(phone.line("{\"id\":1,\"do\":\"pass\",\"ms\":0}").get("error").getAsString().contains("whole number"));
  }

  @Test
  public void aToastIsToldOnce() throws Exception {
    fresh();
    assertEquals("Saved by itself", phone.tap("Toast").get("toast").getAsString());
    assertEquals(null, phone.ask("idle", "{'ms':500}").get("toast"));
  }

  @Test
  public void aNewWindowIsMeasuredTwice() throws Exception {
    fresh();
    assertTrue(shows("measured late"));
  }

  @Test
  public void thereAreNoWidgets() throws Exception {
    fresh();
    phone.tap("Widgets");
    assertEquals("widgets 0 0 false false", status());
  }

  @Test
  public void appsForLaterLevelsHaveToAskFirst() throws Exception {
    Path app = HostIT.changed("later", "AndroidManifest.xml", "targetSdkVersion=\"29\"", "targetSdkVersion=\"34\"");
    try (Client later = new Client(app)) {
      later.ask("start", "{'activity':'" + HERE + "'}");
      later.tap("Notify");
      assertEquals("[]", later.ask("notifications", "{}").get("lines").toString());
      later.ask("grant", "{'permission':'android.permission.POST_NOTIFICATIONS'}");
      later.tap("Notify");
      assertTrue(later.ask("notifications", "{}").get("lines").toString().contains("android.title=String (First)"));
      assertEquals("the system's own view, for later levels", "Saved", later.tap("Toast").get("toast").getAsString());
      JsonObject crash = later.tap("Alarm");
      assertTrue(crash.toString(), crash.get("crash").getAsString().contains("SCHEDULE_EXACT_ALARM"));
      assertEquals("app", crash.get("of").getAsString());
    }
  }
}
