//! Did what was done in addition change a switch on another page?

use std::collections::BTreeMap;

use super::case::{Case, Object};
use super::page_identity::is_same_page;
use crate::sentence;
use droidmux_gui::Flags;
use droidmux_record::{Bearing, Experiment, ExperimentKind};

/// A setting may change what another page does: this is a doubt, for nobody can tell from screens whether it should.
pub(super) fn doubt(case: &Case<'_>) -> Option<Experiment> {
    let page = case.after()?.0;
    let start = case.extra.start.saturating_sub(1);
    // By page and switch: whether it was on when first seen, and where.
    let mut first: BTreeMap<(String, Object), (bool, usize)> = BTreeMap::new();
    let mut changed = None;
    for n in start..case.extra.end {
        let Some(sight) = case.deviant.sight(n).filter(|sight| !is_same_page(sight, page)) else { continue };
        for switch in sight.layout.widgets().filter(|widget| widget.has(Flags::CHECKABLE)) {
            let key = (sight.screen.activity.clone(), Object::of(switch));
            let (was, seen) = *first.entry(key).or_insert((switch.has(Flags::CHECKED), n));
            if was != switch.has(Flags::CHECKED) {
                changed = Some((sentence::widget(switch), seen, n));
            }
        }
    }
    let (name, seen, n) = changed?;
    let words =
        format!("what was done before changed {name} on another page, which may be a setting for this one");
    Some(case.experiment(ExperimentKind::RemoteSwitch, Bearing::Doubts, &words, (&[], &[seen, n])))
}
