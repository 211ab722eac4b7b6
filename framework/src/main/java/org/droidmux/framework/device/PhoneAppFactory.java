package org.droidmux.framework.device;

import android.app.Activity;
import android.app.AppComponentFactory;
import android.app.Application;
import android.app.Service;
import android.content.BroadcastReceiver;
import android.content.ContentProvider;
import android.content.Intent;
import android.content.pm.ApplicationInfo;

/** Makes an app's components with the classes of its process, by the app's own factory if it names one. */
final class PhoneAppFactory extends AppComponentFactory {
  private final AppProcess process;
  private final AppComponentFactory own;

  PhoneAppFactory(AppProcess process, ApplicationInfo info) {
    this.process = process;
    this.own = own(process, info);
  }

  private static AppComponentFactory own(AppProcess process, ApplicationInfo info) {
    if (info != null && info.appComponentFactory != null) {
      try {
        Class<?> factory = Class.forName(info.appComponentFactory, true, process.classes());
        return factory.asSubclass(AppComponentFactory.class).getDeclaredConstructor().newInstance();
      } catch (ReflectiveOperationException | ClassCastException e) {
        Phone.get().log().system('E', "LoadedApk", "Unable to instantiate appComponentFactory " + e);
      }
    }
    return new AppComponentFactory();
  }

  @Override
  public Application instantiateApplication(ClassLoader loader, String name)
      throws InstantiationException, IllegalAccessException, ClassNotFoundException {
    // Robolectric resolved a stand-in; the manifest's own name is the process's.
    return own.instantiateApplication(process.classes(), process.applicationClass());
  }

  @Override
  public Activity instantiateActivity(ClassLoader loader, String name, Intent intent)
      throws InstantiationException, IllegalAccessException, ClassNotFoundException {
    return own.instantiateActivity(process.classes(), name, intent);
  }

  @Override
  public BroadcastReceiver instantiateReceiver(ClassLoader loader, String name, Intent intent)
      throws InstantiationException, IllegalAccessException, ClassNotFoundException {
    return own.instantiateReceiver(process.classes(), name, intent);
  }

  @Override
  public Service instantiateService(ClassLoader loader, String name, Intent intent)
      throws InstantiationException, IllegalAccessException, ClassNotFoundException {
    return own.instantiateService(process.classes(), name, intent);
  }

  @Override
  public ContentProvider instantiateProvider(ClassLoader loader, String name)
      throws InstantiationException, IllegalAccessException, ClassNotFoundException {
    return own.instantiateProvider(process.classes(), name);
  }
}
