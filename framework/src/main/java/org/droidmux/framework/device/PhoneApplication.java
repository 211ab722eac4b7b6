package org.droidmux.framework.device;

import android.app.Application;

/** Stands in where Robolectric wants the application's class before the process has its classes. */
public final class PhoneApplication extends Application {}
