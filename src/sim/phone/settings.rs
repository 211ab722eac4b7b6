//! The settings tables and system properties.

use std::collections::BTreeMap;

use super::PhoneOptions;

/// Settings by namespace and key.
#[derive(Clone, Debug)]
pub(super) struct Settings(BTreeMap<(String, String), String>);

const DEFAULTS: [(&str, &str, &str); 15] = [
    ("global", "adb_enabled", "1"),
    ("global", "animator_duration_scale", "1.0"),
    ("global", "development_settings_enabled", "1"),
    ("global", "device_provisioned", "1"),
    ("global", "stay_on_while_plugged_in", "7"),
    ("global", "transition_animation_scale", "1.0"),
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

/// What `getprop` lists on a phone of these options.
pub(super) fn properties(options: &PhoneOptions) -> BTreeMap<String, String> {
    let device = options.model.to_lowercase().replace(' ', "_");
    let fingerprint =
        format!("droidmux/{device}/{device}:{}/SIM1.260306.001/1:userdebug/test-keys", options.release);
    let entries = [
        ("dev.bootcomplete", "1".to_owned()),
        ("persist.sys.locale", "en-US".to_owned()),
        ("persist.sys.timezone", "UTC".to_owned()),
        ("ro.build.characteristics", "emulator".to_owned()),
        ("ro.build.display.id", "SIM1.260306.001 test-keys".to_owned()),
        ("ro.build.fingerprint", fingerprint),
        ("ro.build.id", "SIM1.260306.001".to_owned()),
        ("ro.build.type", "userdebug".to_owned()),
        ("ro.build.version.release", options.release.clone()),
        ("ro.build.version.sdk", options.sdk.to_string()),
        ("ro.product.brand", "droidmux".to_owned()),
        ("ro.product.cpu.abi", "x86_64".to_owned()),
        ("ro.product.device", device.clone()),
        ("ro.product.manufacturer", "droidmux".to_owned()),
        ("ro.product.model", options.model.clone()),
        ("ro.product.name", device),
        ("ro.serialno", options.serial.clone()),
        ("ro.sf.lcd_density", options.density.to_string()),
        ("sys.boot_completed", "1".to_owned()),
    ];
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
