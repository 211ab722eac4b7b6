//! Devices: phones, emulators and the simulated lab, all through ADB.
//!
//! In: gestures and questions from an episode. Out: settled layouts, the focused page, crash and ANR signals,
//! screenshots, or an error that says which device failed and at which step.
//!
//! Invariants: every wait has a deadline and ends at once when cancelled; a stream that ends
//! without an exit packet is a lost device, never an empty answer; what was changed on a device
//! (animations, rotation, language, network …) is put back; only `adb` opens sockets, and runs `ssh`.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use droidmux_gui::{Bounds, DeviceSetting, Direction, Event, EventKind, Layout, Note, Point, Widget};
use droidmux_record::{AppBuild, AppPlace, DeviceInfo, DumpChoice, Settling, Signal, StartAt};

pub mod adb;
mod beginning;
mod buffers;
mod condition;
mod dialog;
#[cfg(test)]
mod dialog_tests;
mod error;
mod fixtures;
mod frame;
mod lease_note;
mod manner;
mod output;
mod patience;
mod shortcoming;
mod trial;
mod vitals;

pub use beginning::{Began, Beginning, TestData};
pub use condition::{Condition, DumpTimes, NoDumps};
pub use dialog::{DialogKind, SystemDialog, system_dialog};
pub use error::{DeviceError, DeviceErrorKind};
pub use fixtures::{Fixtures, FixturesError, Person};
pub use frame::{Frame, FrameError, Screenshot};
pub use lease_note::{LeaseNote, LeaseState, Noted};
pub use manner::{Expectation, Manner};
pub use patience::Patience;
pub use shortcoming::Shortcoming;
pub use trial::Trial;
pub use vitals::Vitals;

/// A settled dump.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The last dump as a tree.
    pub layout: Arc<Layout>,
    /// What was noted while reading it: how the tree is degraded.
    pub notes: Vec<Note>,
    /// How it was found to be at rest, within the allowed tries.
    pub settling: Settling,
    /// Dumps that this took.
    pub dumps: u32,
}

/// Everything an episode needs to know after an event.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The screen, dumped until it kept still.
    pub settled: Settled,
    /// Queried together with the last dump.
    pub foreground: Foreground,
    /// Crashes and ANRs since they were last asked for, oldest first.
    pub signals: Vec<Signal>,
    /// What a toast said since the last look, where the device has a way to tell.
    pub toast: Option<String>,
    /// Whether one would have been told.
    pub hears_toasts: bool,
}

/// How a session wants its device read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Equipment {
    /// The resident agent's jar, or a Python installation that holds it.
    pub agent: Option<PathBuf>,
    /// Which tool dumps the screens.
    pub dumps: DumpChoice,
    /// Whether pictures will be taken.
    pub pictures: bool,
}

/// How a device is read, as chosen.
#[derive(Clone, Debug, Default)]
pub struct Equipped {
    /// What a person should know about the choice.
    pub said: Vec<String>,
    /// Why there is no resident agent although one is wanted.
    pub lacks_agent: Option<adb::agent::AgentError>,
}

/// What is in the foreground.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreground {
    /// The focused package; empty when nothing is focused.
    pub package: String,
    /// Full class name of the activity, or the name of a system window.
    pub activity: String,
    /// The on-screen keyboard is up.
    pub keyboard: bool,
    /// Quarter turns, 0 to 3.
    pub rotation: u8,
}

/// What a finger, a key or the launcher does; selectors are already resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// A short touch.
    Tap(Point),
    /// A touch held until the device counts it as long.
    LongPress(Point),
    /// Drag inside these bounds so that content further in this direction comes into view.
    Swipe(Bounds, Direction),
    /// Replace the text of the field around this point.
    Type(Point, String),
    /// A key of the device, pressed once.
    Key(Key),
    /// A quarter turn, between upright and sideways.
    Rotate,
    /// Bring this package to the front from its launcher icon.
    Launch(String),
    /// Do nothing for this many seconds.
    Wait(u32),
    /// End the process of this package as the system does when memory runs short.
    Kill(String),
    /// Force-stop this package and start it from its launcher icon.
    Relaunch(String),
    /// The power key, and the keyguard.
    Power(Power),
    /// Change a setting, as far as it concerns this package, to a value; an empty one means the value from before the
    /// session.
    Set(String, DeviceSetting, String),
}

/// A package of an app: the app itself, or one of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageFile {
    /// The file it came from, for messages.
    pub name: String,
    /// The whole content of the file.
    pub bytes: Vec<u8>,
}

