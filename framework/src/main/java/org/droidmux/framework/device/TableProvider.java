package org.droidmux.framework.device;

import android.content.ContentProvider;
import android.content.ContentResolver;
import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.os.Bundle;
import android.os.CancellationSignal;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.robolectric.RuntimeEnvironment;

/**
 * A provider of the system's, in a database of its own. In flow addresses and what ContentResolver says of rows; out flow
 * cursors over them, or the complaint that a permission is missing. Rows outlive a process, and begin anew when the app's
 * data is cleared, so that each replay finds the same.
 *
 * <p>Tables have all columns that the framework's contract names, so that no query fails for a column that we have no use
 * for; one that the contract does not name either is empty.
 */
abstract class TableProvider extends ContentProvider {
  /**
   * What an address means.
   *
   * @param from a table, or a query in brackets
   * @param where which rows of it, or null for all
   */
  record Source(String from, String where, String... arguments) {}

  private final String name;
  private final Map<String, Set<String>> columns = new HashMap<>();
  private SQLiteDatabase database;
  private boolean askedByShell;

  TableProvider(String name) {
    this.name = name;
  }

  /** What is read and written at an address; null where nothing is. */
  abstract Source source(Uri address);

  /** While this runs, it is asked by the shell. */
  final void forShell(Runnable work) {
    askedByShell = true;
    try {
      work.run();
    } finally {
      askedByShell = false;
    }
  }

  /** Whether the shell asks, which needs no permission and sees what any app has. */
  final boolean isAskedByShell() {
    return askedByShell;
  }

  /** Tables, and what is in them from the beginning. */
  abstract void create(SQLiteDatabase database);

  /** The permission without which reading, or writing, is refused; null where there is none. */
  abstract String permission(Uri address, boolean write);

  /** Makes a row; its number. */
  abstract long insertRow(Uri address, ContentValues values);

  /** Rows were changed. */
  void changed() {}

  /** Something is to be read. */
  void refresh(Uri address) {}

  synchronized SQLiteDatabase database() {
    if (database == null) {
      Path file = RuntimeEnvironment.getTempDirectory().createIfNotExists("droidmux-providers").resolve(name + ".db");
      SQLiteDatabase opened = SQLiteDatabase.openOrCreateDatabase(file.toFile(), null);
      boolean isNew = opened.getVersion() == 0;
      if (isNew) {
        opened.beginTransaction();
        try {
          create(opened);
          opened.setVersion(1);
          opened.setTransactionSuccessful();
        } finally {
          opened.endTransaction();
        }
      }
      database = opened;
      if (isNew) {
        Phone.get().supplies().supply(this);
      }
    }
    return database;
  }

  /** The process ends. */
  synchronized void close() {
    if (database != null) {
      database.close();
      database = null;
    }
  }

  /** Makes a table with all columns that classes of a contract name, and some more. Those in {@code numbers} hold numbers. */
  static void table(SQLiteDatabase database, String table, Set<String> numbers, List<String> more, Class<?>... contracts) {
    Set<String> columns = new LinkedHashSet<>(more);
    for (Class<?> contract : contracts) {
      for (Field field : contract.getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
          // Some of a contract's parts are not public themselves.
          field.setAccessible(true);
          try {
            String value = (String) field.get(null);
            if (value != null && value.matches("[a-z_][a-zA-Z0-9_]*") && !value.equals("_id")) {
              columns.add(value);
            }
          } catch (IllegalAccessException e) {
            throw new IllegalStateException(field + " cannot be read", e);
          }
        }
      }
    }
    columns.addAll(numbers);
    StringBuilder sql = new StringBuilder("CREATE TABLE " + table + " (_id INTEGER PRIMARY KEY AUTOINCREMENT");
    Set<String> had = new LinkedHashSet<>();
    for (String column : columns) {
      if (!column.equals("_id") && had.add(column.toLowerCase(Locale.ROOT))) {
        sql.append(", \"").append(column).append('"').append(numbers.contains(column) ? " INTEGER" : " TEXT");
      }
    }
    database.execSQL(sql.append(')').toString());
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  /** By bundle, as apps of today ask: an order, a limit and an offset come in members of their own. */
  @Override
  public Cursor query(Uri address, String[] projection, Bundle how, CancellationSignal signal) {
    Bundle asked = how == null ? Bundle.EMPTY : how;
    String order = asked.getString(ContentResolver.QUERY_ARG_SQL_SORT_ORDER);
    String[] sorted = asked.getStringArray(ContentResolver.QUERY_ARG_SORT_COLUMNS);
    if (order == null && sorted != null) {
      boolean down = asked.getInt(ContentResolver.QUERY_ARG_SORT_DIRECTION) == ContentResolver.QUERY_SORT_DIRECTION_DESCENDING;
      order = String.join(down ? " DESC, " : ", ", sorted) + (down ? " DESC" : "");
    }
    int limit = asked.getInt(ContentResolver.QUERY_ARG_LIMIT, -1);
    int offset = asked.getInt(ContentResolver.QUERY_ARG_OFFSET, 0);
    String stated = asked.getString("android:query-arg-sql-limit");
    String end = stated != null ? " LIMIT " + stated : limit >= 0 || offset > 0 ? " LIMIT " + limit + " OFFSET " + offset : "";
    return rows(
        address, projection, asked.getString(ContentResolver.QUERY_ARG_SQL_SELECTION),
        asked.getStringArray(ContentResolver.QUERY_ARG_SQL_SELECTION_ARGS), order, end);
  }

  @Override
  public Cursor query(Uri address, String[] projection, String selection, String[] arguments, String order) {
    return rows(address, projection, selection, arguments, order, "");
  }

