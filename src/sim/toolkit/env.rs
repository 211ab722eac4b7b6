//! What an app can ask the phone.

use std::collections::BTreeSet;

use super::time::Moment;
use droidmux_gui::Bounds;

/// The phone as an app sees it.
#[derive(Clone, Debug)]
pub struct Env {
    /// Milliseconds since 1970 on the phone's clock.
    pub now_ms: u64,
    /// Seeds what is volatile.
    pub seed: u64,
    /// How often apps were launched on the phone.
    pub launches: u32,
    /// Whether nothing is volatile.
    pub steady: bool,
    /// The permissions that the app holds.
    pub granted: BTreeSet<String>,
    /// Whether the system is dark.
    pub night: bool,
    /// The language of the system, e.g. `en`.
    pub language: String,
    /// Whether there is a network.
    pub online: bool,
    /// The screen.
    pub frame: Frame,
}

/// Activities are created again when any of this changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Configuration {
    landscape: bool,
    night: bool,
    language: String,
    font: u32,
}

/// The screen as it is turned now: its size in pixels, and how large text is on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// In pixels.
    pub width: i32,
    /// In pixels.
    pub height: i32,
    /// Dots per inch.
    pub density: u32,
    /// The font's scale in percent.
    pub font: u32,
}

impl Frame {
    /// Dots per inch of text: a user who wants it larger gets more.
    pub fn text_density(self) -> u32 {
        self.density.saturating_mul(self.font) / 100
    }

    /// So many density-independent pixels in pixels.
    pub fn px(self, dp: i32) -> i32 {
        super::layout::pixels(dp, self.density)
    }

    /// All of the screen.
    pub fn screen(self) -> Bounds {
        Bounds::new(0, 0, self.width, self.height)
    }

    /// The height of the status bar in pixels.
    pub fn status_bar(self) -> i32 {
        self.px(24)
    }

    /// The navigation bar: at the bottom, or at the right of a turned screen.
    pub fn navigation_bar(self) -> Bounds {
        let high = self.px(48);
        if self.width > self.height {
            Bounds::new(self.width - high, 0, self.width, self.height)
        } else {
            Bounds::new(0, self.height - high, self.width, self.height)
        }
    }

    /// Where the keyboard is while it is shown.
    pub fn keyboard(self) -> Bounds {
        let free = self.free();
        let high = if self.width > self.height { self.px(160) } else { self.px(240) };
        Bounds::new(0, free.bottom - high.min(free.height() / 2), free.right, free.bottom)
    }

    /// The area that the bars leave free.
    pub fn free(self) -> Bounds {
        let bar = self.navigation_bar();
        let (right, bottom) =
            if self.width > self.height { (bar.left, self.height) } else { (self.width, bar.top) };
        Bounds::new(0, self.status_bar(), right, bottom)
    }

    /// The area that bars and keyboard leave free.
    pub fn free_above(self, keyboard: bool) -> Bounds {
        let free = self.free();
        let bottom = if keyboard { self.keyboard().top } else { free.bottom };
        Bounds { bottom, ..free }
    }
}

impl Env {
    /// The time of day that apps show. It stands still on a steady phone; otherwise it moves on
    /// with every launch and every input.
    pub fn now(&self) -> Moment {
        Moment(self.now_ms)
    }

    /// A number for content that differs after every launch, such as a banner; `None` on a steady
    /// phone. The same for the same phone, number of launches and salt.
    pub fn volatile(&self, salt: u64) -> Option<u64> {
        (!self.steady).then(|| scramble(self.seed ^ scramble(u64::from(self.launches) ^ scramble(salt))))
    }

    /// Whether the app holds this permission.
    pub fn is_granted(&self, permission: &str) -> bool {
        self.granted.contains(permission)
    }

    /// True when the user wants dark screens.
    pub fn is_night(&self) -> bool {
        self.night
    }

    /// The language the app is to speak: a BCP 47 tag such as `en-US`.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The font's scale in percent; 100 unless the user wants text larger or smaller.
    pub fn font_scale(&self) -> u32 {
        self.frame.font
    }

    /// False when neither Wi-Fi nor mobile data connects the phone.
    pub fn is_online(&self) -> bool {
        self.online
    }

    pub(super) fn configuration(&self) -> Configuration {
        Configuration {
            landscape: self.is_landscape(),
            night: self.night,
            language: self.language.clone(),
            font: self.frame.font,
        }
    }

    /// True when the screen is wider than high.
    pub fn is_landscape(&self) -> bool {
        self.frame.width > self.frame.height
    }
}

/// Spreads a number over all 64 bits (the finaliser of SplitMix64).
pub fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
