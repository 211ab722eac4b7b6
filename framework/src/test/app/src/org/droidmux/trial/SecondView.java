package org.droidmux.trial;

import android.content.Context;
import android.widget.TextView;

/** A view that is measured only the second time, as a page below a bar that fits the system's windows. */
final class SecondView extends TextView {
  private boolean asked;

  SecondView(Context context) {
    super(context);
  }

  @Override
  protected void onMeasure(int width, int height) {
    if (asked) {
      super.onMeasure(width, height);
    } else {
      asked = true;
      setMeasuredDimension(0, 0);
      requestLayout();
    }
  }
}
