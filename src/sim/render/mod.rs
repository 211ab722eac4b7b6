//! Screenshots of simulated screens.
//!
//! In: the windows on the screen, laid out, and what the system shows around them. Out: a picture
//! in which a person recognises the screen.
//!
//! Invariants: pure; a picture is as large as the screen and at most 8,192 pixels a side; equal
//! screens give equal pictures.

use image::RgbaImage;

use droidmux_paint::{Canvas, Color};
use droidmux_sim_toolkit::platform::{Frame, Scene};

mod chrome;
mod icon;
mod memory;
mod widget;

pub(crate) use memory::{give_back, room};

/// What is on the screen.
pub(super) struct Screen<'a> {
    pub frame: Frame,
    /// Windows, the active one last.
    pub scenes: &'a [Scene],
    pub keyboard: Option<Keyboard>,
    pub toast: Option<&'a str>,
    pub clock: &'a str,
    pub on: bool,
}

/// A keyboard that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyboard {
    Latin,
    /// ADBKeyBoard has no keys.
    Adb,
}

/// Draws the screen; all black when it is off.
pub(super) fn draw(screen: &Screen<'_>) -> RgbaImage {
    let (width, height) = (screen.frame.width, screen.frame.height);
    let mut canvas = Canvas::within(memory::take(), width, height, Color(0, 0, 0));
    if screen.on {
        for (n, scene) in screen.scenes.iter().enumerate() {
            if n > 0 {
                canvas.dim();
            }
            widget::draw(&mut canvas, scene, screen.frame);
        }
        chrome::draw(&mut canvas, screen);
    }
    canvas.finish()
}
