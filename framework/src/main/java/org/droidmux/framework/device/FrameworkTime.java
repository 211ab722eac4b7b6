package org.droidmux.framework.device;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;

/**
 * The phone's time of day for the framework's own code, where that asks the system for it; Robolectric's interceptor, whose
 * place this one takes, gives the time since the phone was started.
 */
public final class FrameworkTime extends Interceptor {
  public FrameworkTime() {
    super(new MethodRef(System.class, "currentTimeMillis"));
  }

  @Override
  public Function<Object, Object> handle(MethodSignature signature) {
    return (type, self, arguments) -> AppClock.now();
  }

  @Override
  public MethodHandle getMethodHandle(String name, MethodType type) throws NoSuchMethodException, IllegalAccessException {
    return MethodHandles.lookup().findStatic(AppClock.class, "now", MethodType.methodType(long.class));
  }
}