/// What is done to the screen and the keyguard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Power {
    /// Off.
    Sleep,
    /// On.
    Wake,
    /// Off, with the keyguard before it.
    Lock,
    /// On, with the keyguard away.
    Unlock,
}

/// A key that a test may press.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// `KEYCODE_BACK`.
    Back,
    /// `KEYCODE_HOME`.
    Home,
    /// `KEYCODE_MENU`.
    Menu,
    /// `KEYCODE_ENTER`.
    Enter,
}

impl Gesture {
    /// What a finger does for an event on its widget in `app`; `None` when the event wants a widget
    /// and has none.
    pub fn of(event: &Event, widget: Option<Widget<'_>>, app: &str) -> Option<Self> {
        let point = widget.map(|widget| widget.bounds().center());
        Some(match event.kind {
            EventKind::Click => Self::Tap(point?),
            EventKind::LongClick => Self::LongPress(point?),
            EventKind::Edit => Self::Type(point?, event.data.clone().unwrap_or_default()),
            EventKind::Scroll(direction) => Self::Swipe(widget?.bounds(), direction),
            EventKind::Back => Self::Key(Key::Back),
            EventKind::Home => Self::Key(Key::Home),
            EventKind::Menu => Self::Key(Key::Menu),
            EventKind::Enter => Self::Key(Key::Enter),
            EventKind::Rotate => Self::Rotate,
            EventKind::Launch => Self::Launch(app.to_owned()),
            EventKind::Wait => Self::Wait(event.seconds()),
            EventKind::Kill => Self::Kill(app.to_owned()),
            EventKind::Relaunch => Self::Relaunch(app.to_owned()),
            EventKind::Sleep => Self::Power(Power::Sleep),
            EventKind::Wake => Self::Power(Power::Wake),
            EventKind::Lock => Self::Power(Power::Lock),
            EventKind::Unlock => Self::Power(Power::Unlock),
            EventKind::Set(setting) => {
                Self::Set(app.to_owned(), setting, event.data.clone().unwrap_or_default())
            }
        })
    }
}

/// One device.
#[async_trait]
pub trait Device: Send + Sync {
    /// Its serial, as the ADB server lists it, or `SERIAL#2` for the second phone of one serial, and `SERIAL@HOST` where its
    /// server is one of several; names the device in errors, leases and records.
    fn serial(&self) -> &str;

    /// The host that it hangs on, where a lab's devices may come from several; hosts group devices in views and logs.
    fn host(&self) -> Option<&str> {
        None
    }

    /// The lease on it is over: whoever leases it next begins anew.
    fn let_go(&self) {}

    /// Model, Android version, build, screen size.
    async fn info(&self, patience: &Patience) -> Result<DeviceInfo, DeviceError>;

    /// Runs this app from now on as a session file says, until [`Device::restore`]; what it leaves open is found when the
    /// app is asked for. `Misplaced` when the device has no such display.
    async fn choose_place(
        &self,
        package: &str,
        place: &AppPlace,
        patience: &Patience,
    ) -> Result<(), DeviceError>;

    /// The installed version of an app; an error of kind `NotInstalled` when it is absent, of kind `Misplaced` when the
    /// chosen user does not have it.
    async fn app(&self, package: &str, patience: &Patience) -> Result<AppBuild, DeviceError>;

    /// Installs these packages as one app, replacing what is there; `Uninstallable` when the device refuses them.
    async fn install(&self, packages: &[PackageFile], patience: &Patience) -> Result<(), DeviceError>;

    /// Dumps until two in a row are equal, at most `tries` times after whatever the page has to load.
    async fn layout(&self, tries: u32, patience: &Patience) -> Result<Settled, DeviceError>;

    /// Which activity is focused, which way the screen is turned, whether the keyboard is up.
    async fn foreground(&self, patience: &Patience) -> Result<Foreground, DeviceError>;

    /// Performs it and returns when the device has accepted it and, where the device can tell, a window has reacted or
    /// the time for that is over; the result shows on the next layout.
    async fn perform(&self, gesture: &Gesture, patience: &Patience) -> Result<(), DeviceError>;

    /// [`Device::perform`] for a caller that will look in this manner next: a device that is far away does both at once, and
    /// has the answer ready. What goes wrong with the look is said by [`Device::observe`].
    async fn perform_before(
        &self,
        gesture: &Gesture,
        _manner: &Manner,
        _tries: u32,
        patience: &Patience,
    ) -> Result<(), DeviceError> {
        self.perform(gesture, patience).await
    }

