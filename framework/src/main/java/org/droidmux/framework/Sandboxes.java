package org.droidmux.framework;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.droidmux.framework.device.FrameworkCalendars;
import org.droidmux.framework.device.FrameworkTime;
import org.droidmux.framework.device.PhoneEnvironment;
import org.robolectric.android.AndroidSdkShadowMatcher;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.interceptors.AndroidInterceptors;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.SandboxManager;
import org.robolectric.internal.bytecode.ClassHandler;
import org.robolectric.internal.bytecode.ClassHandlerBuilder;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.util.inject.Injector;

/**
 * Makes the sandbox in which the framework runs: Robolectric's, without JUnit.
 *
 * <p>The framework and our own {@code device} package are loaded by the sandbox. The app's classes are
 * not: a class loader of their own, child of the sandbox's, holds those of one process (see {@code
 * AppClasses}), so that the end of a process takes its statics with it.
 */
final class Sandboxes {
  private Sandboxes() {}

  /** A sandbox for an API level. The framework's woven jar lies in {@code sdkFolder}. */
  static AndroidSandbox make(int api, Path sdkFolder) throws AppException {
    System.setProperty("robolectric.offline", "true");
    System.setProperty("robolectric.dependency.dir", sdkFolder.toString());
    // Nodes are the framework's own, not those that tests put together.
    System.setProperty("robolectric.useRealAni", "true");
    // A dialog stands where its gravity says, as large as it wants to be; else each would begin in the upper left corner.
    System.setProperty("robolectric.windowManager.useRequestedSize", "true");
    Injector injector =
        new Injector.Builder(Sandboxes.class.getClassLoader())
            .bind(Properties.class, System.getProperties())
            .bind(
                AndroidSandbox.TestEnvironmentSpec.class,
                new AndroidSandbox.TestEnvironmentSpec(PhoneEnvironment.class))
            .build();
    Sdk sdk = sdk(injector, api, sdkFolder);
    List<Interceptor> all = new ArrayList<>(AndroidInterceptors.all());
    // The last one of a method counts.
    all.add(new FrameworkTime());
    Interceptors interceptors = new Interceptors(all);
    ShadowProviders providers = injector.getInstance(ShadowProviders.class);
    AndroidSandbox sandbox =
        injector
            .getInstance(SandboxManager.SandboxBuilder.class)
            .build(
                instrumentation(interceptors, providers),
                sdk,
                sdk,
                ResourcesMode.Mode.BINARY,
                SQLiteMode.Mode.NATIVE);
    ShadowMap shadows =
        providers
            .getBaseShadowMap()
            .newBuilder()
            .addShadowClasses(ShadowTable.shadows())
            .build();
    sandbox.replaceShadowMap(shadows);
    ClassHandler handler =
        injector
            .getInstance(ClassHandlerBuilder.class)
            .build(shadows, new AndroidSdkShadowMatcher(sdk.getApiLevel()), interceptors, List.of());
    sandbox.configure(handler, interceptors);
    try {
      FrameworkCalendars.load(sandbox.getRobolectricClassLoader());
    } catch (IOException | ReflectiveOperationException e) {
      throw new AppException("the framework of API " + api + " cannot be loaded: " + e);
    }
    return sandbox;
  }

  private static Sdk sdk(Injector injector, int api, Path sdkFolder) throws AppException {
    for (Sdk sdk : injector.getInstance(SdkProvider.class).getSdks()) {
      if (sdk.getApiLevel() == api) {
        try {
          if (sdk.getJarPath().toFile().isFile()) {
            return sdk;
          }
        } catch (RuntimeException e) {
          throw new AppException("no framework of API " + api + " in " + sdkFolder + ": " + e.getMessage());
        }
        throw new AppException("no framework of API " + api + " in " + sdkFolder);
      }
    }
    throw new AppException("Robolectric knows no framework of API " + api);
  }

  /** What Robolectric's own runner says about classes, less what is about tests. */
  private static InstrumentationConfiguration instrumentation(
      Interceptors interceptors, ShadowProviders providers) {
    InstrumentationConfiguration.Builder builder = new InstrumentationConfiguration.Builder();
    for (MethodRef method : interceptors.getAllMethodRefs()) {
      builder.addInterceptedMethod(method);
    }
    for (String name :
        List.of(
            "org.bouncycastle.", "org.conscrypt.", "org.objectweb.asm", "org.robolectric.manifest.",
            "org.robolectric.res.", "org.w3c.", "org.xml.")) {
      builder.doNotAcquirePackage(name);
    }
    builder
        .doNotAcquireClass("org.robolectric.shadow.api.ShadowPicker")
        .addClassNameTranslation(
            "java.net.ExtendedResponseCache", "org.robolectric.fakes.RoboExtendedResponseCache")
        .addClassNameTranslation("java.net.ResponseSource", "org.robolectric.fakes.RoboResponseSource")
        .addClassNameTranslation("java.nio.charset.Charsets", StandardCharsets.class.getName())
        .addClassNameTranslation("java.lang.UnsafeByteSequence", Object.class.getName())
        .addClassNameTranslation("java.util.jar.StrictJarFile", Object.class.getName())
        .addClassNameTranslation("sun.misc.Cleaner", "java.lang.ref.Cleaner$Cleanable")
        .doNotInstrumentPackage("android.R")
        .doNotInstrumentClass("android.app.RecoverableSecurityException");
    for (String name :
        List.of(
            "dalvik.", "libcore.", "android.", "com.android.internal.", "org.apache.http.",
            "org.ccil.cowan.tagsoup.", "org.kxml2.")) {
      builder.addInstrumentedPackage(name);
    }
    for (String name : providers.getInstrumentedPackages()) {
      builder.addInstrumentedPackage(name);
    }
    return builder.build();
  }
}
