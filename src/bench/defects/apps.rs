//! The apps of a bench.

use crate::sim::{SimApp, apps};

/// Apps to choose from by name, and those that run where none is named.
#[derive(Clone, Debug)]
pub struct Apps {
    functional: Vec<SimApp>,
    /// Those whose defects show by unusual texts.
    forms: Vec<SimApp>,
}

impl Apps {
    /// The apps that come with the simulated lab.
    pub fn shipped() -> Self {
        Self { functional: apps::functional(), forms: apps::forms() }
    }

    /// Apps of somebody else; all run where none is named. Packages and the ids of defects must be their own.
    pub fn of(apps: impl IntoIterator<Item = SimApp>) -> Self {
        Self { functional: apps.into_iter().collect(), forms: Vec::new() }
    }

    /// Those that run where none is named: with techniques of texts only the apps with forms, if there are any.
    pub(super) fn usual(&self, texts_only: bool) -> Vec<SimApp> {
        if texts_only && !self.forms.is_empty() { self.forms.clone() } else { self.functional.clone() }
    }

    pub(super) fn all(&self) -> Vec<SimApp> {
        self.functional.iter().chain(&self.forms).cloned().collect()
    }
}

/// What is installed on a phone on which an app is benched: with a shipped one all of them, as `droidmux run` does,
/// so that a trial can be looked at with that.
pub(super) fn installed_with(app: &SimApp) -> Vec<SimApp> {
    let shipped = apps::all();
    if shipped.iter().any(|known| known.package() == app.package()) { shipped } else { vec![app.clone()] }
}
