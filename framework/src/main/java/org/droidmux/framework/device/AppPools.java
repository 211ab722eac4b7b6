package org.droidmux.framework.device;

import java.util.concurrent.ThreadPoolExecutor;

/** Pools of threads as Android has them: libcore's {@code ThreadPoolExecutor} takes numbers that the JDK's refuses. */
public final class AppPools {
  private AppPools() {}

  /** Android keeps what apps relied on before version 7: more core threads than threads at most. */
  public static void setCorePoolSize(ThreadPoolExecutor pool, int threads) {
    if (threads > pool.getMaximumPoolSize()) {
      pool.setMaximumPoolSize(threads);
    }
    pool.setCorePoolSize(threads);
  }
}
