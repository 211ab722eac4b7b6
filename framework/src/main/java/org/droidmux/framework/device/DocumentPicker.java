package org.droidmux.framework.device;

import android.app.Activity;
import android.content.Intent;
import android.net.Uri;
import java.util.Set;

/** The system's pickers: a document is chosen or created, and its address goes back with the right to use it. */
final class DocumentPicker {
  private static final String ID = "org.droidmux.outside:id/";

  private static final Set<String> OPENING =
      Set.of(
          Intent.ACTION_GET_CONTENT, Intent.ACTION_OPEN_DOCUMENT, Intent.ACTION_PICK,
          "android.provider.action.PICK_IMAGES");

  private DocumentPicker() {}

  /** Whether an intent wants a document, one way or the other. What else can be picked has no items here. */
  static boolean isFor(Intent intent) {
    if (Intent.ACTION_CREATE_DOCUMENT.equals(intent.getAction())) {
      return true;
    }
    boolean others = Intent.ACTION_PICK.equals(intent.getAction()) && !ofMedia(intent);
    return OPENING.contains(String.valueOf(intent.getAction())) && !others;
  }

  private static boolean ofMedia(Intent intent) {
    return intent.getData() != null && "media".equals(intent.getData().getAuthority())
        || String.valueOf(intent.getType()).startsWith("image/");
  }

  static void show(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    if (Intent.ACTION_CREATE_DOCUMENT.equals(intent.getAction())) {
      String title = intent.getStringExtra(Intent.EXTRA_TITLE);
      String name = title == null || title.isBlank() ? "Untitled" : title;
      screen.addText(name, ID + "title");
      screen.addButton("Save", ID + "save", () -> answer(screen, Documents.create(name)));
      return;
    }
    boolean pictures = ofMedia(intent) || !Intent.ACTION_GET_CONTENT.equals(intent.getAction())
        && !Intent.ACTION_OPEN_DOCUMENT.equals(intent.getAction());
    Intent wanted = pictures ? new Intent().setType("image/*") : intent;
    screen.addText("Recent", ID + "title");
    for (String name : Documents.taken(wanted)) {
      screen.addButton(name, ID + "item", () -> answer(screen, Documents.address(name)));
    }
  }

  private static void answer(Activity screen, Uri address) {
    Intent data = new Intent().setData(address);
    data.addFlags(
        Intent.FLAG_GRANT_READ_URI_PERMISSION
            | Intent.FLAG_GRANT_WRITE_URI_PERMISSION
            | Intent.FLAG_GRANT_PERSISTABLE_URI_PERMISSION);
    screen.setResult(Activity.RESULT_OK, data);
    screen.finish();
  }
}
