package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.Test;

/** The host with the app of src/test/app, over the protocol: what a phone does around an app. */
public class HostIT extends TrialPhone {
  private static void fresh() throws Exception {
    phone.ask("clear", "{}");
    phone.ask("start", "{}");
    assertEquals("fresh", status());
  }

  /** Left, top, right and bottom of the window in front. */
  private static int[] window() throws Exception {
    // That of the first widget.
    return Client.sides(phone.xml().split("bounds=\"")[1].split("\"")[0]);
  }

  @Test
  public void tapsReachTheApp() throws Exception {
    fresh();
    String[][] rows = {
      {"Count", "touches 1"}, {"Later", "later"}, {"Work", "sum 5050"}, {"Time", "year 2024"},
      {"Greet", "Good day day"}, {"Kept", "is gone"}, {"Keep", "is gone"}, {"Kept", "is kept"},
    };
    for (String[] row : rows) {
      phone.tap(row[0]);
      assertEquals(row[0], row[1], status());
    }
  }

  /** Both ways to take a picture show the same, on a plain page, below a dialog and with pictures in all colours. */
  @Test
  public void aFrameIsWhatAScreenshotShows() throws Exception {
    fresh();
    for (String page : List.of("Count", "Dialog", "World")) {
      phone.tap(page);
      byte[] png = Base64.getDecoder().decode(phone.ask("screenshot", "{}").get("png").getAsString());
      BufferedImage shown = ImageIO.read(new ByteArrayInputStream(png));
      Qoi frame = Qoi.read(Base64.getDecoder().decode(phone.ask("frame", "{}").get("qoi").getAsString()));
      assertEquals(page, shown.getWidth(), frame.width);
      assertEquals(page, shown.getHeight(), frame.height);
      int[] pixels = shown.getRGB(0, 0, frame.width, frame.height, null, 0, frame.width);
      for (int at = 0; at < pixels.length; at++) {
        assertEquals(page + ", pixel " + at, pixels[at] & 0xffffff, frame.pixels[at]);
      }
      if (page.equals("Dialog")) {
        phone.tap("YES");
      }
    }
  }

  @Test
  public void aDialogStandsInTheMiddle() throws Exception {
    fresh();
    int[] page = window();
    phone.tap("Dialog");
    int[] dialog = window();
    String seen = Arrays.toString(dialog);
    assertTrue(seen, dialog[0] > 0 && dialog[1] > 0);
    // The lab has no bars, so that the middle is that of the screen.
    assertEquals(seen, page[2], dialog[0] + dialog[2], 1);
    assertEquals(seen, page[3], dialog[1] + dialog[3], 1);
    phone.tap("YES");
  }

  @Test
  public void windowsOverTheActivityTakeTheInput() throws Exception {
    fresh();
    String[][] rows = {
      {"Dialog", "YES", "yes"}, {"Popup", "Popped", "popped"}, {"More options", "Settings", "option Settings"},
      {"Answer", "FORTY-TWO", "answer 3 42"}, {"Ask", "While using the app", "camera true"},
    };
    for (String[] row : rows) {
      phone.tap(row[0]);
      phone.tap(row[1]);
      assertEquals(row[0], row[2], status());
    }
    phone.tap("Answer");
    phone.ask("key", "{'code':4}");
    assertEquals("answer 3 none", status());
    phone.tap("More options");
    phone.tap("Answer it");
    phone.tap("FORTY-TWO");
    assertTrue("an item of another activity's own", phone.xml().contains("text=\"Count\""));
    phone.press("Context");
    phone.tap("Choice");
    assertEquals("context Choice", status());
  }

  @Test
  public void otherAppsAnswer() throws Exception {
    fresh();
    phone.tap("Pick");
    assertTrue(phone.ask("focus", "{}").get("outside").getAsBoolean());
    assertFalse("only what was asked for", phone.xml().contains("Picture.png"));
    phone.tap("Notes.txt");
    assertEquals("picked Milk", status());
    phone.tap("Pick");
    phone.ask("key", "{'code':4}");
    assertEquals("picked none", status());
  }

