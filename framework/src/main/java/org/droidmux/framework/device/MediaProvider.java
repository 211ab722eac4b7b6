package org.droidmux.framework.device;

import android.content.ContentUris;
import android.content.ContentValues;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.graphics.BitmapFactory;
import android.net.Uri;
import android.os.Build;
import android.os.ParcelFileDescriptor;
import android.provider.MediaStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The media store: pictures, videos, sounds and other files of the shared storage, looked for whenever somebody asks. An
 * app without the permission sees what it has put there itself, as on phones since Android 10.
 */
final class MediaProvider extends TableProvider {
  static final String AUTHORITY = MediaStore.AUTHORITY;

  private static final Set<String> NUMBERS =
      Set.of(
          "_size", "date_added", "date_modified", "datetaken", "width", "height", "orientation", "duration", "media_type",
          "is_pending", "is_trashed", "is_favorite", "is_download", "is_drm", "is_music", "is_ringtone", "is_alarm",
          "is_notification", "is_podcast", "is_audiobook", "bucket_id", "group_id", "parent", "track", "year", "album_id",
          "artist_id", "generation_added", "generation_modified", "date_expires", "bookmark", "isprivate", "format",
          "mini_thumb_magic");

  private static final Map<String, Integer> KINDS =
      Map.of("images", MediaStore.Files.FileColumns.MEDIA_TYPE_IMAGE, "audio", MediaStore.Files.FileColumns.MEDIA_TYPE_AUDIO,
          "video", MediaStore.Files.FileColumns.MEDIA_TYPE_VIDEO);

  /** Files that are larger are not looked into. */
  private static final long LARGEST = 16 << 20;

  MediaProvider() {
    super("media");
  }

  @Override
  String permission(Uri address, boolean write) {
    return null;
  }

  @Override
  void create(SQLiteDatabase database) {
    table(
        database, "files", NUMBERS, List.of(), MediaStore.Files.FileColumns.class, MediaStore.Images.Media.class,
        MediaStore.Video.Media.class, MediaStore.Audio.Media.class, MediaStore.DownloadColumns.class);
  }

  @Override
  Source source(Uri address) {
    Source all = all(address);
    if (all == null || isAskedByShell() || Phone.get().grants().has(address) || seesAll(kind(address))) {
      return all;
    }
    String own = "owner_package_name = '" + Phone.get().packageName() + "'";
    return new Source(all.from(), all.where() == null ? own : "(" + all.where() + ") AND " + own, all.arguments());
  }

  private static boolean seesAll(String kind) {
    Permissions permissions = Phone.get().permissions();
    int target = AppProcess.current().application().getApplicationInfo().targetSdkVersion;
    String modern =
        switch (kind) {
          case "images" -> "READ_MEDIA_IMAGES";
          case "video" -> "READ_MEDIA_VIDEO";
          case "audio" -> "READ_MEDIA_AUDIO";
          default -> "READ_EXTERNAL_STORAGE";
        };
    String needed = target >= Build.VERSION_CODES.TIRAMISU ? modern : "READ_EXTERNAL_STORAGE";
    return permissions.granted("android.permission." + needed)
        || permissions.granted("android.permission.WRITE_EXTERNAL_STORAGE") && target < Build.VERSION_CODES.TIRAMISU
        || Phone.get().access().has(SpecialAccess.ALL_FILES);
  }

  private static String kind(Uri address) {
    List<String> path = address.getPathSegments();
    return path.size() > 1 ? path.get(1) : "";
  }

  /** What lies at an address for those who may see all. */
  static Source all(Uri address) {
    List<String> path = address.getPathSegments();
    if (path.size() < 2) {
      return null;
    }
    String last = path.get(path.size() - 1);
    String id = last.matches("\\d+") ? last : null;
    String kind = kind(address);
    String sort = path.size() > 2 ? path.get(2) : "";
    if (kind.equals("file") || kind.equals("downloads") || kind.equals("fs_id")) {
      String where = kind.equals("downloads") ? "relative_path LIKE 'Download/%'" : null;
      return id == null ? new Source("files", where) : new Source("files", "_id = ?", id);
    }
    Integer type = KINDS.get(kind);
    if (type == null || path.get(0).equals("internal") || !sort.equals("media")) {
      // The system's own sounds, thumbnails, albums, artists, genres: there are none.
      return new Source("files", "0");
    }
    return id == null
        ? new Source("files", "media_type = " + type)
        : new Source("files", "media_type = " + type + " AND _id = ?", id);
  }