    /// Crashes and ANRs since the last call, oldest first.
    async fn signals(&self, patience: &Patience) -> Result<Vec<Signal>, DeviceError>;

    /// [`Device::layout`], [`Device::foreground`] and [`Device::signals`] at once: what an episode needs after every
    /// event. Devices that can answer all three in one round trip do so, and those that know a swifter way to a settled
    /// screen take it where `manner` lets them.
    async fn observe(
        &self,
        _manner: &Manner,
        tries: u32,
        patience: &Patience,
    ) -> Result<Observed, DeviceError> {
        let settled = self.layout(tries, patience).await?;
        let foreground = self.foreground(patience).await?;
        let signals = self.signals(patience).await?;
        Ok(Observed { settled, foreground, signals, toast: None, hears_toasts: false })
    }

    /// A picture of the screen. Raw ones hold memory that others may wait for: they should not be kept.
    async fn screenshot(&self, patience: &Patience) -> Result<Screenshot, DeviceError>;

    /// Makes the app ready for a test, turns the screen upright, and starts it; says with which data.
    async fn begin(
        &self,
        package: &str,
        beginning: Beginning,
        patience: &Patience,
    ) -> Result<Began, DeviceError>;

    /// Ends the app and copies its data as it is now, for [`TestData::Kept`]; false where that cannot be done. The copy
    /// is removed by [`Device::restore`].
    async fn keep(&self, package: &str, patience: &Patience) -> Result<bool, DeviceError>;

    /// Starts the app from its launcher activity and waits for its window.
    async fn start(&self, package: &str, patience: &Patience) -> Result<(), DeviceError>;

    /// Chooses how dumps and pictures are taken from now on, until [`Device::restore`].
    async fn equip(&self, wanted: &Equipment, patience: &Patience) -> Result<Equipped, DeviceError>;

    /// Incidents that a person should know about, e.g. that another way of dumping had to be used; each reported once,
    /// oldest first.
    fn remarks(&self) -> Vec<String>;

    /// Ends the app, whatever it is doing, and starts it again; its data stays.
    async fn restart(&self, package: &str, patience: &Patience) -> Result<(), DeviceError>;

    /// What sessions do without on this device at the moment; known once it was prepared or its vitals were asked for.
    fn shortcomings(&self) -> Vec<Shortcoming> {
        Vec::new()
    }

    /// Tries each tool that a night needs, within seconds, and changes nothing by it. Only for a caller that has the device
    /// to itself.
    async fn try_tools(&self, patience: &Patience) -> Result<Vec<Trial>, DeviceError>;

    /// Battery, heat, screen and space, in one round trip; works even while the system is starting.
    async fn vitals(&self, patience: &Patience) -> Result<Vitals, DeviceError>;

    /// How it is set up; nothing is changed.
    async fn condition(&self, patience: &Patience) -> Result<Condition, DeviceError>;

    /// Dumps the current screen a few times in each available way. Only for a caller that has the device to itself:
    /// only one of the ways of dumping can be used at a time.
    async fn time_dumps(&self, agent: Option<&Path>, patience: &Patience) -> Result<DumpTimes, DeviceError>;

    /// Switches the screen on and dismisses the keyguard; `NotReady` when it needs a secret.
    async fn wake(&self, patience: &Patience) -> Result<(), DeviceError>;

    /// The content of the device's lease file.
    async fn noted(&self, patience: &Patience) -> Result<Noted, DeviceError>;

    /// Replaces `seen` with `new` (with nothing when it is empty) and returns the content of the lease file after
    /// `settle`. Nothing is changed when it is no longer `seen`; without `seen`, whatever is there is replaced.
    async fn exchange_note(
        &self,
        seen: Option<&str>,
        new: &str,
        settle: Duration,
        patience: &Patience,
    ) -> Result<Noted, DeviceError>;

    /// Makes the device ready for a session: screen on, animations off, the previous settings remembered on the device
    /// itself.
    async fn prepare(&self, patience: &Patience) -> Result<(), DeviceError>;

    /// Puts files and people on the device. They stay there; those that an earlier session brought are replaced.
    async fn furnish(&self, fixtures: &Fixtures, patience: &Patience) -> Result<(), DeviceError>;

    /// Sets the clock, until [`Device::restore`]; `Unsupported` when it lets nobody do so.
    async fn set_clock(&self, at: StartAt, patience: &Patience) -> Result<(), DeviceError>;

    /// Puts back what [`Device::prepare`] changed, including what an earlier session left changed.
    async fn restore(&self, patience: &Patience) -> Result<(), DeviceError>;
}
