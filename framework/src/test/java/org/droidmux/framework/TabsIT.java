package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Before;
import org.junit.Test;

/** Activities within another one. */
public class TabsIT extends TrialPhone {
  @Before
  public void fresh() throws Exception {
    phone.ask("clear", "{}");
    phone.ask("start", "{'activity':'org.droidmux.trial.TabsActivity'}");
  }

  private static boolean atHome() throws Exception {
    return phone.ask("focus", "{}").get("home").getAsBoolean();
  }

  @Test
  public void theOneBehindTheChosenTabIsToldAfterAnotherHasLainOverIt() throws Exception {
    assertEquals("First within TabsActivity", status());
    phone.tap("SECOND");
    assertEquals("Second within TabsActivity", status());
    phone.tap("Open");
    phone.ask("key", "{'code':4}");
    assertEquals("Second within TabsActivity and back 1", status());
    phone.tap("FIRST");
    assertEquals("First within TabsActivity", status());
    phone.ask("rotate", "{'to':1}");
    assertEquals("First within TabsActivity", status());
    phone.ask("rotate", "{'to':0}");
  }

  @Test
  public void whereOneEndsSoDoesTheOneAroundIt() throws Exception {
    phone.tap("SECOND");
    phone.ask("key", "{'code':4}");
    assertTrue("by the back key", atHome());
    fresh();
    phone.tap("Leave");
    assertTrue("by itself", atHome());
  }

  @Test
  public void upLeadsToTheActivityBelow() throws Exception {
    for (String[] each : new String[][] {{"Up", "fresh"}, {"Up to the same", "touches 1"}}) {
      phone.ask("clear", "{}");
      phone.ask("start", "{}");
      phone.tap("Count");
      phone.ask("start", "{'activity':'org.droidmux.trial.TabsActivity'}");
      assertEquals("First within TabsActivity", status());
      phone.tap(each[0]);
      assertEquals("made anew but where it takes the intent", each[1], status());
      phone.ask("key", "{'code':4}");
      assertTrue("nothing lies below", atHome());
    }
  }

  @Test
  public void upWithNothingBelowEndsTheActivity() throws Exception {
    phone.tap("Up");
    assertTrue(atHome());
  }
}
