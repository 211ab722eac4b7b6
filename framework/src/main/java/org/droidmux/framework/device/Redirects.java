package org.droidmux.framework.device;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Where the app's code is led to something of ours instead of the JDK's: for the time, for waiting, for what Android does
 * otherwise, and for what would reach the host itself. Where it gives a task to somebody, the task is numbered ({@link
 * Turns}).
 */
class Redirects extends MethodVisitor {
  private static final String CLOCK = Type.getInternalName(AppClock.class);
  private static final String WAITS = Type.getInternalName(Waits.class);
  private static final String FILES = Type.getInternalName(FileTimes.class);
  private static final String TURNS = Type.getInternalName(Turns.class);
  private static final String SCHEDULE = Type.getInternalName(AppSchedule.class);
  private static final String PATTERNS = Type.getInternalName(AppPatterns.class);
  private static final String POOLS = Type.getInternalName(AppPools.class);
  private static final String EXIT = Type.getInternalName(AppExit.class);
  private static final String LOADER = Type.getInternalName(SystemLoader.class);

  /** A static method of ours; that of an object takes the object first, as what {@code receiver} says where it says so. */
  private record To(String owner, String name, String receiver) {
    To(String owner, String name) {
      this(owner, name, null);
    }
  }

  private static final Map<String, To> STATIC = new HashMap<>();
  private static final Map<String, To> VIRTUAL = new HashMap<>();

  /** What the app's code makes or extends instead of a class of the JDK's. */
  private static final Map<String, String> CLASSES =
      Map.of(
          "java/util/Timer", Type.getInternalName(AppTimer.class),
          "java/util/concurrent/ScheduledThreadPoolExecutor", SCHEDULE);

  private static final String RUNNABLE = "Ljava/lang/Runnable;";
  private static final String CALLABLE = "Ljava/util/concurrent/Callable;";

