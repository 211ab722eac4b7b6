//! The real apps, and the group of each.

use crate::defects::Scope;

/// A real app of the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RealApp {
    /// Its name in lists; its APK is `NAME.apk`.
    pub name: &'static str,
    /// Its group; those without one stay unseen.
    pub group: Option<Scope>,
    /// Its application id.
    pub package: &'static str,
}

const FILE: &str = include_str!("groups.tsv");

impl RealApp {
    /// All of them, in the order of the file.
    pub fn all() -> impl Iterator<Item = Self> {
        FILE.lines().filter_map(row)
    }

    /// Those of a group; for all, those of both.
    pub fn of_group(scope: Scope) -> impl Iterator<Item = Self> {
        Self::all().filter(move |app| match scope {
            Scope::All => app.group.is_some(),
            group => app.group == Some(group),
        })
    }

    /// The app with this application id.
    pub fn of_package(package: &str) -> Option<Self> {
        Self::all().find(|app| app.package == package)
    }
}

/// A row of the file; `None` for a remark.
fn row(line: &'static str) -> Option<RealApp> {
    let mut cells = line.split('\t');
    let (name, group, package) = (cells.next()?, cells.next()?, cells.next()?);
    let group = match group {
        "A" => Some(Scope::A),
        "B" => Some(Scope::B),
        _ => None,
    };
    (!name.starts_with('#')).then_some(RealApp { name, group, package })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_is_read_and_the_groups_are_even() {
        let rows = FILE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(RealApp::all().count(), rows);
        let count = |scope| RealApp::of_group(scope).count();
        assert_eq!((count(Scope::A), count(Scope::B), count(Scope::All)), (8, 8, 16));
        let packages: BTreeSet<&str> = RealApp::all().map(|app| app.package).collect();
        assert_eq!(packages.len(), rows);
        for app in RealApp::all() {
            assert_eq!(Scope::group_of(app.package), app.group, "{}", app.name);
        }
    }
}
