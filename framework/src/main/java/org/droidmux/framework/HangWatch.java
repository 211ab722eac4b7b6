package org.droidmux.framework;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Watches over the requests. In flow the moments when one begins and ends; where one takes too long, out flows a line of the
 * protocol with the stacks of all threads, so that the cause can be read whatever becomes of the host: whoever started it
 * may have no other word from it, and ends it in the end.
 */
final class HangWatch {
  /** Longer than an app that hangs has, shorter than anybody waits for a host. */
  private static final long PATIENCE_SECONDS = Long.getLong("droidmux.hang.seconds", 25);

  /** So often a request is told of: twice shows what has moved meanwhile. */
  private static final int MOST_TOLD = 2;

  /** Most characters of a stack, and of all of them together. */
  private static final int LONGEST_STACK = 4_000;
  private static final int LONGEST = 15_000;

  /** The threads that are looked at first: the app's main one, then the one that hands it requests. */
  private static final List<String> FIRST = List.of("Main Thread", "courier", "main", "Finalizer");

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Consumer<Map<String, Object>> teller;
  private String request;
  private long since;
  private int told;

  /** @param teller takes the members of a line, on a thread of the watch's own */
  HangWatch(Consumer<Map<String, Object>> teller) {
    this.teller = teller;
    Thread thread = new Thread(this::watch, "hang watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** A request begins. */
  synchronized void begin(String what) {
    request = what;
    since = System.nanoTime();
    told = 0;
  }

  /** It has ended. */
  synchronized void end() {
    request = null;
  }

  private void watch() {
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(1);
        look();
      }
    } catch (InterruptedException e) {
      // Nobody asks for anything any more.
    }
  }

  private void look() {
    Map<String, Object> line = new LinkedHashMap<>();
    synchronized (this) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
      if (request == null || told == MOST_TOLD || seconds < PATIENCE_SECONDS * (told + 1)) {
        return;
      }
      told++;
      line.put("hung", request);
      line.put("seconds", seconds);
    }
    line.put("stacks", stacks());
    teller.accept(line);
  }

  private String stacks() {
    ThreadInfo[] all = threads.dumpAllThreads(false, false);
    Arrays.sort(all, Comparator.comparingInt(HangWatch::rank));
    StringBuilder text = new StringBuilder();
    for (ThreadInfo each : all) {
      String one = stack(each);
      if (text.length() + one.length() > LONGEST) {
        return text.append("and more threads, of ").append(all.length).append('\n').toString();
      }
      text.append(one);
    }
    return text.toString();
  }

  private static int rank(ThreadInfo thread) {
    for (int i = 0; i < FIRST.size(); i++) {
      if (thread.getThreadName().contains(FIRST.get(i))) {
        return i;
      }
    }
    return FIRST.size();
  }

  private String stack(ThreadInfo thread) {
    StringBuilder text = new StringBuilder();
    text.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState());
    LockInfo lock = thread.getLockInfo();
    if (lock != null) {
      text.append(" on ").append(lock.getClassName());
    }
    if (thread.getLockOwnerName() != null) {
      text.append(" of \"").append(thread.getLockOwnerName()).append('"');
    }
    long used = threads.getThreadCpuTime(thread.getThreadId());
    text.append(", ").append(TimeUnit.NANOSECONDS.toMillis(used)).append(" ms of the processor\n");
    for (StackTraceElement frame : thread.getStackTrace()) {
      String line = "  at " + frame + "\n";
      if (text.length() + line.length() > LONGEST_STACK) {
        return text.append("  …\n").toString();
      }
      text.append(line);
    }
    return text.toString();
  }
}
