package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonArray;
import org.junit.Test;

/** Notifications beyond a touch: answers, those that stand over the app, groups. */
public class NotificationIT extends TrialPhone {
  private static final String ROW = "com.android.systemui:id/expandableNotificationRow";

  private static void fresh() throws Exception {
    phone.ask("clear", "{}");
    phone.ask("start", "{'activity':'org.droidmux.trial.SystemActivity'}");
  }

  private static boolean shows(String text) throws Exception {
    return phone.xml().contains("text=\"" + text + "\"");
  }

  private static int rows() throws Exception {
    return phone.xml().split(ROW, -1).length - 1;
  }

  private static void back() throws Exception {
    phone.ask("key", "{'code':4}");
  }

  /** The windows over the app, as one text. */
  private static String floating() throws Exception {
    boolean told = phone.ask("focus", "{}").get("heads-up").getAsBoolean();
    JsonArray windows = phone.ask("floating", "{}").get("windows").getAsJsonArray();
    assertEquals(told ? 1 : 0, windows.size());
    return told ? windows.get(0).getAsString() : "";
  }

  /** Touches what is in the window over the app. */
  private static void tapOver(String name) throws Exception {
    String xml = floating();
    int[] at = Client.middle(Client.find(xml, name));
    phone.ask("tap", "{'x':" + at[0] + ",'y':" + at[1] + "}");
  }

  @Test
  public void anAnswerIsWrittenInTheShade() throws Exception {
    fresh();
    phone.tap("Notify talk");
    phone.ask("shade", "{}");
    phone.tap("Reply");
    assertEquals("Your words", phone.node("remote_input_text").get("text"));
    assertTrue(phone.ask("focus", "{}").get("keyboard").getAsBoolean());
    phone.tap("remote_input_send");
    assertTrue("nothing is sent", phone.xml().contains("remote_input_text"));
    phone.ask("text", "{'text':'good'}");
    phone.ask("commit", "{'text':' néws'}");
    phone.tap("remote_input_send");
    assertFalse(phone.xml().contains("remote_input_text"));
    assertTrue("the shade stays open", phone.ask("focus", "{}").get("shade").getAsBoolean());
    phone.tap("Do it");
    back();
    assertEquals("answer good néws done", status());
  }

  @Test
  public void whatIsImportantStandsOverTheApp() throws Exception {
    fresh();
    phone.tap("Notify");
    assertEquals("", floating());
    phone.tap("Notify urgently");
    String over = floating();
    for (String each : new String[] {ROW, "package=\"com.android.systemui\"", "text=\"Urgent\"", "text=\"Reply\""}) {
      assertTrue(each + " in " + over, over.contains(each));
    }
    assertTrue("keys go to the app, and a dump is of it", phone.xml().contains("org.droidmux.trial:id/status"));
    phone.ask("idle", "{'ms':3900}");
    assertFalse(floating().isEmpty());
    phone.ask("idle", "{'ms':700}");
    assertEquals("five seconds", "", floating());
    phone.ask("shade", "{}");
    assertTrue("it is in the shade", shows("Urgent"));
    back();
    phone.tap("Notify urgently");
    tapOver("Do it");
    assertEquals("done", status());
    tapOver("Text of Urgent");
    assertEquals("", floating());
    assertTrue("its activity", shows("FORTY-TWO"));
    back();
    phone.ask("shade", "{}");
    assertFalse("it cancels itself", shows("Urgent"));
  }

  @Test
  public void oneOverTheAppIsAnsweredAndMovedAway() throws Exception {
    fresh();
    phone.tap("Notify urgently");
    tapOver("Reply");
    assertEquals("Your words", phone.node("remote_input_text").get("text"));
    assertTrue(phone.ask("focus", "{}").get("keyboard").getAsBoolean());
    phone.ask("idle", "{'ms':6000}");
    phone.ask("text", "{'text':'soon'}");
    phone.tap("remote_input_send");
    assertEquals("", floating());
    assertEquals("answer soon", status());
    phone.tap("Notify urgently");
    phone.ask("swipe", "{'x':100,'y':200,'to-x':1000,'to-y':200}");
    assertEquals("", floating());
    assertEquals("deleted", status());
    phone.tap("Notify urgently");
    phone.ask("swipe", "{'x':500,'y':200,'to-x':500,'to-y':80}");
    assertEquals("", floating());
    assertEquals("none", status());
    phone.tap("Cancel");
    phone.tap("Notify urgently");
    assertEquals("not for a minute", "", floating());
    for (int i = 0; i < 3; i++) {
      phone.ask("idle", "{'ms':20000}");
    }
    phone.tap("Cancel");
    phone.tap("Notify urgently");
    assertFalse(floating().isEmpty());
    phone.ask("swipe", "{'x':500,'y':200,'to-x':500,'to-y':900}");
    assertTrue("pulled down", phone.ask("focus", "{}").get("shade").getAsBoolean());
    assertEquals("", floating());
  }

  @Test
  public void aGroupIsOneRowUntilItIsOpened() throws Exception {
    fresh();
    phone.tap("Notify group");
    phone.ask("shade", "{}");
    assertEquals(1, rows());
    assertTrue(shows("Member 3") && shows("Member 2") && shows("+1"));
    assertFalse(shows("Member 1") || shows("About"));
    phone.tap("expand_button");
    assertEquals(4, rows());
    assertTrue(shows("Member 1"));
    int top = Client.sides(phone.node("Member 1").get("bounds"))[1];
    phone.ask("swipe", "{'x':100,'y':" + top + ",'to-x':1000,'to-y':" + top + "}");
    assertFalse(shows("Member 1"));
    phone.tap("dismiss_text");
    assertEquals("no shade", "deleted deleted deleted deleted", status());
    phone.ask("shade", "{}");
    assertTrue(shows("No notifications"));
    back();
    phone.tap("Notify group");
    phone.ask("shade", "{}");
    phone.tap("Member 3");
    assertTrue("a touch opens what the group is about", shows("FORTY-TWO"));
  }

  @Test
  public void manyOfAnAppAreAGroupToo() throws Exception {
    fresh();
    phone.tap("Notify many");
    phone.ask("shade", "{}");
    assertEquals(1, rows());
    assertTrue(shows("One 4") && shows("+2"));
    int top = Client.sides(phone.node("One 4").get("bounds"))[1];
    phone.ask("swipe", "{'x':100,'y':" + top + ",'to-x':1000,'to-y':" + top + "}");
    assertTrue(shows("No notifications"));
  }
}
