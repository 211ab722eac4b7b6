package org.droidmux.framework.device;

import android.os.SystemClock;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.robolectric.util.ReflectionHelpers;

/**
 * A pool of the app's for tasks at moments of the phone's time; the JDK's goes by the computer's. The app's code makes this
 * one where it would make the JDK's (see {@link Redirects}). The JDK's queue asks its tasks how long they still have to
 * wait: here they say so by the phone's clock, and the pool looks again when that gets there.
 */
public class AppSchedule extends ScheduledThreadPoolExecutor {
  private static final AtomicLong NUMBERS = new AtomicLong();

  /** The delay of the task that the thread is just handing in, in nanoseconds. */
  private static final ThreadLocal<Long> ASKED = new ThreadLocal<>();

  public AppSchedule(int threads) {
    super(threads);
  }

  public AppSchedule(int threads, ThreadFactory factory) {
    super(threads, factory);
  }

  public AppSchedule(int threads, RejectedExecutionHandler handler) {
    super(threads, handler);
  }

  public AppSchedule(int threads, ThreadFactory factory, RejectedExecutionHandler handler) {
    super(threads, factory, handler);
  }

  // What Executors makes.

  public static ScheduledExecutorService pool(int threads) {
    return new AppSchedule(threads);
  }

  public static ScheduledExecutorService pool(int threads, ThreadFactory factory) {
    return new AppSchedule(threads, factory);
  }

  public static ScheduledExecutorService single() {
    return Executors.unconfigurableScheduledExecutorService(new AppSchedule(1));
  }

  public static ScheduledExecutorService single(ThreadFactory factory) {
    return Executors.unconfigurableScheduledExecutorService(new AppSchedule(1, factory));
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    ASKED.set(unit.toNanos(delay));
    return super.schedule(task, delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
    ASKED.set(unit.toNanos(delay));
    return super.schedule(task, delay, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
    ASKED.set(unit.toNanos(delay));
    return super.scheduleAtFixedRate(task, delay, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long delay, long period, TimeUnit unit) {
    ASKED.set(unit.toNanos(delay));
    return super.scheduleWithFixedDelay(task, delay, period, unit);
  }

  @Override
  protected <V> RunnableScheduledFuture<V> decorateTask(Runnable task, RunnableScheduledFuture<V> future) {
    return new Timed<>(this, future);
  }

  @Override
  protected <V> RunnableScheduledFuture<V> decorateTask(Callable<V> task, RunnableScheduledFuture<V> future) {
    return new Timed<>(this, future);
  }

  /** Its threads look again for what is due. Those that are at work are not disturbed. */
  private void look() {
    ReflectionHelpers.callInstanceMethod(ThreadPoolExecutor.class, this, "interruptIdleWorkers");
  }

  /** Whether a task of a pool is not to be begun yet: it is not due, or nobody has told the pool's threads that it is. */
  static boolean isLater(Delayed task) {
    return task.getDelay(TimeUnit.NANOSECONDS) > 0 || (task instanceof Timed<?> timed && timed.untold);
  }

  /** A task of the JDK's that says by the phone's clock how long it has to wait. */
  private static final class Timed<V> implements RunnableScheduledFuture<V> {
    private final AppSchedule pool;
    private final RunnableScheduledFuture<V> future;
    private final long number = NUMBERS.getAndIncrement();
    /** Above zero from start to start, below from an end to the next start, as in the JDK. */
    private final long period;
    /** By the JDK's own account, which changes whenever it has run. */
    private long known;
    private long due;
    /** The threads wait by the computer's clock until they are told. */
    private volatile boolean untold;

    Timed(AppSchedule pool, RunnableScheduledFuture<V> future) {
      this.pool = pool;
      this.future = future;
      period = ReflectionHelpers.getField(future, "period");
      known = account();
      Long asked = ASKED.get();
      ASKED.remove();
      due(SystemClock.uptimeMillis() + (asked == null ? 0 : AppClock.up(Math.max(0, asked))));
    }

    private long account() {
      return ReflectionHelpers.getField(future, "time");
    }

    private void due(long moment) {
      due = moment;
      untold = due > SystemClock.uptimeMillis();
      if (untold) {
        Sleepers.at(due, this::tell);
      }
    }

    private void tell() {
      untold = false;
      pool.look();
    }

    private synchronized long due() {
      long now = account();
      if (now != known) {
        known = now;
        due(period > 0 ? due + AppClock.up(period) : SystemClock.uptimeMillis() + AppClock.up(-period));
      }
      return due;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(due() - SystemClock.uptimeMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      if (other instanceof Timed<?> timed) {
        int order = Long.compare(due(), timed.due());
        return order != 0 ? order : Long.compare(number, timed.number);
      }
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }

    @Override
    public boolean isPeriodic() {
      return future.isPeriodic();
    }

    @Override
    public void run() {
      future.run();
    }

    @Override
    public boolean cancel(boolean interrupting) {
      boolean cancelled = future.cancel(interrupting);
      if (cancelled && pool.getRemoveOnCancelPolicy()) {
        pool.remove(this);
      }
      return cancelled;
    }

    @Override
    public boolean isCancelled() {
      return future.isCancelled();
    }

    @Override
    public boolean isDone() {
      return future.isDone();
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
      return future.get();
    }

    @Override
    public V get(long time, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
      return future.get(time, unit);
    }
  }
}
