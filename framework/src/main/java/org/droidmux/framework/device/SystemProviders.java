package org.droidmux.framework.device;

import android.database.Cursor;
import android.database.MatrixCursor;
import android.net.Uri;
import java.util.Locale;
import java.util.Set;

/** Providers that every phone has, with nothing in them: calls, messages, voice mail. */
final class SystemProviders {
  private static final Set<String> AUTHORITIES =
      Set.of(
          "call_log", "sms", "mms", "mms-sms", "downloads", "user_dictionary", "browser", "com.android.browser", "telephony",
          "com.android.voicemail");

  private SystemProviders() {}

  static boolean has(Uri address) {
    return address != null && AUTHORITIES.contains(String.valueOf(address.getAuthority()));
  }

  /** No row, in the columns that were asked for. */
  static Cursor empty(String[] projection) {
    String[] columns = projection == null ? new String[] {"_id"} : projection.clone();
    for (int i = 0; i < columns.length; i++) {
      int as = columns[i].toUpperCase(Locale.ROOT).lastIndexOf(" AS ");
      columns[i] = as < 0 ? columns[i] : columns[i].substring(as + 4).trim();
    }
    return new MatrixCursor(columns);
  }
}
