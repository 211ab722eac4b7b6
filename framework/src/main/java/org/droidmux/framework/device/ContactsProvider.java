package org.droidmux.framework.device;

import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.provider.ContactsContract;
import android.provider.ContactsContract.CommonDataKinds.Email;
import android.provider.ContactsContract.CommonDataKinds.Phone;
import android.provider.ContactsContract.CommonDataKinds.StructuredName;
import android.provider.ContactsContract.CommonDataKinds.StructuredPostal;
import android.provider.ContactsContract.Contacts;
import android.provider.ContactsContract.Data;
import android.provider.ContactsContract.RawContacts;
import java.util.List;
import java.util.Set;

/**
 * The contacts. Each raw contact is a contact of its own: nothing is joined. What a contact is called, and whether it has a
 * number, is worked out from its data after each change and copied to all rows that tell of it.
 */
final class ContactsProvider extends TableProvider {
  static final String AUTHORITY = ContactsContract.AUTHORITY;

  private static final Set<String> NUMBERS =
      Set.of(
          "contact_id", "raw_contact_id", "has_phone_number", "starred", "times_contacted", "last_time_contacted",
          "in_visible_group", "is_primary", "is_super_primary", "data_version", "version", "deleted", "dirty", "photo_id",
          "photo_file_id", "name_raw_contact_id", "pinned", "send_to_voicemail", "is_user_profile", "group_visible",
          "contact_last_updated_timestamp", "is_read_only", "title_res");

  private static final String[][] SEEDS = {
    {"Ada Lovelace", "+1 555-0101", "ada@example.org"},
    {"Alan Turing", "+1 555-0102", "alan@example.org"},
    {"Grace Hopper", "+1 555-0103", "grace@example.org"},
  };

  /** What a contact's rows tell of it. */
  private static final List<String> SHARED =
      List.of(
          "display_name", "display_name_alt", "display_name_source", "sort_key", "sort_key_alt", "phonebook_label",
          "phonebook_label_alt", "lookup", "has_phone_number", "in_visible_group", "starred", "contact_id");

  ContactsProvider() {
    super("contacts");
  }

  @Override
  String permission(Uri address, boolean write) {
    return write ? "android.permission.WRITE_CONTACTS" : "android.permission.READ_CONTACTS";
  }

  @Override
  void create(SQLiteDatabase database) {
    table(database, "contacts", NUMBERS, SHARED, Contacts.class);
    table(database, "raw_contacts", NUMBERS, SHARED, RawContacts.class, Contacts.class);
    table(database, "data", NUMBERS, SHARED, Data.class, Contacts.class, RawContacts.class);
    table(database, "groups", NUMBERS, List.of(), ContactsContract.Groups.class);
    for (String[] seed : SEEDS) {
      add(database, seed[0], List.of(seed[1]), List.of(seed[2]));
    }
  }

  /** Adds somebody; the number of the contact. */
  long add(String name, List<String> phones, List<String> emails) {
    return add(database(), name, phones, emails);
  }

  private static long add(SQLiteDatabase database, String name, List<String> phones, List<String> emails) {
    long raw = newRaw(database, new ContentValues());
    datum(database, raw, StructuredName.CONTENT_ITEM_TYPE, name, null);
    for (String phone : phones) {
      datum(database, raw, Phone.CONTENT_ITEM_TYPE, phone, Phone.TYPE_MOBILE);
    }
    for (String email : emails) {
      datum(database, raw, Email.CONTENT_ITEM_TYPE, email, Email.TYPE_HOME);
    }
    settle(database);
    return raw;
  }

  private static long newRaw(SQLiteDatabase database, ContentValues values) {
    values.put("deleted", 0);
    values.put("version", 1);
    long raw = database.insertOrThrow("raw_contacts", null, values);
    ContentValues contact = new ContentValues();
    contact.put("_id", raw);
    for (String none : List.of("starred", "times_contacted", "send_to_voicemail", "pinned", "has_phone_number")) {
      contact.put(none, 0);
    }
    contact.put("in_visible_group", 1);
    contact.put("name_raw_contact_id", raw);
    contact.put("contact_id", raw);
    contact.put("lookup", "0r" + raw + "-" + Long.toHexString(0x2a4e00 + raw));
    database.insertOrThrow("contacts", null, contact);
    return raw;
  }

  private static void datum(SQLiteDatabase database, long raw, String type, String value, Integer kind) {
    ContentValues values = new ContentValues();
    values.put("raw_contact_id", raw);
    values.put("mimetype", type);
    values.put("data1", value);
    values.put("data2", kind);
    completed(values);
    database.insertOrThrow("data", null, values);
  }

