//! Gestures carried out: by the resident agent where it can, by the device's own tools otherwise.
//!
//! In: a gesture with its coordinates. Out: when the device has accepted it and, where it can tell, a window has reacted.
//! Invariants: typed text reaches the shell quoted, and no message; a gesture that the agent broke down over is made again
//! only where the screen is as before.

use tokio::time::Instant;

use super::agent::Made;
use super::device::AdbDevice;
use super::gesture::Stroke;
use super::place::Input;
use super::settling::REACT;
use super::{gesture, settings, typing};
use crate::{DeviceErrorKind, Gesture, Key};

/// Dumps until the screen has settled, to see what a gesture came to.
const LOOKS: u32 = 4;

impl AdbDevice {
    /// Performs it, and waits for a window to react where the agent can tell.
    pub(super) async fn perform_now(&self, gesture: &Gesture) -> Result<(), DeviceErrorKind> {
        let began = Instant::now();
        self.life().does(gesture);
        let reacted = self.perform_untimed(gesture).await;
        match gesture {
            Gesture::Key(Key::Back) => self.raised().pressed_back(),
            _ => self.raised().touched(),
        }
        self.was_touched();
        if reacted? == Some(false) {
            self.has_moved_at(began);
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
        if let Some(stroke) = gesture::stroke(gesture).filter(reaches) {
            // Bound first: a look has to have the agent, too.
            let made = self.resident().await.gesture(self, stroke, REACT).await?;
            match made {
                Made::Done { reacted } => return Ok(reacted),
                Made::Unsure if self.shows_something_else().await? => return Ok(None),
                Made::Unsure | Made::Not => {}
            }
        }
        self.perform_by_tools(gesture).await.map(|()| None)
    }

    /// Whether the screen is another one than that which was seen last.
    async fn shows_something_else(&self) -> Result<bool, DeviceErrorKind> {
        let before = self.last_layout();
        let now = self.layout_now(LOOKS).await?.layout;
        Ok(before.is_some_and(|before| before.hash() != now.hash()))
    }

    async fn perform_by_tools(&self, gesture: &Gesture) -> Result<(), DeviceErrorKind> {
        let command = match gesture {
            Gesture::Launch(package) => return self.launch_now(package).await,
            Gesture::Relaunch(package) => return self.restart_now(package).await,
            Gesture::Set(package, setting, value) => return self.set_now(package, *setting, value).await,
            Gesture::Kill(package) => return self.kill_now(package).await,
            Gesture::Power(power) => return self.power_now(*power).await,
            // The device's own time is what has to pass: a simulated one may have a clock of its own.
            Gesture::Wait(seconds) => format!("sleep {seconds}"),
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
        let last = self.last_layout();
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
        let now = match self.last_layout().map(|layout| layout.rotation()) {
            Some(rotation) => rotation,
            None => self.foreground_now().await?.rotation,
        };
        Ok(u8::from(now % 2 == 0))
    }
}