  /** The screens of other apps, and the rows behind them: with permission, without it, and after the data was cleared. */
  @Test
  public void theRestOfThePhoneAnswers() throws Exception {
    fresh();
    phone.tap("World");
    String[][] before = {
      {"Card", "mounted 2 true true"}, {"People", "SecurityException"}, {"Today", "SecurityException"},
      {"Store", "Pictures/Trial/ 3"}, {"Pictures", "mine.png"},
    };
    for (String[] row : before) {
      phone.tap(row[0]);
      assertEquals("without permission, " + row[0], row[1], status());
    }
    phone.tap("Permit");
    for (int i = 0; i < 3; i++) {
      phone.tap("permission_allow_button");
    }
    String[][] after = {
      {"People", "Ada Lovelace, Alan Turing, Grace Hopper"}, {"Add", "added"},
      {"People", "Ada Lovelace, Alan Turing, Bob Back, Grace Hopper"}, {"Whose", "Alan Turing"},
      {"Today", "Dentist, Lunch with Ada"}, {"Pictures", "Drawing.png, IMG_20240301_101500.jpg, IMG_20240302_174233.jpg, mine.png"},
    };
    for (String[] row : after) {
      phone.tap(row[0]);
      assertEquals("with permission, " + row[0], row[1], status());
    }
    String[][] screens = {
      {"Photo", "Drawing.png", "Drawing.png"}, {"Event", "Save", "address content://com.android.calendar/events/4"},
      {"Person", "Save", "Eve Trial"},
      {"Document", "DCIM/Camera/IMG_20240301_101500.jpg", "IMG_20240301_101500.jpg"},
      {"Folder", "Download", "address content://com.android.externalstorage.documents/tree/primary%3ADownload"},
    };
    for (String[] row : screens) {
      phone.tap(row[0]);
      phone.tap(row[1]);
      assertEquals(row[0], row[2], status());
    }
    phone.tap("Share");
    assertTrue(phone.xml().contains("text=\"Send it\""));
    phone.tap("Notes");
    assertEquals("Hello", phone.node("text").get("text"));
    phone.tap("Save");
    assertEquals("a shared text has no answer", "result 1 0", status());
    phone.tap("Dial");
    assertEquals("12345", phone.node("digits").get("text"));
    phone.ask("key", "{'code':4}");
    phone.tap("Browse");
    assertEquals("https://example.org/page", phone.node("url_bar").get("text"));
    phone.ask("key", "{'code':4}");
    fresh();
    phone.tap("World");
    phone.tap("Number");
    assertFalse("what an app has added goes with its data", phone.xml().contains("Eve Trial"));
    phone.tap("Ada Lovelace\n+1 555-0101");
    assertEquals("what was picked may be read without the permission", "+1 555-0101", status());
  }

  @Test
  public void pagesAreShownPlainly() throws Exception {
    fresh();
    phone.tap("World");
    phone.tap("Page");
    assertEquals("A page at page.html", status());
    assertEquals("android.webkit.WebView", phone.node("A page").get("class"));
    String[][] parts = {
      {"Heading", "android.view.View"}, {"First words and", "android.widget.TextView"}, {"a link", "android.view.View"},
      {"• Two", "android.widget.TextView"}, {"apple", "android.widget.EditText"}, {"Find", "android.widget.Button"},
    };
    for (String[] part : parts) {
      assertEquals(part[0], part[1], phone.node(part[0]).get("class"));
    }
    assertEquals("true", phone.node("a link").get("clickable"));
    phone.tap("Away");
    assertEquals("away to https://example.org/away", status());
    phone.tap("apple");
    phone.ask("text", "{'text':'s'}");
    // The first Back takes the keyboard away.
    phone.ask("key", "{'code':4}");
    phone.tap("Find");
    assertEquals("away to https://example.org/find?h=1&q=apples", status());
    phone.tap("a link");
    assertEquals("Other page at other.html#there after another", status());
    phone.ask("key", "{'code':4}");
    assertEquals("A page at page.html", status());
    phone.tap("Nowhere");
    assertTrue(phone.xml().contains("net::ERR_FILE_NOT_FOUND"));
    assertEquals("Webpage not available at missing.html after another", status());
  }

