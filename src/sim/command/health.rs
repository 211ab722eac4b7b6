//! `dumpsys battery`, `power` and `thermalservice`: the state of the phone itself. Forms of Android 11 to 13.

use crate::phone::Phone;

/// AOSP `BatteryService.dumpInternal`; 2 is charging, 3 discharging, 5 full; health 3 is overheat.
pub(super) fn battery(phone: &Phone, _: &[String]) -> String {
    let health = phone.health();
    if !health.present {
        return "Current Battery Service state:\n  AC powered: true\n  USB powered: false\n  Wireless powered: false\n  \
                Max charging current: 0\n  Max charging voltage: 0\n  Charge counter: 0\n  status: 1\n  health: 1\n  \
                present: false\n  level: 0\n  scale: 100\n  voltage: 0\n  temperature: 0\n  technology: \n"
            .to_owned();
    }
    let status = match (health.charging, health.level) {
        (true, 100) => 5,
        (true, _) => 2,
        (false, _) => 3,
    };
    let condition = if health.celsius >= 60 { 3 } else { 2 };
    format!(
        "Current Battery Service state:\n  AC powered: false\n  USB powered: {}\n  Wireless powered: false\n  \
         Max charging current: 500000\n  Max charging voltage: 5000000\n  Charge counter: {}\n  status: {status}\n  \
         health: {condition}\n  present: true\n  level: {}\n  scale: 100\n  voltage: {}\n  temperature: {}\n  \
         technology: Li-ion\n",
        health.charging,
        u32::from(health.level) * 40_000,
        health.level,
        3_400 + u32::from(health.level) * 8,
        i32::from(health.celsius) * 10,
    )
}

/// AOSP `PowerManagerService.dumpInternal`, the lines that tools look for.
pub(super) fn power(phone: &Phone, _: &[String]) -> String {
    let on = phone.is_screen_on();
    let health = phone.health();
    let (awake, state) = if on { ("Awake", "ON") } else { ("Asleep", "OFF") };
    format!(
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mDirty=0x0\n  mWakefulness={awake}\n  \
         mWakefulnessChanging=false\n  mIsPowered={}\n  mHoldingDisplaySuspendBlocker={on}\n  mPlugType={}\n  \
         mBatteryLevel={}\n  mStayOn={}\n\nDisplay Power: state={state}\n",
        health.charging,
        if health.charging { 2 } else { 0 },
        health.level,
        phone.setting("global", "stay_on_while_plugged_in").is_some_and(|value| value != "0")
    )
}

/// AOSP `ThermalManagerService.dump`; type 2 is the battery, 3 the skin.
pub(super) fn thermal(phone: &Phone, _: &[String]) -> String {
    let (status, celsius) = (phone.health().thermal, phone.health().celsius);
    let temperatures = format!(
        "\tTemperature{{mValue={celsius}.0, mType=2, mName=battery, mStatus=0}}\n\t\
         Temperature{{mValue={celsius}.0, mType=3, mName=skin, mStatus={status}}}\n"
    );
    format!(
        "IsStatusOverride: false\nThermalEventListeners:\n\tcallbacks: 1\n\tkilled: false\n\tbroadcasts count: -1\n\
         ThermalStatusListeners:\n\tcallbacks: 1\n\tkilled: false\n\tbroadcasts count: -1\n\
         Thermal Status: {status}\nCached temperatures:\n{temperatures}HAL Ready: true\nHAL connection:\n\t\
         ThermalHAL 2.0 connected: yes\nCurrent temperatures from HAL:\n{temperatures}\
         Current cooling devices from HAL:\n\tCoolingDevice{{mValue=0, mType=2, mName=thermal-cpufreq-0}}\n"
    )
}
