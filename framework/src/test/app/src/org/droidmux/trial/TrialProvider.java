package org.droidmux.trial;

import android.content.ContentProvider;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;

public final class TrialProvider extends ContentProvider {
  static boolean created;

  @Override
  public boolean onCreate() {
    created = true;
    return true;
  }

  @Override
  public Cursor query(Uri uri, String[] columns, String where, String[] values, String order) {
    return null;
  }

  @Override
  public String getType(Uri uri) {
    if (uri.getPath().equals("/throws")) {
      throw new IllegalArgumentException("no such thing");
    }
    return "vnd.android.cursor.item/vnd.droidmux.thing";
  }

  @Override
  public Uri insert(Uri uri, ContentValues values) {
    return null;
  }

  @Override
  public int delete(Uri uri, String where, String[] values) {
    return 0;
  }

  @Override
  public int update(Uri uri, ContentValues content, String where, String[] values) {
    return 0;
  }
}
