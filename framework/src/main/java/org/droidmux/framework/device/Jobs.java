package org.droidmux.framework.device;

import android.app.Application;
import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.app.job.JobWorkItem;
import android.content.ComponentName;
import android.content.pm.PackageManager;
import android.content.pm.ParceledListSlice;
import android.content.pm.ServiceInfo;
import android.os.Build;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs of the app, on the phone's clock and by what the phone is like. In flow the calls of the framework's own
 * JobScheduler; out flow calls of the app's job services, in the order in which jobs become due. They outlive the process.
 */
final class Jobs extends SystemService {
  /** How many an app may have at a time. */
  private static final int MOST = 150;

  private final Phone phone;
  private final List<Job> jobs = new ArrayList<>();
  private int nextWork = 1;

  Jobs(Phone phone) {
    this.phone = phone;
  }

  @Override
  synchronized Object answer(String method, Arguments arguments) {
    switch (method) {
      case "schedule", "scheduleAsPackage" -> {
        schedule(namespace(arguments), arguments.first(JobInfo.class), null);
        return JobScheduler.RESULT_SUCCESS;
      }
      case "enqueue" -> {
        schedule(namespace(arguments), arguments.first(JobInfo.class), arguments.first(JobWorkItem.class));
        return JobScheduler.RESULT_SUCCESS;
      }
      case "cancel" -> cancel(arguments.beforeNumber(String.class), arguments.number(0));
      case "cancelAll" -> List.copyOf(jobs).forEach(this::cancel);
      case "cancelAllInNamespace" -> in(namespace(arguments)).forEach(this::cancel);
      case "getPendingJob" -> {
        Job found = get(arguments.beforeNumber(String.class), arguments.number(0));
        return found == null ? null : found.info;
      }
      case "getAllPendingJobsInNamespace" -> {
        return slice(in(namespace(arguments)));
      }
      case "getAllPendingJobs" -> {
        return Build.VERSION.SDK_INT < Build.VERSION_CODES.UPSIDE_DOWN_CAKE ? slice(jobs) : byNamespace();
      }
      case "canRunUserInitiatedJobs" -> {
        return true;
      }
      default -> {
        return UNKNOWN;
      }
    }
    return null;
  }

  private static String namespace(Arguments arguments) {
    return Build.VERSION.SDK_INT < Build.VERSION_CODES.UPSIDE_DOWN_CAKE ? null : (String) arguments.all().get(0);
  }

  private static ParceledListSlice<JobInfo> slice(List<Job> of) {
    return new ParceledListSlice<>(new ArrayList<>(of.stream().map(job -> job.info).toList()));
  }

  private Map<String, ParceledListSlice<JobInfo>> byNamespace() {
    Map<String, ParceledListSlice<JobInfo>> all = new HashMap<>();
    for (Job job : jobs) {
      all.computeIfAbsent(job.namespace, name -> slice(in(name)));
    }
    return all;
  }

  private List<Job> in(String namespace) {
    return jobs.stream().filter(job -> job.is(namespace, job.info.getId())).toList();
  }

  private Job get(String namespace, int id) {
    return jobs.stream().filter(job -> job.is(namespace, id)).findFirst().orElse(null);
  }

  private void schedule(String namespace, JobInfo asked, JobWorkItem item) {
    require(asked);
    Job known = get(namespace, asked.getId());
    if (item != null) {
      item.setWorkId(nextWork++);
      if (known != null && known.info.equals(asked)) {
        known.work.add(item);
        return;
      }
    }
    if (known == null && jobs.size() >= MOST) {
      throw InSystemsName.thrown(
          new IllegalStateException("Apps may not schedule more than " + MOST + " distinct jobs"));
    }
    Job job = new Job(namespace, Parcelled.copy(asked, JobInfo.CREATOR), AppClock.now());
    if (known != null) {
      job.work.addAll(known.work);
      cancel(known);
    }
    if (item != null) {
      job.work.add(item);
    }
    jobs.add(job);
  }

  /** What the system asks of a job before it takes it. */
  private void require(JobInfo job) {
    Application application = AppProcess.current().application();
    ComponentName name = job.getService();
    ServiceInfo service;
    try {
      service = application.getPackageManager().getServiceInfo(name, 0);
    } catch (PackageManager.NameNotFoundException e) {
      throw InSystemsName.thrown(new IllegalArgumentException("No such service " + name));
    }
    if (!"android.permission.BIND_JOB_SERVICE".equals(service.permission)) {
      throw InSystemsName.thrown(
          new IllegalArgumentException(
              "Scheduled service " + name + " does not require android.permission.BIND_JOB_SERVICE permission"));
    }
    if (job.isPersisted() && !phone.permissions().requested().contains("android.permission.RECEIVE_BOOT_COMPLETED")) {
      throw InSystemsName.thrown(
          new IllegalArgumentException(
              "Requested job cannot be persisted without holding android.permission.RECEIVE_BOOT_COMPLETED permission"));
    }
  }

  private void cancel(String namespace, int id) {
    Job known = get(namespace, id);
    if (known != null) {
      cancel(known);
    }
  }

  private void cancel(Job job) {
    jobs.remove(job);
    stop(job);
  }

  /** When a job becomes due by the time alone. */
  synchronized long nextTime() {
    long now = AppClock.now();
    return jobs.stream().mapToLong(job -> job.nextTime(now, phone.device())).min().orElse(Long.MAX_VALUE);
  }

  /** Begins a job that is due, or stops one whose phone is not as it wants it any more; false when there is none. */
  synchronized boolean pump() {
    long now = AppClock.now();
    for (Job job : jobs) {
      if (job.running() && job.run.stoppable() && !job.satisfied(phone.device())) {
        stop(job);
        return true;
      }
    }
    Job next =
        jobs.stream().filter(job -> job.due(now, phone.device()))
            .min(Comparator.comparingLong(job -> job.earliest)).orElse(null);
    if (next == null) {
      return false;
    }
    JobRun.begin(this, next, next.overdue(now));
    return true;
  }

  private void stop(Job job) {
    if (job.running() && !job.run.stop()) {
      finish(job, false);
    }
  }

  /** The next piece of a job's work; a job whose work is all done is done. */
  JobWorkItem dequeue(Job job) {
    if (!job.work.isEmpty()) {
      JobWorkItem item = job.work.remove(0);
      item.bumpDeliveryCount();
      job.begun.add(item);
      return item;
    }
    if (job.begun.isEmpty()) {
      finish(job, false);
    }
    return null;
  }

  /** A run is over, and the job with it, unless it is to run again. */
  void finish(Job job, boolean again) {
    if (!job.running()) {
      return;
    }
    JobRun run = job.run;
    job.ended();
    if (AppProcess.current() != null) {
      AppProcess.current().services().unbind(run);
    }
    long now = AppClock.now();
    if (again || !job.work.isEmpty()) {
      job.backOff(now);
    } else if (job.info.isPeriodic()) {
      job.nextPeriod(now);
    } else {
      jobs.remove(job);
    }
  }

  /** The clock was set: jobs go by the time that has passed. */
  synchronized void clockMoved(long by) {
    for (Job job : jobs) {
      job.earliest += by;
      job.latest = job.latest == Long.MAX_VALUE ? job.latest : job.latest + by;
    }
  }

  /** What ran has ended with the process, and begins again later. */
  synchronized void processEnded() {
    for (Job job : jobs) {
      if (job.running()) {
        job.ended();
        job.backOff(AppClock.now());
      }
    }
  }

  /** As after a force-stop. */
  synchronized void forget() {
    jobs.clear();
  }
}
