package org.droidmux.framework.device;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowNativeSQLiteConnection;

/** A connection to a database: what asks SQLite for the time gets the phone's ({@link SqlTime}). */
@Implements(
    className = "android.database.sqlite.SQLiteConnection",
    isInAndroidSdk = false,
    callNativeMethodsByDefault = true)
public class PhoneDatabase extends ShadowNativeSQLiteConnection {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  @Implementation(minSdk = 27)
  protected static long nativeOpen(
      String path, int flags, String label, boolean traced, boolean profiled, int slots, int lookaside) {
    long connection =
        ShadowNativeSQLiteConnection.nativeOpen(path, flags, label, traced, profiled, slots, lookaside);
    ShadowNativeSQLiteConnection.nativeRegisterCustomScalarFunction(
        connection, SqlTime.NOW, nothing -> TIME.format(Instant.ofEpochMilli(AppClock.now())));
    return connection;
  }

  @Implementation
  protected static long nativePrepareStatement(long connection, String sql) {
    return ShadowNativeSQLiteConnection.nativePrepareStatement(connection, SqlTime.of(sql));
  }
}
