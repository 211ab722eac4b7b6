//! What the reader and the reviewer said so far, for the next question and for people.

use std::collections::BTreeMap;

use super::shelf::Shelf;
use super::suspicion::{StepName, Suspicion};
use droidmux_account::{NoPixels, StepTold, tell};
use droidmux_record::{Answer, Bearing, FindingId, JobRun, Layouts, Reply, Slot, Unanswered};
use droidmux_words::figure::{count, thousands};

/// The notebook, what was suspected, and how often what was said.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// As the last reply that had one left it.
    pub notebook: Vec<String>,
    /// Suspicions, a line each.
    suspicions: Vec<String>,
    /// Steps at which the same went right, in words.
    controls: BTreeMap<FindingId, Vec<String>>,
    /// Events that were read.
    pub read: u32,
    /// Questions without a reply that could be used.
    pub in_vain: u32,
    /// Suspicions that say too little to be looked up.
    pub unusable: u32,
    suspected: u32,
    discarded: u32,
    bugs: u32,
    design: u32,
    unsure: u32,
    /// Questions to the reviewer without an opinion.
    pub no_opinion: u32,
    /// Tokens of all questions and replies, as counted by the endpoint, and what they cost in millionths.
    tokens: u64,
    cost: u64,
}

/// Suspicions that a question tells: the last ones.
const MOST_TOLD: usize = 40;
/// Controls of a finding that the reviewer is shown.
const MOST_CONTROLS: usize = 3;

impl Notes {
    /// A suspicion whose evidence exists.
    pub fn suspect(&mut self, id: FindingId, suspicion: &Suspicion) {
        self.suspected += 1;
        self.controls.entry(id).or_default();
        self.note(suspicion, "");
    }

    /// A suspicion whose evidence does not exist, and why.
    pub fn discard(&mut self, suspicion: &Suspicion, why: &str) {
        self.discarded += 1;
        self.note(suspicion, &format!("; discarded: {why}"));
    }

    fn note(&mut self, suspicion: &Suspicion, more: &str) {
        let steps: Vec<String> = suspicion.steps.iter().map(ToString::to_string).collect();
        let line = format!("{}: {}: {}{more}", steps.join(", "), suspicion.done, suspicion.shown);
        self.suspicions.push(line.replace(['\n', '\r'], " "));
    }

    /// What was suspected so far, for the next question.
    pub fn told(&self) -> Vec<String> {
        let from = self.suspicions.len().saturating_sub(MOST_TOLD);
        self.suspicions.get(from..).unwrap_or_default().to_vec()
    }

    /// Keeps the steps at which the same went right, for the reviewer.
    pub fn controls(&mut self, id: &FindingId, steps: &[StepName], shelf: &Shelf, layouts: &dyn Layouts) {
        let kept = self.controls.entry(id.clone()).or_default();
        for step in steps.iter().take(MOST_CONTROLS) {
            let Some(run) = shelf.run(Slot(step.slot)) else { continue };
            let told = tell(run, layouts, &mut shelf.veil.clone(), &NoPixels);
            let steps: Vec<&StepTold> = told.iter().flat_map(|test| &test.steps).collect();
            let Some(at) = steps.iter().position(|told| told.turn == step.turn) else { continue };
            // What went right cannot be seen without what was there before.
            let before = at.checked_sub(1).and_then(|before| steps.get(before)?.screen.as_ref());
            let before =
                before.map(|screen| format!("before it: {}\n", screen.indented())).unwrap_or_default();
            kept.extend(steps.get(at).map(|told| format!("{before}{step} {told}")));
        }
        kept.truncate(MOST_CONTROLS);
    }

    /// Steps at which the same went right, in words.
    pub fn controls_of(&self, id: &FindingId) -> &[String] {
        self.controls.get(id).map_or(&[], Vec::as_slice)
    }

    /// Counts what a job's questions took. Nothing is decided by it.
    pub fn spend(&mut self, run: &JobRun) {
        for answer in run.turns.iter().filter_map(|turn| turn.observation.answer()) {
            let (Answer::Reply(Reply { exchange, .. }) | Answer::None(Unanswered { exchange, .. })) = answer
            else {
                continue;
            };
            self.tokens = self.tokens.saturating_add(exchange.tokens_in).saturating_add(exchange.tokens_out);
            self.cost = self.cost.saturating_add(exchange.cost);
        }
    }

    /// Counts an opinion.
    pub fn opinion(&mut self, bearing: Bearing) {
        match bearing {
            Bearing::Accuses => self.bugs += 1,
            Bearing::Excuses => self.design += 1,
            Bearing::Doubts | Bearing::Silent => self.unsure += 1,
        }
    }

    /// What a person is told of the reading: so many questions, and tokens read of a budget.
    pub fn reading(&self, asked: u32, (read, budget): (usize, usize)) -> String {
        let size = |tokens: usize| thousands(u64::try_from(tokens).unwrap_or(u64::MAX));
        format!(
            "reader: {} of some {} tokens, a budget of {}; {} read, {} in vain; suspicions: {} with evidence, {} \
             without, {} of no use",
            count(number(asked), "question"),
            size(read),
            size(budget),
            count(number(self.read), "event"),
            self.in_vain,
            self.suspected,
            self.discarded,
            self.unusable
        )
    }

    /// What a person is told of the reviews; `None` before the first one.
    pub fn reviewing(&self) -> Option<String> {
        let opinions = self.bugs + self.design + self.unsure;
        (opinions + self.no_opinion > 0).then(|| {
            format!(
                "reviewer: {}: {} a bug, {} as it is meant to be, {} cannot tell; {} without one",
                count(number(opinions), "opinion"),
                self.bugs,
                self.design,
                self.unsure,
                self.no_opinion
            )
        })
    }

    /// What reading and reviews cost; `None` while that is nothing.
    pub fn spending(&self) -> Option<String> {
        let each = |of: u32| self.tokens.checked_div(of.into()).map_or_else(|| "–".to_owned(), thousands);
        let money = if self.cost == 0 { String::new() } else { format!(", {}", millionths(self.cost)) };
        (self.tokens > 0).then(|| {
            format!(
                "reading took {} tokens{money}: {} for each event read, {} for each suspicion with evidence",
                thousands(self.tokens),
                each(self.read),
                each(self.suspected)
            )
        })
    }
}

/// An amount of money that is counted in millionths.
fn millionths(cost: u64) -> String {
    format!("{}.{:06}", cost / 1_000_000, cost % 1_000_000)
}

fn number(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
