//! The specifications that ship with the simulated apps, for whoever runs PBFDroid on one of them.

use droidmux_record::Specification;
use droidmux_technique::pbfdroid::format::{read_dmfs, read_key_views};
use droidmux_technique::pbfdroid::lint;

/// The two files that specify a simulated app, as they lie in `sessions/specs`.
#[derive(Clone, Copy, Debug)]
pub struct ShippedSpecification {
    /// The package of the app, `org.droidmux.notes`.
    pub package: &'static str,
    /// Its data manipulation functions, in PBFDroid's JSON.
    pub dmfs: &'static str,
    /// Its key views, in PBFDroid's JSON.
    pub key_views: &'static str,
}

impl ShippedSpecification {
    /// The specification of the app with this package, if one ships.
    pub fn of(package: &str) -> Option<&'static Self> {
        SHIPPED.iter().find(|shipped| shipped.package == package)
    }
}

macro_rules! shipped {
    ($($app:literal),* $(,)?) => {
        &[$(ShippedSpecification {
            package: concat!("org.droidmux.", $app),
            dmfs: include_str!(concat!("../../../sessions/specs/", $app, ".json")),
            key_views: include_str!(concat!("../../../sessions/specs/", $app, "-keyviews.json")),
        }),*]
    };
}

const SHIPPED: &[ShippedSpecification] = shipped!(
    "cards",
    "conference",
    "diary",
    "expenses",
    "files",
    "notes",
    "omni",
    "player",
    "radio",
    "reader",
    "todo",
    "tube",
    "wiki",
);

/// The specification for an app of this package, if there is one.
pub(super) fn specification(package: &str) -> Option<Specification> {
    let shipped = ShippedSpecification::of(package)?;
    let dmfs = read_dmfs(package, shipped.dmfs).ok()?;
    let key_views = read_key_views(package, shipped.key_views).ok()?;
    Some(lint::specification(dmfs, key_views))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_specification_can_be_used() {
        for ShippedSpecification { package, .. } in SHIPPED {
            let specification = specification(package).expect(package);
            assert!(!specification.dmfs.is_empty() && !specification.key_views.is_empty(), "{package}");
            for dmf in &specification.dmfs {
                assert_eq!(dmf.fault, None, "{package}: {}", dmf.name);
            }
        }
    }
}