  /** What adb brings is there, at once and after the data was cleared, and what the app makes of it is not. */
  @Test
  public void whatComesFromOutsideIsThereAgain() throws Exception {
    phone.ask("write-file", "{'path':'Pictures/brought.txt','bytes':'YWJj'}");
    phone.ask("write-file", "{'path':'Pictures/brought.txt','bytes':'ZGVm','append':true}");
    phone.ask("content", "{'verb':'insert','uri':'content://com.android.contacts/raw_contacts','bind':'sourceid:s:x'}");
    String id = phone.ask("content", "{'verb':'query','uri':'content://com.android.contacts/raw_contacts','projection':'_id','where':'sourceid is not null'}")
        .get("lines").getAsJsonArray().get(0).getAsString().replaceAll(".*_id=", "");
    phone.ask("content", "{'verb':'insert','uri':'content://com.android.contacts/data','bind':'raw_contact_id:i:" + id
        + "\\u0000mimetype:s:vnd.android.cursor.item/name\\u0000data1:s:Brought Along'}");
    for (int i = 0; i < 2; i++) {
      fresh();
      assertEquals("YWJjZGVm", phone.ask("read-file", "{'path':'Pictures/brought.txt'}").get("bytes").getAsString());
      assertTrue(phone.ask("files", "{}").get("files").toString().contains("\"path\":\"Pictures/brought.txt\""));
      // The shell sees what the app has no permission for yet.
      String media = phone.ask("content", "{'verb':'query','uri':'content://media/external/images/media','projection':'_display_name'}").get("lines").toString();
      assertTrue(media, media.contains("IMG_20240301_101500.jpg"));
      phone.tap("World");
      phone.tap("Permit");
      phone.tap("permission_allow_button");
      phone.tap("permission_allow_button");
      phone.tap("permission_allow_button");
      phone.tap("Add");
      String people = phone.ask("content", "{'verb':'query','uri':'content://com.android.contacts/contacts','projection':'display_name'}").get("lines").toString();
      assertTrue(people, people.contains("Brought Along") && people.contains("Bob Back"));
    }
    phone.ask("remove-file", "{'path':'Pictures/brought.txt'}");
    phone.ask("content", "{'verb':'delete','uri':'content://com.android.contacts/raw_contacts','where':'sourceid is not null'}");
    fresh();
    assertFalse(phone.ask("files", "{}").get("files").toString().contains("brought"));
    JsonObject refused = phone.line("{\"id\":1,\"do\":\"read-file\",\"path\":\"../../secret\"}");
    assertTrue(refused.get("error").getAsString().contains("outside of the storage"));
  }

  @Test
  public void permissionsAreNotAskedForAThirdTime() throws Exception {
    fresh();
    for (int i = 0; i < 2; i++) {
      phone.tap("Ask");
      assertTrue(phone.xml().contains("Allow Trial to take pictures and record video?"));
      phone.tap("permission_deny_button");
      assertEquals("camera false", status());
    }
    phone.tap("Count");
    phone.tap("Ask");
    assertEquals("camera false", status());
    phone.ask("clear", "{}");
    phone.ask("start", "{}");
    phone.tap("Ask");
    phone.tap("Only this time");
    assertEquals("camera true", status());
  }

  @Test
  public void servicesRunInTheProcess() throws Exception {
    fresh();
    phone.tap("Serve");
    phone.tap("Count");
    assertEquals("started and ended", "touches 72", status());
  }

  @Test
  public void anAppThatExitsIsNoCrash() throws Exception {
    fresh();
    JsonObject answer = phone.tap("Exit");
    assertEquals(null, answer.get("crash"));
    assertTrue(phone.ask("focus", "{}").get("home").getAsBoolean());
    fresh();
  }

  @Test
  public void textGoesToTheEditorInFocus() throws Exception {
    fresh();
    phone.tap("entry");
    assertTrue(phone.ask("focus", "{}").get("keyboard").getAsBoolean());
    phone.ask("text", "{'text':'typed'}");
    assertEquals("typed", phone.node("entry").get("text"));
    phone.ask("key", "{'code':67,'times':3}");
    assertEquals("ty", phone.node("entry").get("text"));
    assertTrue(phone.ask("commit", "{'text':'né \uD83D\uDE00','instead':true}").get("done").getAsBoolean());
    phone.ask("key", "{'code':4}");
    JsonObject focus = phone.ask("focus", "{}");
    assertFalse("Back takes the keyboard away", focus.get("keyboard").getAsBoolean());
    assertEquals("org.droidmux.trial.MainActivity", focus.get("activity").getAsString());
  }

