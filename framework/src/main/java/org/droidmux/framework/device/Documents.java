package org.droidmux.framework.device;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.content.Intent;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.graphics.Bitmap;
import android.net.Uri;
import android.os.ParcelFileDescriptor;
import android.provider.OpenableColumns;
import android.webkit.MimeTypeMap;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.robolectric.RuntimeEnvironment;

/**
 * The documents on the phone: a few that are there from the beginning, and those that an app creates. They outlive a
 * process, and begin anew when the app's data is cleared, so that one replay does not see what another one left.
 */
final class Documents extends ContentProvider {
  static final String AUTHORITY = "org.droidmux.outside.documents";

  private static final Map<String, String> TEXTS =
      Map.of(
          "Notes.txt", "Milk\nBread\nCall Ada at 5\n",
          "Table.csv", "name,amount\nLamp,12.50\nTable,80\n",
          "Page.html", "<html><body><h1>A page</h1><p>With a text.</p></body></html>\n",
          "Data.json", "{\"name\": \"Lamp\", \"price\": 12.5}\n");

  private static Path folder() {
    return RuntimeEnvironment.getTempDirectory().createIfNotExists("droidmux-documents");
  }

  /** Those whose type an intent takes, in the order of their names. */
  static List<String> taken(Intent intent) {
    seed();
    List<String> wanted = wanted(intent);
    return list(folder()).stream().filter(name -> wanted.stream().anyMatch(type -> matches(type, type(name)))).toList();
  }

  /** Files of the shared storage whose type an intent takes. */
  static List<Path> stored(Intent intent) {
    List<String> wanted = wanted(intent);
    return Storage.all().stream()
        .filter(Files::isRegularFile)
        .filter(file -> wanted.stream().anyMatch(type -> matches(type, type(file.getFileName().toString()))))
        .toList();
  }

  private static List<String> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Makes a new one, with a number where there is one of that name. */
  static Uri create(String wanted) {
    seed();
    String free = free(folder(), wanted);
    try {
      Files.createFile(folder().resolve(free));
    } catch (IOException e) {
      throw new IllegalStateException("the document cannot be made: " + e, e);
    }
    return address(free);
  }

  /** A name that no other file of a folder has. */
  static String free(Path folder, String wanted) {
    String name = wanted.replaceAll("[/\\\\\\p{Cntrl}]", "_");
    int dot = name.lastIndexOf('.') <= 0 ? name.length() : name.lastIndexOf('.');
    String free = name;
    for (int i = 1; Files.exists(folder.resolve(free)); i++) {
      free = name.substring(0, dot) + " (" + i + ")" + name.substring(dot);
    }
    return free;
  }

  /** With the ending of its type, where it has none. */
  static String withEnding(String name, String type) {
    if (type == null || name.lastIndexOf('.') > 0) {
      return name;
    }
    String ending =
        switch (type) {
          case "image/jpeg" -> "jpg";
          case "image/png" -> "png";
          case "text/plain" -> "txt";
          case "text/csv" -> "csv";
          case "application/json" -> "json";
          default -> MimeTypeMap.getSingleton().getExtensionFromMimeType(type);
        };
    return ending == null ? name : name + "." + ending;
  }

  /** What a person would call what lies at an address. */
  static String nameOf(Uri address) {
    String last = address == null ? null : address.getLastPathSegment();
    return last == null ? String.valueOf(address) : last.substring(last.lastIndexOf('/') + 1);
  }

  private static List<String> wanted(Intent intent) {
    String[] types = intent.getStringArrayExtra(Intent.EXTRA_MIME_TYPES);
    return types != null ? List.of(types) : List.of(intent.getType() == null ? "*/*" : intent.getType());
  }

  static Uri address(String name) {
    return new Uri.Builder().scheme("content").authority(AUTHORITY).appendPath("document").appendPath(name).build();
  }

  private static void seed() {
    Path folder = folder();
    try {
      if (Files.exists(folder.resolve("Picture.png"))) {
        return;
      }
      for (Map.Entry<String, String> each : TEXTS.entrySet()) {
        Files.write(folder.resolve(each.getKey()), each.getValue().getBytes(StandardCharsets.UTF_8));
      }
      for (String name : List.of("Photo.jpg", "Picture.png")) {
        try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
          CameraScreen.picture(new Random(name.length()), 160, 120)
              .compress(name.endsWith("png") ? Bitmap.CompressFormat.PNG : Bitmap.CompressFormat.JPEG, 90, out);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("the documents cannot be made: " + e, e);
    }
  }

  private static boolean matches(String wanted, String type) {
    return wanted.equals("*/*")
        || wanted.equals(type)
        || wanted.endsWith("/*") && type.startsWith(wanted.substring(0, wanted.length() - 1));
  }

  static String type(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1);
    return switch (ending) {
      case "txt" -> "text/plain";
      case "csv" -> "text/csv";
      case "html" -> "text/html";
      case "json" -> "application/json";
      case "jpg" -> "image/jpeg";
      case "png" -> "image/png";
      default -> {
        String known = MimeTypeMap.getSingleton().getMimeTypeFromExtension(ending);
        yield known == null ? "application/octet-stream" : known;
      }
    };
  }

  private static Path file(Uri address) throws FileNotFoundException {
    String name = String.valueOf(address.getLastPathSegment());
    Path file = folder().resolve(name).normalize();
    if (!file.startsWith(folder()) || !Files.isRegularFile(file)) {
      throw new FileNotFoundException("no document " + address);
    }
    return file;
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  @Override
  public String getType(Uri address) {
    return type(String.valueOf(address.getLastPathSegment()));
  }

  @Override
  public Cursor query(Uri address, String[] projection, String selection, String[] arguments, String order) {
    String[] columns =
        projection == null ? new String[] {OpenableColumns.DISPLAY_NAME, OpenableColumns.SIZE} : projection;
    MatrixCursor cursor = new MatrixCursor(columns);
    try {
      Path file = file(address);
      Object[] row = new Object[columns.length];
      for (int i = 0; i < columns.length; i++) {
        row[i] =
            switch (columns[i]) {
              case OpenableColumns.DISPLAY_NAME -> file.getFileName().toString();
              case OpenableColumns.SIZE -> Files.size(file);
              case "mime_type" -> getType(address);
              case "document_id" -> file.getFileName().toString();
              default -> null;
            };
      }
      cursor.addRow(row);
    } catch (IOException e) {
      // No such document: no row.
    }
    return cursor;
  }

  @Override
  public ParcelFileDescriptor openFile(Uri address, String mode) throws FileNotFoundException {
    return ParcelFileDescriptor.open(new File(file(address).toString()), ParcelFileDescriptor.parseMode(mode));
  }

  @Override
  public Uri insert(Uri address, ContentValues values) {
    throw new UnsupportedOperationException("documents are made by the picker");
  }

  @Override
  public int delete(Uri address, String selection, String[] arguments) {
    try {
      Files.delete(file(address));
      return 1;
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public int update(Uri address, ContentValues values, String selection, String[] arguments) {
    return 0;
  }
}
