//! The list of neutral insertions: what each is made of, and what people call it.

use droidmux_gui::{DeviceSetting, EventKind};
use droidmux_record::NeutralInsertion;

/// The events of an insertion; none for one that touches a widget or changes a setting.
pub fn sequence(kind: NeutralInsertion) -> &'static [EventKind] {
    match kind {
        NeutralInsertion::Rotate => &[EventKind::Rotate, EventKind::Rotate],
        NeutralInsertion::Home => &[EventKind::Home, EventKind::Launch],
        NeutralInsertion::Lock => &[EventKind::Lock, EventKind::Unlock],
        NeutralInsertion::Sleep => &[EventKind::Sleep, EventKind::Wake],
        NeutralInsertion::Kill => &[EventKind::Home, EventKind::Kill, EventKind::Launch],
        NeutralInsertion::Page
        | NeutralInsertion::Dark
        | NeutralInsertion::Language
        | NeutralInsertion::FontSize
        | NeutralInsertion::Network
        | NeutralInsertion::Day => &[],
    }
}

/// The insertion that changes this setting and changes it back.
pub fn of_setting(setting: DeviceSetting) -> NeutralInsertion {
    match setting {
        DeviceSetting::Dark => NeutralInsertion::Dark,
        DeviceSetting::Language => NeutralInsertion::Language,
        DeviceSetting::FontSize => NeutralInsertion::FontSize,
        DeviceSetting::Network => NeutralInsertion::Network,
        DeviceSetting::Clock => NeutralInsertion::Day,
    }
}

/// What was done, to go on with "After": `turning the phone twice`; `opened`: what was touched, quoted.
pub fn done(kind: NeutralInsertion, opened: Option<&str>) -> String {
    let words = match kind {
        NeutralInsertion::Rotate => "turning the phone twice",
        NeutralInsertion::Home => "going to the home screen and coming back",
        NeutralInsertion::Lock => "locking and unlocking the phone",
        NeutralInsertion::Sleep => "turning the screen off and on",
        NeutralInsertion::Kill => "the system ended the app in the background and it was opened again,",
        NeutralInsertion::Page => {
            return opened.map_or("going back".into(), |name| format!("opening {name} and going back"));
        }
        NeutralInsertion::Dark => "switching the dark theme on and off",
        NeutralInsertion::Language => "changing the language and changing it back",
        NeutralInsertion::FontSize => "changing the font size and changing it back",
        NeutralInsertion::Network => "switching the network off and on",
        NeutralInsertion::Day => "a day passed",
    };
    words.into()
}

/// What the platform promises, in a sentence.
pub fn promise(kind: NeutralInsertion) -> &'static str {
    match kind {
        NeutralInsertion::Rotate => "Turning the phone and turning it back leaves the screen as it was.",
        NeutralInsertion::Home => "Leaving the app and coming back leaves the screen as it was.",
        NeutralInsertion::Lock => "Locking and unlocking the phone leaves the screen as it was.",
        NeutralInsertion::Sleep => "Turning the screen off and on leaves it as it was.",
        NeutralInsertion::Kill => "An app that the system ends in the background comes back as it was.",
        NeutralInsertion::Page => "Going back from what was just opened leaves the screen as it was.",
        NeutralInsertion::Dark => "Switching the dark theme on and off leaves the screen as it was.",
        NeutralInsertion::Language => {
            "Changing the language and changing it back leaves the screen as it was."
        }
        NeutralInsertion::FontSize => {
            "Changing the font size and changing it back leaves the screen as it was."
        }
        NeutralInsertion::Network => "Switching the network off and on leaves the screen as it was.",
        NeutralInsertion::Day => "A day that passes leaves what was written and chosen as it was.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_insertion_has_its_words() {
        for kind in NeutralInsertion::ALL {
            assert!(!done(kind, None).is_empty() && promise(kind).ends_with('.'), "{kind:?}");
        }
    }
}
