package org.droidmux.framework.device;

import android.net.Uri;
import java.util.HashSet;
import java.util.Set;

/** Addresses that another app has given to the app: it may use what lies there without the permission for all of it. */
final class UriGrants {
  private final Set<Uri> given = new HashSet<>();

  synchronized void allow(Uri address) {
    given.add(address);
  }

  synchronized boolean has(Uri address) {
    return given.contains(address.buildUpon().clearQuery().fragment(null).build()) || given.contains(address);
  }

  /** As after an installation. */
  synchronized void forget() {
    given.clear();
  }
}