  private Cursor rows(Uri address, String[] projection, String selection, String[] arguments, String order, String end) {
    check(address, false);
    return read(address, projection, selection, arguments, order, end);
  }

  /** As {@link #query}, for who needs no permission. */
  Cursor read(Uri address, String[] projection, String selection, String[] arguments, String order, String end) {
    refresh(address);
    Cursor cursor = select(known(address), projection, selection, arguments, order, end(address, end));
    cursor.setNotificationUri(getContext().getContentResolver(), address);
    return cursor;
  }

  private static String end(Uri address, String end) {
    String limit = address.isHierarchical() ? address.getQueryParameter("limit") : null;
    return end.isEmpty() && limit != null && limit.matches("\\d+(,\\d+)?") ? " LIMIT " + limit : end;
  }

  /** The rows of a source, for ourselves as well. */
  Cursor select(Source source, String[] projection, String selection, String[] arguments, String order, String end) {
    List<String> values = new ArrayList<>(List.of(source.arguments()));
    String where = where(source, selection, arguments, values);
    String ordered = order == null || order.isBlank() ? "" : " ORDER BY " + order;
    String sql = "SELECT " + columns(source.from(), projection) + " FROM " + source.from() + where + ordered + end;
    return database().rawQuery(sql, values.toArray(new String[0]));
  }

  private static String where(Source source, String selection, String[] arguments, List<String> values) {
    List<String> conditions = new ArrayList<>();
    if (source.where() != null) {
      conditions.add("(" + source.where() + ")");
    }
    if (selection != null && !selection.isBlank()) {
      conditions.add("(" + selection + ")");
      if (arguments != null) {
        values.addAll(List.of(arguments));
      }
    }
    return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
  }

  private String columns(String from, String[] projection) {
    if (projection == null || projection.length == 0) {
      return "*";
    }
    Set<String> known = columns.computeIfAbsent(from, this::columnsOf);
    List<String> named = new ArrayList<>();
    for (String column : projection) {
      boolean plain = column.matches("[A-Za-z_][A-Za-z0-9_]*");
      named.add(!plain ? column : known.contains(column.toLowerCase(Locale.ROOT)) ? '"' + column + '"' : "NULL AS \"" + column + '"');
    }
    return String.join(", ", named);
  }

  private Set<String> columnsOf(String from) {
    try (Cursor cursor = database().rawQuery("SELECT * FROM " + from + " LIMIT 0", null)) {
      Set<String> names = new LinkedHashSet<>();
      for (String column : cursor.getColumnNames()) {
        names.add(column.toLowerCase(Locale.ROOT));
      }
      return names;
    }
  }

  private Source known(Uri address) {
    Source source = source(address);
    if (source == null) {
      throw new IllegalArgumentException("Unknown URL: " + address);
    }
    return source;
  }

  @Override
  public Uri insert(Uri address, ContentValues values) {
    check(address, true);
    return add(address, values);
  }

  /** As {@link #insert}, for who needs no permission. */
  Uri add(Uri address, ContentValues values) {
    long id = insertRow(address, values == null ? new ContentValues() : new ContentValues(values));
    if (id < 0) {
      throw new IllegalArgumentException("Unknown URL: " + address);
    }
    changed();
    tell(address);
    return ContentUris.withAppendedId(address.buildUpon().clearQuery().build(), id);
  }

  @Override
  public int update(Uri address, ContentValues values, String selection, String[] arguments) {
    check(address, true);
    Source source = known(address);
    List<String> given = new ArrayList<>(List.of(source.arguments()));
    String where = where(source, selection, arguments, given).replaceFirst("^ WHERE ", "");
    ContentValues kept = fitting(source.from(), values);
    int count =
        kept.isEmpty() ? 0 : database().update(source.from(), kept, where.isEmpty() ? null : where, given.toArray(new String[0]));
    if (count > 0) {
      changed();
      tell(address);
    }
    return count;
  }

  @Override
  public int delete(Uri address, String selection, String[] arguments) {
    check(address, true);
    return takeAway(address, selection, arguments);
  }

  /** As {@link #delete}, for who needs no permission. */
  int takeAway(Uri address, String selection, String[] arguments) {
    refresh(address);
    Source source = known(address);
    List<String> given = new ArrayList<>(List.of(source.arguments()));
    String where = where(source, selection, arguments, given).replaceFirst("^ WHERE ", "");
    int count = remove(source, where.isEmpty() ? "1" : where, given.toArray(new String[0]));
    if (count > 0) {
      changed();
      tell(address);
    }
    return count;
  }

  /** Takes rows away, and what goes with them. */
  int remove(Source source, String where, String[] arguments) {
    return database().delete(source.from(), where, arguments);
  }

  /** Without what the table has no column for. */
  ContentValues fitting(String table, ContentValues values) {
    Set<String> known = columns.computeIfAbsent(table, this::columnsOf);
    ContentValues kept = new ContentValues();
    if (values != null) {
      kept.putAll(values);
      kept.keySet().removeIf(column -> !known.contains(column.toLowerCase(Locale.ROOT)));
    }
    return kept;
  }

  private void tell(Uri address) {
    getContext().getContentResolver().notifyChange(address, null);
  }

  private void check(Uri address, boolean write) {
    String permission = permission(address, write);
    if (permission == null || Phone.get().permissions().granted(permission) || Phone.get().grants().has(address)) {
      return;
    }
    throw new SecurityException(
        "Permission Denial: " + (write ? "writing " : "reading ") + getClass().getName() + " uri " + address + " from pid="
            + AppProcess.current().pid() + ", uid=10100 requires " + permission + ", or grantUriPermission()");
  }
}
