package org.droidmux.framework.device;

import android.content.Intent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last broadcasts of their kinds, which those who register later get as well. They outlive the process. */
final class StickyBroadcasts {
  private final Map<Intent.FilterComparison, Intent> last = new LinkedHashMap<>();

  synchronized void put(Intent intent) {
    Intent copy = Parcelled.copy(intent);
    last.put(new Intent.FilterComparison(copy), copy);
  }

  synchronized void remove(Intent intent) {
    last.remove(new Intent.FilterComparison(intent));
  }

  synchronized List<Intent> all() {
    return new ArrayList<>(last.values());
  }
}
