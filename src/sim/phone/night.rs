//! Whether screens are dark, as `cmd uimode night` says.

use super::Phone;

/// When screens are dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Night {
    /// Never.
    No,
    /// Always.
    Yes,
    /// By sunset, which a phone that does not know its place cannot tell: they stay light.
    Auto,
}

impl Night {
    /// The name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Night::No => "no",
            Night::Yes => "yes",
            Night::Auto => "auto",
        }
    }

    /// The value of the setting.
    fn number(self) -> &'static str {
        match self {
            Night::Auto => "0",
            Night::No => "1",
            Night::Yes => "2",
        }
    }
}

impl Phone {
    /// What [`Phone::set_night`] chose last, [`Night::No`] at first.
    pub fn night(&self) -> Night {
        self.night
    }

    /// Changes when screens are dark; activities are created again when they become dark or cease to be.
    pub fn set_night(&mut self, night: Night) {
        let changes = (self.night == Night::Yes) != (night == Night::Yes);
        self.night = night;
        self.settings.set("secure", "ui_night_mode", Some(night.number()));
        if changes {
            self.configure();
        }
    }
}
