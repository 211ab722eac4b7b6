package org.droidmux.trial;

import android.app.job.JobParameters;
import android.app.job.JobService;
import android.os.Handler;
import android.os.Looper;

/** A job that takes a second, and fails twice if its number says so. */
public final class TrialJobService extends JobService {
  static int fails;

  private final Handler handler = new Handler(Looper.getMainLooper());

  @Override
  public boolean onStartJob(JobParameters parameters) {
    TrialApplication.hear("job" + parameters.getJobId() + (parameters.isOverrideDeadlineExpired() ? "!" : ""));
    if (parameters.getJobId() == 1) {
      return false;
    }
    handler.postDelayed(
        () -> {
          TrialApplication.hear("end");
          jobFinished(parameters, parameters.getJobId() == 3 && fails-- > 0);
        },
        1_000);
    return true;
  }

  @Override
  public boolean onStopJob(JobParameters parameters) {
    handler.removeCallbacksAndMessages(null);
    TrialApplication.hear("stopped");
    return true;
  }
}
