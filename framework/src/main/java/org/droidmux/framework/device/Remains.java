package org.droidmux.framework.device;

import android.content.AsyncQueryHandler;
import android.database.sqlite.SQLiteClosable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.ref.Reference;
import java.lang.reflect.Member;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.robolectric.util.ReflectionHelpers;

/**
 * What an ended process would leave behind in the framework and in the JVM, which outlive it here: classes by name,
 * values of the main thread, hooks for the machine's end. All of it would keep the process's classes in memory, and
 * would give them to the next one. What a level of the framework does not have is passed over.
 */
final class Remains {
  /** A static field with a map from names, or classes, to what belongs to a process. */
  private record Cache(String owner, String field) {}

  private static final List<Cache> CACHES =
      List.of(
          new Cache("android.animation.PropertyValuesHolder", "sGetterPropertyMap"),
          new Cache("android.animation.PropertyValuesHolder", "sSetterPropertyMap"),
          new Cache("android.animation.PropertyValuesHolder$IntPropertyValuesHolder", "sJNISetterPropertyMap"),
          new Cache("android.animation.PropertyValuesHolder$FloatPropertyValuesHolder", "sJNISetterPropertyMap"),
          new Cache("android.animation.PropertyValuesHolder$MultiIntValuesHolder", "sJNISetterPropertyMap"),
          new Cache("android.animation.PropertyValuesHolder$MultiFloatValuesHolder", "sJNISetterPropertyMap"),
          new Cache("android.app.Fragment", "sClassMap"),
          new Cache("android.graphics.drawable.DrawableInflater", "CONSTRUCTOR_MAP"),
          new Cache("android.os.Parcel", "mCreators"),
          new Cache("android.os.Parcel", "sPairedCreators"),
          new Cache("android.preference.GenericInflater", "sConstructorMap"),
          new Cache("android.transition.TransitionInflater", "sConstructors"),
          new Cache("android.view.LayoutInflater", "sConstructorMap"));

  /** Collections within collections that are looked into. */
  private static final int DEEPEST = 4;

  private Remains() {}

  /** On the main thread, after the process's threads have ended. */
  static void forget(ClassLoader classes) {
    for (Cache cache : CACHES) {
      forget(cache);
    }
    // Loopers whose threads have ended with the process.
    clear(AsyncQueryHandler.class.getName(), "sLooper");
    clear("android.app.QueuedWork", "sHandler");
    // The first who asks for it leaves its application there.
    clear("android.net.ConnectivityManager", "sInstance");
    forgetLocals(classes);
    forgetHooks(classes);
    forgetSerialForms();
  }

  /**
   * The JDK remembers what objects look like that are written to a stream. What it has dropped of that lies in a queue, with
   * the classes, until the next object is written or read.
   */
  private static void forgetSerialForms() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
        stream.writeObject(Boolean.TRUE);
      }
      try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        stream.readObject();
      }
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("a stream in memory failed", e);
    }
  }

  private static void forget(Cache cache) {
    try {
      Map<?, ?> map = ReflectionHelpers.getStaticField(Class.forName(cache.owner()), cache.field());
      synchronized (map) {
        map.clear();
      }
    } catch (ClassNotFoundException | RuntimeException e) {
      // Another level of the framework.
    }
  }

  private static void clear(String owner, String field) {
    try {
      ReflectionHelpers.setStaticField(Class.forName(owner), field, null);
    } catch (ClassNotFoundException | RuntimeException e) {
      // Another level of the framework.
    }
  }

  /** What the app, or the framework for it, keeps with the main thread. */
  private static void forgetLocals(ClassLoader classes) {
    Object locals = ReflectionHelpers.getField(Thread.currentThread(), "threadLocals");
    Object[] table = locals == null ? null : ReflectionHelpers.getField(locals, "table");
    for (int i = 0; table != null && i < table.length; i++) {
      if (table[i] == null) {
        continue;
      }
      Object value = ReflectionHelpers.getField(table[i], "value");
      Object key = ((Reference<?>) table[i]).get();
      if (!holds(classes, value, DEEPEST) && !of(classes, key)) {
        continue;
      }
      if (key == null) {
        ReflectionHelpers.setField(table[i], "value", null);
      } else {
        ((ThreadLocal<?>) key).remove();
        // Others may have moved into its place.
        i = -1;
      }
    }
  }

  /** Whether something is of the process's, or a collection of the JDK's in which such a thing lies. */
  private static boolean holds(ClassLoader classes, Object kept, int deep) {
    if (of(classes, kept)) {
      return true;
    }
    if (kept == null || deep == 0) {
      return false;
    }
    if (kept instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .anyMatch(each -> holds(classes, each.getKey(), deep - 1) || holds(classes, each.getValue(), deep - 1));
    }
    if (kept instanceof Collection<?> several) {
      return several.stream().anyMatch(each -> holds(classes, each, deep - 1));
    }
    if (kept instanceof Object[] several) {
      return Arrays.stream(several).anyMatch(each -> holds(classes, each, deep - 1));
    }
    if (kept instanceof Reference<?> reference) {
      return holds(classes, reference.get(), deep - 1);
    }
    return kept instanceof Class<?> type && type.getClassLoader() == classes
        || kept instanceof Member member && member.getDeclaringClass().getClassLoader() == classes;
  }

  private static boolean of(ClassLoader classes, Object kept) {
    return kept != null
        && (kept.getClass().getClassLoader() == classes
            || kept instanceof SQLiteClosable
            || kept.getClass().getName().equals("android.database.sqlite.SQLiteSession"));
  }

  /** What the app wanted to be done at the end of its process: on a phone, nothing is done there. */
  private static void forgetHooks(ClassLoader classes) {
    try {
      Class<?> owner = Class.forName("java.lang.ApplicationShutdownHooks");
      Map<Thread, Thread> hooks = ReflectionHelpers.getStaticField(owner, "hooks");
      synchronized (owner) {
        if (hooks != null) {
          hooks.keySet().removeIf(thread -> thread.getContextClassLoader() == classes);
        }
      }
    } catch (ClassNotFoundException | RuntimeException e) {
      // Another JDK.
    }
  }
}
