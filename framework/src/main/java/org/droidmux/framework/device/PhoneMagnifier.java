package org.droidmux.framework.device;

import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

/** The magnifier over a text that is being selected. It copies from a surface that no window has here: it never shows. */
@Implements(className = "android.widget.Magnifier")
public class PhoneMagnifier {
  @Implementation
  protected void show(float x, float y) {}

  @Implementation
  protected void show(float x, float y, float left, float top) {}
}
