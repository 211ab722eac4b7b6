package org.droidmux.framework.device;

import java.lang.reflect.Field;

/**
 * A field of the framework's that is not public. In flows its owner and its name, out flows what it holds. It is looked for
 * once: where it is read in each frame, looking for it would take longer than all that is done with it.
 */
final class HiddenField {
  private final Field field;

  private HiddenField(Field field) {
    this.field = field;
  }

  static HiddenField of(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return new HiddenField(field);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(owner + " has no field " + name, e);
    }
  }

  /** The class of what it holds, as it is declared. */
  Class<?> type() {
    return field.getType();
  }

  @SuppressWarnings("unchecked")
  <T> T get(Object owner) {
    try {
      return (T) field.get(owner);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " is not accessible", e);
    }
  }

  void set(Object owner, Object value) {
    try {
      field.set(owner, value);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " is not accessible", e);
    }
  }
}