  /** Rows follow the files. */
  @Override
  void refresh(Uri address) {
    synchronized (this) {
      Map<String, Long> known = new HashMap<>();
      try (Cursor rows = database().rawQuery("SELECT _data, date_modified, _size FROM files", null)) {
        while (rows.moveToNext()) {
          known.put(rows.getString(0), rows.getLong(1) ^ rows.getLong(2) << 32);
        }
      }
      for (Path file : Storage.all()) {
        try {
          if (!Files.isRegularFile(file) || String.valueOf(file.getFileName()).startsWith(".")) {
            continue;
          }
          long state = FileTimes.getLastModifiedTime(file).toMillis() / 1_000 ^ Files.size(file) << 32;
          Long before = known.remove(file.toString());
          if (before == null) {
            database().insertOrThrow("files", null, described(file, true));
          } else if (before != state) {
            database().update("files", described(file, false), "_data = ?", new String[] {file.toString()});
          }
        } catch (IOException e) {
          // It went away meanwhile.
        }
      }
      for (String gone : known.keySet()) {
        database().delete("files", "_data = ?", new String[] {gone});
      }
    }
  }

  private ContentValues described(Path file, boolean isNew) throws IOException {
    ContentValues values = new ContentValues();
    String name = file.getFileName().toString();
    String type = Documents.type(name);
    Path folder = file.getParent();
    long modified = FileTimes.getLastModifiedTime(file).toMillis();
    values.put("_data", file.toString());
    values.put("_display_name", name);
    values.put("title", name.contains(".") ? name.substring(0, name.lastIndexOf('.')) : name);
    values.put("_size", Files.size(file));
    values.put("mime_type", type);
    values.put("media_type", mediaType(type));
    values.put("date_modified", modified / 1_000);
    values.put("relative_path", Storage.root().relativize(folder) + "/");
    values.put("bucket_display_name", String.valueOf(folder.getFileName()));
    values.put("bucket_id", Storage.root().relativize(folder).toString().toLowerCase(Locale.ROOT).hashCode());
    values.put("volume_name", "external_primary");
    if (isNew) {
      values.put("date_added", modified / 1_000);
      values.put("datetaken", modified);
      for (String none : List.of("is_pending", "is_trashed", "is_favorite", "orientation", "is_drm")) {
        values.put(none, 0);
      }
      values.put("is_music", type.startsWith("audio/") ? 1 : 0);
    }
    if (type.startsWith("image/") && Files.size(file) <= LARGEST) {
      BitmapFactory.Options size = new BitmapFactory.Options();
      size.inJustDecodeBounds = true;
      BitmapFactory.decodeFile(file.toString(), size);
      values.put("width", size.outWidth);
      values.put("height", size.outHeight);
    }
    return values;
  }

  private static int mediaType(String type) {
    return KINDS.getOrDefault(type.startsWith("image/") ? "images" : type.split("/")[0], 0);
  }

  /** A row, and an empty file for it. */
  @Override
  long insertRow(Uri address, ContentValues values) {
    List<String> path = address.getPathSegments();
    if (path.size() < 2 || !path.get(0).startsWith("external")) {
      throw new UnsupportedOperationException("Writing to internal storage is not supported.");
    }
    try {
      Path file = place(kind(address), values);
      Files.createDirectories(file.getParent());
      if (!Files.exists(file)) {
        Files.createFile(file);
      }
      ContentValues row = described(file, true);
      for (String kept : values.keySet()) {
        if (!row.containsKey(kept)) {
          row.put(kept, values.getAsString(kept));
        }
      }
      Integer type = KINDS.get(kind(address));
      if (type != null) {
        row.put("media_type", type);
      }
      if (values.containsKey("is_pending")) {
        row.put("is_pending", values.getAsInteger("is_pending"));
      }
      row.put("owner_package_name", Phone.get().packageName());
      database().delete("files", "_data = ?", new String[] {file.toString()});
      return database().insertOrThrow("files", null, fitting("files", row));
    } catch (IOException e) {
      throw new IllegalStateException("Failed to build unique file: " + e.getMessage(), e);
    }
  }

