package org.droidmux.framework.device;

import android.content.Context;
import android.content.Intent;
import android.net.ConnectivityManager;
import android.net.Network;
import android.net.NetworkCapabilities;
import android.net.NetworkInfo;
import android.os.BatteryManager;
import android.os.PowerManager;
import java.util.List;
import org.robolectric.Shadows;
import org.robolectric.shadows.ShadowBatteryManager;
import org.robolectric.shadows.ShadowConnectivityManager;
import org.robolectric.shadows.ShadowNetwork;
import org.robolectric.shadows.ShadowNetworkCapabilities;
import org.robolectric.shadows.ShadowNetworkInfo;
import org.robolectric.shadows.ShadowPowerManager;

/**
 * What the phone is like around the app: its battery, its screen, its network. In flow changes from outside; out flow what
 * the framework's managers answer, the broadcasts of the change, and whether jobs may run. It outlives the process.
 */
final class DeviceState {
  private static final int LOW = 15;
  private static final int LOW_NO_MORE = 20;
  private static final int WIFI = ConnectivityManager.TYPE_WIFI;

  private final Phone phone;
  private int level = 100;
  private boolean charging = true;
  private boolean lit = true;
  private boolean online = true;
  private boolean idle;
  private boolean low;

  DeviceState(Phone phone) {
    this.phone = phone;
  }

  int level() {
    return level;
  }

  boolean charging() {
    return charging;
  }

  boolean online() {
    return online;
  }

  /** Whether the screen is on. */
  boolean lit() {
    return lit;
  }

  /** Whether nobody uses the phone: its screen is off, or it was told so. */
  boolean idle() {
    return idle || !lit;
  }

  boolean batteryLow() {
    return low;
  }

  /** Another process asks: the managers know what they knew. */
  void applyTo(AppProcess process) {
    Context context = process.application();
    ShadowBatteryManager battery = Shadows.shadowOf(context.getSystemService(BatteryManager.class));
    battery.setIsCharging(charging);
    battery.setIntProperty(BatteryManager.BATTERY_PROPERTY_CAPACITY, level);
    battery.setIntProperty(BatteryManager.BATTERY_PROPERTY_STATUS, status());
    PowerManager manager = context.getSystemService(PowerManager.class);
    ShadowPowerManager power = Shadows.shadowOf(manager);
    power.setIsInteractive(lit);
    if (manager.isDeviceIdleMode() != idle) {
      // Tells of it as well.
      power.setIsDeviceIdleMode(idle);
    }
    connect(context);
    phone.sticky().put(battery());
    phone.sticky().put(connectivity());
  }

  private int status() {
    return !charging
        ? BatteryManager.BATTERY_STATUS_DISCHARGING
        : level == 100 ? BatteryManager.BATTERY_STATUS_FULL : BatteryManager.BATTERY_STATUS_CHARGING;
  }

  private void connect(Context context) {
    ShadowConnectivityManager connections = connections(context);
    connections.setDefaultNetworkActive(online);
    if (!online) {
      connections.setActiveNetworkInfo(null);
      return;
    }
    connections.setActiveNetworkInfo(
        ShadowNetworkInfo.newInstance(
            NetworkInfo.DetailedState.CONNECTED, WIFI, 0, true, NetworkInfo.State.CONNECTED));
    connections.setNetworkCapabilities(network(), capabilities());
  }

  private static ShadowConnectivityManager connections(Context context) {
    return Shadows.shadowOf(context.getSystemService(ConnectivityManager.class));
  }

  private static Network network() {
    return ShadowNetwork.newInstance(WIFI);
  }

