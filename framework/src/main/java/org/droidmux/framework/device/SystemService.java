package org.droidmux.framework.device;

import android.os.Binder;
import android.os.IInterface;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.robolectric.shadows.ShadowServiceManager;
import org.robolectric.util.ReflectionHelpers;

/**
 * A service of the system as the framework's own code reaches it: by its interface. Calls come in by the method's name;
 * arguments are found by their types, since levels of the framework have more or fewer of them. A method that it does not
 * know answers with nothing: null, zero or false.
 */
abstract class SystemService implements InvocationHandler {
  /** What is answered to a method that a service does not know. */
  static final Object UNKNOWN = new Object();

  private Binder binder;

  /** What a call gets back, or {@link #UNKNOWN}. */
  abstract Object answer(String method, Arguments arguments);

  /** The arguments of a call. */
  record Arguments(List<Object> all) {
    /** The first argument of a kind, or null. */
    <T> T first(Class<T> kind) {
      return nth(kind, 0);
    }

    /** The argument of a kind after so many others of that kind, or null. */
    <T> T nth(Class<T> kind, int number) {
      int left = number;
      for (Object each : all) {
        if (kind.isInstance(each) && left-- == 0) {
          return kind.cast(each);
        }
      }
      return null;
    }

    int number(int which) {
      Integer found = nth(Integer.class, which);
      return found == null ? 0 : found;
    }

    long large(int which) {
      Long found = nth(Long.class, which);
      return found == null ? 0 : found;
    }

    /** The argument before the first whole number, which may be missing. */
    <T> T beforeNumber(Class<T> kind) {
      for (int i = 1; i < all.size(); i++) {
        if (all.get(i) instanceof Integer) {
          return kind.cast(all.get(i - 1));
        }
      }
      return null;
    }

    /** The argument so many places before the end. */
    <T> T fromEnd(int places, Class<T> kind) {
      int at = all.size() - places;
      return at < 0 || at >= all.size() ? null : kind.cast(all.get(at));
    }
  }

  /** An implementation of the interface that asks this service. */
  <T extends IInterface> T as(Class<T> kind) {
    // Not before the framework is set up.
    binder = new Binder();
    IInterface made =
        (IInterface) Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, this);
    binder.attachInterface(made, kind.getName());
    return kind.cast(made);
  }

  /** Puts it into the list where the framework looks for services. */
  <T extends IInterface> void publish(String name, Class<T> kind) {
    ShadowServiceManager.addBinderService(name, kind, as(kind));
  }

  @Override
  public final Object invoke(Object proxy, Method method, Object[] given) {
    switch (method.getName()) {
      case "asBinder":
        return binder;
      case "hashCode":
        return System.identityHashCode(proxy);
      case "equals":
        return proxy == given[0];
      case "toString":
        return getClass().getSimpleName();
      default:
        List<Object> arguments = new ArrayList<>();
        for (int i = 0; given != null && i < given.length; i++) {
          arguments.add(given[i]);
        }
        Object answer = answer(method.getName(), new Arguments(arguments));
        Class<?> type = method.getReturnType();
        if (answer != UNKNOWN) {
          return type == void.class ? null : answer;
        }
        return type == void.class || !type.isPrimitive() ? null : ReflectionHelpers.defaultValueForType(type.getName());
    }
  }
}
