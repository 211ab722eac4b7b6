//! Types of `device` that are written as they are: each is repeated here, and the compiler sees to it that both agree.

use serde::{Deserialize, Serialize};

use droidmux_device::{Beginning, Condition, Gesture, Key, Power, TestData, Vitals};
use droidmux_gui::{Bounds, DeviceSetting, Direction, Point};

/// See [`Gesture`].
#[allow(missing_docs, reason = "its variants are described there")]
#[derive(Serialize, Deserialize)]
#[serde(remote = "Gesture", rename_all = "kebab-case")]
pub enum GestureWire {
    Tap(Point),
    LongPress(Point),
    Swipe(Bounds, Direction),
    Type(Point, String),
    Key(#[serde(with = "KeyWire")] Key),
    Rotate,
    Launch(String),
    Wait(u32),
    Kill(String),
    Relaunch(String),
    Power(#[serde(with = "PowerWire")] Power),
    Set(String, DeviceSetting, String),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Key", rename_all = "kebab-case")]
enum KeyWire {
    Back,
    Home,
    Menu,
    Enter,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Power", rename_all = "kebab-case")]
enum PowerWire {
    Sleep,
    Wake,
    Lock,
    Unlock,
}

/// See [`Beginning`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Beginning")]
pub struct BeginningWire {
    #[serde(with = "TestDataWire")]
    data: TestData,
    grant: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TestData", rename_all = "kebab-case")]
enum TestDataWire {
    Cleared,
    Last,
    Kept,
}

/// See [`Vitals`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Vitals")]
pub struct VitalsWire {
    booted: bool,
    boot: String,
    battery: Option<u8>,
    heat: Option<i32>,
    throttling: Option<u8>,
    awake: Option<bool>,
    locked: bool,
    space: Option<u64>,
}

/// See [`Condition`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Condition")]
pub struct ConditionWire {
    exit_codes: bool,
    animations: [Option<String>; 3],
    keyboard: Option<String>,
    has_adb_keyboard: bool,
    uses_adb_keyboard: bool,
    size: Option<(u32, u32)>,
    resized: bool,
    density: Option<u32>,
    is_prepared: bool,
}
