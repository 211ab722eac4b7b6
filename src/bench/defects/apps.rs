//! The apps of a bench.

use super::Subject;
use droidmux_sim::SimApp;
use droidmux_sim_apps as apps;

/// Apps to choose from by name, and those that run when none is named.
#[derive(Clone, Debug)]
pub struct Apps {
    functional: Vec<Subject>,
    /// Those whose defects only show with unusual texts.
    forms: Vec<Subject>,
}

impl Apps {
    /// The apps that come with the simulated lab.
    pub fn shipped() -> Self {
        Self { functional: subjects(apps::functional()), forms: subjects(apps::forms()) }
    }

    /// Third-party apps; all run when none is named. Their packages and defect ids must be unique.
    pub fn of(apps: impl IntoIterator<Item = SimApp>) -> Self {
        Self { functional: subjects(apps), forms: Vec::new() }
    }

    /// Real apps with mutants; all run when none is named.
    pub fn real(apps: Vec<Subject>) -> Self {
        Self { functional: apps, forms: Vec::new() }
    }

    /// Those that run when none is named: for techniques that type texts, only the apps with forms, if there are any.
    pub(super) fn usual(&self, texts_only: bool) -> Vec<Subject> {
        if texts_only && !self.forms.is_empty() { self.forms.clone() } else { self.functional.clone() }
    }

    pub(super) fn all(&self) -> Vec<Subject> {
        self.functional.iter().chain(&self.forms).cloned().collect()
    }
}

fn subjects(apps: impl IntoIterator<Item = SimApp>) -> Vec<Subject> {
    apps.into_iter().map(Subject::simulated).collect()
}

/// What is installed on the phone on which an app is benched: for a shipped app all of them, as `droidmux run` does, so
/// that a trial can be reproduced with that command.
pub(super) fn installed_with(app: &SimApp) -> Vec<SimApp> {
    let shipped = apps::all();
    if shipped.iter().any(|known| known.package() == app.package()) { shipped } else { vec![app.clone()] }
}
