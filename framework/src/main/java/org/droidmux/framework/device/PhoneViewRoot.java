package org.droidmux.framework.device;

import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowViewRootImpl;

/** A window's root, which is drawn once a frame after it was laid out. */
@Implements(className = "android.view.ViewRootImpl", isInAndroidSdk = false)
public class PhoneViewRoot extends ShadowViewRootImpl {
  @Override
  @Implementation(maxSdk = 34)
  protected boolean draw(boolean whole, boolean afterwards) {
    boolean result = super.draw(whole, afterwards);
    Frames.draw(realObject);
    return result;
  }
}
