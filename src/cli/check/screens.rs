//! The screens of a recording.

use std::collections::BTreeSet;

use droidmux_gui::Layout;
use droidmux_import::{Recorded, Recording};
use droidmux_record::Layouts;

/// Every screen of these runs, each layout once for each activity it was seen in.
pub(super) fn for_each_screen<'r>(
    recording: &Recording,
    runs: impl Iterator<Item = &'r Recorded>,
    mut each: impl FnMut(&str, &Layout),
) {
    let mut known = BTreeSet::new();
    let turns = runs.flat_map(|recorded| &recorded.run.turns);
    for screen in turns.filter_map(|turn| turn.observation.seen()).map(|seen| &seen.screen) {
        if known.insert((screen.layout, &screen.activity))
            && let Some(layout) = recording.layouts.layout(screen.layout)
        {
            each(&screen.activity, &layout);
        }
    }
}