  /** What a phone works out of a datum by itself. */
  private static void completed(ContentValues values) {
    String type = values.getAsString("mimetype");
    String value = values.getAsString("data1");
    if (Phone.CONTENT_ITEM_TYPE.equals(type) && value != null) {
      values.put("data4", value.replaceAll("[^+0-9]", ""));
    } else if (StructuredName.CONTENT_ITEM_TYPE.equals(type)) {
      String given = values.getAsString("data2");
      String family = values.getAsString("data3");
      if (value == null && (given != null || family != null)) {
        values.put("data1", ((given == null ? "" : given) + " " + (family == null ? "" : family)).trim());
      } else if (value != null && given == null && family == null) {
        int space = value.lastIndexOf(' ');
        values.put("data2", space < 0 ? value : value.substring(0, space));
        values.put("data3", space < 0 ? null : value.substring(space + 1));
      }
    }
    for (String flag : List.of("is_primary", "is_super_primary", "data_version")) {
      if (!values.containsKey(flag)) {
        values.put(flag, 0);
      }
    }
  }

  @Override
  void changed() {
    settle(database());
  }

  /** Names, marks and keys follow the data; contacts without a raw contact, and data without one, go. */
  private static void settle(SQLiteDatabase database) {
    database.execSQL("DELETE FROM raw_contacts WHERE deleted = 1 OR _id NOT IN (SELECT _id FROM contacts)");
    database.execSQL("DELETE FROM contacts WHERE _id NOT IN (SELECT _id FROM raw_contacts)");
    database.execSQL("DELETE FROM data WHERE raw_contact_id NOT IN (SELECT _id FROM raw_contacts)");
    String first =
        "(SELECT data1 FROM data WHERE raw_contact_id = contacts._id AND data1 IS NOT NULL AND mimetype IN ('"
            + StructuredName.CONTENT_ITEM_TYPE + "', '" + Phone.CONTENT_ITEM_TYPE + "', '" + Email.CONTENT_ITEM_TYPE
            + "') ORDER BY mimetype = '" + StructuredName.CONTENT_ITEM_TYPE + "' DESC, mimetype DESC, _id LIMIT 1)";
    database.execSQL(
        "UPDATE contacts SET display_name = " + first + ", has_phone_number = EXISTS (SELECT 1 FROM data WHERE "
            + "raw_contact_id = contacts._id AND mimetype = '" + Phone.CONTENT_ITEM_TYPE + "')");
    database.execSQL(
        "UPDATE contacts SET display_name_alt = display_name, sort_key = display_name, sort_key_alt = display_name, "
            + "display_name_source = 40, phonebook_label = upper(substr(display_name, 1, 1)), "
            + "phonebook_label_alt = upper(substr(display_name, 1, 1))");
    for (String[] follower : new String[][] {{"raw_contacts", "_id"}, {"data", "raw_contact_id"}}) {
      StringBuilder copied = new StringBuilder();
      for (String column : SHARED) {
        copied.append(copied.isEmpty() ? "" : ", ").append(column).append(" = (SELECT ").append(column)
            .append(" FROM contacts WHERE contacts._id = ").append(follower[0]).append('.').append(follower[1]).append(')');
      }
      database.execSQL("UPDATE " + follower[0] + " SET " + copied);
    }
  }

  @Override
  Source source(Uri address) {
    List<String> path = address.getPathSegments();
    String first = path.isEmpty() ? "" : path.get(0);
    String second = path.size() > 1 ? path.get(1) : null;
    String third = path.size() > 2 ? path.get(2) : null;
    return switch (first) {
      case "contacts" -> contacts(path, second, third);
      case "raw_contacts" ->
          second == null
              ? new Source("raw_contacts", null)
              : third == null
                  ? new Source("raw_contacts", "_id = ?", second)
                  : new Source("data", "raw_contact_id = ?", second);
      case "raw_contact_entities" -> new Source("(SELECT *, _id AS data_id FROM data)", null);
      case "data" -> data(second, third, path.size() > 3 ? path.get(3) : null);
      case "phone_lookup" -> lookup(second);
      case "groups", "groups_summary" ->
          second == null ? new Source("groups", null) : new Source("groups", "_id = ?", second);
      // The person's own card, settings, changes of status: there are none.
      case "profile", "settings", "status_updates", "deleted_contacts", "syncstate", "directories", "stream_items",
          "provider_status", "profile_syncstate" -> new Source("contacts", "0");
      default -> null;
    };
  }

  private static Source contacts(List<String> path, String second, String third) {
    if (second == null) {
      return new Source("contacts", null);
    }
    switch (second) {
      case "lookup" -> {
        String last = path.get(path.size() - 1);
        boolean data = List.of("data", "entities").contains(last);
        return data
            ? new Source("(SELECT *, _id AS data_id FROM data)", "lookup = ?", third)
            : new Source("contacts", "lookup = ?", String.valueOf(third));
      }
      case "filter" -> {
        return new Source("contacts", "display_name LIKE ?", "%" + (third == null ? "" : third) + "%");
      }
      case "strequent", "frequent" -> {
        return new Source("contacts", "starred = 1");
      }
      case "group" -> {
        return new Source("contacts", "0");
      }
      default -> {
        return third == null
            ? new Source("contacts", "_id = ?", second)
            : third.equals("data") || third.equals("entities")
                ? new Source("(SELECT *, _id AS data_id FROM data)", "contact_id = ?", second)
                : third.contains("photo") ? new Source("contacts", "0") : null;
      }
    }
  }

