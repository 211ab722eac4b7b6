//! What is not to be told: secrets, and what a session never compares.

use std::sync::Arc;

use super::quote::Secrets;
use droidmux_gui::Widget;
use droidmux_record::IgnoreRule;

/// Knows widgets that differ between runs of the same events.
pub trait Volatile: Send + Sync {
    /// Whether this is one of them.
    fn is_volatile(&self, activity: &str, widget: Widget<'_>) -> bool;
}

/// What is not to be told of the screens of a session.
#[derive(Clone, Default)]
pub struct Veil {
    /// Texts that were typed into password fields.
    pub secrets: Secrets,
    /// Rules for what is never compared.
    pub ignored: Vec<IgnoreRule>,
    /// What was found to differ between runs of the same events.
    pub volatile: Option<Arc<dyn Volatile>>,
}

impl Veil {
    /// Whether what a widget says is not to be compared.
    pub fn covers(&self, activity: &str, widget: Widget<'_>) -> bool {
        self.ignored.iter().any(|rule| rule.names_widget() && rule.matches(activity, widget))
            || self.volatile.as_ref().is_some_and(|volatile| volatile.is_volatile(activity, widget))
    }
}
