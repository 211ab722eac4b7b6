package org.droidmux.framework.device;

import android.app.Instrumentation;
import org.robolectric.android.internal.AndroidTestEnvironment;
import org.robolectric.internal.ShadowProvider;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.TestEnvironmentLifecyclePlugin;

import javax.inject.Named;

/** Robolectric's environment with our instrumentation: what an app asks of the system comes to us. */
public final class PhoneEnvironment extends AndroidTestEnvironment {
  public PhoneEnvironment(
      @Named("runtimeSdk") Sdk runtimeSdk,
      @Named("compileSdk") Sdk compileSdk,
      ShadowProvider[] shadowProviders,
      TestEnvironmentLifecyclePlugin[] plugins) {
    super(runtimeSdk, compileSdk, shadowProviders, plugins);
  }

  @Override
  protected Instrumentation pickInstrumentation() {
    return new PhoneInstrumentation();
  }
}
