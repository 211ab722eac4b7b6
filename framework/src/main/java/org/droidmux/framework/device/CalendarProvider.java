package org.droidmux.framework.device;

import android.content.ContentValues;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.provider.CalendarContract;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** The calendar: one calendar with a few events around the day on which phones begin. Instances are worked out when asked for. */
final class CalendarProvider extends TableProvider {
  static final String AUTHORITY = CalendarContract.AUTHORITY;

  /** The types of many events, and of one. */
  static final String EVENTS = "vnd.android.cursor.dir/event";

  static final String EVENT = "vnd.android.cursor.item/event";

  private static final Set<String> NUMBERS =
      Set.of(
          "calendar_id", "event_id", "dtstart", "dtend", "lastDate", "allDay", "hasAlarm", "hasAttendeeData", "deleted",
          "eventStatus", "visible", "sync_events", "calendar_color", "calendar_access_level", "isPrimary", "eventColor",
          "minutes", "method", "availability", "accessLevel", "begin", "end", "startDay", "endDay", "startMinute", "endMinute",
          "alarmTime", "creationTime", "receivedTime", "notifyTime", "state", "maxReminders", "canModifyTimeZone",
          "canOrganizerRespond", "attendeeStatus", "attendeeType", "attendeeRelationship", "selfAttendeeStatus",
          "hasExtendedProperties", "guestsCanModify", "guestsCanInviteOthers", "guestsCanSeeGuests", "displayColor", "dirty");

  private static final Instant FIRST_DAY = Instant.ofEpochMilli(AppClock.BEGINNING).truncatedTo(ChronoUnit.DAYS);

  CalendarProvider() {
    super("calendar");
  }

  @Override
  String permission(Uri address, boolean write) {
    return write ? "android.permission.WRITE_CALENDAR" : "android.permission.READ_CALENDAR";
  }

  @Override
  void create(SQLiteDatabase database) {
    table(database, "calendars", NUMBERS, List.of(), CalendarContract.Calendars.class);
    table(database, "events", NUMBERS, List.of(), CalendarContract.Events.class);
    table(database, "instances", NUMBERS, List.of(), CalendarContract.Instances.class);
    table(database, "reminders", NUMBERS, List.of(), CalendarContract.Reminders.class, CalendarContract.Events.class);
    table(database, "attendees", NUMBERS, List.of(), CalendarContract.Attendees.class, CalendarContract.Events.class);
    table(database, "alerts", NUMBERS, List.of(), CalendarContract.CalendarAlerts.class);
    table(database, "properties", NUMBERS, List.of(), CalendarContract.ExtendedProperties.class);
    ContentValues calendar = new ContentValues();
    calendar.put("account_name", "person@example.org");
    calendar.put("account_type", "LOCAL");
    calendar.put("name", "Calendar");
    calendar.put("calendar_displayName", "Calendar");
    calendar.put("ownerAccount", "person@example.org");
    calendar.put("calendar_timezone", "UTC");
    calendar.put("calendar_color", 0xff3367d6);
    calendar.put("calendar_access_level", CalendarContract.Calendars.CAL_ACCESS_OWNER);
    for (String one : List.of("visible", "sync_events", "isPrimary", "canModifyTimeZone", "canOrganizerRespond")) {
      calendar.put(one, 1);
    }
    calendar.put("maxReminders", 5);
    calendar.put("allowedReminders", "0,1");
    calendar.put("deleted", 0);
    database.insertOrThrow("calendars", null, calendar);
    seed(database, "Dentist", 0, 14, 1, "Main Street 5");
    seed(database, "Lunch with Ada", 1, 12, 1, "");
    seed(database, "Review", 3, 9, 2, "Room 4");
  }

  private static void seed(SQLiteDatabase database, String title, int day, int hour, int hours, String place) {
    Instant begin = FIRST_DAY.plus(day, ChronoUnit.DAYS).plus(hour, ChronoUnit.HOURS);
    ContentValues event = new ContentValues();
    event.put("title", title);
    event.put("eventLocation", place);
    event.put("dtstart", begin.toEpochMilli());
    event.put("dtend", begin.plus(hours, ChronoUnit.HOURS).toEpochMilli());
    database.insertOrThrow("events", null, completed(event));
  }

  /** Adds an event; its number. */
  long add(String title, String place, String description, long begin, long end, boolean allDay) {
    ContentValues event = new ContentValues();
    event.put("title", title);
    event.put("eventLocation", place);
    event.put("description", description);
    event.put("dtstart", begin);
    event.put("dtend", end);
    event.put("allDay", allDay ? 1 : 0);
    return database().insertOrThrow("events", null, completed(event));
  }

  private static ContentValues completed(ContentValues event) {
    Object[][] otherwise = {
      {"calendar_id", 1}, {"eventTimezone", "UTC"}, {"allDay", 0}, {"deleted", 0}, {"hasAlarm", 0}, {"eventStatus", 1},
      {"availability", 0}, {"accessLevel", 0}, {"organizer", "person@example.org"}, {"calendar_displayName", "Calendar"},
      {"account_name", "person@example.org"}, {"account_type", "LOCAL"}, {"ownerAccount", "person@example.org"},
      {"calendar_color", 0xff3367d6}, {"displayColor", 0xff3367d6}, {"visible", 1}, {"calendar_access_level", 700},
      {"hasAttendeeData", 0}, {"selfAttendeeStatus", 0}, {"calendar_timezone", "UTC"},
    };
    for (Object[] each : otherwise) {
      if (!event.containsKey((String) each[0])) {
        if (each[1] instanceof Integer number) {
          event.put((String) each[0], number);
        } else {
          event.put((String) each[0], (String) each[1]);
        }
      }
    }
    return event;
  }

