package org.droidmux.trial;

import android.content.ContentProviderOperation;
import android.content.ContentResolver;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.Environment;
import android.provider.CalendarContract;
import android.provider.ContactsContract;
import android.provider.MediaStore;
import android.util.Log;
import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** What an app does with the rest of the phone. */
public final class WorldActivity extends ButtonPage {
  private static final Uri PHONES = ContactsContract.CommonDataKinds.Phone.CONTENT_URI;

  private interface Task {
    String run() throws Exception;
  }


  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    status.setText("fresh");
    task("Page", () -> {
      startActivity(new Intent(this, PageActivity.class));
      return "shown";
    });
    asks("Share", 1, Intent.createChooser(new Intent(Intent.ACTION_SEND).setType("text/plain").putExtra(Intent.EXTRA_TEXT, "Hello"), "Send it"));
    asks("Number", 2, new Intent(Intent.ACTION_PICK, PHONES));
    asks("Photo", 3, new Intent(MediaStore.ACTION_PICK_IMAGES));
    asks("Dial", 4, new Intent(Intent.ACTION_DIAL, Uri.parse("tel:12345")));
    asks("Browse", 5, new Intent(Intent.ACTION_VIEW, Uri.parse("https://example.org/page")));
    asks("Folder", 6, new Intent(Intent.ACTION_OPEN_DOCUMENT_TREE));
    asks("Event", 7, new Intent(Intent.ACTION_INSERT, CalendarContract.Events.CONTENT_URI)
        .putExtra("title", "Trial").putExtra(CalendarContract.EXTRA_EVENT_BEGIN_TIME, 1_709_720_000_000L));
    asks("Person", 8, new Intent(ContactsContract.Intents.Insert.ACTION, ContactsContract.Contacts.CONTENT_URI)
        .putExtra("name", "Eve Trial").putExtra("phone", "0123"));
    asks("Document", 10, new Intent(Intent.ACTION_GET_CONTENT).addCategory(Intent.CATEGORY_OPENABLE).setType("image/*"));
    task("People", () -> rows(ContactsContract.Contacts.CONTENT_URI, "display_name", "has_phone_number = 1", "display_name"));
    task("Add", this::add);
    task("Whose", () -> rows(Uri.withAppendedPath(ContactsContract.PhoneLookup.CONTENT_FILTER_URI, "5550102"), "display_name", null, null));
    task("Today", this::today);
    task("Pictures", () -> rows(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, "_display_name", null, "_display_name"));
    task("Store", this::store);
    task("Card", this::card);
    task("Permit", () -> {
      requestPermissions(new String[] {"android.permission.READ_CONTACTS", "android.permission.WRITE_CONTACTS",
          "android.permission.READ_CALENDAR", "android.permission.READ_EXTERNAL_STORAGE"}, 9);
      return "asked";
    });
    showContent();
  }

  private void asks(String text, int request, Intent intent) {
    task(text, () -> {
      startActivityForResult(intent, request);
      return "asked";
    });
  }

  private void task(String text, Task then) {
    button(text, () -> {
      try {
        status.setText(then.run());
      } catch (Exception e) {
        status.setText(e.getClass().getSimpleName());
        Log.w("World", e);
      }
    });
  }

  private String rows(Uri address, String column, String selection, String order) {
    List<String> found = new ArrayList<>();
    try (Cursor rows = getContentResolver().query(address, new String[] {"_id", column}, selection, null, order)) {
      while (rows.moveToNext()) {
        found.add(rows.getString(1));
      }
    }
    return String.join(", ", found);
  }

  private String add() throws Exception {
    ArrayList<ContentProviderOperation> all = new ArrayList<>();
    all.add(ContentProviderOperation.newInsert(ContactsContract.RawContacts.CONTENT_URI).withValue("account_type", null).build());
    all.add(ContentProviderOperation.newInsert(ContactsContract.Data.CONTENT_URI)
        .withValueBackReference("raw_contact_id", 0)
        .withValue("mimetype", ContactsContract.CommonDataKinds.StructuredName.CONTENT_ITEM_TYPE)
        .withValue("data1", "Bob Back").build());
    all.add(ContentProviderOperation.newInsert(ContactsContract.Data.CONTENT_URI)
        .withValueBackReference("raw_contact_id", 0)
        .withValue("mimetype", ContactsContract.CommonDataKinds.Phone.CONTENT_ITEM_TYPE)
        .withValue("data1", "77").build());
    getContentResolver().applyBatch(ContactsContract.AUTHORITY, all);
    return "added";
  }

  private String today() {
    Uri.Builder address = CalendarContract.Instances.CONTENT_URI.buildUpon();
    ContentUris.appendId(address, 1_709_596_800_000L);
    ContentUris.appendId(address, 1_709_596_800_000L + 86_400_000L * 2);
    return rows(address.build(), "title", null, "begin ASC");
  }

  private String store() throws Exception {
    ContentValues values = new ContentValues();
    values.put("_display_name", "mine.png");
    values.put("mime_type", "image/png");
    values.put("relative_path", "Pictures/Trial");
    ContentResolver resolver = getContentResolver();
    Uri made = resolver.insert(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, values);
    try (OutputStream out = resolver.openOutputStream(made)) {
      out.write(new byte[] {1, 2, 3});
    }
    try (InputStream in = resolver.openInputStream(made)) {
      return rows(made, "relative_path", null, null) + " " + in.readAllBytes().length;
    }
  }

  private String card() {
    File root = Environment.getExternalStorageDirectory();
    String[] names = new File(root, "DCIM/Camera").list();
    boolean own = String.valueOf(getExternalFilesDir(null)).startsWith(root + "/Android/data/org.droidmux.trial");
    return Environment.getExternalStorageState() + " " + (names == null ? 0 : names.length) + " " + own + " "
        + Environment.getExternalStoragePublicDirectory("Download").exists();
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    Uri address = data == null ? null : data.getData();
    if (address == null) {
      status.setText("result " + request + " " + result);
      return;
    }
    String column = request == 2 ? "data1" : request == 3 || request == 10 ? "_display_name" : request == 8 ? "display_name" : null;
    try {
      status.setText(column == null ? "address " + address : rows(address, column, null, null));
    } catch (SecurityException e) {
      status.setText("address " + address);
    }
  }
}
