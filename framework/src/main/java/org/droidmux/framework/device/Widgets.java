package org.droidmux.framework.device;

import android.content.pm.ParceledListSlice;
import android.os.Bundle;
import java.util.ArrayList;

/**
 * Widgets of home screens, of which the lab has none: in flow the calls of the framework's own AppWidgetManager; out flow
 * what it is told on a phone whose home screen takes no widgets.
 */
final class Widgets extends SystemService {
  @Override
  Object answer(String method, Arguments arguments) {
    return switch (method) {
      case "getAppWidgetIds", "getAppWidgetIdsForHost" -> new int[0];
      case "getInstalledProvidersForProfile", "startListening" -> none();
      case "getAppWidgetOptions" -> new Bundle();
      default -> UNKNOWN;
    };
  }

  private static ParceledListSlice<?> none() {
    return new ParceledListSlice<>(new ArrayList<>());
  }
}
