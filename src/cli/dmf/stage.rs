//! The device that a function is recorded or looked at on, without a session.

use std::sync::Arc;
use std::time::Duration;

use color_eyre::eyre::eyre;

use crate::device::adb::{AdbDevice, Server};
use crate::device::{
    Device, DeviceError, DeviceErrorKind, Gesture, Key, Patience, SystemDialog, system_dialog,
};
use crate::gui::{Event, EventKind, Layout};
use crate::record::RunSettings;

/// How long any single request may take.
const WITHIN: Duration = Duration::from_secs(60);
/// System dialogs answered in a row at most.
const MOST_DIALOGS: usize = 4;

pub(super) fn patience() -> Patience {
    Patience::of(WITHIN)
}

/// The device of this serial, or the only one that is ready.
///
/// # Errors
///
/// When the server does not answer, or has no such device.
pub(super) async fn device_of(server: &Server, serial: Option<&str>) -> color_eyre::Result<AdbDevice> {
    let entries = server.devices(&patience()).await?;
    let ready: Vec<&str> =
        entries.iter().filter(|entry| entry.is_ready()).map(|entry| entry.serial.as_str()).collect();
    let chosen = match (serial, ready.as_slice()) {
        (Some(serial), ready) if ready.contains(&serial) => serial,
        (Some(serial), _) => {
            let listed = entries.iter().find(|entry| entry.serial == serial);
            let why =
                listed.map_or("the ADB server does not know it".into(), |it| format!("it is {}", it.state));
            return Err(eyre!("device {serial} cannot be used: {why}; ready are: {}", ready.join(", ")));
        }
        (None, [only]) => only,
        (None, []) => {
            return Err(eyre!("the ADB server has no device that is ready; `droidmux devices` says why"));
        }
        (None, several) => {
            return Err(eyre!("several devices are ready; choose one with --device: {}", several.join(", ")));
        }
    };
    Ok(AdbDevice::new(server.clone(), chosen))
}

/// An app on a device.
pub(super) struct Stage {
    device: AdbDevice,
    app: String,
}

/// What the device shows.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub layout: Arc<Layout>,
    pub activity: String,
    pub in_app: bool,
    pub keyboard: bool,
    /// Crashes and hangs since the last look, in words.
    pub signals: Vec<String>,
}

/// What became of an event.
pub(super) enum Performed {
    Shown(Shown),
    /// It cannot be performed, and why.
    Not(&'static str),
}

impl Stage {
    /// # Errors
    ///
    /// When the app is not installed, or the device fails.
    pub async fn new(device: AdbDevice, app: &str) -> Result<Self, DeviceError> {
        device.app(app, &patience()).await?;
        device.prepare(&patience()).await?;
        Ok(Self { device, app: app.to_owned() })
    }

    pub async fn restore(&self) -> Result<(), DeviceError> {
        self.device.restore(&patience()).await
    }

    /// Clears the app's data and starts it.
    pub async fn reset(&self) -> Result<Shown, DeviceError> {
        self.device.reset(&self.app, &patience()).await?;
        self.device.start(&self.app, &patience()).await?;
        self.answered().await
    }

    /// Performs an event whose receiver is looked for on `on`, as episodes do.
    pub async fn perform(&self, event: &Event, on: &Layout) -> Result<Performed, DeviceError> {
        let found =
            event.receiver.as_ref().map(|selector| on.resolve(selector).widget().and_then(|id| on.get(id)));
        let widget = match found {
            None => None,
            Some(None) => return Ok(Performed::Not("its widget is not there")),
            Some(Some(widget)) if widget.bounds().is_empty() => {
                return Ok(Performed::Not("its widget has no area to touch"));
            }
            Some(widget) => widget,
        };
        let Some(gesture) = Gesture::of(event, widget, &self.app) else {
            return Ok(Performed::Not("it needs a widget"));
        };
        match self.device.perform(&gesture, &patience()).await {
            Err(DeviceError { kind: DeviceErrorKind::Untypable(_), .. }) => {
                return Ok(Performed::Not("the device cannot type this text"));
            }
            done => done?,
        }
        let mut shown = self.answered().await?;
        if event.kind == EventKind::Edit && shown.keyboard {
            // The keyboard hides what may be wanted next; the first back only closes it.
            self.device.perform(&Gesture::Key(Key::Back), &patience()).await?;
            let signals = std::mem::take(&mut shown.signals);
            shown = self.answered().await?;
            shown.signals.splice(0..0, signals);
        }
        Ok(Performed::Shown(shown))
    }

    /// The screen once system dialogs are answered.
    async fn answered(&self) -> Result<Shown, DeviceError> {
        let mut signals = Vec::new();
        for _ in 0..MOST_DIALOGS {
            let shown = self.look(&mut signals).await?;
            let Some(SystemDialog { go_on, .. }) = system_dialog(&shown.layout) else { return Ok(shown) };
            let Some(widget) = shown.layout.get(go_on) else { return Ok(shown) };
            self.device.perform(&Gesture::Tap(widget.bounds().center()), &patience()).await?;
        }
        self.look(&mut signals).await
    }

    async fn look(&self, signals: &mut Vec<String>) -> Result<Shown, DeviceError> {
        let observed = self.device.observe(RunSettings::default().dump_tries, &patience()).await?;
        signals.extend(observed.signals.iter().map(|signal| signal.headline.clone()));
        Ok(Shown {
            layout: observed.settled.layout,
            in_app: observed.foreground.package == self.app,
            keyboard: observed.foreground.keyboard,
            activity: observed.foreground.activity,
            signals: signals.clone(),
        })
    }
}
