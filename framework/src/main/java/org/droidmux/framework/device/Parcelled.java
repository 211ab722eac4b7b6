package org.droidmux.framework.device;

import android.content.Intent;
import android.os.Parcel;
import android.os.Parcelable;

/**
 * Copies that have been through a parcel, as on their way to the system: what the system keeps has no object of the
 * app's in it, which would keep the classes of an ended process in memory.
 */
final class Parcelled {
  private Parcelled() {}

  static Intent copy(Intent intent) {
    return copy(intent, Intent.CREATOR);
  }

  static <T extends Parcelable> T copy(T value, Parcelable.Creator<T> creator) {
    Parcel parcel = Parcel.obtain();
    try {
      value.writeToParcel(parcel, 0);
      parcel.setDataPosition(0);
      return creator.createFromParcel(parcel);
    } finally {
      parcel.recycle();
    }
  }
}
