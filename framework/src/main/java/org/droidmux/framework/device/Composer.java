package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import android.widget.EditText;
import java.util.ArrayList;

/** Notes, messages and mail: what was shared, which can be changed and sent. As on a phone, the sender hears nothing. */
final class Composer {
  private Composer() {}

  static void show(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    screen.addText(screen.app().label(), OtherApp.id("title"));
    String[] to = intent.getStringArrayExtra(Intent.EXTRA_EMAIL);
    String address = to != null && to.length > 0 ? String.join(", ", to) : address(intent.getData());
    if (screen.app() != OtherApp.NOTES) {
      screen.addField("To", address, OtherApp.id("to"));
    }
    String subject = intent.getStringExtra(Intent.EXTRA_SUBJECT);
    if (subject != null || screen.app() == OtherApp.MAIL) {
      screen.addField("Subject", subject == null ? "" : subject, OtherApp.id("subject"));
    }
    CharSequence text = intent.getCharSequenceExtra(Intent.EXTRA_TEXT);
    EditText body = screen.addField("Text", text == null ? "" : text.toString(), OtherApp.id("text"));
    body.setSingleLine(false);
    for (Uri attached : attached(intent)) {
      screen.addText(Documents.nameOf(attached), OtherApp.id("attachment"));
    }
    screen.addButton(
        screen.app() == OtherApp.NOTES ? "Save" : "Send", OtherApp.id("send"),
        () -> {
          screen.setResult(Activity.RESULT_CANCELED);
          screen.finish();
        });
  }

  private static String address(Uri data) {
    String part = data == null ? null : data.getSchemeSpecificPart();
    return part == null ? "" : part.replaceFirst("\\?.*$", "");
  }

  private static ArrayList<Uri> attached(Intent intent) {
    ArrayList<Uri> attached = new ArrayList<>();
    if (intent.getExtras() != null && intent.getExtras().get(Intent.EXTRA_STREAM) instanceof ArrayList<?> several) {
      several.stream().filter(Uri.class::isInstance).map(Uri.class::cast).forEach(attached::add);
    } else if (intent.getExtras() != null && intent.getExtras().get(Intent.EXTRA_STREAM) instanceof Uri one) {
      attached.add(one);
    }
    return attached;
  }
}
