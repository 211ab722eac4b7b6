package org.droidmux.framework.device;

import static org.robolectric.util.reflector.Reflector.reflector;

import android.content.res.ResourcesImpl;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.res.android.CppAssetManager2;
import org.robolectric.res.android.Registries;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

/**
 * A theme's values, tens of kilobytes each, lie in a register of Robolectric's as long as anything knows the
 * theme. What belongs to a process goes with it, whoever still holds a piece of it.
 *
 * <p>A copy of a theme gets room for all packages that there could be, a quarter of a megabyte: what has nothing in it is
 * given back at once, which means the same.
 */
@Implements(className = "android.content.res.ResourcesImpl$ThemeImpl", isInAndroidSdk = false)
public class PhoneTheme {
  private static final List<Long> OF_PROCESS = new ArrayList<>();
  private static final HiddenField PACKAGES = HiddenField.of(CppAssetManager2.Theme.class, "packages_");
  private static final HiddenField TYPES = HiddenField.of(PACKAGES.type().getComponentType(), "types");

  @RealObject private Object real;

  @Implementation
  protected void __constructor__(ResourcesImpl resources) {
    Shadow.invokeConstructor(real.getClass(), real, ClassParameter.from(ResourcesImpl.class, resources));
    synchronized (OF_PROCESS) {
      OF_PROCESS.add(ReflectionHelpers.<Long>getField(real, "mTheme"));
    }
  }

  @Implementation
  protected void setTo(ResourcesImpl.ThemeImpl other) {
    reflector(ThemeReflector.class, real).setTo(other);
    CppAssetManager2.Theme values =
        Registries.NATIVE_THEME9_REGISTRY.peekNativeObject(ReflectionHelpers.<Long>getField(real, "mTheme"));
    Object[] packages = values == null ? new Object[0] : PACKAGES.get(values);
    for (int i = 0; i < packages.length; i++) {
      if (packages[i] != null && isEmpty(TYPES.get(packages[i]))) {
        packages[i] = null;
      }
    }
  }

  private static boolean isEmpty(Object[] types) {
    for (Object type : types) {
      if (type != null) {
        return false;
      }
    }
    return true;
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

  /** The framework's own code. */
  @ForType(className = "android.content.res.ResourcesImpl$ThemeImpl")
  interface ThemeReflector {
    @Direct
    void setTo(ResourcesImpl.ThemeImpl other);
  }
}
