package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.BeforeClass;
import org.junit.Test;

/** The app of src/test/app with mutants in it, dexed and translated. */
public class MutantIT {
  private static final int EVENTS = 60;
  private static Path plain;
  private static Path woven;

  @BeforeClass
  public static void translate() throws Exception {
    Path apk = TranslateIT.trial();
    plain = Path.of("target/it/mutants/plain");
    woven = Path.of("target/it/mutants/woven");
    assertEquals("", TranslateIT.translate(0, plain, apk.toString()));
    assertEquals("", TranslateIT.translate(0, woven, "--mutants", apk.toString()));
  }

  @Test
  public void withNoneOnEveryDumpIsTheSame() throws Exception {
    try (Client one = new Client(plain);
        Client other = new Client(woven)) {
      one.ask("start", "{}");
      other.ask("start", "{}");
      Random random = new Random(7);
      for (int i = 0; i < EVENTS; i++) {
        String what = i % 9 == 8 ? "key" : "tap";
        String members = what.equals("key") ? "{'code':4}" : "{'x':" + random.nextInt(1080) + ",'y':" + random.nextInt(2340) + "}";
        JsonObject seen = one.ask(what, members);
        assertEquals("event " + i, seen.get("crash"), other.ask(what, members).get("crash"));
        if (one.ask("focus", "{}").get("home").getAsBoolean()) {
          one.ask("start", "{}");
          other.ask("start", "{}");
        }
        assertEquals("after event " + i, one.xml(), other.xml());
      }
      assertTrue(other.ask("mutants", "{}").get("reached").getAsJsonObject().size() > 0);
    }
  }

  @Test
  public void oneThatIsOnIsSetOffAndCountedAndGoesWithTheNextChoice() throws Exception {
    JsonObject list = JsonParser.parseString(Files.readString(woven.resolve("mutants.json"))).getAsJsonObject();
    int count = -1;
    for (JsonElement each : list.get("mutants").getAsJsonArray()) {
      JsonObject mutant = each.getAsJsonObject();
      if (mutant.get("operator").getAsString().equals("lost-count") && mutant.get("class").getAsString().endsWith("MainActivity")) {
        count = mutant.get("number").getAsInt();
      }
    }
    assertTrue("no counter in the app", count >= 0);
    try (Client host = new Client(woven)) {
      long began = 0;
      for (int round = 0; round < 2; round++) {
        host.ask("mutants", "{'on':[" + (round == 0 ? count : "") + "]}");
        long now = host.ask("focus", "{}").get("time").getAsLong();
        assertEquals(round == 0 ? now : began, now);
        began = now;
        host.ask("start", "{}");
        host.tap("Count");
        host.tap("Count");
        assertEquals(round == 0 ? "touches 0" : "touches 2", host.node("status").get("text"));
        JsonObject counts = host.ask("mutants", "{}");
        assertEquals(2, counts.get("differed").getAsJsonObject().get(String.valueOf(count)).getAsInt());
      }
      JsonObject refused = host.line("{\"id\":99,\"do\":\"mutants\",\"on\":[\"many\"]}");
      assertEquals("\"on\": numbers of mutants, not many", refused.get("error").getAsString());
    }
  }
}
