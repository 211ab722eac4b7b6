//! One device behind an ADB server.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::agent::{Made, Resident};
use super::alteration::Altered;
use super::connection::Connection;
use super::data_copy::{DataCopy, Root};
use super::gesture::Stroke;
use super::keyboard::Keyboard;
use super::life::Life;
use super::log::LogWatch;
use super::main_thread::Reports;
use super::place::{Input, Place};
use super::raised::Raised;
use super::readings::Readings;
use super::restless::Restless;
use super::sections::Marks;
use super::server::Server;
use super::settling::REACT;
use super::shell::{ShellOutput, run_v1, run_v2};
use super::sync::{FileStat, SyncService};
use super::{gesture, settings, typing};
use crate::buffers::Buffers;
use crate::output::{Component, Package};
use crate::{
    Began, Beginning, Condition, Device, DeviceError, DeviceErrorKind, DumpTimes, Equipment, Equipped,
    Fixtures, Foreground, Gesture, Key, Manner, Noted, Observed, PackageFile, Patience, Screenshot, Settled,
    Shortcoming, Trial, Vitals,
};
use droidmux_gui::Layout;
use droidmux_record::{AppBuild, AppPlace, DeviceInfo, Signal, StartAt};

/// The most output of one command.
const MAX_OUTPUT: usize = 64 << 20;
/// Remarks kept while nobody asks for them.
const MAX_REMARKS: usize = 20;

/// A device that is reached through an ADB server.
///
/// Remembers what does not change while it is plugged in: features, properties, permissions and
/// launchers of apps, and how far its log was read.
#[derive(Debug)]
pub struct AdbDevice {
    server: Server,
    serial: String,
    marks: Marks,
    shell_v2: OnceCell<bool>,
    profile: OnceCell<DeviceInfo>,
    known: Mutex<Known>,
    log: Mutex<LogWatch>,
    life: Mutex<Life>,
    reports: Reports,
    /// The layout seen last: tells how long the text is that must be deleted, and which way round the screen is.
    last: Mutex<Option<Arc<Layout>>>,
    resident: tokio::sync::Mutex<Resident>,
    /// What a person should know about, kept until it is asked for.
    remarks: Mutex<Vec<String>>,
    /// When the last gesture ended.
    touched: Mutex<Option<Instant>>,
    /// When something was last known to move.
    moved: Mutex<Option<Instant>>,
    restless: Mutex<Restless>,
    raw_pictures: AtomicBool,
    keyboard: Keyboard,
    altered: Mutex<Altered>,
    raised: Mutex<Raised>,
    shortcomings: Mutex<Vec<Shortcoming>>,
    place: Mutex<Place>,
}

/// What has been learnt about apps.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub packages: BTreeMap<String, Package>,
    pub launchers: BTreeMap<String, Component>,
    /// Apps with which a test has begun.
    pub begun: BTreeSet<String>,
    /// Copies of apps' data on the device.
    pub copies: BTreeMap<String, DataCopy>,
    /// How to get root, if it is known whether anybody does.
    pub root: Option<Option<Root>>,
}

impl AdbDevice {
    /// The device that the server's list names so (its serial, as long as no other phone has the same); nothing is asked
    /// yet.
    pub fn new(server: Server, serial: impl Into<String>) -> Self {
        Self {
            server,
            serial: serial.into(),
            marks: Marks::new(),
            shell_v2: OnceCell::new(),
            profile: OnceCell::new(),
            known: Mutex::default(),
            log: Mutex::default(),
            life: Mutex::default(),
            reports: Reports::default(),
            last: Mutex::default(),
            resident: tokio::sync::Mutex::default(),
            remarks: Mutex::default(),
            touched: Mutex::default(),
            moved: Mutex::default(),
            restless: Mutex::default(),
            raw_pictures: AtomicBool::new(false),
            keyboard: Keyboard::default(),
            altered: Mutex::default(),
            raised: Mutex::default(),
            shortcomings: Mutex::default(),
            place: Mutex::default(),
        }
    }