  private static Path place(String kind, ContentValues values) throws IOException {
    Path root = Storage.root();
    String data = values.getAsString("_data");
    if (data != null && Path.of(data).normalize().startsWith(root)) {
      return Path.of(data).normalize();
    }
    String usual = Map.of("images", "Pictures", "video", "Movies", "audio", "Music").getOrDefault(kind, "Download");
    String relative = values.getAsString("relative_path");
    Path folder = root.resolve(relative == null ? usual : relative).normalize();
    String name = values.getAsString("_display_name");
    String title = values.getAsString("title");
    String plain = name != null ? name : title != null ? title : Long.toString(AppClock.now());
    String type = values.getAsString("mime_type");
    String named = Documents.withEnding(plain, type != null ? type : kind.equals("images") ? "image/jpeg" : null);
    if (!folder.startsWith(root) || folder.equals(root)) {
      throw new IllegalArgumentException("Primary directory " + relative + " not allowed for " + kind);
    }
    return folder.resolve(Documents.free(folder, named));
  }

  @Override
  public int update(Uri address, ContentValues values, String selection, String[] arguments) {
    Source source = source(address);
    if (source != null && values != null && (values.containsKey("_display_name") || values.containsKey("relative_path"))) {
      move(source, values);
    }
    return super.update(address, values, selection, arguments);
  }

  private void move(Source source, ContentValues values) {
    try (Cursor row = select(source, new String[] {"_id", "_data", "_display_name", "relative_path"}, null, null, null, " LIMIT 1")) {
      if (!row.moveToFirst()) {
        return;
      }
      String name = values.containsKey("_display_name") ? values.getAsString("_display_name") : row.getString(2);
      String folder = values.containsKey("relative_path") ? values.getAsString("relative_path") : row.getString(3);
      Path target = Storage.root().resolve(folder).resolve(name).normalize();
      Path file = Path.of(row.getString(1));
      if (target.startsWith(Storage.root()) && !target.equals(file)) {
        Files.createDirectories(target.getParent());
        Files.move(file, target);
        values.put("_data", target.toString());
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot be moved: " + e, e);
    }
  }

  @Override
  int remove(Source source, String where, String[] arguments) {
    try (Cursor rows = database().rawQuery("SELECT _data FROM files WHERE " + where, arguments)) {
      while (rows.moveToNext()) {
        Files.deleteIfExists(Path.of(rows.getString(0)));
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot be deleted: " + e, e);
    }
    return super.remove(source, where, arguments);
  }

  @Override
  public ParcelFileDescriptor openFile(Uri address, String mode) throws FileNotFoundException {
    refresh(address);
    Source source = source(address);
    if (source != null) {
      try (Cursor row = select(source, new String[] {"_data"}, null, null, null, " LIMIT 1")) {
        if (row.moveToFirst()) {
          return ParcelFileDescriptor.open(Path.of(row.getString(0)).toFile(), ParcelFileDescriptor.parseMode(mode));
        }
      }
    }
    throw new FileNotFoundException("No item at " + address);
  }

  @Override
  public String getType(Uri address) {
    List<String> path = address.getPathSegments();
    if (path.size() > 2 && path.get(path.size() - 1).matches("\\d+")) {
      Source source = all(address);
      try (Cursor row = select(source, new String[] {"mime_type"}, null, null, null, " LIMIT 1")) {
        return row.moveToFirst() ? row.getString(0) : null;
      }
    }
    return switch (kind(address)) {
      case "images" -> MediaStore.Images.Media.CONTENT_TYPE;
      case "video" -> MediaStore.Video.Media.CONTENT_TYPE;
      case "audio" -> MediaStore.Audio.Media.CONTENT_TYPE;
      default -> null;
    };
  }

  /** The address of a row as pickers give it. */
  static Uri address(long id, boolean video) {
    return ContentUris.withAppendedId(
        video ? MediaStore.Video.Media.EXTERNAL_CONTENT_URI : MediaStore.Images.Media.EXTERNAL_CONTENT_URI, id);
  }
}
