package org.droidmux.framework.device;

import android.app.AppComponentFactory;
import android.app.LoadedApk;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowLoadedApk;
import org.robolectric.util.ReflectionHelpers;

/** A loaded app, whose classes come from the class loader of its process. */
// By name: this is read outside of the sandbox, where the class is not.
@Implements(className = "android.app.LoadedApk")
public class PhoneLoadedApk extends ShadowLoadedApk {
  @RealObject private LoadedApk real;

  @Override
  @Implementation
  public ClassLoader getClassLoader() {
    AppProcess process = AppProcess.current();
    if (process == null) {
      return super.getClassLoader();
    }
    if (!(ReflectionHelpers.getField(real, "mAppComponentFactory") instanceof PhoneAppFactory)) {
      AppComponentFactory factory = new PhoneAppFactory(process, real.getApplicationInfo());
      ReflectionHelpers.setField(real, "mAppComponentFactory", factory);
    }
    return process.classes();
  }

  @Override
  @Implementation
  public ClassLoader getSplitClassLoader(String splitName) {
    return getClassLoader();
  }

  /** Where the framework looks for the resources of splits, for an application and for activities. */
  @Implementation(minSdk = 26)
  protected String[] getSplitPaths(String splitName) {
    return splits();
  }

  @Implementation
  protected String[] getSplitResDirs() {
    return splits();
  }

  private String[] splits() {
    AppProcess process = AppProcess.current();
    return process == null ? null : process.splits();
  }
}
