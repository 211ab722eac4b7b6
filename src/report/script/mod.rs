//! Scripts that show a finding without droidmux.
//!
//! In: a finding with the run that shows it ([`FindingPart`](super::FindingPart)). Out: a [`Plan`] — what is done to
//! which widget, and what is counted at the end — and the same in the language of a tool that the app's developer has.
//!
//! Every script resets the app, waits for each widget before touching it, and ends with the check. Scripts that can
//! choose their exit code return 1 when the bug shows, 0 when it does not, 2 when the steps could not be followed, and
//! 3 when the screen at the end is neither one nor the other.

mod adb;
mod check;
mod espresso;
mod locator;
mod maestro;
mod plan;
mod quote;
mod shell;
mod uiautomator2;

#[cfg(test)]
mod tests;

pub use check::Check;
pub use locator::Locator;
pub use plan::{NoPlan, Plan, PlanStep};

/// A language that scripts are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A flow for Maestro, in YAML.
    Maestro,
    /// A Python program for uiautomator2.
    Uiautomator2,
    /// A POSIX shell script that needs `adb` alone.
    Adb,
    /// An instrumented test in Kotlin.
    Espresso,
}

/// The script of a plan.
pub fn script(plan: &Plan, language: Language) -> String {
    match language {
        Language::Maestro => maestro::script(plan),
        Language::Uiautomator2 => uiautomator2::script(plan),
        Language::Adb => adb::script(plan),
        Language::Espresso => espresso::script(plan),
    }
}
