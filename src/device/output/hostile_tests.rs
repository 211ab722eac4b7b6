//! The parsers on arbitrary input.

use proptest::prelude::*;

use super::{
    Charge, command_of, complaint, read_awake, read_battery, read_displays, read_focus, read_heat,
    read_keyboard, read_launcher, read_locked, read_log, read_package, read_physical, read_rotation,
    read_size, read_space, read_start, read_throttling, read_told, read_window_size, usable_property,
};

/// Words that get a parser past its first line, so that hostile lines reach the rest.
const WORDS: [&str; 36] = [
    "\nDisplay: mDisplayId=",
    "\nDisplay #",
    "displayId=0,",
    "uniqueId='local:7",
    "mCurrentFocus=",
    "mFocusedApp=",
    "Window{",
    "ActivityRecord{",
    "}",
    " u0 ",
    "a.b/.C",
    " type=1 ",
    "mRotation=",
    "09-10 10:00:00.000  1  2 E ",
    "AndroidRuntime: ",
    "FATAL EXCEPTION: main",
    "Process: a, PID: 1",
    "ANR in ",
    "ActivityManager: ",
    "ACRA: ACRA caught a X for ",
    "DEBUG: pid: 1 >>> ",
    " <<<",
    "Reason: ",
    "Package [a]",
    " permissions:",
    "versionCode=",
    "Physical size: ",
    "  level: ",
    "  scale: ",
    "  temperature: ",
    "Thermal Status: ",
    "Temperature{mValue=",
    ", mType=3,",
    "Filesystem Size Used Free Blksize",
    " 12.5G",
    "\n",
];

proptest! {
    #[test]
    fn nothing_makes_them_panic_or_grow(parts in prop::collection::vec(prop_oneof![
        prop::sample::select(&WORDS[..]).prop_map(str::to_owned),
        ".{0,12}",
    ], 0..60)) {
        let text = parts.concat();
        read_focus(&text).page();
        read_keyboard(&text);
        read_locked(&text);
        prop_assert!(read_rotation(&text).is_none_or(|turns| turns < 4));
        read_launcher(&text, "a");
        prop_assert!(read_displays(&text).len() <= 32);
        read_physical(&text, 0);
        read_start(&text);
        read_size(&text);
        read_window_size(&text);
        prop_assert!(usable_property(&text).chars().count() <= 200);
        if let Some(package) = read_package(&text, "a") {
            prop_assert!(package.grants.len() <= 200);
        }
        prop_assert!(!matches!(read_battery(&text), Charge::Percent(101..)));
        prop_assert!(complaint(&text).chars().count() <= 300);
        prop_assert!(!command_of(&text, &text).is_empty());
        let _ = read_told(&text);
        read_heat(&text, &text);
        read_throttling(&text);
        read_awake(&text);
        read_space(&text);
        let signals = read_log(&text).signals;
        prop_assert!(signals.len() <= 32);
        for logged in signals {
            prop_assert!(!logged.signal.headline.is_empty() && logged.signal.stack.len() <= 64);
        }
    }
}