  @Test
  public void aPanelGoesWithTheWindowItBelongsTo() throws Exception {
    fresh();
    phone.press("Popup");
    assertTrue(phone.xml().contains("\"Panel\""));
    phone.ask("rotate", "{'to':1}");
    assertFalse("its activity was made anew", phone.xml().contains("\"Panel\""));
    phone.ask("rotate", "{'to':0}");
    phone.tap("Count");
    assertTrue("touches go to the new one", status().endsWith("touches 1"));
  }

  @Test
  public void stateIsSavedAndStaticsAreNot() throws Exception {
    fresh();
    phone.tap("Count");
    phone.tap("Count");
    phone.ask("rotate", "{'to':1}");
    assertEquals("restored touches 2", status());
    phone.ask("rotate", "{'to':0}");
    phone.ask("key", "{'code':3}");
    phone.ask("kill", "{}");
    phone.ask("start", "{}");
    assertEquals("restored restored restored touches 2", status());
    phone.tap("Count");
    assertEquals("a new process", "touches 1", status());
    phone.press("Work");
    phone.tap("Work");
    assertEquals("behind a task that does not end", "touches 1", status());
    phone.ask("stop", "{}");
    phone.ask("start", "{}");
    phone.tap("Work");
    assertEquals("a new process has a queue of its own", "sum 5050", status());
    phone.ask("stop", "{}");
    phone.ask("start", "{}");
    assertEquals("fresh", status());
  }

  /** What cannot be parcelled stays where the process stays, and fails where the state goes to the system. */
  @Test
  public void stateThatCannotLeaveItsProcessIsKeptWhenThePhoneIsTurned() throws Exception {
    fresh();
    phone.press("Count");
    JsonObject turned = phone.ask("rotate", "{'to':1}");
    assertFalse(turned.has("crash"));
    assertEquals("the very one", status());
    phone.ask("rotate", "{'to':0}");
    String crash = phone.ask("key", "{'code':3}").get("crash").getAsString();
    assertTrue(crash, crash.contains("Parcel: unknown type for value java.lang.Object"));
    fresh();
  }

  /** Keys of the phone's key store are found in later processes, and go with the app's data. */
  @Test
  public void theKeyStoreKeepsKeys() throws Exception {
    phone.ask("clear", "{}");
    String[][] rows = {
      {"Encrypt", "done"}, {"Decrypt", "it is a secret"}, {"stop", null}, {"Decrypt", "it is a secret"}, {"Sign", "true"},
      {"Names", "[pair, secret]"}, {"Locked", "InvalidAlgorithmParameterException"}, {"clear", null}, {"Names", "[]"},
      {"Decrypt", "NullPointerException"},
    };
    phone.ask("start", "{'activity':'org.droidmux.trial.KeysActivity'}");
    for (String[] row : rows) {
      if (row[1] == null) {
        phone.ask(row[0], "{}");
        phone.ask("start", "{'activity':'org.droidmux.trial.KeysActivity'}");
      } else {
        phone.tap(row[0]);
        assertEquals(row[0] + ": " + row[1], status());
      }
    }
  }

  /** What an app does about exceptions ends with its process, and does nothing to the next one. */
  @Test
  public void handlersOfExceptionsEndWithTheirProcess() throws Exception {
    fresh();
    phone.ask("log", "{'clear':true}");
    for (int i = 0; i < 3; i++) {
      phone.press("Crash behind");
      phone.ask("stop", "{}");
      phone.ask("start", "{}");
      assertEquals("fresh", status());
    }
    assertFalse(phone.ask("log", "{}").get("lines").toString().contains("saw"));
    phone.press("Crash behind");
    String crash = phone.tap("Crash behind").get("crash").getAsString();
    assertTrue(crash, crash.startsWith("FATAL EXCEPTION: worker"));
  }

