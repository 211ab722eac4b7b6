package org.droidmux.framework.device;

import android.app.Application;
import android.app.Notification;
import android.app.Service;
import android.content.ComponentName;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.os.Binder;
import android.os.Build;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/** The app's own services, in its one process. They end with it. */
final class Services {
  private static final String PERMISSION = "android.permission.FOREGROUND_SERVICE";

  private static final class Running {
    Service service;
    boolean started;
    int lastId;
    /** The number of the notification with which it is in the foreground; 0 where it is not. */
    int foreground;
    final Map<Intent.FilterComparison, IBinder> binders = new LinkedHashMap<>();
    final Map<ServiceConnection, Intent.FilterComparison> connections = new IdentityHashMap<>();
  }

  private final AppProcess process;
  private final Map<String, Running> running = new LinkedHashMap<>();

  Services(AppProcess process) {
    this.process = process;
  }

  /** The app's service that an intent names or means, or null. */
  private ComponentName resolve(Intent intent) {
    Application application = process.application();
    PackageManager packages = application.getPackageManager();
    ComponentName named = intent.getComponent();
    if (named != null) {
      if (!named.getPackageName().equals(application.getPackageName())) {
        return null;
      }
      try {
        ServiceInfo info = packages.getServiceInfo(named, 0);
        return info.enabled ? named : null;
      } catch (PackageManager.NameNotFoundException e) {
        return null;
      }
    }
    for (ResolveInfo found : packages.queryIntentServices(intent, 0)) {
      if (found.serviceInfo != null && found.serviceInfo.packageName.equals(application.getPackageName())) {
        return new ComponentName(found.serviceInfo.packageName, found.serviceInfo.name);
      }
    }
    return null;
  }

  ComponentName start(Intent asked) {
    Intent intent = new Intent(asked);
    ComponentName component = resolve(intent);
    if (component == null) {
      return null;
    }
    intent.setComponent(component);
    later(() -> {
      Running it = made(component, intent);
      it.started = true;
      intent.setExtrasClassLoader(process.classes());
      it.service.onStartCommand(intent, 0, ++it.lastId);
    });
    return component;
  }

  boolean stop(Intent intent) {
    ComponentName component = resolve(intent);
    Running it = component == null ? null : running.get(component.getClassName());
    if (it == null || !it.started) {
      return false;
    }
    later(() -> {
      it.started = false;
      endUnused(component.getClassName());
    });
    return true;
  }

  /** A service stops itself; with a number, only when nothing was asked of it since. */
  boolean stopSelf(Service service, int id) {
    String name = service.getClass().getName();
    Running it = running.get(name);
    if (it == null || id >= 0 && id != it.lastId) {
      return false;
    }
    later(() -> {
      if (id < 0 || id == it.lastId) {
        it.started = false;
        endUnused(name);
      }
    });
    return true;
  }

  boolean bind(Intent asked, ServiceConnection connection, Executor executor) {
    Intent intent = new Intent(asked);
    ComponentName component = resolve(intent);
    if (component == null) {
      return false;
    }
    Intent.FilterComparison kind = new Intent.FilterComparison(intent);
    later(() -> {
      Running it = made(component, intent);
      it.connections.put(connection, kind);
      if (!it.binders.containsKey(kind)) {
        intent.setExtrasClassLoader(process.classes());
        it.binders.put(kind, it.service.onBind(intent));
      }
      IBinder binder = it.binders.get(kind);
      Runnable tell = () -> {
        if (binder == null) {
          connection.onNullBinding(component);
        } else {
          connection.onServiceConnected(component, binder);
        }
      };
      if (executor != null) {
        executor.execute(tell);
      } else {
        later(tell);
      }
    });
    return true;
  }

  void unbind(ServiceConnection connection) {
    for (Map.Entry<String, Running> each : new ArrayList<>(running.entrySet())) {
      Running it = each.getValue();
      Intent.FilterComparison kind = it.connections.remove(connection);
      if (kind != null) {
        later(() -> {
          if (!it.connections.containsValue(kind) && it.binders.remove(kind) != null) {
            it.service.onUnbind(kind.getIntent());
          }
          endUnused(each.getKey());
        });
        return;
      }
    }
  }

  /** A service comes to the foreground with this notification. */
  void foreground(Service service, int id, Notification notification) {
    Running it = running.get(service.getClass().getName());
    if (it == null) {
      return;
    }
    if (id == 0) {
      release(it, true);
      return;
    }
    if (notification == null) {
      throw InSystemsName.thrown(new IllegalArgumentException("null notification"));
    }
    Application application = process.application();
    if (application.getApplicationInfo().targetSdkVersion >= Build.VERSION_CODES.P
        && application.checkSelfPermission(PERMISSION) != PackageManager.PERMISSION_GRANTED) {
      throw InSystemsName.thrown(
          new SecurityException(
              "Permission Denial: startForeground from pid=" + process.pid() + ", uid=" + android.os.Process.myUid()
                  + " requires " + PERMISSION));
    }
    if (it.foreground != 0 && it.foreground != id) {
      release(it, true);
    }
    it.foreground = id;
    Phone.get().notifications().postForService(id, notification);
  }

  /** It is in the foreground no longer. */
  void background(Service service, boolean remove) {
    Running it = running.get(service.getClass().getName());
    if (it != null) {
      release(it, remove);
    }
  }

  private static void release(Running it, boolean remove) {
    if (it.foreground != 0) {
      Phone.get().notifications().releaseOfService(it.foreground, remove);
      it.foreground = 0;
    }
  }

  private void endUnused(String name) {
    Running it = running.get(name);
    if (it != null && !it.started && it.connections.isEmpty()) {
      running.remove(name);
      it.service.onDestroy();
      release(it, true);
    }
  }

  private Running made(ComponentName component, Intent intent) {
    Running known = running.get(component.getClassName());
    if (known != null) {
      return known;
    }
    Running it = new Running();
    Application application = process.application();
    try {
      it.service = new PhoneAppFactory(process, application.getApplicationInfo())
          .instantiateService(process.classes(), component.getClassName(), intent);
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate service " + component.getClassName() + ": " + e, e);
    }
    ReflectionHelpers.callInstanceMethod(
        Service.class, it.service, "attach",
        ClassParameter.from(android.content.Context.class, application.getBaseContext()),
        ClassParameter.from(android.app.ActivityThread.class, RuntimeEnvironment.getActivityThread()),
        ClassParameter.from(String.class, component.getClassName()),
        ClassParameter.from(IBinder.class, new Binder()),
        ClassParameter.from(Application.class, application),
        ClassParameter.from(Object.class, SystemActivityManager.get()));
    running.put(component.getClassName(), it);
    it.service.onCreate();
    return it;
  }

  List<Service> all() {
    List<Service> found = new ArrayList<>();
    running.values().forEach(it -> found.add(it.service));
    return found;
  }

  private static void later(Runnable task) {
    new Handler(Looper.getMainLooper()).post(task);
  }
}
