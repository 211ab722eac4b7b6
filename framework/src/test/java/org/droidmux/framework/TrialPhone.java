package org.droidmux.framework;

import java.nio.file.Path;
import org.junit.AfterClass;
import org.junit.BeforeClass;

/** What the tests of the trial app have in common: a phone with it, and the line on its pages that says what was done. */
public abstract class TrialPhone {
  static Client phone;

  @BeforeClass
  public static void start() throws Exception {
    phone = new Client(Client.built(Path.of("src/test/app"), "trial"));
  }

  @AfterClass
  public static void end() throws Exception {
    if (phone != null) {
      phone.close();
      phone = null;
    }
  }

  static String status() throws Exception {
    return phone.node("status").get("text");
  }
}
