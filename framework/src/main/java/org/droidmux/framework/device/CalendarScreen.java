package org.droidmux.framework.device;

import android.content.ContentUris;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.provider.CalendarContract;
import android.provider.CalendarContract.Events;
import android.widget.CheckBox;
import android.widget.EditText;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/** The calendar app: its events, or a form with the event that an app wants to be added. */
final class CalendarScreen {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");
  private static final long HOUR = 3_600_000;

  private CalendarScreen() {}

  static void show(OutsideActivity screen) {
    String action = screen.getIntent().getAction();
    if (Intent.ACTION_INSERT.equals(action)) {
      form(screen);
    } else {
      events(screen);
    }
  }

  private static CalendarProvider calendar() {
    return AppProcess.current().world().calendar();
  }

  private static void events(OutsideActivity screen) {
    Uri data = screen.getIntent().getData();
    TableProvider.Source asked = data == null ? null : calendar().source(data);
    boolean one = asked != null && asked.from().equals("events");
    TableProvider.Source source = one ? asked : new TableProvider.Source("events", null);
    String[] columns = {"title", "dtstart", "eventLocation"};
    screen.addText("Calendar", OtherApp.id("title"));
    try (Cursor rows = calendar().select(source, columns, "deleted = 0", null, "dtstart", "")) {
      while (rows.moveToNext()) {
        String place = rows.getString(2) == null ? "" : rows.getString(2);
        screen.addText((rows.getString(0) + "\n" + time(rows.getLong(1)) + "\n" + place).trim(), OtherApp.id("event"));
      }
    }
  }

  private static void form(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    long now = AppClock.now() / HOUR * HOUR + HOUR;
    long begin = intent.getLongExtra(CalendarContract.EXTRA_EVENT_BEGIN_TIME, now);
    long end = intent.getLongExtra(CalendarContract.EXTRA_EVENT_END_TIME, begin + HOUR);
    screen.addText("Event", OtherApp.id("heading"));
    EditText title = screen.addField("Title", extra(intent, Events.TITLE), OtherApp.id("title"));
    EditText from = screen.addField("Begin", time(begin), OtherApp.id("begin"));
    EditText to = screen.addField("End", time(end), OtherApp.id("end"));
    CheckBox allDay = screen.addCheck("All day", OtherApp.id("all_day"));
    allDay.setChecked(intent.getBooleanExtra(CalendarContract.EXTRA_EVENT_ALL_DAY, false));
    EditText place = screen.addField("Location", extra(intent, Events.EVENT_LOCATION), OtherApp.id("location"));
    EditText words = screen.addField("Description", extra(intent, Events.DESCRIPTION), OtherApp.id("description"));
    screen.addButton(
        "Save", OtherApp.id("save"),
        () -> {
          long id =
              calendar()
                  .add(
                      title.getText().toString(), place.getText().toString(), words.getText().toString(),
                      millis(from, begin), millis(to, end), allDay.isChecked());
          Uri address = ContentUris.withAppendedId(Events.CONTENT_URI, id);
          screen.getContentResolver().notifyChange(Events.CONTENT_URI, null);
          screen.answer(address);
        });
  }

  /** Apps put texts there, and styled ones. */
  private static String extra(Intent intent, String name) {
    Bundle extras = intent.getExtras();
    Object value = extras == null ? null : extras.get(name);
    return value == null ? "" : value.toString();
  }

  private static String time(long millis) {
    return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
  }

  /** What cannot be read as a time leaves it as it was. */
  private static long millis(EditText field, long otherwise) {
    try {
      return LocalDateTime.parse(field.getText().toString().trim(), TIME).atZone(ZoneId.systemDefault()).toInstant().toEpochMilli();
    } catch (DateTimeParseException e) {
      return otherwise;
    }
  }
}
