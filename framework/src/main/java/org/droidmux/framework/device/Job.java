package org.droidmux.framework.device;

import android.app.job.JobInfo;
import android.app.job.JobWorkItem;
import java.util.ArrayList;
import java.util.List;

/**
 * A job that the app has scheduled: when it may run, and what has come of it so far. Times are those of the phone's clock.
 * In flow what the app asked for and how often it failed; out flow whether it is due.
 */
final class Job {
  /** A job that failed does not wait longer. */
  private static final long LONGEST_BACKOFF = 5 * 60 * 60_000;

  private static final long NEVER = Long.MAX_VALUE;

  final String namespace;
  final JobInfo info;
  final List<JobWorkItem> work = new ArrayList<>();
  final List<JobWorkItem> begun = new ArrayList<>();
  long earliest;
  long latest;
  int failures;

  /** Set while it runs. */
  JobRun run;

  Job(String namespace, JobInfo info, long now) {
    this.namespace = namespace;
    this.info = info;
    if (info.isPeriodic()) {
      latest = now + info.getIntervalMillis();
      earliest = latest - info.getFlexMillis();
    } else {
      earliest = now + info.getMinLatencyMillis();
      latest = info.getMaxExecutionDelayMillis() > 0 ? now + info.getMaxExecutionDelayMillis() : NEVER;
    }
  }

  boolean is(String of, int id) {
    return info.getId() == id && (of == null ? namespace == null : of.equals(namespace));
  }

  boolean running() {
    return run != null;
  }

  /** Whether the phone is as the job wants it. */
  boolean satisfied(DeviceState device) {
    boolean network =
        switch (info.getNetworkType()) {
          case JobInfo.NETWORK_TYPE_NONE -> true;
          // The phone is in a Wi-Fi that costs nothing.
          case JobInfo.NETWORK_TYPE_ANY, JobInfo.NETWORK_TYPE_UNMETERED, JobInfo.NETWORK_TYPE_NOT_ROAMING ->
              device.online();
          default -> false;
        };
    return network
        && (!info.isRequireCharging() || device.charging())
        && (!info.isRequireDeviceIdle() || device.idle())
        && (!info.isRequireBatteryNotLow() || !device.batteryLow())
        && info.getTriggerContentUris() == null;
  }

  /** Whether its last moment has come, at which it runs whatever the phone is like. */
  boolean overdue(long now) {
    return !info.isPeriodic() && now >= latest;
  }

  boolean due(long now, DeviceState device) {
    return !running() && (overdue(now) || now >= earliest && satisfied(device));
  }

  /** When it may become due by the time alone. */
  long nextTime(long now, DeviceState device) {
    if (running()) {
      return NEVER;
    }
    long last = info.isPeriodic() ? NEVER : latest;
    return satisfied(device) && earliest > now ? Math.min(earliest, last) : last > now ? last : NEVER;
  }

  /** It has run, and a period of its has to begin anew. */
  void nextPeriod(long now) {
    failures = 0;
    // What was missed is not made up for.
    while (latest <= now) {
      latest += info.getIntervalMillis();
    }
    if (earliest <= now) {
      latest += info.getIntervalMillis();
    }
    earliest = latest - info.getFlexMillis();
  }

  /** It has failed, or its process has ended: it waits, longer each time. */
  void backOff(long now) {
    failures++;
    long first = info.getInitialBackoffMillis();
    long delay =
        info.getBackoffPolicy() == JobInfo.BACKOFF_POLICY_LINEAR
            ? first * failures
            : (long) Math.scalb((float) first, Math.min(failures - 1, 30));
    earliest = now + Math.min(LONGEST_BACKOFF, Math.max(JobInfo.MIN_BACKOFF_MILLIS, delay));
    latest = info.isPeriodic() ? Math.max(latest, earliest + info.getFlexMillis()) : NEVER;
  }

  void ended() {
    run = null;
    work.addAll(0, begun);
    begun.clear();
  }
}
