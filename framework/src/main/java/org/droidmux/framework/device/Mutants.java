package org.droidmux.framework.device;

import android.database.Cursor;
import android.widget.Adapter;
import android.widget.AdapterView;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;

/**
 * The switches of the mutants that were woven into an app's classes ({@code org.droidmux.framework.mutants}), and their
 * counters: by how many requests each place was reached, and by how many the mutant made a difference to the values there,
 * or would have made one were it on.
 *
 * <p>The app's classes call the public methods here; each has the mutant's number as its last argument, and gives what the
 * app's code goes on with.
 */
public final class Mutants {
  /** As many as are woven in at most. */
  private static final int MOST = 30_000;

  private static volatile boolean[] on = new boolean[MOST];
  private static int[] reached = new int[MOST];
  private static int[] differed = new int[MOST];
  private static int[] reachedAt = new int[MOST];
  private static int[] differedAt = new int[MOST];

  /** The number of the request; what happens before the first one is of request 1. */
  private static int request = 1;

  private Mutants() {}

  /** These are on from now on, all others off, and everything is counted anew. */
  static void choose(List<Integer> numbers) {
    boolean[] chosen = new boolean[MOST];
    for (int number : numbers) {
      chosen[number] = true;
    }
    reached = new int[MOST];
    differed = new int[MOST];
    reachedAt = new int[MOST];
    differedAt = new int[MOST];
    on = chosen;
  }

  /** Whether there is such a number. */
  static boolean knows(int number) {
    return number >= 0 && number < MOST;
  }

  /** Another request begins. */
  static void nextRequest() {
    request++;
  }

  /** Counters by number, without those that are zero. */
  static void tell(Map<String, Object> answer) {
    answer.put("reached", counts(reached));
    answer.put("differed", counts(differed));
  }

  private static Map<String, Object> counts(int[] counters) {
    Map<String, Object> counts = new LinkedHashMap<>();
    for (int i = 0; i < counters.length; i++) {
      if (counters[i] > 0) {
        counts.put(String.valueOf(i), counters[i]);
      }
    }
    return counts;
  }

  /** A place is reached where right and wrong differ or not; whether the wrong is what goes on. */
  private static boolean wrong(boolean differs, int number) {
    if (reachedAt[number] != request) {
      reachedAt[number] = request;
      reached[number]++;
    }
    if (!differs) {
      return false;
    }
    if (differedAt[number] != request) {
      differedAt[number] = request;
      differed[number]++;
    }
    return on[number];
  }

  /** Something is left out. */
  public static boolean strikes(int number) {
    return wrong(true, number);
  }

  public static String exchanged(String right, String other, int number) {
    return wrong(!right.equals(other), number) ? other : right;
  }

  public static int exchanged(int right, int other, int number) {
    return wrong(right != other, number) ? other : right;
  }

  public static int lost(int right, int number) {
    return wrong(right != 0, number) ? 0 : right;
  }

  public static long lost(long right, int number) {
    return wrong(right != 0, number) ? 0 : right;
  }

  public static Object lost(Object right, int number) {
    return wrong(right != null, number) ? null : right;
  }

  public static int negated(int right, int number) {
    return wrong(true, number) ? (right == 0 ? 1 : 0) : right;
  }

  /** Whether a jump by two numbers is made. */
  public static boolean compared(int one, int other, int code, int number) {
    boolean right =
        switch (code) {
          case Opcodes.IF_ICMPEQ -> one == other;
          case Opcodes.IF_ICMPNE -> one != other;
          case Opcodes.IF_ICMPLT -> one < other;
          case Opcodes.IF_ICMPGE -> one >= other;
          case Opcodes.IF_ICMPGT -> one > other;
          default -> one <= other;
        };
    return wrong(true, number) != right;
  }

  public static int reversed(int right, int number) {
    return wrong(right != 0, number) ? -right : right;
  }

  /** The sum or the difference, or what it was before. */
  public static int counted(int before, int by, int code, int number) {
    return wrong(by != 0, number) ? before : code == Opcodes.IADD ? before + by : before - by;
  }

  public static long counted(long before, long by, int code, int number) {
    return wrong(by != 0, number) ? before : code == Opcodes.LADD ? before + by : before - by;
  }

  /** The index of an item of a list. */
  public static int item(Object list, int index, int number) {
    return beside(list instanceof Collection<?> items ? items.size() : 0, index, number);
  }

  /** The position of a row of a cursor. */
  public static int row(Object cursor, int index, int number) {
    return beside(cursor instanceof Cursor rows ? rows.getCount() : 0, index, number);
  }

  /** The position of a row in a view of rows. */
  public static int position(Object view, int index, int number) {
    Adapter adapter = view instanceof AdapterView<?> rows ? rows.getAdapter() : null;
    return beside(adapter == null ? 0 : adapter.getCount(), index, number);
  }

  private static int beside(int size, int index, int number) {
    boolean differs = size > 1 && index >= 0 && index < size;
    return wrong(differs, number) ? (index + 1 < size ? index + 1 : index - 1) : index;
  }

  /** The position of a row that knows its own. */
  public static int holder(int position, int number) {
    return wrong(position > 0, number) ? position - 1 : position;
  }

  /** Seen becomes gone, and the contrary. */
  public static int visibility(int right, int number) {
    int gone = 8;
    return wrong(true, number) ? (right == 0 ? gone : 0) : right;
  }

  /** Whether a text has another in it, where it should be whether it begins with it, and the contrary. */
  public static boolean searched(Object text, Object part, boolean right, int number) {
    String within = String.valueOf(text);
    String sought = String.valueOf(part);
    return wrong(within.contains(sought) != within.startsWith(sought), number) != right;
  }
}
