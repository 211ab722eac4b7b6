//! The stage: an app on a device, on which a person performs without a session.
//!
//! In: events. Out: what the device shows once system dialogs are answered, or why an event cannot be performed.

use std::sync::Arc;

use droidmux_device::{
    Beginning, Device, DeviceError, DeviceErrorKind, Gesture, Key, Manner, Patience, SystemDialog,
    system_dialog,
};
use droidmux_gui::{Event, EventKind, Layout};
use droidmux_record::RunSettings;

/// The most system dialogs answered in a row.
const MOST_DIALOGS: usize = 4;

/// An app on a device.
pub struct Stage {
    device: Arc<dyn Device>,
    app: String,
}

/// What the device shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The screen.
    pub layout: Arc<Layout>,
    /// Full class name of the focused activity.
    pub activity: String,
    /// The app has the focus.
    pub in_app: bool,
    /// The on-screen keyboard is up.
    pub keyboard: bool,
    /// Crashes and hangs since the last look, in words.
    pub signals: Vec<String>,
}

/// What became of an event.
pub enum Performed {
    /// The event was performed: what is on the screen now.
    Shown(Shown),
    /// Why the event cannot be performed.
    Not(&'static str),
}

impl Stage {
    /// Makes the device ready; [`Stage::restore`] puts it back.
    ///
    /// # Errors
    /// When the app is not installed, or the device fails.
    pub async fn new(device: Arc<dyn Device>, app: &str) -> Result<Self, DeviceError> {
        device.app(app, &Patience::default()).await?;
        device.prepare(&Patience::default()).await?;
        Ok(Self { device, app: app.to_owned() })
    }

    /// Puts back what was changed on the device.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn restore(&self) -> Result<(), DeviceError> {
        self.device.restore(&Patience::default()).await
    }

    /// Clears the app's data and starts it.
    ///
    /// # Errors
    /// When the device fails.
    pub async fn reset(&self) -> Result<Shown, DeviceError> {
        let afresh = Beginning { grant: true, ..Beginning::default() };
        self.device.begin(&self.app, afresh, &Patience::default()).await?;
        self.answered().await
    }

    /// Performs an event whose receiver is looked for on `on`, as episodes do.
    ///
    /// # Errors
    /// When the device fails.
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
        match self.device.perform(&gesture, &Patience::default()).await {
            Err(DeviceError { kind: DeviceErrorKind::Untypable(_), .. }) => {
                return Ok(Performed::Not("the device cannot type this text"));
            }
            done => done?,
        }
        let mut shown = self.answered().await?;
        if event.kind == EventKind::Edit && shown.keyboard {
            // The keyboard hides what may be wanted next; the first back only closes it.
            self.device.perform(&Gesture::Key(Key::Back), &Patience::default()).await?;
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
            self.device.perform(&Gesture::Tap(widget.bounds().center()), &Patience::default()).await?;
        }
        self.look(&mut signals).await
    }

    async fn look(&self, signals: &mut Vec<String>) -> Result<Shown, DeviceError> {
        let observed = self
            .device
            .observe(&Manner::Strict, RunSettings::default().dump_tries, &Patience::default())
            .await?;
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
