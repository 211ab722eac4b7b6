//! Rows to choose from in a dialog, and those that stand for the lab's devices.

use super::App;
use crate::filter;
use crate::words;
use droidmux_proto::{DeviceHealth, DeviceView};

/// A row to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What is chosen with it.
    pub value: String,
    /// The value as it is shown.
    pub name: String,
    pub words: String,
}

impl Choice {
    /// The choices that fit what was typed.
    pub fn matching(typed: &str, all: &[Self]) -> Vec<Self> {
        let found = filter::matching(typed, all, |choice| format!("{} {}", choice.name, choice.words));
        found.into_iter().filter_map(|n| all.get(n).cloned()).collect()
    }
}

/// Any device, whose value is empty, then those of the lab, the usable ones first.
pub fn devices(app: &App) -> Vec<Choice> {
    let any = Choice { value: String::new(), name: "any".into(), words: "whichever is free first".into() };
    let mut known: Vec<_> = app.view.devices.iter().collect();
    known.sort_by_key(|device| (!is_usable(&device.health), device.health != DeviceHealth::Idle));
    std::iter::once(any).chain(known.into_iter().map(|device| of_device(app, device))).collect()
}

/// Whether a test can be performed on it, at once or when its session gives it up.
pub fn is_usable(health: &DeviceHealth) -> bool {
    match health {
        DeviceHealth::Idle | DeviceHealth::Busy | DeviceHealth::Unproven(_) => true,
        DeviceHealth::Away(_)
        | DeviceHealth::Sick(_)
        | DeviceHealth::Quarantined { .. }
        | DeviceHealth::Elsewhere { .. }
        | DeviceHealth::Resting(_) => false,
    }
}

fn of_device(app: &App, device: &DeviceView) -> Choice {
    let (_, health, _) = words::health(&device.health, app.glyphs);
    let session = device.session.map(|id| format!(" for {id}")).unwrap_or_default();
    let model = format!("{} {}", device.model, device.android);
    let words = match model.trim() {
        // Nobody has looked at it yet.
        "" => format!("{health}{session}"),
        model => format!("{model}, {health}{session}"),
    };
    Choice { value: device.serial.clone(), name: device.serial.clone(), words }
}
