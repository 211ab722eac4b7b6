package org.droidmux.framework.device;

import android.content.res.ResourcesImpl;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.res.android.Registries;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * A theme's values, a hundred kilobytes each, lie in a register of Robolectric's as long as anything knows the
 * theme. What belongs to a process goes with it, whoever still holds a piece of it.
 */
@Implements(className = "android.content.res.ResourcesImpl$ThemeImpl", isInAndroidSdk = false)
public class PhoneTheme {
  private static final List<Long> OF_PROCESS = new ArrayList<>();

  @RealObject private Object real;

  @Implementation
  protected void __constructor__(ResourcesImpl resources) {
    Shadow.invokeConstructor(real.getClass(), real, ClassParameter.from(ResourcesImpl.class, resources));
    synchronized (OF_PROCESS) {
      OF_PROCESS.add(ReflectionHelpers.<Long>getField(real, "mTheme"));
    }
  }

  /** The process has ended. */
  static void forget() {
    synchronized (OF_PROCESS) {
      for (long values : OF_PROCESS) {
        if (Registries.NATIVE_THEME9_REGISTRY.peekNativeObject(values) != null) {
          Registries.NATIVE_THEME9_REGISTRY.unregister(values);
        }
      }
      OF_PROCESS.clear();
    }
  }
}