    /// Runs a line in the device's shell.
    ///
    /// # Errors
    /// When the device is lost, the patience ends, or no exit code comes. An exit code other than 0 is not an error:
    /// see [`ShellOutput`].
    pub async fn shell(&self, command: &str, patience: &Patience) -> Result<ShellOutput, DeviceError> {
        self.call(command, patience, self.run(command)).await
    }

    /// What the device knows about a file; `None` when it does not exist.
    ///
    /// # Errors
    /// When the device is lost, the patience ends, or the answer of the sync service is invalid.
    pub async fn stat(&self, path: &str, patience: &Patience) -> Result<Option<FileStat>, DeviceError> {
        self.call(&format!("stat {path}"), patience, async { self.sync().await?.stat(path).await }).await
    }

    /// Reads a file of at most `cap` bytes.
    ///
    /// # Errors
    /// When there is no such file, it may not be read or is larger than `cap`, the device is lost, or
    /// the patience ends.
    pub async fn pull(&self, path: &str, cap: usize, patience: &Patience) -> Result<Vec<u8>, DeviceError> {
        self.call(&format!("pull {path}"), patience, async { self.sync().await?.receive(path, cap).await })
            .await
    }

    /// Writes a file with these permissions (e.g. `0o644`), modified at `modified` (seconds
    /// since the Unix epoch).
    ///
    /// # Errors
    /// When writing there is not allowed, no room is left, the device is lost, or the patience ends.
    pub async fn push(
        &self,
        path: &str,
        mode: u32,
        modified: u32,
        bytes: &[u8],
        patience: &Patience,
    ) -> Result<(), DeviceError> {
        let store = async { self.sync().await?.store(path, mode, modified, bytes).await };
        self.call(&format!("push {path}"), patience, store).await
    }

    pub(super) fn name(&self) -> &str {
        &self.serial
    }

    pub(super) fn keyboard(&self) -> &Keyboard {
        &self.keyboard
    }

    pub(super) fn altered(&self) -> MutexGuard<'_, Altered> {
        self.altered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn raised(&self) -> MutexGuard<'_, Raised> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn shortcomings_known(&self) -> MutexGuard<'_, Vec<Shortcoming>> {
        self.shortcomings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn marks(&self) -> &Marks {
        &self.marks
    }

    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn log(&self) -> MutexGuard<'_, LogWatch> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn reports(&self) -> &Reports {
        &self.reports
    }

    pub(super) fn readings(&self) -> &Readings {
        self.server.readings()
    }

    pub(super) fn buffers(&self) -> &Arc<Buffers> {
        self.server.buffers()
    }

