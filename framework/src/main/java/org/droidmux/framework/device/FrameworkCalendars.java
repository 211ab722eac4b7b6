package org.droidmux.framework.device;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The classes of the framework that ask the JDK for a calendar, and so would show the computer's date. They are given to
 * the sandbox before anybody asks it for them, with those calls led to the phone's clock (see {@link Redirects}).
 */
public final class FrameworkCalendars {
  /** None of them is above another: that one would be loaded with it, as it is. */
  private static final List<String> CLASSES =
      List.of(
          "android.app.DatePickerDialog", "android.text.format.DateFormat", "android.text.format.DateUtils",
          "android.widget.AnalogClock", "android.widget.CalendarView", "android.widget.CalendarViewLegacyDelegate",
          "android.widget.CalendarViewLegacyDelegate$WeekView", "android.widget.CalendarViewMaterialDelegate",
          "android.widget.DatePickerCalendarDelegate", "android.widget.DatePickerSpinnerDelegate",
          "android.widget.DateTimeView", "android.widget.DayPickerView", "android.widget.DigitalClock",
          "android.widget.RadialTimePickerView", "android.widget.SimpleMonthView", "android.widget.TextClock",
          "android.widget.TimePickerClockDelegate", "android.widget.TimePickerSpinnerDelegate");

  private FrameworkCalendars() {}

  /** Loads them, from outside of the sandbox. What a level of the framework does not have is passed over. */
  public static void load(ClassLoader sandbox) throws IOException, ReflectiveOperationException {
    Method define =
        ClassLoader.class.getDeclaredMethod("defineClass", String.class, byte[].class, int.class, int.class);
    define.setAccessible(true);
    for (String name : CLASSES) {
      try (InputStream in = sandbox.getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in != null) {
          byte[] code = redirected(in.readAllBytes());
          define.invoke(sandbox, name, code, 0, code.length);
        }
      }
    }
  }

  private static byte[] redirected(byte[] code) {
    ClassReader reader = new ClassReader(code);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return new Redirects(super.visitMethod(access, name, descriptor, signature, exceptions));
          }
        },
        0);
    return writer.toByteArray();
  }
}
