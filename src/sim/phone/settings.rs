//! The settings tables and system properties.

use std::collections::BTreeMap;

use super::{Phone, PhoneOptions};

/// Settings by namespace and key.
#[derive(Clone, Debug)]
pub(super) struct Settings(BTreeMap<(String, String), String>);

const DEFAULTS: [(&str, &str, &str); 18] = [
    ("global", "adb_enabled", "1"),
    ("global", "airplane_mode_on", "0"),
    ("global", "animator_duration_scale", "1.0"),
    ("global", "development_settings_enabled", "1"),
    ("global", "device_provisioned", "1"),
    ("global", "mobile_data", "1"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("global", "transition_animation_scale", "1.0"),
    ("global", "wifi_on", "1"),
    ("global", "window_animation_scale", "1.0"),
    ("secure", "default_input_method", "com.android.inputmethod.latin/.LatinIME"),
    ("secure", "enabled_input_methods", "com.android.inputmethod.latin/.LatinIME"),
    ("secure", "show_ime_with_hard_keyboard", "1"),
    ("secure", "user_setup_complete", "1"),
    ("system", "accelerometer_rotation", "1"),
    ("system", "screen_off_timeout", "60000"),
    ("system", "time_12_24", "24"),
    ("system", "user_rotation", "0"),
];

impl Settings {
    pub(super) fn new() -> Self {
        Self(DEFAULTS.iter().map(|&(space, key, value)| ((space.into(), key.into()), value.into())).collect())
    }

    pub(super) fn get(&self, namespace: &str, key: &str) -> Option<&str> {
        self.0.get(&(namespace.to_owned(), key.to_owned())).map(String::as_str)
    }

    pub(super) fn set(&mut self, namespace: &str, key: &str, value: Option<&str>) {
        let key = (namespace.to_owned(), key.to_owned());
        match value {
            Some(value) => self.0.insert(key, value.to_owned()),
            None => self.0.remove(&key),
        };
    }

    pub(super) fn list(&self, namespace: &str) -> Vec<(String, String)> {
        let of = self.0.iter().filter(|((space, _), _)| space == namespace);
        of.map(|((_, key), value)| (key.clone(), value.clone())).collect()
    }
}

/// What `getprop` lists on a phone of these options: a production build, as `adb root` says too.
pub(super) fn properties(options: &PhoneOptions) -> BTreeMap<String, String> {
    let device = options.model.to_lowercase().replace(' ', "_");
    let fingerprint =
        format!("droidmux/{device}/{device}:{}/SIM1.260306.001/1:user/release-keys", options.release);
    let of_options = [
        ("ro.boot.serialno", options.serial.clone()),
        ("ro.build.fingerprint", fingerprint),
        ("ro.build.product", device.clone()),
        ("ro.build.version.release", options.release.clone()),
        ("ro.build.version.release_or_codename", options.release.clone()),
        ("ro.build.version.sdk", options.sdk.to_string()),
        ("ro.build.version.sdk_full", format!("{}.0", options.sdk)),
        ("ro.product.board", device.clone()),
        ("ro.product.device", device.clone()),
        ("ro.product.model", options.model.clone()),
        ("ro.product.name", device),
        ("ro.serialno", options.serial.clone()),
        ("ro.sf.lcd_density", options.density.to_string()),
    ];
    let fixed = FIXED.iter().map(|&(key, value)| (key, value.to_owned()));
    of_options.into_iter().chain(fixed).map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The same on every simulated phone.
const FIXED: [(&str, &str); 34] = [
    ("dev.bootcomplete", "1"),
    ("gsm.operator.alpha", ""),
    ("gsm.sim.state", "ABSENT"),
    ("gsm.version.baseband", "1.0.0.0"),
    ("init.svc.adbd", "running"),
    ("init.svc.bootanim", "stopped"),
    ("persist.sys.locale", "en-US"),
    ("persist.sys.timezone", "UTC"),
    ("persist.sys.usb.config", "adb"),
    ("ro.boot.qemu", "0"),
    ("ro.build.characteristics", "emulator"),
    ("ro.build.display.id", "SIM1.260306.001 release-keys"),
    ("ro.build.id", "SIM1.260306.001"),
    ("ro.build.tags", "release-keys"),
    ("ro.build.type", "user"),
    ("ro.build.version.codename", "REL"),
    ("ro.build.version.incremental", "1"),
    ("ro.build.version.preview_sdk", "0"),
    ("ro.build.version.security_patch", "2026-03-06"),
    ("ro.debuggable", "0"),
    ("ro.hardware", "sim"),
    ("ro.kernel.qemu", "0"),
    ("ro.opengles.version", "196609"),
    ("ro.product.brand", "droidmux"),
    ("ro.product.cpu.abi", "x86_64"),
    ("ro.product.cpu.abilist", "x86_64,arm64-v8a"),
    ("ro.product.cpu.abilist32", ""),
    ("ro.product.cpu.abilist64", "x86_64,arm64-v8a"),
    ("ro.product.locale", "en-US"),
    ("ro.product.manufacturer", "droidmux"),
    ("ro.secure", "1"),
    ("ro.treble.enabled", "true"),
    ("sys.boot_completed", "1"),
    ("sys.usb.state", "adb"),
];

impl Phone {
    /// A setting; `None` when unset. Namespaces: global, system, secure.
    pub fn setting(&self, namespace: &str, key: &str) -> Option<&str> {
        self.settings.get(namespace, key)
    }

    /// Changes a setting, or unsets it. `system user_rotation` with `accelerometer_rotation` 0
    /// turns the screen; `system font_scale` makes text larger or smaller.
    pub fn set_setting(&mut self, namespace: &str, key: &str, value: Option<&str>) {
        let font = self.font_percent();
        self.settings.set(namespace, key, value);
        if font != self.font_percent() {
            self.configure();
        }
        let by_hand = self.settings.get("system", "accelerometer_rotation") == Some("0");
        let rotation = self.settings.get("system", "user_rotation").and_then(|v| v.parse().ok());
        if let (true, true, Some(rotation)) = (namespace == "system", by_hand, rotation) {
            self.set_rotation(rotation);
        }
    }

    /// All settings of a namespace.
    pub fn settings(&self, namespace: &str) -> Vec<(String, String)> {
        self.settings.list(namespace)
    }

    /// What `getprop` lists.
    pub fn properties(&self) -> &BTreeMap<String, String> {
        &self.properties
    }

    /// Changes what `getprop` says, e.g. who made the phone.
    pub fn set_property(&mut self, key: &str, value: &str) {
        self.properties.insert(key.to_owned(), value.to_owned());
    }
}
