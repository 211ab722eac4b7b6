//! One device behind an ADB server.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::agent::Resident;
use super::alteration::Altered;
use super::connection::Connection;
use super::data_copy::{DataCopy, Root};
use super::keyboard::Keyboard;
use super::life::Life;
use super::log::LogWatch;
use super::main_thread::Reports;
use super::place::Place;
use super::raised::Raised;
use super::readings::Readings;
use super::restless::Restless;
use super::sections::Marks;
use super::server::Server;
use super::shell::{ShellOutput, run_v1, run_v2};
use super::sync::{FileStat, SyncService};
use super::toasts::ToldToasts;
use crate::buffers::Buffers;
use crate::output::{Component, Package};
use crate::{DeviceError, DeviceErrorKind, Patience, Shortcoming};
use droidmux_gui::Layout;
use droidmux_record::DeviceInfo;

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
    told_toasts: Mutex<ToldToasts>,
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
            told_toasts: Mutex::default(),
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

    pub(super) fn server(&self) -> &Server {
        &self.server
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

    /// How long ago something was last known to move: a gesture, or what a window did.
    pub(super) fn since_movement(&self) -> Duration {
        let moved = *self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.map_or(Duration::MAX, |at| at.elapsed())
    }

    pub(super) fn has_moved(&self) {
        self.has_moved_at(Instant::now());
    }

    /// Nothing has moved since then.
    pub(super) fn has_moved_at(&self, then: Instant) {
        *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Some(then);
    }

    /// A gesture has just ended.
    pub(super) fn was_touched(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.has_moved();
    }

    /// The layout that was seen last.
    pub(super) fn last_layout(&self) -> Option<Arc<Layout>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn told_toasts(&self) -> MutexGuard<'_, ToldToasts> {
        self.told_toasts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn restless(&self) -> MutexGuard<'_, Restless> {
        self.restless.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
