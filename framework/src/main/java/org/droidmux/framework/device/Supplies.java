package org.droidmux.framework.device;

import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What comes to the phone from outside, as over adb: files of the shared storage, and rows of the system's providers. It is
 * there at once, and from the beginning of each replay: what the app makes of it is undone when its data is cleared.
 */
final class Supplies {
  /** A row that was brought, and its number then. */
  private record Row(Uri address, ContentValues values, long id) {}

  /** An answer is a line; a longer file is not handed out. */
  private static final long LONGEST = 40 << 20;

  private static final int MOST_ROWS = 5_000;

  private final Storage storage;
  private final List<Row> rows = new ArrayList<>();

  Supplies(Storage storage) {
    this.storage = storage;
  }

  /** Whether it is a request of this kind, which is answered then. */
  boolean answer(String what, Request request, Map<String, Object> answer) {
    try {
      switch (what) {
        case "files" -> answer.put("files", files());
        case "read-file" -> answer.put("bytes", Base64.getEncoder().encodeToString(storage.get(request.text("path"), LONGEST)));
        case "write-file" -> {
          byte[] bytes = Base64.getDecoder().decode(request.text("bytes"));
          storage.put(request.text("path"), bytes, request.truth("append", false));
        }
        case "remove-file" -> storage.remove(request.text("path"));
        case "make-folder" -> storage.makeFolder(request.text("path"));
        case "content" -> content(request, answer);
        default -> {
          return false;
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("\"path\": " + e.getMessage());
    }
    return true;
  }

  private static List<Map<String, Object>> files() throws IOException {
    List<Map<String, Object>> files = new ArrayList<>();
    for (Path each : Storage.all()) {
      boolean folder = Files.isDirectory(each);
      if (folder || Files.isRegularFile(each)) {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("path", Storage.root().relativize(each).toString());
        file.put("folder", folder);
        file.put("size", folder ? 0 : Files.size(each));
        file.put("modified", folder ? 0 : FileTimes.getLastModifiedTime(each).toMillis());
        files.add(file);
      }
    }
    return files;
  }

  /** What the shell's command of this name does; values are a column, a type and a value, with colons, parted by NUL. */
  private void content(Request request, Map<String, Object> answer) {
    Uri address = Uri.parse(request.text("uri"));
    TableProvider provider = AppProcess.current().world().provider(address.getAuthority());
    if (provider == null) {
      throw new IllegalArgumentException("Could not find provider: " + address.getAuthority());
    }
    List<String> lines = new ArrayList<>();
    provider.forShell(() -> content(provider, address, request, lines));
    answer.put("lines", lines);
  }

  private void content(TableProvider provider, Uri address, Request request, List<String> lines) {
    String where = request.text("where", null);
    switch (request.text("verb")) {
      case "insert" -> {
        ContentValues values = values(request.text("bind", ""));
        Uri made = provider.add(address, values);
        if (rows.size() < MOST_ROWS) {
          rows.add(new Row(address, values, ContentUris.parseId(made)));
        }
      }
      case "delete" -> {
        provider.takeAway(address, where, null);
        rows.removeIf(row -> isGone(provider, row));
      }
      case "query" -> {
        String columns = request.text("projection", "");
        String[] projection = columns.isEmpty() ? null : columns.split(":");
        try (Cursor found = provider.read(address, projection, where, null, request.text("sort", null), " LIMIT 1000")) {
          lines.addAll(told(found));
        }
      }
      default -> throw new IllegalArgumentException("\"verb\": insert, query or delete");
    }
  }

  private static boolean isGone(TableProvider provider, Row row) {
    TableProvider.Source source = provider.source(row.address());
    if (source == null) {
      return false;
    }
    try (Cursor found =
        provider.select(source, new String[] {"_id"}, "_id = " + row.id(), null, null, "")) {
      return found.getCount() == 0;
    }
  }

  /** Rows as the shell's command prints them. */
  private static List<String> told(Cursor rows) {
    List<String> lines = new ArrayList<>();
    while (rows.moveToNext()) {
      StringBuilder line = new StringBuilder("Row: " + rows.getPosition() + " ");
      for (int i = 0; i < rows.getColumnCount(); i++) {
        String value = rows.isNull(i) ? "NULL" : rows.getString(i);
        line.append(i == 0 ? "" : ", ").append(rows.getColumnName(i)).append('=').append(value);
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private static ContentValues values(String bound) {
    ContentValues values = new ContentValues();
    for (String each : bound.isEmpty() ? new String[0] : bound.split("\0")) {
      String[] parts = each.split(":", 3);
      if (parts.length < 3) {
        throw new IllegalArgumentException("\"bind\": a column, a type and a value, not " + each);
      }
      values.put(parts[0], parts[1].equals("n") ? null : parts[2]);
    }
    return values;
  }

  /** A provider begins anew: the rows come back, data with their contacts, whatever numbers these have now. */
  void supply(TableProvider provider) {
    Map<String, String> raw = new HashMap<>();
    for (Row row : List.copyOf(rows)) {
      if (AppProcess.current().world().provider(row.address().getAuthority()) != provider) {
        continue;
      }
      ContentValues values = new ContentValues(row.values());
      String owner = values.getAsString("raw_contact_id");
      if (owner != null) {
        values.put("raw_contact_id", raw.getOrDefault(owner, owner));
      }
      Uri made = provider.add(row.address(), values);
      if ("raw_contacts".equals(row.address().getLastPathSegment())) {
        raw.put(Long.toString(row.id()), made.getLastPathSegment());
      }
    }
  }
}
