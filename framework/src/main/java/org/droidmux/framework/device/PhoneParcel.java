package org.droidmux.framework.device;

import android.os.Parcel;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowParcel;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Objects are read with the app's classes where nobody says otherwise: Android takes those of who asks. */
@Implements(className = "android.os.Parcel")
public class PhoneParcel extends ShadowParcel {
  @RealObject private Parcel real;

  @Implementation(minSdk = 33)
  protected Object readSerializableInternal(ClassLoader loader, Class<?> kind) {
    AppProcess process = AppProcess.current();
    return Shadow.directlyOn(
        real, Parcel.class, "readSerializableInternal",
        ClassParameter.from(ClassLoader.class, loader == null && process != null ? process.classes() : loader),
        ClassParameter.from(Class.class, kind));
  }
}
