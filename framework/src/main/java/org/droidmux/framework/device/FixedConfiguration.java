package org.droidmux.framework.device;

import java.util.Collection;
import java.util.Map;
import org.robolectric.annotation.Config;
import org.robolectric.annotation.ConscryptMode;
import org.robolectric.annotation.GraphicsMode;
import org.robolectric.annotation.LooperMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.annotation.experimental.LazyApplication.LazyLoad;
import org.robolectric.pluginapi.config.ConfigurationStrategy;

/** What a test would say in annotations. */
final class FixedConfiguration implements ConfigurationStrategy.Configuration {
  private final Map<Class<?>, Object> modes;

  FixedConfiguration(String qualifiers, float fontScale) {
    Config config =
        new Config.Builder()
            .setQualifiers(qualifiers)
            .setFontScale(fontScale)
            .setApplication(PhoneApplication.class)
            .build();
    modes =
        Map.of(
            Config.class, config,
            ConscryptMode.Mode.class, ConscryptMode.Mode.OFF,
            LooperMode.Mode.class, LooperMode.Mode.PAUSED,
            LazyLoad.class, LazyLoad.ON,
            GraphicsMode.Mode.class, GraphicsMode.Mode.NATIVE,
            SQLiteMode.Mode.class, SQLiteMode.Mode.NATIVE);
  }

  @Override
  public <T> T get(Class<T> key) {
    return key.cast(modes.get(key));
  }

  @Override
  public Collection<Class<?>> keySet() {
    return modes.keySet();
  }

  @Override
  public Map<Class<?>, Object> map() {
    return modes;
  }
}
