//! Which rules of the session file ever matched: one that never does is most likely mistyped. Also, which functions of
//! its specification cannot be used at all.

use std::collections::HashSet;
use std::fmt;

use droidmux_gui::LayoutHash;
use droidmux_record::{Dmf, IgnoreRule, JobRun, Layouts, SessionDefinition};
use droidmux_technique::PbfdroidSettings;

/// Layouts remembered as looked at; looking twice only costs time.
const MOST_REMEMBERED: usize = 10_000;

/// Watches finished runs for matches.
#[derive(Debug)]
pub struct RuleWatch {
    /// Rules that pick widgets or pages, each with its table, its number there, and whether it matched.
    rules: Vec<(RulePlace, IgnoreRule, bool)>,
    setup: Vec<bool>,
    /// Functions that cannot be used, in words.
    faulty: Vec<String>,
    looked_at: HashSet<LayoutHash>,
}

impl RuleWatch {
    /// A watch on the rules of this session file.
    pub fn new(definition: &SessionDefinition) -> Self {
        Self {
            rules: picking(definition).map(|(place, rule)| (place, rule.clone(), false)).collect(),
            setup: vec![false; definition.setup.len()],
            faulty: definition.settings.of::<PbfdroidSettings>().dmfs().iter().filter_map(fault).collect(),
            looked_at: HashSet::new(),
        }
    }

    /// Notes what matched in this run.
    pub fn look(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        for seen in run.turns.iter().filter_map(|turn| turn.observation.seen()) {
            for report in seen.setup.iter().filter(|report| report.matched) {
                let index = usize::try_from(report.rule).unwrap_or(usize::MAX).saturating_sub(1);
                if let Some(matched) = self.setup.get_mut(index) {
                    *matched = true;
                }
            }
            let open = self.rules.iter().any(|(_, _, matched)| !matched);
            if !open || !self.looked_at.insert(seen.screen.layout) {
                continue;
            }
            if self.looked_at.len() > MOST_REMEMBERED {
                self.looked_at.clear();
            }
            let Some(layout) = layouts.layout(seen.screen.layout) else { continue };
            for (_, rule, matched) in self.rules.iter_mut().filter(|(_, _, matched)| !matched) {
                *matched = layout.widgets().any(|widget| rule.matches(&seen.screen.activity, widget));
            }
        }
    }

    /// The rules that never matched.
    pub fn idle_rules(&self) -> Vec<RulePlace> {
        let picking = self.rules.iter().filter(|(_, _, matched)| !matched).map(|(place, _, _)| *place);
        let setup = (1..).zip(&self.setup).filter(|(_, matched)| !**matched);
        picking.chain(setup.map(|(number, _)| RulePlace { table: "setup", number })).collect()
    }

    /// The rules that never matched and the functions that cannot be used, in words.
    pub(super) fn idle(&self) -> Vec<String> {
        let words = |place: RulePlace| format!("{place} never matched a widget");
        self.idle_rules().into_iter().map(words).chain(self.faulty.iter().cloned()).collect()
    }
}

/// A rule by its place in a session file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RulePlace {
    /// `ignore`, `avoid`, `only` or `setup`.
    pub table: &'static str,
    /// From 1.
    pub number: u32,
}

impl fmt::Display for RulePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[[{}]] number {}", self.table, self.number)
    }
}

/// The rules of a session file that pick widgets or pages, those of the set-up aside.
pub fn picking(definition: &SessionDefinition) -> impl Iterator<Item = (RulePlace, &IgnoreRule)> {
    let tables = [("ignore", &definition.ignore), ("avoid", &definition.avoid), ("only", &definition.only)];
    tables.into_iter().flat_map(|(table, rules)| {
        (1..).zip(rules).map(move |(number, rule)| (RulePlace { table, number }, rule))
    })
}

fn fault(dmf: &Dmf) -> Option<String> {
    let why = dmf.fault.as_ref()?;
    Some(format!("function `{}` of the specification is left out: {why}", dmf.name))
}
