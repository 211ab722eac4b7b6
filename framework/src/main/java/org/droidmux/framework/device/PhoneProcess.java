package org.droidmux.framework.device;

import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowProcess;

/** A process that ends itself. Others are not there. */
@Implements(className = "android.os.Process")
public class PhoneProcess extends ShadowProcess {
  @Implementation
  protected static void killProcess(int pid) {
    AppProcess process = AppProcess.current();
    if (process != null && pid == process.pid()) {
      AppExit.exit(0);
    }
  }
}