    pub(super) fn remember(&self, layout: &Arc<Layout>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(layout));
    }

    pub(super) async fn resident(&self) -> tokio::sync::MutexGuard<'_, Resident> {
        self.resident.lock().await
    }

    /// Keeps a line for [`Device::remarks`]; the oldest are dropped first.
    pub(super) fn remark(&self, text: &str) {
        let mut remarks = self.remarks.lock().unwrap_or_else(PoisonError::into_inner);
        if remarks.len() >= MAX_REMARKS {
            remarks.remove(0);
        }
        remarks.push(text.to_owned());
    }

    pub(super) fn take_remarks(&self) -> Vec<String> {
        std::mem::take(&mut *self.remarks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How long ago the last gesture was made.
    pub(super) fn since_touch(&self) -> Duration {
        let touched = *self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        touched.map_or(Duration::MAX, |at| at.elapsed())
    }

    pub(super) fn takes_raw_pictures(&self) -> bool {
        self.raw_pictures.load(Ordering::Relaxed)
    }

    pub(super) fn set_raw_pictures(&self, raw: bool) {
        self.raw_pictures.store(raw, Ordering::Relaxed);
    }

    /// A connection whose next request goes to this device.
    pub(super) async fn transport(&self) -> Result<Connection, DeviceErrorKind> {
        self.server.transport(&self.serial).await
    }

    pub(super) async fn profile(&self) -> Result<&DeviceInfo, DeviceErrorKind> {
        self.profile.get_or_try_init(|| self.ask_profile()).await
    }

    /// Runs a line, by shell v2 where the device has it.
    pub(super) async fn run(&self, command: &str) -> Result<ShellOutput, DeviceErrorKind> {
        self.run_into(command, Vec::new()).await
    }

    /// The same; the output goes into the memory of `into` where the device has shell v2.
    pub(super) async fn run_into(
        &self,
        command: &str,
        into: Vec<u8>,
    ) -> Result<ShellOutput, DeviceErrorKind> {
        let v2 = self.has_shell_v2().await?;
        let command = &*self.for_current_user(command);
        let mut connection = self.transport().await?;
        match v2 {
            true => run_v2(&mut connection, command, into, MAX_OUTPUT).await,
            false => run_v1(&mut connection, command, MAX_OUTPUT).await,
        }
    }

    pub(super) async fn has_shell_v2(&self) -> Result<bool, DeviceErrorKind> {
        self.shell_v2.get_or_try_init(|| self.has_feature("shell_v2")).await.copied()
    }

    /// Whether the device, as the server knows it, has this feature of ADB.
    pub(super) async fn has_feature(&self, feature: &str) -> Result<bool, DeviceErrorKind> {
        let features = self.server.features(&self.serial).await?;
        Ok(features.iter().any(|known| known == feature))
    }

    /// Forgets what has been learnt about apps: one of them has been replaced, or is run elsewhere.
    pub(super) fn forget_apps(&self) {
        *self.known() = Known::default();
    }

    pub(super) async fn sync(&self) -> Result<SyncService, DeviceErrorKind> {
        SyncService::open(self.transport().await?).await
    }

    /// Waits for `work`; when it fails, the error says which device failed and what it was doing.
    async fn call<T>(
        &self,
        what: &str,
        patience: &Patience,
        work: impl Future<Output = Result<T, DeviceErrorKind>>,
    ) -> Result<T, DeviceError> {
        let what = || what.chars().take(200).collect();
        let done = patience.bound(work).await;
        done.map_err(|kind| {
            if matches!(kind, DeviceErrorKind::Lost(_) | DeviceErrorKind::NoServer(_)) {
                self.server.doubt();
            }
            DeviceError { serial: self.serial.clone(), what: what(), kind }
        })
    }

    /// How long ago something was last known to move: a gesture, or what a window did.
    pub(super) fn since_movement(&self) -> Duration {
        let moved = *self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.map_or(Duration::MAX, |at| at.elapsed())
    }

    pub(super) fn has_moved(&self) {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    pub(super) fn restless(&self) -> MutexGuard<'_, Restless> {
        self.restless.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Performs it, and waits for a window to react where the agent can tell.
    async fn perform_now(&self, gesture: &Gesture) -> Result<(), DeviceErrorKind> {
        let began = Instant::now();
        self.life().does(gesture);
        let reacted = self.perform_untimed(gesture).await;
        match gesture {
            Gesture::Key(Key::Back) => self.raised().pressed_back(),
            _ => self.raised().touched(),
        }
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.has_moved();
        if reacted? == Some(false) {
            // Nothing has moved since then.
            *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Some(began);
        }
        Ok(())
    }

    /// Whether a window reacted, where the agent could tell.
    async fn perform_untimed(&self, gesture: &Gesture) -> Result<Option<bool>, DeviceErrorKind> {
        // The agent's fingers are on the main display, and its keys go where the focus is.
        let input = self.input().await?;
        let reaches = |stroke: &Stroke| match (input, stroke) {
            (Input(None), _) => true,
            (Input(Some(display)), stroke) => display == 0 && !matches!(stroke, Stroke::Key(_)),
        };
        if let Some(stroke) = gesture::stroke(gesture).filter(reaches)
            && let Made::Done { reacted } = self.resident().await.gesture(self, stroke, REACT).await?
        {
            return Ok(reacted);
        }
        self.perform_by_tools(gesture).await.map(|()| None)
    }

    async fn perform_by_tools(&self, gesture: &Gesture) -> Result<(), DeviceErrorKind> {
        let command = match gesture {
            Gesture::Launch(package) => return self.launch_now(package).await,
            Gesture::Relaunch(package) => return self.restart_now(package).await,
            Gesture::Set(package, setting, value) => return self.set_now(package, *setting, value).await,
            Gesture::Kill(package) => return self.kill_now(package).await,
            Gesture::Power(power) => return self.power_now(*power).await,
            Gesture::Wait(seconds) => {
                tokio::time::sleep(Duration::from_secs((*seconds).into())).await;
                return Ok(());
            }
            Gesture::Rotate => self.turn_command(self.other_rotation().await?),
            Gesture::Type(at, text) => match self.typing_command(self.input().await?, *at, text) {
                Err(kind @ DeviceErrorKind::Untypable(_)) => {
                    let typed =
                        self.set_text_at(*at, text).await? || self.type_by_keyboard(*at, text).await?;
                    return if typed { Ok(()) } else { Err(kind) };
                }
                command => command?,
            },
            simple => gesture::simple(simple, self.input().await?).unwrap_or_default(),
        };
        self.must_quietly(&command).await
    }

    /// Focus the field, empty it, type: one line, one round trip.
    fn typing_command(
        &self,
        input: Input,
        at: droidmux_gui::Point,
        text: &str,
    ) -> Result<String, DeviceErrorKind> {
        let typed = typing::type_text(input, text)?;
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut commands = vec![gesture::tap(input, at)];
        commands.extend(typing::clear_field(input, last.as_deref(), at));
        commands.extend((!typed.is_empty()).then_some(typed));
        Ok(commands.join(" && "))
    }

    /// Turns the screen that the app is on.
    pub(super) fn turn_command(&self, quarter_turns: u8) -> String {
        match self.place().display() {
            0 => settings::rotation_command(quarter_turns),
            display => format!("cmd window user-rotation -d {display} lock {quarter_turns}"),
        }
    }

    /// Landscape when the screen is upright, upright otherwise.
    async fn other_rotation(&self) -> Result<u8, DeviceErrorKind> {
        let last =
            self.last.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|layout| layout.rotation());
        let now = match last {
            Some(rotation) => rotation,
            None => self.foreground_now().await?.rotation,
        };
        Ok(u8::from(now % 2 == 0))
    }
}

/// What performing it is called in messages.
fn words(gesture: &Gesture) -> String {
    match gesture {
        // The text may be a password.
        Gesture::Type(at, _) => format!("typing at {},{}", at.x, at.y),
        Gesture::Launch(package) => format!("launching {package}"),
        other => format!("{other:?}"),
    }
}

#[async_trait]
impl Device for AdbDevice {
    fn serial(&self) -> &str {
        &self.serial
    }

    async fn info(&self, patience: &Patience) -> Result<DeviceInfo, DeviceError> {
        self.call("reading the properties", patience, async { self.profile().await.cloned() }).await
    }

    async fn choose_place(
        &self,
        package: &str,
        place: &AppPlace,
        patience: &Patience,
    ) -> Result<(), DeviceError> {
        self.call("choosing where the app is run", patience, self.choose_place_now(package, place)).await
    }

    async fn app(&self, package: &str, patience: &Patience) -> Result<AppBuild, DeviceError> {
        let what = format!("dumpsys package {package}");
        self.call(&what, patience, async { Ok(self.package_now(package).await?.build) }).await
    }

    async fn install(&self, packages: &[PackageFile], patience: &Patience) -> Result<(), DeviceError> {
        self.call("installing", patience, self.install_now(packages)).await
    }

    async fn layout(&self, tries: u32, patience: &Patience) -> Result<Settled, DeviceError> {
        self.call("dumping the layout", patience, self.layout_now(tries)).await
    }

    async fn foreground(&self, patience: &Patience) -> Result<Foreground, DeviceError> {
        self.call("reading the focus", patience, self.foreground_now()).await
    }

    async fn perform(&self, gesture: &Gesture, patience: &Patience) -> Result<(), DeviceError> {
        self.call(&words(gesture), patience, self.perform_now(gesture)).await
    }

    async fn signals(&self, patience: &Patience) -> Result<Vec<Signal>, DeviceError> {
        self.call("reading the log", patience, self.signals_now()).await
    }

    async fn observe(
        &self,
        manner: &Manner,
        tries: u32,
        patience: &Patience,
    ) -> Result<Observed, DeviceError> {
        self.call("observing the screen", patience, self.observe_now(manner, tries)).await
    }

    async fn screenshot(&self, patience: &Patience) -> Result<Screenshot, DeviceError> {
        let buffer = match self.takes_raw_pictures() {
            // No fault of this device: as long as others may take.
            true => Some(tokio::select! {
                biased;
                () = patience.cancel.cancelled() => {
                    return self.call("screencap", patience, async { Err(DeviceErrorKind::Cancelled) }).await;
                }
                buffer = self.buffers().take() => buffer,
            }),
            false => None,
        };
        self.call("screencap", patience, self.screenshot_now(buffer)).await
    }

    async fn begin(
        &self,
        package: &str,
        beginning: Beginning,
        patience: &Patience,
    ) -> Result<Began, DeviceError> {
        self.call(&format!("resetting {package}"), patience, self.begin_now(package, beginning)).await
    }

    async fn keep(&self, package: &str, patience: &Patience) -> Result<bool, DeviceError> {
        self.call(&format!("copying the data of {package}"), patience, self.keep_now(package)).await
    }

    async fn start(&self, package: &str, patience: &Patience) -> Result<(), DeviceError> {
        self.call(&format!("starting {package}"), patience, self.start_now(package)).await
    }

    async fn equip(&self, wanted: &Equipment, patience: &Patience) -> Result<Equipped, DeviceError> {
        self.call("choosing how to dump", patience, self.equip_now(wanted)).await
    }

    fn remarks(&self) -> Vec<String> {
        self.take_remarks()
    }

    async fn restart(&self, package: &str, patience: &Patience) -> Result<(), DeviceError> {
        self.call(&format!("restarting {package}"), patience, self.restart_now(package)).await
    }

    fn shortcomings(&self) -> Vec<Shortcoming> {
        self.shortcomings_known().clone()
    }

    async fn try_tools(&self, patience: &Patience) -> Result<Vec<Trial>, DeviceError> {
        self.call("trying its tools", patience, self.try_tools_now()).await
    }

    async fn vitals(&self, patience: &Patience) -> Result<Vitals, DeviceError> {
        self.call("asking how it is", patience, self.vitals_now()).await
    }

    async fn condition(&self, patience: &Patience) -> Result<Condition, DeviceError> {
        self.call("asking how it is set up", patience, self.condition_now()).await
    }

    async fn time_dumps(&self, agent: Option<&Path>, patience: &Patience) -> Result<DumpTimes, DeviceError> {
        self.call("timing dumps", patience, self.time_dumps_now(agent)).await
    }

    async fn wake(&self, patience: &Patience) -> Result<(), DeviceError> {
        self.call("waking it", patience, self.wake_now()).await
    }

    async fn noted(&self, patience: &Patience) -> Result<Noted, DeviceError> {
        self.call("reading its lease", patience, self.noted_now()).await
    }

    async fn exchange_note(
        &self,
        seen: Option<&str>,
        new: &str,
        settle: Duration,
        patience: &Patience,
    ) -> Result<Noted, DeviceError> {
        self.call("writing its lease", patience, self.exchange_note_now(seen, new, settle)).await
    }

    async fn prepare(&self, patience: &Patience) -> Result<(), DeviceError> {
        self.call("preparing for a session", patience, self.prepare_now()).await
    }

    async fn furnish(&self, fixtures: &Fixtures, patience: &Patience) -> Result<(), DeviceError> {
        self.call("putting the session's files on it", patience, self.furnish_now(fixtures)).await
    }

    async fn set_clock(&self, at: StartAt, patience: &Patience) -> Result<(), DeviceError> {
        self.call("setting its clock", patience, self.set_clock_now(at)).await
    }

    async fn restore(&self, patience: &Patience) -> Result<(), DeviceError> {
        self.call("restoring the settings", patience, self.restore_now()).await
    }
}
