package org.droidmux.framework.device;

import android.app.job.IJobCallback;
import android.app.job.IJobService;
import android.app.job.JobParameters;
import android.content.ClipData;
import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.IBinder;
import android.os.PersistableBundle;
import android.os.RemoteException;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.Comparator;

/**
 * One run of a job, from the binding of its service to its end. Out flow calls of the service; in flows what the service
 * tells of the job, which {@link Jobs} decides on. It ends with the process at the latest.
 */
final class JobRun implements ServiceConnection {
  private final Jobs jobs;
  private final Job job;

  /** It runs because its last moment had come, whatever the phone is like. */
  private final boolean overdue;

  private boolean stopping;

  /** Set once the service knows of it. */
  private JobParameters parameters;

  private IBinder service;

  private JobRun(Jobs jobs, Job job, boolean overdue) {
    this.jobs = jobs;
    this.job = job;
    this.overdue = overdue;
  }

  static void begin(Jobs jobs, Job job, boolean overdue) {
    job.run = new JobRun(jobs, job, overdue);
    AppProcess.current().services().bind(new Intent().setComponent(job.info.getService()), job.run, null);
  }

  /** Whether it stops when the phone is not as the job wants it any more. */
  boolean stoppable() {
    return !stopping && !overdue;
  }

  @Override
  public void onServiceConnected(ComponentName name, IBinder bound) {
    if (job.run == this) {
      parameters = parameters();
      call(() -> IJobService.Stub.asInterface(bound).startJob(parameters));
      service = bound;
    }
  }

  @Override
  public void onServiceDisconnected(ComponentName name) {}

  /** The service is told to stop; false when it has not begun, and there is nobody to tell. */
  boolean stop() {
    if (stopping) {
      return true;
    }
    stopping = true;
    if (parameters == null) {
      return false;
    }
    call(() -> IJobService.Stub.asInterface(service).stopJob(parameters));
    return true;
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
    @Override
    Object answer(String method, Arguments arguments) {
      boolean yes = Boolean.TRUE.equals(arguments.first(Boolean.class));
      synchronized (jobs) {
        switch (method) {
          case "acknowledgeStartMessage" -> {
            if (!yes) {
              jobs.finish(job, false);
            }
          }
          case "acknowledgeStopMessage", "jobFinished" -> jobs.finish(job, yes);
          case "dequeueWork" -> {
            return jobs.dequeue(job);
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

  /** The parameters of a run, made by the constructor that this level of the framework has. */
  private JobParameters parameters() {
    IBinder callback = new Callback().as(IJobCallback.class).asBinder();
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
        values[i] = truths++ == 0 && overdue;
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
}
