package org.droidmux.framework.device;

import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContextImpl;

/** A context, whose classes are those of the app's process: layouts name views of the app's own. */
@Implements(className = "android.app.ContextImpl")
public class PhoneContext extends ShadowContextImpl {
  @Override
  @Implementation
  protected ClassLoader getClassLoader() {
    AppProcess process = AppProcess.current();
    return process == null ? super.getClassLoader() : process.classes();
  }
}
