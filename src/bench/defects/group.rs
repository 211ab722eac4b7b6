//! The two groups of apps for which figures are given side by side.
//!
//! Thresholds and word lists are tuned on the apps of group A. Those of group B are only looked at in the end, so a
//! figure that is good on A alone is worth nothing. Only the bench knows about groups. Those of real apps are fixed in
//! `apps/groups.tsv`.

use serde::{Deserialize, Serialize};

use crate::apps::RealApp;

/// The apps that figures cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "scope"))]
pub enum Scope {
    /// Those that rules are developed on.
    A,
    /// Those that rules are tested on.
    B,
    /// All apps of the bench, including those in neither group.
    #[serde(rename = "all")]
    All,
}

const A: [&str; 7] = ["cards", "diary", "files", "notes", "omni", "player", "units"];
const B: [&str; 7] = ["conference", "expenses", "radio", "reader", "todo", "tube", "wiki"];
/// The prefix of the packages of both.
const OWN: &str = "org.droidmux.";

impl Scope {
    /// All of them, in the order of the tables.
    pub const EACH: [Self; 3] = [Self::A, Self::B, Self::All];

    /// Whether figures of this scope count an app of this package.
    pub fn takes(self, package: &str) -> bool {
        let is_in = |group: &[&str]| package.strip_prefix(OWN).is_some_and(|name| group.contains(&name));
        let is_real = || RealApp::of_package(package).is_some_and(|app| app.group == Some(self));
        match self {
            Self::A => is_in(&A) || is_real(),
            Self::B => is_in(&B) || is_real(),
            Self::All => true,
        }
    }

    /// The group of an app, `None` for one that is in neither.
    pub fn group_of(package: &str) -> Option<Self> {
        [Self::A, Self::B].into_iter().find(|scope| scope.takes(package))
    }

    /// As tables name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::All => "all",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_sim_apps as apps;

    #[test]
    fn every_functional_app_is_in_one_group_and_no_other_in_any() {
        let count = |scope: Scope| {
            apps::functional().iter().filter(|app| Scope::group_of(app.package()) == Some(scope)).count()
        };
        assert_eq!((count(Scope::A), count(Scope::B)), (7, 7));
        assert!(apps::forms().iter().all(|app| Scope::group_of(app.package()).is_none()));
        assert_eq!(Scope::group_of("com.example.notes"), None);
        assert!(Scope::All.takes("com.example.notes"));
    }
}
