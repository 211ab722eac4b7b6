package org.droidmux.framework.device;

import android.app.Application;
import android.app.job.IJobCallback;
import android.app.job.IJobService;
import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.app.job.JobScheduler;
import android.app.job.JobWorkItem;
import android.content.ClipData;
import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.content.pm.ParceledListSlice;
import android.content.pm.ServiceInfo;
import android.os.Build;
import android.os.Bundle;
import android.os.IBinder;
import android.os.PersistableBundle;
import android.os.RemoteException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
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
      if (job.running() && !job.stopping && !job.overdue && !job.satisfied(phone.device())) {
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
    begin(next, now);
    return true;
  }

  private void begin(Job job, long now) {
    job.overdue = job.overdue(now);
    job.connection =
        new ServiceConnection() {
          @Override
          public void onServiceConnected(ComponentName name, IBinder service) {
            if (job.connection == this) {
              job.parameters = parameters(job);
              call(() -> IJobService.Stub.asInterface(service).startJob(job.parameters));
              job.service = service;
            }
          }

          @Override
          public void onServiceDisconnected(ComponentName name) {}
        };
    AppProcess.current().services().bind(new Intent().setComponent(job.info.getService()), job.connection, null);
  }

  private void stop(Job job) {
    if (!job.running() || job.stopping) {
      return;
    }
    job.stopping = true;
    if (job.parameters == null) {
      finish(job, false);
    } else {
      call(() -> IJobService.Stub.asInterface(job.service).stopJob(job.parameters));
    }
  }

  private interface Remote {
    void call() throws RemoteException;
  }

  private static void call(Remote remote) {
    try {
      remote.call();
    } catch (RemoteException e) {
      throw new IllegalStateException("nothing here is remote", e);
    }
  }

  /** What a job tells of itself while it runs. */
  private final class Callback extends SystemService {
    private final Job job;

    Callback(Job job) {
      this.job = job;
    }

    @Override
    Object answer(String method, Arguments arguments) {
      boolean yes = Boolean.TRUE.equals(arguments.first(Boolean.class));
      synchronized (Jobs.this) {
        switch (method) {
          case "acknowledgeStartMessage" -> {
            if (!yes) {
              finish(job, false);
            }
          }
          case "acknowledgeStopMessage", "jobFinished" -> finish(job, yes);
          case "dequeueWork" -> {
            return dequeue(job);
          }
          case "completeWork" -> {
            int id = arguments.number(1);
            return job.begun.removeIf(item -> item.getWorkId() == id);
          }
          default -> {
            return UNKNOWN;
          }
        }
      }
      return null;
    }
  }

  /** The next piece of a job's work; a job whose work is all done is done. */
  private JobWorkItem dequeue(Job job) {
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

  private void finish(Job job, boolean again) {
    if (!job.running()) {
      return;
    }
    ServiceConnection connection = job.connection;
    job.ended();
    if (AppProcess.current() != null) {
      AppProcess.current().services().unbind(connection);
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

  /** The parameters of a run, made by the constructor that this level of the framework has. */
  private JobParameters parameters(Job job) {
    IBinder callback = new Callback(job).as(IJobCallback.class).asBinder();
    Constructor<?> constructor =
        Arrays.stream(JobParameters.class.getDeclaredConstructors())
            .max(Comparator.comparingInt(Constructor::getParameterCount)).orElseThrow();
    Object[] values = new Object[constructor.getParameterCount()];
    int numbers = 0;
    int truths = 0;
    for (int i = 0; i < values.length; i++) {
      Class<?> type = constructor.getParameterTypes()[i];
      if (type == int.class) {
        values[i] = numbers++ == 0 ? job.info.getId() : 0;
      } else if (type == boolean.class) {
        values[i] = truths++ == 0 && job.overdue;
      } else if (type == IBinder.class) {
        values[i] = callback;
      } else if (type == String.class) {
        values[i] = job.namespace;
      } else if (type == PersistableBundle.class) {
        values[i] = job.info.getExtras();
      } else if (type == Bundle.class) {
        values[i] = job.info.getTransientExtras();
      } else if (type == ClipData.class) {
        values[i] = job.info.getClipData();
      }
    }
    try {
      constructor.setAccessible(true);
      return (JobParameters) constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no parameters for jobs at this level of the framework", e);
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