  private static NetworkCapabilities capabilities() {
    NetworkCapabilities capabilities = ShadowNetworkCapabilities.newInstance();
    Shadows.shadowOf(capabilities).addTransportType(NetworkCapabilities.TRANSPORT_WIFI);
    for (int each :
        List.of(
            NetworkCapabilities.NET_CAPABILITY_INTERNET, NetworkCapabilities.NET_CAPABILITY_VALIDATED,
            NetworkCapabilities.NET_CAPABILITY_NOT_METERED, NetworkCapabilities.NET_CAPABILITY_NOT_VPN,
            NetworkCapabilities.NET_CAPABILITY_NOT_RESTRICTED)) {
      Shadows.shadowOf(capabilities).addCapability(each);
    }
    return capabilities;
  }

  /** The battery, from now on. */
  void power(int percent, boolean plugged) {
    boolean replugged = plugged != charging;
    level = percent;
    charging = plugged;
    boolean wasLow = low;
    low = !charging && (level <= LOW || low && level < LOW_NO_MORE);
    changed();
    phone.tell(battery());
    if (replugged) {
      phone.tell(new Intent(plugged ? Intent.ACTION_POWER_CONNECTED : Intent.ACTION_POWER_DISCONNECTED));
      phone.tell(new Intent(plugged ? BatteryManager.ACTION_CHARGING : BatteryManager.ACTION_DISCHARGING));
    }
    if (low != wasLow) {
      phone.tell(new Intent(low ? Intent.ACTION_BATTERY_LOW : Intent.ACTION_BATTERY_OKAY));
    }
  }

  /** The screen goes on or off; with it comes the person who uses the phone. */
  void screen(boolean on) {
    if (on == lit) {
      return;
    }
    lit = on;
    changed();
    phone.tell(registeredOnly(on ? Intent.ACTION_SCREEN_ON : Intent.ACTION_SCREEN_OFF));
    if (on) {
      phone.tell(registeredOnly(Intent.ACTION_USER_PRESENT));
    }
  }

  /** Whether the phone has been left alone for so long that the system saves what it can. */
  void doze(boolean dozing) {
    if (dozing == idle) {
      return;
    }
    idle = dozing;
    changed();
  }

  /** The network comes or goes. */
  void network(boolean connected) {
    if (connected == online) {
      return;
    }
    online = connected;
    changed();
    for (ConnectivityManager.NetworkCallback each :
        List.copyOf(connections(AppProcess.current().application()).getNetworkCallbacks())) {
      if (connected) {
        each.onAvailable(network());
        each.onCapabilitiesChanged(network(), capabilities());
      } else {
        each.onLost(network());
      }
    }
    phone.tell(connectivity());
  }

  private void changed() {
    if (AppProcess.current() != null) {
      applyTo(AppProcess.current());
    }
  }

  private Intent battery() {
    return registeredOnly(Intent.ACTION_BATTERY_CHANGED)
        .putExtra(BatteryManager.EXTRA_LEVEL, level)
        .putExtra(BatteryManager.EXTRA_SCALE, 100)
        .putExtra(BatteryManager.EXTRA_STATUS, status())
        .putExtra(BatteryManager.EXTRA_PLUGGED, charging ? BatteryManager.BATTERY_PLUGGED_USB : 0)
        .putExtra(BatteryManager.EXTRA_HEALTH, BatteryManager.BATTERY_HEALTH_GOOD)
        .putExtra(BatteryManager.EXTRA_PRESENT, true)
        .putExtra(BatteryManager.EXTRA_TEMPERATURE, 250)
        .putExtra(BatteryManager.EXTRA_VOLTAGE, 4_200)
        .putExtra(BatteryManager.EXTRA_TECHNOLOGY, "Li-ion");
  }

  @SuppressWarnings("deprecation")
  private Intent connectivity() {
    Intent intent = new Intent(ConnectivityManager.CONNECTIVITY_ACTION);
    intent.putExtra(ConnectivityManager.EXTRA_NETWORK_TYPE, WIFI);
    if (!online) {
      intent.putExtra(ConnectivityManager.EXTRA_NO_CONNECTIVITY, true);
    }
    return intent;
  }

  private static Intent registeredOnly(String action) {
    return new Intent(action).addFlags(Intent.FLAG_RECEIVER_REGISTERED_ONLY);
  }
}
