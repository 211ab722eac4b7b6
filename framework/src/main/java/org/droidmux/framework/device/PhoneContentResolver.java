package org.droidmux.framework.device;

import android.net.Uri;
import android.util.Log;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContentResolver;

/** A provider that throws when it is asked for a type has told none, as on a phone. */
@Implements(className = "android.content.ContentResolver")
public class PhoneContentResolver extends ShadowContentResolver {
  @Override
  @Implementation
  protected String getType(Uri address) {
    try {
      return super.getType(address);
    } catch (RuntimeException e) {
      Log.w("ContentResolver", "Failed to get type for: " + address + " (" + e.getMessage() + ")");
      return null;
    }
  }
}
