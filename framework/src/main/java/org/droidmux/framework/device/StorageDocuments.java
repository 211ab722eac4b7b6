package org.droidmux.framework.device;

import android.content.pm.ProviderInfo;
import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import android.os.CancellationSignal;
import android.os.ParcelFileDescriptor;
import android.provider.DocumentsContract;
import android.provider.DocumentsContract.Document;
import android.provider.DocumentsContract.Root;
import android.provider.DocumentsProvider;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The shared storage as documents and folders, which the picker hands on: what apps get that are to see a part of it only. */
public final class StorageDocuments extends DocumentsProvider {
  static final String AUTHORITY = "com.android.externalstorage.documents";

  private static final String PREFIX = "primary:";

  private static final String[] COLUMNS = {
    Document.COLUMN_DOCUMENT_ID, Document.COLUMN_MIME_TYPE, Document.COLUMN_DISPLAY_NAME, Document.COLUMN_LAST_MODIFIED,
    Document.COLUMN_FLAGS, Document.COLUMN_SIZE
  };

  private static final String[] ROOT = {Root.COLUMN_ROOT_ID, Root.COLUMN_DOCUMENT_ID, Root.COLUMN_TITLE, Root.COLUMN_FLAGS};

  /** What the framework wants of a provider of documents. */
  static ProviderInfo info() {
    ProviderInfo info = new ProviderInfo();
    info.authority = AUTHORITY;
    info.exported = true;
    info.grantUriPermissions = true;
    info.readPermission = android.Manifest.permission.MANAGE_DOCUMENTS;
    info.writePermission = android.Manifest.permission.MANAGE_DOCUMENTS;
    return info;
  }

  static Uri document(Path file) {
    return DocumentsContract.buildDocumentUri(AUTHORITY, id(file));
  }

  static Uri tree(Path folder) {
    return DocumentsContract.buildTreeDocumentUri(AUTHORITY, id(folder));
  }

  private static String id(Path file) {
    return PREFIX + Storage.root().relativize(file);
  }

  private static Path file(String id) throws FileNotFoundException {
    Path file = id.startsWith(PREFIX) ? Storage.root().resolve(id.substring(PREFIX.length())).normalize() : null;
    if (file == null || !file.startsWith(Storage.root()) || !Files.exists(file)) {
      throw new FileNotFoundException("Missing file for " + id);
    }
    return file;
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  @Override
  public Cursor queryRoots(String[] projection) {
    MatrixCursor cursor = new MatrixCursor(projection == null ? ROOT : projection);
    cursor
        .newRow()
        .add(Root.COLUMN_ROOT_ID, "primary")
        .add(Root.COLUMN_DOCUMENT_ID, PREFIX)
        .add(Root.COLUMN_TITLE, "Phone")
        .add(Root.COLUMN_FLAGS, Root.FLAG_SUPPORTS_CREATE | Root.FLAG_LOCAL_ONLY | Root.FLAG_SUPPORTS_IS_CHILD);
    return cursor;
  }

  @Override
  public Cursor queryDocument(String id, String[] projection) throws FileNotFoundException {
    MatrixCursor cursor = new MatrixCursor(projection == null ? COLUMNS : projection);
    add(cursor, file(id));
    return cursor;
  }

  @Override
  public Cursor queryChildDocuments(String id, String[] projection, String order) throws FileNotFoundException {
    MatrixCursor cursor = new MatrixCursor(projection == null ? COLUMNS : projection);
    try (Stream<Path> files = Files.list(file(id))) {
      files.sorted().limit(Storage.MOST).forEach(file -> add(cursor, file));
    } catch (IOException e) {
      throw new FileNotFoundException(e.toString());
    }
    cursor.setNotificationUri(
        getContext().getContentResolver(), DocumentsContract.buildChildDocumentsUri(AUTHORITY, id));
    return cursor;
  }

  private static void add(MatrixCursor cursor, Path file) {
    boolean folder = Files.isDirectory(file);
    int changes = Document.FLAG_SUPPORTS_DELETE | Document.FLAG_SUPPORTS_RENAME;
    try {
      cursor
          .newRow()
          .add(Document.COLUMN_DOCUMENT_ID, id(file))
          .add(Document.COLUMN_MIME_TYPE, folder ? Document.MIME_TYPE_DIR : Documents.type(file.getFileName().toString()))
          .add(Document.COLUMN_DISPLAY_NAME, file.equals(Storage.root()) ? "Phone" : file.getFileName().toString())
          .add(Document.COLUMN_LAST_MODIFIED, FileTimes.getLastModifiedTime(file).toMillis())
          .add(Document.COLUMN_FLAGS, changes | (folder ? Document.FLAG_DIR_SUPPORTS_CREATE : Document.FLAG_SUPPORTS_WRITE))
          .add(Document.COLUMN_SIZE, folder ? null : Files.size(file));
    } catch (IOException e) {
      // It went away meanwhile.
    }
  }

  @Override
  public boolean isChildDocument(String parent, String id) {
    try {
      return file(id).startsWith(file(parent));
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  @Override
  public String getDocumentType(String id) throws FileNotFoundException {
    Path file = file(id);
    return Files.isDirectory(file) ? Document.MIME_TYPE_DIR : Documents.type(file.getFileName().toString());
  }

  @Override
  public ParcelFileDescriptor openDocument(String id, String mode, CancellationSignal signal) throws FileNotFoundException {
    return ParcelFileDescriptor.open(file(id).toFile(), ParcelFileDescriptor.parseMode(mode));
  }

  @Override
  public String createDocument(String parent, String type, String name) throws FileNotFoundException {
    Path folder = file(parent);
    boolean isFolder = Document.MIME_TYPE_DIR.equals(type);
    Path made = folder.resolve(Documents.free(folder, isFolder ? name : Documents.withEnding(name, type)));
    try {
      if (isFolder) {
        Files.createDirectory(made);
      } else {
        Files.createFile(made);
      }
    } catch (IOException e) {
      throw new FileNotFoundException(e.toString());
    }
    return id(made);
  }

  @Override
  public String renameDocument(String id, String name) throws FileNotFoundException {
    Path file = file(id);
    try {
      return id(Files.move(file, file.resolveSibling(Documents.free(file.getParent(), name))));
    } catch (IOException e) {
      throw new FileNotFoundException(e.toString());
    }
  }

  @Override
  public void deleteDocument(String id) throws FileNotFoundException {
    try (Stream<Path> all = Files.walk(file(id))) {
      for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new FileNotFoundException(e.toString());
    }
  }

  @Override
  public void removeDocument(String id, String parent) throws FileNotFoundException {
    deleteDocument(id);
  }

  @Override
  public DocumentsContract.Path findDocumentPath(String parent, String id) throws FileNotFoundException {
    Path base = file(parent == null ? PREFIX : parent);
    java.util.LinkedList<String> way = new java.util.LinkedList<>();
    for (Path each = file(id); each != null && each.startsWith(base); each = each.getParent()) {
      way.addFirst(id(each));
    }
    return new DocumentsContract.Path(parent == null ? "primary" : null, List.copyOf(way));
  }
}
