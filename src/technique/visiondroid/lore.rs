//! What a session's tests have learnt about the app, for those that come after them.

use std::collections::{BTreeMap, BTreeSet};

use super::chronicle::{Chronicle, Stage};
use super::prompt::MOST_FUNCTIONS;

/// Functions tested, what was done wrong, and how often each widget was tried.
#[derive(Clone, Debug, Default)]
pub struct Lore {
    /// Name and steps, the newest last, each name once.
    functions: Vec<(String, String)>,
    advice: Vec<String>,
    tried: BTreeMap<String, u32>,
}

/// Widgets whose tries are counted.
const MOST_WIDGETS: usize = 20_000;

impl Lore {
    pub fn learn(&mut self, chronicle: &Chronicle) {
        for function in chronicle.functions.iter().filter(|f| !matches!(f.stage, Stage::Open)) {
            let actions = chronicle.actions(function.first, function.last);
            self.functions.retain(|(name, _)| *name != function.name);
            self.functions.push((function.name.clone(), actions));
        }
        let too_many = self.functions.len().saturating_sub(MOST_FUNCTIONS);
        self.functions.drain(..too_many);
        self.advice.extend(chronicle.advice.iter().cloned());
        self.advice.drain(..self.advice.len().saturating_sub(2));
        for step in chronicle.steps.iter().filter(|step| !step.keys.0.is_empty()) {
            if self.tried.len() < MOST_WIDGETS || self.tried.contains_key(&step.keys.0) {
                *self.tried.entry(step.keys.0.clone()).or_default() += 1;
            }
        }
    }

    /// The functions with what was done for them, one a line.
    pub fn functions(&self) -> String {
        let lines: Vec<String> =
            self.functions.iter().map(|(name, steps)| format!("- {name}: {steps}")).collect();
        lines.join("\n")
    }

    /// The last two wrong operations.
    pub fn advice(&self) -> &[String] {
        &self.advice
    }

    /// How often an event on a widget was tried.
    pub fn tried(&self, key: &str) -> u32 {
        self.tried.get(key).copied().unwrap_or(0)
    }

    /// How many different functions there are, by name.
    pub fn names(&self) -> BTreeSet<&str> {
        self.functions.iter().map(|(name, _)| name.as_str()).collect()
    }
}