  static {
    clock("java/lang/System.currentTimeMillis()J", "currentTimeMillis");
    clock("java/lang/System.nanoTime()J", "nanoTime");
    clock("java/lang/Thread.sleep(J)V", "sleep");
    clock("java/lang/Thread.sleep(JI)V", "sleep");
    clock("android/os/SystemClock.sleep(J)V", "sleepThrough");
    clock("android/os/SystemClock.uptimeMillis()J", "uptimeMillis");
    clock("android/os/SystemClock.elapsedRealtime()J", "elapsedRealtime");
    clock("android/os/SystemClock.elapsedRealtimeNanos()J", "elapsedRealtimeNanos");
    clock("java/util/concurrent/locks/LockSupport.parkNanos(J)V", "parkNanos");
    clock("java/util/concurrent/locks/LockSupport.parkNanos(Ljava/lang/Object;J)V", "parkNanos");
    clock("java/util/concurrent/locks/LockSupport.parkUntil(J)V", "parkUntil");
    clock("java/util/concurrent/locks/LockSupport.parkUntil(Ljava/lang/Object;J)V", "parkUntil");
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
    STATIC.put("java/lang/ClassLoader.getSystemClassLoader()Ljava/lang/ClassLoader;", new To(LOADER, "get"));
    String named = "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
    STATIC.put("java/lang/Class.forName" + named, new To(LOADER, "named"));
    String handler = "Ljava/lang/Thread$UncaughtExceptionHandler;";
    STATIC.put("java/lang/Thread.setDefaultUncaughtExceptionHandler(" + handler + ")V", new To(EXIT, "handler"));
    STATIC.put("java/lang/Thread.getDefaultUncaughtExceptionHandler()" + handler, new To(EXIT, "handler"));
    waits();
    for (String[] made : new String[][] {{"newScheduledThreadPool", "I", "pool"}, {"newSingleThreadScheduledExecutor", "", "single"}}) {
      for (String factory : new String[] {"", "Ljava/util/concurrent/ThreadFactory;"}) {
        STATIC.put(
            "java/util/concurrent/Executors." + made[0] + "(" + made[1] + factory
                + ")Ljava/util/concurrent/ScheduledExecutorService;",
            new To(SCHEDULE, made[2]));
      }
    }
    VIRTUAL.put("java/util/concurrent/ThreadPoolExecutor.setCorePoolSize(I)V", new To(POOLS, "setCorePoolSize"));
    VIRTUAL.put("java/io/File.lastModified()J", new To(FILES, "lastModified"));
    STATIC.put(
        "java/nio/file/Files.getLastModifiedTime(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)"
            + "Ljava/nio/file/attribute/FileTime;",
        new To(FILES, "getLastModifiedTime"));
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

  private static final String LIMIT = "JLjava/util/concurrent/TimeUnit;";

  private static void waits() {
    String waits = "java/util/concurrent/";
    for (String kind : new String[] {"()V", "(J)V", "(JI)V"}) {
      wait("java/lang/Object", "java/lang/Object", "wait" + kind, "on");
      for (String owner : new String[] {"java/lang/Thread", "android/os/HandlerThread"}) {
        wait(owner, "java/lang/Thread", "join" + kind, "join");
      }
    }
    for (String kind : new String[] {"park()V", "park(Ljava/lang/Object;)V", "unpark(Ljava/lang/Thread;)V"}) {
      STATIC.put("java/util/concurrent/locks/LockSupport." + kind, new To(WAITS, kind.substring(0, kind.indexOf('('))));
    }
    for (String owner :
        new String[] {
          "BlockingQueue", "BlockingDeque", "TransferQueue", "LinkedBlockingQueue", "LinkedBlockingDeque",
          "ArrayBlockingQueue", "PriorityBlockingQueue", "SynchronousQueue", "LinkedTransferQueue", "DelayQueue"
        }) {
      String queue = waits + "BlockingQueue";
      wait(waits + owner, queue, "take()Ljava/lang/Object;", "take");
      wait(waits + owner, queue, "poll(" + LIMIT + ")Ljava/lang/Object;", "poll");
      wait(waits + owner, queue, "offer(Ljava/lang/Object;" + LIMIT + ")Z", "offer");
    }
    for (String owner : new String[] {"Future", "FutureTask", "ScheduledFuture", "RunnableFuture", "CompletableFuture"}) {
      wait(waits + owner, waits + "Future", "get()Ljava/lang/Object;", "get");
      wait(waits + owner, waits + "Future", "get(" + LIMIT + ")Ljava/lang/Object;", "get");
    }
    wait("android/os/AsyncTask", "android/os/AsyncTask", "get()Ljava/lang/Object;", "get");
    wait("android/os/AsyncTask", "android/os/AsyncTask", "get(" + LIMIT + ")Ljava/lang/Object;", "get");
    wait(waits + "CountDownLatch", waits + "CountDownLatch", "await()V", "await");
    wait(waits + "CountDownLatch", waits + "CountDownLatch", "await(" + LIMIT + ")Z", "await");
    wait(waits + "Semaphore", waits + "Semaphore", "acquire()V", "acquire");
    wait(waits + "Semaphore", waits + "Semaphore", "tryAcquire(" + LIMIT + ")Z", "tryAcquire");
    wait(waits + "Semaphore", waits + "Semaphore", "tryAcquire(I" + LIMIT + ")Z", "tryAcquire");
    for (String owner :
        new String[] {"Lock", "ReentrantLock", "ReentrantReadWriteLock$ReadLock", "ReentrantReadWriteLock$WriteLock"}) {
      wait(waits + "locks/" + owner, waits + "locks/Lock", "tryLock(" + LIMIT + ")Z", "tryLock");
    }
    String condition = waits + "locks/Condition";
    wait(condition, condition, "await()V", "await");
    wait(condition, condition, "await(" + LIMIT + ")Z", "await");
    wait(condition, condition, "awaitNanos(J)J", "awaitNanos");
    wait(condition, condition, "awaitUntil(Ljava/util/Date;)Z", "awaitUntil");
    for (String owner :
        new String[] {
          "ExecutorService", "ScheduledExecutorService", "AbstractExecutorService", "ThreadPoolExecutor",
          "ScheduledThreadPoolExecutor", "ForkJoinPool"
        }) {
      wait(waits + owner, waits + "ExecutorService", "awaitTermination(" + LIMIT + ")Z", "awaitTermination");
    }
  }

  private static void wait(String owner, String receiver, String method, String ours) {
    VIRTUAL.put(owner + "." + method, new To(WAITS, ours, receiver));
  }

  Redirects(MethodVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** Whether a method of this name and shape is where tasks begin, in whatever class of the app's. */
  static boolean begins(int access, String name, String descriptor) {
    if ((access & (Opcodes.ACC_STATIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
      return false;
    }
    return switch (name) {
      case "run" -> descriptor.equals("()V");
      case "call" -> descriptor.equals("()Ljava/lang/Object;");
      case "doInBackground" -> descriptor.equals("([Ljava/lang/Object;)Ljava/lang/Object;");
      default -> false;
    };
  }

  /** At the beginning of such a method. */
  void begin() {
    super.visitVarInsn(Opcodes.ALOAD, 0);
    super.visitMethodInsn(Opcodes.INVOKESTATIC, TURNS, "await", "(Ljava/lang/Object;)V", false);
  }

  /** Numbers the task that is the last argument of a call, or the one before; or the thread, or task, that is started. */
  private void number(String owner, String name, String descriptor) {
    if (name.equals("start") && descriptor.equals("()V")) {
      super.visitInsn(Opcodes.DUP);
    } else if (name.startsWith("execute") && descriptor.startsWith("([Ljava/lang/Object;)Landroid/os/AsyncTask;")) {
      super.visitInsn(Opcodes.DUP2);
      super.visitInsn(Opcodes.POP);
    } else {
      Type[] arguments = Type.getArgumentTypes(descriptor);
      int last = arguments.length - 1;
      if (last >= 0 && isTask(arguments[last])) {
        super.visitInsn(Opcodes.DUP);
      } else if (last >= 1 && isTask(arguments[last - 1]) && arguments[last].getSize() == 1) {
        super.visitInsn(Opcodes.DUP2);
        super.visitInsn(Opcodes.POP);
      } else {
        return;
      }
    }
    super.visitMethodInsn(Opcodes.INVOKESTATIC, TURNS, "given", "(Ljava/lang/Object;)V", false);
  }

  private static boolean isTask(Type type) {
    return type.getDescriptor().equals(RUNNABLE) || type.getDescriptor().equals(CALLABLE);
  }

  @Override
  public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean ofInterface) {
    if (code != Opcodes.INVOKESTATIC) {
      number(owner, name, descriptor);
    }
    if (code == Opcodes.INVOKESPECIAL && CLASSES.containsKey(owner)) {
      super.visitMethodInsn(code, above(owner), name, descriptor, false);
      return;
    }
    To to = to(code, owner, name + descriptor);
    if (to != null) {
      String receiver = to.receiver() == null ? owner : to.receiver();
      String shape = code == Opcodes.INVOKESTATIC ? descriptor : "(L" + receiver + ";" + descriptor.substring(1);
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

  private static To to(int code, String owner, String method) {
    return switch (code) {
      case Opcodes.INVOKESTATIC -> STATIC.get(owner + "." + method);
      // No class can have other methods of these names and shapes.
      case Opcodes.INVOKEVIRTUAL, Opcodes.INVOKEINTERFACE ->
          VIRTUAL.get((method.startsWith("wait(") ? "java/lang/Object" : owner) + "." + method);
      default -> null;
    };
  }

  /** A task made by a lambda expression has no class into which anything can be woven. */
  @Override
  public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
    super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
    String made = Type.getReturnType(descriptor).getDescriptor();
    boolean task = name.equals("run") && made.equals(RUNNABLE) || name.equals("call") && made.equals(CALLABLE);
    if (task && bootstrap.getName().equals("metafactory")) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, TURNS, "given", "(" + made + ")" + made, false);
    }
  }

  @Override
  public void visitTypeInsn(int code, String type) {
    super.visitTypeInsn(code, code == Opcodes.NEW ? above(type) : type);
  }

  /** What the app's code makes or extends instead of a class. */
  static String above(String type) {
    return CLASSES.getOrDefault(type, type);
  }

  @Override
  public void visitMaxs(int stack, int locals) {
    super.visitMaxs(stack + 6, locals);
  }
}