  /** Nor is there anybody left who goes on with its tasks. */
  @Test
  public void tasksEndWithTheirProcess() throws Exception {
    fresh();
    phone.ask("log", "{'clear':true}");
    for (int i = 0; i < 3; i++) {
      phone.tap("Queue");
      phone.ask("stop", "{}");
      phone.ask("start", "{}");
      phone.ask("idle", "{'ms':6000}");
    }
    assertFalse(phone.ask("log", "{}").get("lines").toString().contains("done"));
    phone.tap("Queue");
    phone.ask("idle", "{'ms':21000}");
    String log = phone.ask("log", "{}").get("lines").toString();
    assertEquals("those of a process that goes on: " + log, 5, log.split("done", -1).length);
    fresh();
  }

  @Test
  public void theSystemsClassLoaderHasThePhonesFramework() throws Exception {
    fresh();
    phone.press("Queue");
    assertEquals("level 34, true", status());
  }

  @Test
  public void settingsReachTheApp() throws Exception {
    fresh();
    phone.ask("set", "{'night':true,'locale':'de-rDE'}");
    phone.tap("Greet");
    assertEquals("Guten Tag night", status());
    String log = phone.ask("log", "{}").get("lines").toString();
    assertTrue(log.contains("told of android.intent.action.LOCALE_CHANGED"));
    phone.ask("set", "{'night':false,'locale':'en-rUS'}");
  }

  @Test
  public void crashesAndHangsEndTheProcess() throws Exception {
    fresh();
    String crash = phone.tap("Crash").get("crash").getAsString();
    assertTrue(crash, crash.startsWith("FATAL EXCEPTION: main\nProcess: org.droidmux.trial, PID: "));
    assertTrue(crash, crash.contains("java.lang.IllegalStateException: on purpose"));
    assertTrue(phone.ask("focus", "{}").get("home").getAsBoolean());
    fresh();
    assertTrue(phone.tap("Crash behind").get("crash").getAsString().startsWith("FATAL EXCEPTION: worker"));
    fresh();
    assertTrue(phone.tap("Hang").get("not-responding").getAsString().contains("MainActivity"));
    fresh();
  }

  @Test
  public void aRequestThatHangsIsToldOfWithTheStacksOfAllThreads() throws Exception {
    Map<String, String> hasty = Map.of("JAVA_TOOL_OPTIONS", "-Ddroidmux.hang.seconds=2");
    try (Client host = new Client(hasty, Client.built(Path.of("src/test/app"), "trial"))) {
      host.ask("start", "{}");
      host.tap("Hang");
      // On a busy computer the start takes long as well.
      List<JsonObject> taps =
          host.told().stream().filter(line -> line.get("hung").getAsString().equals("tap")).toList();
      assertFalse(host.told().toString(), taps.isEmpty());
      String stacks = taps.get(0).get("stacks").getAsString();
      assertTrue(stacks, stacks.startsWith("\"SDK 34 Main Thread\" ") && stacks.contains("MainActivity"));
      assertTrue(stacks, stacks.contains("\"Finalizer\" "));
    }
  }

  @Test
  public void anAnswerBringsWhatCameOfIt() throws Exception {
    fresh();
    JsonObject seen = phone.ask("key", "{'code':82,'look':0}").getAsJsonObject("seen");
    assertEquals(phone.xml(), seen.get("xml").getAsString());
    JsonObject log = phone.ask("log", "{}");
    assertEquals(log.get("lines"), seen.get("lines"));
    assertEquals(log.get("next"), seen.get("next"));
    for (Map.Entry<String, JsonElement> each : phone.ask("focus", "{}").entrySet()) {
      if (!each.getKey().equals("id") && !each.getKey().equals("ok")) {
        assertEquals(each.getKey(), each.getValue(), seen.get(each.getKey()));
      }
    }
    phone.ask("key", "{'code':4}");
    int[] at = Client.middle(phone.node("Crash"));
    JsonObject crashed = phone.ask("tap", "{'x':" + at[0] + ",'y':" + at[1] + ",'look':0}");
    assertTrue(crashed.has("crash"));
    assertTrue(crashed.getAsJsonObject("seen").get("home").getAsBoolean());
    assertFalse("nobody dumps the home screen", crashed.getAsJsonObject("seen").has("xml"));
    fresh();
  }

