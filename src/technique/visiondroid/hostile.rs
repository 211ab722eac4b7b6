//! The agents' readers, run on any reply.

use std::sync::Arc;

use super::chronicle::Chronicle;
use super::explorer::Scene;
use super::lore::Lore;
use super::{detector, explorer, monitor};
use droidmux_account::facts::Facts;
use droidmux_gui::Layout;

/// Reads a reply as that of each agent; the Explorer's on this screen.
///
/// # Panics
/// When a reader does, or gives an event that nothing on the screen receives.
pub fn reply(text: &str, layout: &Layout) {
    let _ = monitor::read(text);
    let _ = detector::read(text);
    let (chronicle, lore, operable) = (Chronicle::default(), Lore::default(), layout.operable());
    let facts = Facts::alone(Arc::new(layout.clone()));
    let (chronicle, lore, facts) = (&chronicle, &lore, &facts);
    let scene = Scene { chronicle, lore, facts, operable: &operable, number: 1, left: 1 };
    for event in explorer::read(text, &scene).unwrap_or_default() {
        assert!(event.receiver.is_none_or(|receiver| layout.resolve(&receiver).widget().is_some()));
    }
}