  private static Source data(String second, String third, String fourth) {
    String type =
        second == null
            ? null
            : switch (second) {
              case "phones" -> Phone.CONTENT_ITEM_TYPE;
              case "emails" -> Email.CONTENT_ITEM_TYPE;
              case "postals" -> StructuredPostal.CONTENT_ITEM_TYPE;
              default -> null;
            };
    if (second == null || second.equals("contactables") || second.equals("callables")) {
      return new Source("data", null);
    }
    if (type == null) {
      return new Source("data", "_id = ?", second);
    }
    if (third == null) {
      return new Source("data", "mimetype = ?", type);
    }
    if (third.equals("filter") || third.equals("lookup")) {
      String like = "%" + (fourth == null ? "" : fourth) + "%";
      return new Source("data", "mimetype = ? AND (data1 LIKE ? OR data4 LIKE ? OR display_name LIKE ?)", type, like, like, like);
    }
    return new Source("data", "mimetype = ? AND _id = ?", type, third);
  }

  /** Whose number this is: the last seven digits decide. */
  private static Source lookup(String number) {
    String digits = number == null ? "" : number.replaceAll("[^0-9]", "");
    String end = digits.length() > 7 ? digits.substring(digits.length() - 7) : digits;
    String from =
        "(SELECT contacts.*, data.data1 AS number, data.data2 AS type, data.data3 AS label, data.data4 AS normalized_number"
            + " FROM contacts JOIN data ON data.contact_id = contacts._id WHERE data.mimetype = '" + Phone.CONTENT_ITEM_TYPE
            + "')";
    return end.isEmpty() ? new Source(from, "0") : new Source(from, "normalized_number LIKE ?", "%" + end);
  }

  @Override
  long insertRow(Uri address, ContentValues values) {
    List<String> path = address.getPathSegments();
    switch (path.isEmpty() ? "" : path.get(0)) {
      case "raw_contacts" -> {
        if (path.size() == 3) {
          values.put("raw_contact_id", path.get(1));
          completed(values);
          return database().insertOrThrow("data", null, fitting("data", values));
        }
        return newRaw(database(), fitting("raw_contacts", values));
      }
      case "data" -> {
        completed(values);
        return database().insertOrThrow("data", null, fitting("data", values));
      }
      case "groups" -> {
        return database().insertOrThrow("groups", null, fitting("groups", values));
      }
      default -> {
        return -1;
      }
    }
  }

  @Override
  int remove(Source source, String where, String[] arguments) {
    return source.from().startsWith("(") ? 0 : super.remove(source, where, arguments);
  }

  @Override
  public String getType(Uri address) {
    List<String> path = address.getPathSegments();
    String first = path.isEmpty() ? "" : path.get(0);
    boolean one = path.size() > 1 && path.get(path.size() - 1).matches("\\d+");
    return switch (first) {
      case "contacts" -> one || path.contains("lookup") ? Contacts.CONTENT_ITEM_TYPE : Contacts.CONTENT_TYPE;
      case "raw_contacts" -> one ? RawContacts.CONTENT_ITEM_TYPE : RawContacts.CONTENT_TYPE;
      case "data" -> path.size() < 2 ? Data.CONTENT_TYPE : typeOfData(address, path, one);
      case "groups" -> one ? ContactsContract.Groups.CONTENT_ITEM_TYPE : ContactsContract.Groups.CONTENT_TYPE;
      default -> null;
    };
  }

  private String typeOfData(Uri address, List<String> path, boolean one) {
    return switch (path.get(1)) {
      case "phones" -> one ? Phone.CONTENT_ITEM_TYPE : Phone.CONTENT_TYPE;
      case "emails" -> one ? Email.CONTENT_ITEM_TYPE : Email.CONTENT_TYPE;
      case "postals" -> one ? StructuredPostal.CONTENT_ITEM_TYPE : StructuredPostal.CONTENT_TYPE;
      default -> {
        try (Cursor row = select(source(address), new String[] {"mimetype"}, null, null, null, "")) {
          yield row.moveToFirst() ? row.getString(0) : null;
        }
      }
    };
  }

  /** The address by which a contact is handed on. */
  static Uri address(long id, String lookup) {
    return ContentUris.withAppendedId(Uri.withAppendedPath(Contacts.CONTENT_LOOKUP_URI, lookup), id);
  }
}
