package org.droidmux.framework.device;

import android.content.Intent;
import android.net.Uri;

/** The phone's keypad with a number in it, and a call that can be ended. */
final class DiallerScreen {
  private DiallerScreen() {}

  static void show(OutsideActivity screen) {
    Uri data = screen.getIntent().getData();
    String number = data == null ? "" : String.valueOf(data.getSchemeSpecificPart());
    if (Intent.ACTION_CALL.equals(screen.getIntent().getAction())) {
      call(screen, number);
    } else {
      screen.addField("Number", number, OtherApp.id("digits"));
      screen.addButton("Call", OtherApp.id("call"), () -> call(screen, number));
    }
  }

  private static void call(OutsideActivity screen, String number) {
    screen.clear();
    screen.addText("Calling " + number, OtherApp.id("digits"));
    screen.addButton("End call", OtherApp.id("end_call"), screen::finish);
  }
}
