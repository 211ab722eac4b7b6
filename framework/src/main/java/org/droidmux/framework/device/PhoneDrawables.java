package org.droidmux.framework.device;

import android.content.res.Resources;
import android.graphics.drawable.DrawableInflater;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** Drawables that resources name by their class are those of the process, never of the host's own class path. */
@Implements(className = "android.graphics.drawable.DrawableInflater", isInAndroidSdk = false)
public class PhoneDrawables {
  @RealObject private DrawableInflater real;

  @Implementation
  protected void __constructor__(Resources resources, ClassLoader classes) {
    AppProcess process = AppProcess.current();
    Shadow.invokeConstructor(
        DrawableInflater.class, real, ClassParameter.from(Resources.class, resources),
        ClassParameter.from(
            ClassLoader.class, process == null ? PhoneDrawables.class.getClassLoader() : process.classes()));
  }
}
