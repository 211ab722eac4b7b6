//! The specifications that ship with the simulated apps, for the contenders that need one.

use droidmux_record::Specification;
use droidmux_technique::pbfdroid::format::{read_dmfs, read_key_views};
use droidmux_technique::pbfdroid::lint;

/// A package, its functions and its key views.
type Shipped = (&'static str, &'static str, &'static str);

macro_rules! shipped {
    ($($app:literal),* $(,)?) => {
        &[$((
            concat!("org.droidmux.", $app),
            include_str!(concat!("../../../sessions/specs/", $app, ".json")),
            include_str!(concat!("../../../sessions/specs/", $app, "-keyviews.json")),
        )),*]
    };
}

const SHIPPED: &[Shipped] = shipped!(
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
    let (_, dmfs, key_views) = SHIPPED.iter().find(|(of, _, _)| *of == package)?;
    let dmfs = read_dmfs(package, dmfs).ok()?;
    let key_views = read_key_views(package, key_views).ok()?;
    Some(lint::specification(dmfs, key_views))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_specification_can_be_used() {
        for (package, _, _) in SHIPPED {
            let specification = specification(package).expect(package);
            assert!(!specification.dmfs.is_empty() && !specification.key_views.is_empty(), "{package}");
            for dmf in &specification.dmfs {
                assert_eq!(dmf.fault, None, "{package}: {}", dmf.name);
            }
        }
    }
}
