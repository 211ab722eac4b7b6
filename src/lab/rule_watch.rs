//! Which rules of the session file ever matched: one that never does is most likely mistyped. And
//! which functions of its specification cannot be used at all.

use std::collections::HashSet;

use crate::gui::LayoutHash;
use crate::record::{Dmf, IgnoreRule, JobRun, Layouts, SessionDefinition};

/// Layouts remembered as looked at; looking twice only costs time.
const MOST_REMEMBERED: usize = 10_000;

/// Watches finished runs for matches.
#[derive(Debug)]
pub(super) struct RuleWatch {
    ignore: Vec<(IgnoreRule, bool)>,
    setup: Vec<bool>,
    /// Functions that cannot be used, in words.
    faulty: Vec<String>,
    looked_at: HashSet<LayoutHash>,
}

impl RuleWatch {
    pub(super) fn new(definition: &SessionDefinition) -> Self {
        Self {
            ignore: definition.ignore.iter().map(|rule| (rule.clone(), false)).collect(),
            setup: vec![false; definition.setup.len()],
            faulty: definition.pbfdroid.dmfs().iter().filter_map(fault).collect(),
            looked_at: HashSet::new(),
        }
    }

    /// Notes what matched in this run.
    pub(super) fn look(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        for seen in run.turns.iter().filter_map(|turn| turn.observation.seen()) {
            for report in seen.setup.iter().filter(|report| report.matched) {
                let index = usize::try_from(report.rule).unwrap_or(usize::MAX).saturating_sub(1);
                if let Some(matched) = self.setup.get_mut(index) {
                    *matched = true;
                }
            }
            let open = self.ignore.iter().any(|(_, matched)| !matched);
            if !open || !self.looked_at.insert(seen.screen.layout) {
                continue;
            }
            if self.looked_at.len() > MOST_REMEMBERED {
                self.looked_at.clear();
            }
            let Some(layout) = layouts.layout(seen.screen.layout) else { continue };
            for (rule, matched) in self.ignore.iter_mut().filter(|(_, matched)| !matched) {
                *matched = layout.widgets().any(|widget| rule.matches(&seen.screen.activity, widget));
            }
        }
    }

    /// The rules that never matched and the functions that cannot be used, in words.
    pub(super) fn idle(&self) -> Vec<String> {
        let ignore = (1..).zip(self.ignore.iter().map(|(_, matched)| *matched));
        let setup = (1..).zip(self.setup.iter().copied());
        let words = |table: &'static str| {
            move |(number, matched): (u32, bool)| {
                (!matched).then(|| format!("[[{table}]] number {number} never matched a widget"))
            }
        };
        let rules = ignore.filter_map(words("ignore")).chain(setup.filter_map(words("setup")));
        rules.chain(self.faulty.iter().cloned()).collect()
    }
}

fn fault(dmf: &Dmf) -> Option<String> {
    let why = dmf.fault.as_ref()?;
    Some(format!("function `{}` of the specification is left out: {why}", dmf.name))
}
