//! Types of `device` that are written as they are: each is repeated here, and the compiler sees to it that both agree.

use serde::{Deserialize, Serialize};

use droidmux_device::{Beginning, Gesture, Key, Power, TestData};
use droidmux_gui::{Bounds, DeviceSetting, Direction, Point};

/// See [`Gesture`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Gesture", rename_all = "kebab-case")]
pub enum GestureWire {
    /// See there; so are all others.
    Tap(Point),
    #[allow(missing_docs)]
    LongPress(Point),
    #[allow(missing_docs)]
    Swipe(Bounds, Direction),
    #[allow(missing_docs)]
    Type(Point, String),
    #[allow(missing_docs)]
    Key(#[serde(with = "KeyWire")] Key),
    #[allow(missing_docs)]
    Rotate,
    #[allow(missing_docs)]
    Launch(String),
    #[allow(missing_docs)]
    Wait(u32),
    #[allow(missing_docs)]
    Kill(String),
    #[allow(missing_docs)]
    Relaunch(String),
    #[allow(missing_docs)]
    Power(#[serde(with = "PowerWire")] Power),
    #[allow(missing_docs)]
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
