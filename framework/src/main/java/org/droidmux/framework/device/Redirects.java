package org.droidmux.framework.device;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Where the app's code is led to something of ours instead of the JDK's: for the time, for what Android does otherwise,
 * and for what would reach the host itself.
 */
final class Redirects extends MethodVisitor {
  private static final String CLOCK = Type.getInternalName(AppClock.class);
  private static final String TIMER = "java/util/Timer";
  private static final String OUR_TIMER = Type.getInternalName(AppTimer.class);
  private static final String PATTERNS = Type.getInternalName(AppPatterns.class);
  private static final String EXIT = Type.getInternalName(AppExit.class);

  /** A static method of ours; that of an object takes the object first. */
  private record To(String owner, String name) {}

  private static final Map<String, To> STATIC = new HashMap<>();
  private static final Map<String, To> VIRTUAL = new HashMap<>();

  static {
    clock("java/lang/System.currentTimeMillis()J", "currentTimeMillis");
    clock("java/lang/System.nanoTime()J", "nanoTime");
    clock("java/lang/Thread.sleep(J)V", "sleep");
    clock("java/lang/Thread.sleep(JI)V", "sleep");
    clock("android/os/SystemClock.sleep(J)V", "sleepThrough");
    clock("android/os/SystemClock.uptimeMillis()J", "uptimeMillis");
    clock("android/os/SystemClock.elapsedRealtime()J", "elapsedRealtime");
    clock("android/os/SystemClock.elapsedRealtimeNanos()J", "nanoTime");
    clock("java/util/concurrent/locks/LockSupport.parkNanos(J)V", "parkNanos");
    clock("java/util/concurrent/locks/LockSupport.parkNanos(Ljava/lang/Object;J)V", "parkNanos");
    clock("java/util/Calendar.getInstance()Ljava/util/Calendar;", "calendar");
    clock("java/util/Calendar.getInstance(Ljava/util/TimeZone;)Ljava/util/Calendar;", "calendar");
    clock("java/util/Calendar.getInstance(Ljava/util/Locale;)Ljava/util/Calendar;", "calendar");
    clock("java/util/Calendar.getInstance(Ljava/util/TimeZone;Ljava/util/Locale;)Ljava/util/Calendar;", "calendar");
    for (String zone : new String[] {"", "Ljava/time/ZoneId;"}) {
      clock("java/time/LocalDate.now(" + zone + ")Ljava/time/LocalDate;", "localDate");
      clock("java/time/LocalDateTime.now(" + zone + ")Ljava/time/LocalDateTime;", "localDateTime");
      clock("java/time/LocalTime.now(" + zone + ")Ljava/time/LocalTime;", "localTime");
      clock("java/time/ZonedDateTime.now(" + zone + ")Ljava/time/ZonedDateTime;", "zonedDateTime");
      clock("java/time/OffsetDateTime.now(" + zone + ")Ljava/time/OffsetDateTime;", "offsetDateTime");
      clock("java/time/YearMonth.now(" + zone + ")Ljava/time/YearMonth;", "yearMonth");
      clock("java/time/Year.now(" + zone + ")Ljava/time/Year;", "wholeYear");
    }
    clock("java/time/Instant.now()Ljava/time/Instant;", "instant");
    clock("java/time/Clock.systemUTC()Ljava/time/Clock;", "universalClock");
    clock("java/time/Clock.systemDefaultZone()Ljava/time/Clock;", "clock");
    clock("java/time/Clock.system(Ljava/time/ZoneId;)Ljava/time/Clock;", "clock");
    STATIC.put("java/util/regex/Pattern.compile(Ljava/lang/String;)Ljava/util/regex/Pattern;", new To(PATTERNS, "pattern"));
    STATIC.put("java/util/regex/Pattern.compile(Ljava/lang/String;I)Ljava/util/regex/Pattern;", new To(PATTERNS, "pattern"));
    STATIC.put("java/lang/System.exit(I)V", new To(EXIT, "exit"));
    VIRTUAL.put("java/util/concurrent/TimeUnit.sleep(J)V", new To(CLOCK, "sleep"));
    VIRTUAL.put("java/lang/Runtime.exit(I)V", new To(EXIT, "exit"));
    VIRTUAL.put("java/lang/Runtime.halt(I)V", new To(EXIT, "exit"));
    VIRTUAL.put("java/lang/ProcessBuilder.start()Ljava/lang/Process;", new To(EXIT, "program"));
    for (String arguments :
        new String[] {
          "Ljava/lang/String;", "Ljava/lang/String;[Ljava/lang/String;",
          "Ljava/lang/String;[Ljava/lang/String;Ljava/io/File;", "[Ljava/lang/String;",
          "[Ljava/lang/String;[Ljava/lang/String;", "[Ljava/lang/String;[Ljava/lang/String;Ljava/io/File;"
        }) {
      VIRTUAL.put("java/lang/Runtime.exec(" + arguments + ")Ljava/lang/Process;", new To(EXIT, "program"));
    }
  }

  private static void clock(String method, String ours) {
    STATIC.put(method, new To(CLOCK, ours));
  }

  Redirects(MethodVisitor next) {
    super(Opcodes.ASM9, next);
  }

  @Override
  public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean ofInterface) {
    if (code == Opcodes.INVOKESPECIAL && owner.equals(TIMER)) {
      super.visitMethodInsn(code, OUR_TIMER, name, descriptor, false);
      return;
    }
    String method = owner + "." + name + descriptor;
    To to = code == Opcodes.INVOKESTATIC ? STATIC.get(method) : code == Opcodes.INVOKEVIRTUAL ? VIRTUAL.get(method) : null;
    if (to != null) {
      String shape = code == Opcodes.INVOKESTATIC ? descriptor : "(L" + owner + ";" + descriptor.substring(1);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, to.owner(), to.name(), shape, false);
    } else if (owner.equals("java/util/Date") && name.equals("<init>") && descriptor.equals("()V")) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, CLOCK, "currentTimeMillis", "()J", false);
      super.visitMethodInsn(code, owner, name, "(J)V", false);
    } else if (owner.equals("java/util/GregorianCalendar") && name.equals("<init>") && descriptor.equals("()V")) {
      for (String part : new String[] {"year", "month", "day", "hour", "minute", "second"}) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CLOCK, part, "()I", false);
      }
      super.visitMethodInsn(code, owner, name, "(IIIIII)V", false);
    } else {
      super.visitMethodInsn(code, owner, name, descriptor, ofInterface);
    }
  }

  @Override
  public void visitTypeInsn(int code, String type) {
    super.visitTypeInsn(code, code == Opcodes.NEW ? above(type) : type);
  }

  /** What the app's code makes or extends instead of a class. */
  static String above(String type) {
    return TIMER.equals(type) ? OUR_TIMER : type;
  }

  @Override
  public void visitMaxs(int stack, int locals) {
    super.visitMaxs(stack + 6, locals);
  }
}
