//! The device as everybody above it sees it: each call within its patience, and with the device's name in its error.

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;

use super::device::AdbDevice;
use crate::{
    Began, Beginning, Condition, Device, DeviceError, DeviceErrorKind, DumpTimes, Equipment, Equipped,
    Fixtures, Foreground, Gesture, Manner, Noted, Observed, PackageFile, Patience, Screenshot, Settled,
    Shortcoming, Trial, Vitals,
};
use droidmux_record::{AppBuild, AppPlace, DeviceInfo, Signal, StartAt};

impl AdbDevice {
    /// Waits for `work`; when it fails, the error says which device failed and what it was doing.
    pub(super) async fn call<T>(
        &self,
        what: &str,
        patience: &Patience,
        work: impl Future<Output = Result<T, DeviceErrorKind>>,
    ) -> Result<T, DeviceError> {
        let what = || what.chars().take(200).collect();
        let done = patience.bound(work).await;
        done.map_err(|kind| {
            if matches!(kind, DeviceErrorKind::Lost(_)) || kind.is_serverless() {
                self.server().doubt();
            }
            DeviceError { serial: self.name().to_owned(), what: what(), kind }
        })
    }
}

#[async_trait]
impl Device for AdbDevice {
    fn serial(&self) -> &str {
        self.name()
    }

    fn host(&self) -> Option<&str> {
        self.server().host()
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

/// What performing it is called in messages.
fn words(gesture: &Gesture) -> String {
    match gesture {
        // The text may be a password.
        Gesture::Type(at, _) => format!("typing at {},{}", at.x, at.y),
        Gesture::Launch(package) => format!("launching {package}"),
        other => format!("{other:?}"),
    }
}