  @Test
  public void threadsAreWaitedFor() throws Exception {
    phone.ask("clear", "{}");
    phone.ask("start", "{'activity':'org.droidmux.trial.PaceActivity'}");
    phone.tap("Spin");
    assertEquals("spun", status());
    phone.tap("Spin behind");
    assertEquals("spun spun", status());
    phone.tap("Sleep");
    assertEquals("spun spun 0 1 2 3 4 5 6 7 8 9", status());
    phone.tap("Join");
    assertTrue(status(), status().endsWith(" joined"));
    phone.tap("Timer");
    assertTrue(status(), status().endsWith(" joined tick tick tick"));
    phone.tap("Endless");
    long begun = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      phone.tap("Count");
    }
    long seconds = (System.nanoTime() - begun) / 1_000_000_000L;
    assertTrue("an endless thread is waited for once: " + seconds + " s", seconds < 10);
    assertTrue(status(), status().endsWith("..."));
    fresh();
  }

  private static void pace() throws Exception {
    phone.ask("clear", "{}");
    phone.ask("start", "{'activity':'org.droidmux.trial.PaceActivity'}");
  }

  /** Threads, pools, loopers and those that they start, each with less to do than the one before. */
  @Test
  public void threadsRunOneAfterTheOther() throws Exception {
    pace();
    for (int i = 0; i < 3; i++) {
      phone.tap("Race");
      phone.ask("idle", "{'ms':500}");
    }
    String once = " abcdefghijkl|mnopqrst";
    assertEquals(once + once + once, status());
    pace();
    phone.tap("Interrupt");
    assertEquals(" main0123", status());
  }

  @Test
  public void nobodyWaitsForATurnForEver() throws Exception {
    pace();
    long begun = System.nanoTime();
    phone.tap("Wait for");
    assertEquals(" got taken", status());
    phone.tap("Crossed");
    assertEquals(" got taken true", status());
    long seconds = (System.nanoTime() - begun) / 1_000_000_000L;
    assertTrue("who waits for the main thread is not waited for by it: " + seconds + " s", seconds < 5);
  }

  @Test
  public void theFrameworkSeesThePhonesClock() throws Exception {
    pace();
    phone.tap("Clocks");
    assertEquals("2024-03-05 2024-2-5 true 2 hours ago 10h true true", status());
    pace();
    phone.tap("Stored");
    assertTrue(status(), status().matches("now 2024-03-05 10:[0-5][0-9]:[0-5][0-9] 2024-03-05 \\+3"));
  }

  @Test
  public void waitsGoByThePhonesClock() throws Exception {
    pace();
    phone.tap("Limits");
    phone.ask("idle", "{'ms':2000}");
    assertEquals(" 100wait 200null 1000false 40false 56false 60late 70true", status());
    pace();
    phone.tap("Main limits");
    assertEquals(" 300null", status());
    pace();
    phone.tap("Schedule");
    phone.ask("idle", "{'ms':500}");
    // Where something else is due just before, a thread wakes with it, up to 3 ms late.
    String late = " 24h 4[0-3]delay 5[0-3]rate 12[0-3]once 15[0-3]rate 17[0-3]delay 25[0-3]rate";
    assertTrue(status(), status().matches(late));
  }

  /** Nobody waits in real time for what is due: the host would be taken for one that hangs. */
  @Test
  public void whatIsScheduledCostsNoTime() throws Exception {
    pace();
    phone.tap("Seldom");
    phone.ask("idle", "{'ms':60000}");
    phone.ask("idle", "{'ms':60000}");
    assertEquals(" 40 80 120", status());
  }

  @Test
  public void aPoolHasMoreCoreThreadsThanThreadsAsOnPhones() throws Exception {
    pace();
    phone.tap("Grow");
    assertEquals("grown to 4", status());
  }

  @Test
  public void aPageThatHasJustComeIsWaitedFor() throws Exception {
    pace();
    for (int i = 0; i < 12; i++) {
      phone.tap("Move on");
      assertFalse(phone.ask("focus", "{}").get("window").getAsString().isEmpty());
    }
  }

  @Test
  public void theSameInputGivesTheSameScreens() throws Exception {
    String[] runs = new String[2];
    for (int run = 0; run < runs.length; run++) {
      fresh();
      StringBuilder seen = new StringBuilder();
      for (String each : new String[] {"Count", "Work", "Later", "Popup", "Popped", "entry"}) {
        phone.tap(each);
        seen.append(phone.xml());
      }
      runs[run] = seen.toString();
    }
    assertEquals(runs[0], runs[1]);
  }

  @Test
  public void whatIsNoRequestIsAnswered() throws Exception {
    String[][] rows = {
      {"nonsense", "a request is an object"}, {"[1]", "a request is an object"},
      {"{'do':'tap'}", "a request has a number \"id\""}, {"{'id':1}", "a request has a word \"do\""},
      {"{'id':1,'do':'dance'}", "\"dance\": no such request"}, {"{'id':1,'do':'tap'}", "\"x\": a number is missing"},
      {"{'id':1,'do':'tap','x':-1,'y':0}", "\"x\": a whole number from 0 to 1079"},
      {"{'id':1,'do':'key','code':67,'times':0}", "\"times\": a whole number from 1 to 1000"},
      {"{'id':1,'do':'set','locale':'../x'}", "\"locale\": like en-rUS, not ../x"},
      {"{'id':1,'do':'text','text':'é'}", "\"text\": no key types U+e9; use \"commit\""},
      {"{'id':1,'do':'tap','x':{},'y':0}", "\"x\": a string, a number, a truth value or a list"},
      {"x".repeat(1 << 21), "a line of more than 1048576 bytes"},
    };
    for (String[] row : rows) {
      JsonObject answer = phone.line(row[0].replace('\'', '"'));
      assertFalse(answer.get("ok").getAsBoolean());
      assertEquals(row[1], answer.get("error").getAsString());
    }
    fresh();
  }

  @Test
  public void whatCannotBeLoadedIsToldInASentence() throws Exception {
    Path app = Client.built(Path.of("src/test/app"), "trial");
    Path resources = app.resolve("resources.apk");
    Path classes = app.resolve("classes.jar");
    Path no = Files.writeString(Path.of("target/it/no"), "no archive");
    Object[][] rows = {
      {Path.of("target/it/nowhere"), "target/it/nowhere: no such app"},
      {folder("empty", null, null), "target/it/empty: neither a folder made by build-app or translate (resources.apk, *.jar)"},
      {folder("no-code", resources, null), "target/it/no-code: no jar with the app's classes"},
      {folder("no-apk", no, classes), "target/it/no-apk/resources.apk: no archive of resources: "},
      {folder("no-jar", resources, no), "target/it/no-jar/classes.jar: no jar: "},
      {folder("no-manifest", classes, classes), "target/it/no-manifest/resources.apk: holds no AndroidManifest.xml"},
      {changed("no-launcher", "AndroidManifest.xml", "android.intent.category.LAUNCHER", "org.droidmux.NONE"),
        "resources.apk: the manifest of org.droidmux.trial has no launcher activity"},
      {changed("no-activity", "AndroidManifest.xml", ".MainActivity", ".Gone"),
        "resources.apk: the manifest names the activity org.droidmux.trial.Gone, which is not in "},
      {changed("no-provider", "AndroidManifest.xml", ".TrialProvider", ".Gone"),
        "resources.apk: the manifest names the provider org.droidmux.trial.Gone, which is not in "},
      {changed("throws", "src/org/droidmux/trial/TrialProvider.java", "created = true", "created = false"),
        "resources.apk: the app ends as it starts: java.lang.IllegalStateException: the provider comes first, at "
            + "org.droidmux.trial.TrialApplication.onCreate(TrialApplication.java:"},
    };
    for (Object[] row : rows) {
      String told = Client.refused((Path) row[0]);
      assertTrue(told, told.contains((String) row[1]) && !told.contains("\n"));
    }
  }

  /** A folder as build-app makes them, of other files. */
  private static Path folder(String name, Path resources, Path classes) throws Exception {
    Path folder = Files.createDirectories(Path.of("target/it", name));
    if (resources != null) {
      Files.copy(resources, folder.resolve("resources.apk"), StandardCopyOption.REPLACE_EXISTING);
    }
    if (classes != null) {
      Files.copy(classes, folder.resolve("classes.jar"), StandardCopyOption.REPLACE_EXISTING);
    }
    return folder;
  }

  /** The tests' app with other words in one of its files. */
  static Path changed(String name, String file, String from, String to) throws Exception {
    Path source = Path.of("src/test/app");
    Path copy = Path.of("target/it", name + "-source");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        Path target = copy.resolve(source.relativize(each));
        Files.createDirectories(target.getParent());
        Files.copy(each, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    String text = Files.readString(copy.resolve(file));
    assertTrue(file + " has no " + from, text.contains(from));
    Files.writeString(copy.resolve(file), text.replace(from, to));
    return Client.built(copy, name);
  }

  @Test
  public void anActivityKnowsItsFocusAndWhoCalledIt() throws Exception {
    fresh();
    phone.tap("entry");
    phone.tap("Focus");
    assertEquals("focus true", status());
    phone.tap("Answer");
    phone.ask("key", "{'code':4}");
    phone.ask("start", "{'activity':'org.droidmux.trial.AnswerActivity'}");
    String log = phone.ask("log", "{}").get("lines").toString();
    assertTrue(log, log.contains("called by ComponentInfo{org.droidmux.trial/org.droidmux.trial.MainActivity}"));
    assertTrue(log, log.contains("called by null"));
  }

  /** Whatever asks for a temporary file, it lies in the host's own folder, which goes with the host. */
  @Test
  public void nothingIsLeftInTheTemporaryFolder() throws Exception {
    Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/it")), "tmp").toAbsolutePath();
    Map<String, String> environment = Map.of("TMPDIR", folder.toString());
    Path app = Client.built(Path.of("src/test/app"), "trial");
    Client killed = new Client(environment, app);
    killed.ask("start", "{}");
    killed.kill();
    assertEquals("what was killed leaves its folder", 1, names(folder).size());
    // Those that droidmux makes for its hosts are droidmux's to take away, however long they have been there.
    Path ofLab = Files.createDirectory(folder.resolve("droidmux-host-0123456789abcdef"));
    Files.setLastModifiedTime(ofLab, FileTime.from(Instant.now().minus(Duration.ofDays(1))));
    try (Client next = new Client(environment, app)) {
      next.ask("start", "{}");
      next.ask("clear", "{}");
      Files.delete(ofLab);
      assertEquals("which the next one takes away", 1, names(folder).size());
      assertTrue(names(folder).toString(), names(folder).get(0).startsWith("droidmux-jvm-"));
      List<String> own = names(folder.resolve(names(folder).get(0)));
      assertTrue(own.toString(), own.stream().noneMatch(name -> name.contains("ended")));
    }
    assertEquals(List.of(), names(folder));
    Files.delete(folder);
  }

  private static List<String> names(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** As Gradle's unit tests leave a module: resources named relative to the project, and a class path. */
  @Test
  public void aModuleOfGradleStarts() throws Exception {
    Path app = Client.built(Path.of("src/test/app"), "trial");
    Path module = Path.of("target/it/module");
    Path config = Files.createDirectories(module.resolve("com/android/tools"));
    Files.copy(
        app.resolve("resources.apk"), module.resolve("apk-for-local-test.ap_"), StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(
        config.resolve("test_config.properties"), "android_resource_apk=apk-for-local-test.ap_\n");
    try (Client loaded = new Client(module, "--class-path", app.resolve("classes.jar").toString())) {
      loaded.ask("start", "{}");
      assertEquals("fresh", loaded.node("status").get("text"));
    }
    assertTrue(Client.refused(module).contains("name it with --class-path"));
  }

  /** The two real apps, where they are. */
  @Test
  public void realAppsStart() throws Exception {
    String corpus = System.getenv().getOrDefault("DROIDMUX_CORPUS", "../../shared/data");
    Path apps = Path.of(corpus, "apps");
    assumeTrue("skipped: no apps in " + apps + "; set DROIDMUX_CORPUS", Files.isDirectory(apps));
    String[][] rows = {{"NotePad", "New note"}, {"shorty", "Station name"}};
    for (String[] row : rows) {
      try (Client real = new Client(Client.built(apps.resolve(row[0]), row[0]))) {
        real.ask("start", "{}");
        assertTrue(row[0], real.xml().contains(row[1]));
      }
    }
  }
}
