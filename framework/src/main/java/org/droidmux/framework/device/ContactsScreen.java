package org.droidmux.framework.device;

import android.content.ContentUris;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.provider.ContactsContract.CommonDataKinds.Email;
import android.provider.ContactsContract.CommonDataKinds.Phone;
import android.provider.ContactsContract.Contacts;
import android.provider.ContactsContract.Intents.Insert;
import android.widget.EditText;
import java.util.ArrayList;
import java.util.List;

/** The contacts app: somebody, a number or an address is picked; a contact is shown, made or changed. */
final class ContactsScreen {
  private ContactsScreen() {}

  static void show(OutsideActivity screen) {
    switch (String.valueOf(screen.getIntent().getAction())) {
      case Intent.ACTION_PICK, Intent.ACTION_GET_CONTENT -> pick(screen);
      case Intent.ACTION_VIEW, Intent.ACTION_EDIT -> view(screen);
      default -> form(screen);
    }
  }

  private static ContactsProvider contacts() {
    return AppProcess.current().world().contacts();
  }

  private static void pick(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    String type = intent.resolveType(screen.getContentResolver());
    boolean phones = Phone.CONTENT_TYPE.equals(type) || Phone.CONTENT_ITEM_TYPE.equals(type);
    boolean emails = Email.CONTENT_TYPE.equals(type) || Email.CONTENT_ITEM_TYPE.equals(type);
    screen.addText("Contacts", OtherApp.id("title"));
    Uri from = phones ? Phone.CONTENT_URI : emails ? Email.CONTENT_URI : Contacts.CONTENT_URI;
    String[] columns = {"_id", "display_name", "lookup", phones || emails ? "data1" : "has_phone_number"};
    try (Cursor rows = contacts().select(contacts().source(from), columns, null, null, "display_name", "")) {
      while (rows.moveToNext()) {
        long id = rows.getLong(0);
        Uri address =
            phones || emails
                ? ContentUris.withAppendedId(android.provider.ContactsContract.Data.CONTENT_URI, id)
                : ContactsProvider.address(id, rows.getString(2));
        String text = rows.getString(1) + (phones || emails ? "\n" + rows.getString(3) : "");
        screen.addButton(text, OtherApp.id("item"), () -> screen.answer(address));
      }
    }
  }

  private static void view(OutsideActivity screen) {
    Uri data = screen.getIntent().getData();
    TableProvider.Source source = data == null ? null : contacts().source(data);
    if (source == null) {
      pick(screen);
      return;
    }
    try (Cursor row = contacts().select(source, new String[] {"display_name", "contact_id"}, null, null, null, "")) {
      if (!row.moveToFirst()) {
        screen.addText("The contact doesn’t exist.", null);
        return;
      }
      screen.addText(String.valueOf(row.getString(0)), OtherApp.id("title"));
      for (String datum : data(row.getLong(1))) {
        screen.addText(datum, OtherApp.id("datum"));
      }
    }
  }

  private static List<String> data(long contact) {
    List<String> found = new ArrayList<>();
    String chosen = "contact_id = ? AND mimetype IN (?, ?)";
    String[] values = {Long.toString(contact), Phone.CONTENT_ITEM_TYPE, Email.CONTENT_ITEM_TYPE};
    try (Cursor rows =
        contacts().select(new TableProvider.Source("data", null), new String[] {"data1"}, chosen, values, "_id", "")) {
      while (rows.moveToNext()) {
        found.add(rows.getString(0));
      }
    }
    return found;
  }

  /** What was asked for, which can be changed and saved. */
  private static void form(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    screen.addText("Create contact", OtherApp.id("title"));
    EditText name = screen.addField("Name", extra(intent, Insert.NAME), OtherApp.id("name"));
    EditText phone = screen.addField("Phone", extra(intent, Insert.PHONE), OtherApp.id("phone"));
    EditText email = screen.addField("Email", extra(intent, Insert.EMAIL), OtherApp.id("email"));
    screen.addButton(
        "Save", OtherApp.id("save"),
        () -> {
          String called = name.getText().toString();
          List<String> phones = phone.length() == 0 ? List.of() : List.of(phone.getText().toString());
          List<String> emails = email.length() == 0 ? List.of() : List.of(email.getText().toString());
          long id = contacts().add(called, phones, emails);
          screen.getContentResolver().notifyChange(Contacts.CONTENT_URI, null);
          Uri address = ContentUris.withAppendedId(Contacts.CONTENT_URI, id);
          try (Cursor row = contacts().select(contacts().source(address), new String[] {"lookup"}, null, null, null, "")) {
            screen.answer(row.moveToFirst() ? ContactsProvider.address(id, row.getString(0)) : address);
          }
        });
  }

  private static String extra(Intent intent, String name) {
    CharSequence value = intent.getCharSequenceExtra(name);
    return value == null ? "" : value.toString();
  }
}