  @Override
  Source source(Uri address) {
    List<String> path = address.getPathSegments();
    String table =
        switch (path.isEmpty() ? "" : path.get(0)) {
          case "calendars", "calendar_entities" -> "calendars";
          case "events", "event_entities" -> "events";
          case "instances" -> "instances";
          case "reminders" -> "reminders";
          case "attendees" -> "attendees";
          case "calendar_alerts" -> "alerts";
          case "extendedproperties" -> "properties";
          case "colors", "syncstate", "properties" -> "none";
          default -> null;
        };
    if (table == null || table.equals("none")) {
      return table == null ? null : new Source("alerts", "0");
    }
    if (table.equals("instances")) {
      String text = path.size() > 1 && path.get(1).equals("search") || path.contains("searchbyday") ? path.get(path.size() - 1) : null;
      return text == null ? new Source(table, null) : new Source(table, "title LIKE ?", "%" + text + "%");
    }
    String id = path.size() > 1 ? path.get(path.size() - 1) : null;
    return id != null && id.matches("\\d+") ? new Source(table, "_id = ?", id) : new Source(table, null);
  }

  /** Instances within the time that the address tells: milliseconds, or days as Julius counted them. */
  @Override
  void refresh(Uri address) {
    List<String> path = address.getPathSegments();
    if (path.size() < 4 || !path.get(0).equals("instances")) {
      return;
    }
    boolean days = path.get(1).endsWith("byday");
    long from;
    long to;
    try {
      from = Long.parseLong(path.get(2));
      to = Long.parseLong(path.get(3));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("Cannot parse times " + address);
    }
    if (days) {
      from = (from - Recurrence.EPOCH_DAY) * Recurrence.DAY;
      to = (to - Recurrence.EPOCH_DAY + 1) * Recurrence.DAY - 1;
    }
    database().delete("instances", null, null);
    String[] columns = {"_id", "dtstart", "dtend", "duration", "rrule"};
    try (Cursor events = select(new Source("events", "deleted = 0"), columns, null, null, "dtstart, _id", "")) {
      while (events.moveToNext()) {
        long start = events.getLong(1);
        long length = events.isNull(2) ? Recurrence.length(events.getString(3)) : events.getLong(2) - start;
        for (long begin : Recurrence.within(start, length, events.getString(4), from, to)) {
          instance(events.getLong(0), begin, begin + length);
        }
      }
    }
  }

  private void instance(long event, long begin, long end) {
    ContentValues values = new ContentValues();
    try (Cursor row = select(new Source("events", "_id = ?", Long.toString(event)), null, null, null, null, "")) {
      row.moveToFirst();
      for (int i = 0; i < row.getColumnCount(); i++) {
        values.put(row.getColumnName(i), row.getString(i));
      }
    }
    values.remove("_id");
    values.put("event_id", event);
    values.put("begin", begin);
    values.put("end", end);
    long last = Math.max(begin, end - 1);
    values.put("startDay", Math.floorDiv(begin, Recurrence.DAY) + Recurrence.EPOCH_DAY);
    values.put("endDay", Math.floorDiv(last, Recurrence.DAY) + Recurrence.EPOCH_DAY);
    values.put("startMinute", Instant.ofEpochMilli(begin).atZone(ZoneOffset.UTC).toLocalTime().toSecondOfDay() / 60);
    values.put("endMinute", Instant.ofEpochMilli(end).atZone(ZoneOffset.UTC).toLocalTime().toSecondOfDay() / 60);
    database().insertOrThrow("instances", null, fitting("instances", values));
  }

  @Override
  long insertRow(Uri address, ContentValues values) {
    Source source = source(address);
    if (source == null || source.where() != null || source.from().equals("instances")) {
      return -1;
    }
    if (source.from().equals("events")) {
      if (!values.containsKey("dtstart")) {
        throw new IllegalArgumentException("DTSTART field missing from event");
      }
      if (!values.containsKey("calendar_id")) {
        throw new IllegalArgumentException("Event values must include a calendar_id");
      }
      if (!values.containsKey("eventTimezone")) {
        throw new IllegalArgumentException("Event values must include an eventTimezone");
      }
      completed(values);
    }
    return database().insertOrThrow(source.from(), null, fitting(source.from(), values));
  }

  @Override
  int remove(Source source, String where, String[] arguments) {
    int count = super.remove(source, where, arguments);
    if (source.from().equals("calendars")) {
      database().execSQL("DELETE FROM events WHERE calendar_id NOT IN (SELECT _id FROM calendars)");
    }
    for (String table : List.of("reminders", "attendees", "alerts", "properties")) {
      database().execSQL("DELETE FROM " + table + " WHERE event_id NOT IN (SELECT _id FROM events)");
    }
    return count;
  }

  @Override
  public String getType(Uri address) {
    List<String> path = address.getPathSegments();
    boolean one = path.size() > 1 && path.get(path.size() - 1).matches("\\d+");
    return switch (path.isEmpty() ? "" : path.get(0)) {
      case "events" -> one ? EVENT : EVENTS;
      case "time" -> "time/epoch";
      case "calendars" -> "vnd.android.cursor." + (one ? "item" : "dir") + "/calendar";
      case "reminders" -> "vnd.android.cursor.dir/reminder";
      case "instances" -> "vnd.android.cursor.dir/event-instance";
      default -> null;
    };
  }
}
