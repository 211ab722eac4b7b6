//! What was recorded and may be read: runs with their stretches, and which of them were read.
//!
//! In: finished jobs. Out: the stretches of the next questions; the screens by which evidence is looked up.
//!
//! Invariants: what was read stays, up to the budget; of what was not, no more is kept than a few budgets, the best of
//! it, so that a long session takes no more memory than a short one. The same jobs in the same order give the same
//! choice.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::choice::{Read, choose_more, questions, worth};
use super::evidence::Screens;
use super::stretch::{Stretch, stretches};
use droidmux_account::{NoPixels, Veil, tell};
use droidmux_record::{JobRun, Layouts, Slot};

/// What is not read yet is kept up to this many times the budget.
const KEPT: usize = 4;

/// The recorded jobs of one session.
pub struct Shelf {
    budget: usize,
    /// Of one question.
    question: usize,
    spent: usize,
    runs: BTreeMap<Slot, Arc<JobRun>>,
    waiting: Vec<Stretch>,
    /// The jobs of which something was read.
    opened: BTreeSet<Slot>,
    read: Read,
    /// Learns what is typed into password fields.
    pub veil: Veil,
}

impl Shelf {
    /// An empty shelf, from which so many tokens may be read, in questions of so many.
    pub fn new(budget: u32, question: u32, veil: Veil) -> Self {
        let size = |tokens: u32| usize::try_from(tokens).unwrap_or(usize::MAX);
        Self {
            budget: size(budget),
            question: size(question),
            spent: 0,
            runs: BTreeMap::new(),
            waiting: Vec::new(),
            opened: BTreeSet::new(),
            read: Read::new(),
            veil,
        }
    }

    /// Takes in a job.
    pub fn add(&mut self, run: &JobRun, layouts: &dyn Layouts) {
        let told = tell(run, layouts, &mut self.veil, &NoPixels);
        let found = stretches(run.job.slot, &told);
        if found.is_empty() {
            return;
        }
        self.waiting.extend(found);
        self.runs.insert(run.job.slot, Arc::new(run.clone()));
        let most = self.budget.saturating_mul(KEPT);
        if self.waiting.iter().map(|stretch| stretch.tokens).sum::<usize>() > most.saturating_mul(2) {
            self.thin_out(most);
        }
    }

    /// Keeps the stretches that add most, up to so many tokens.
    fn thin_out(&mut self, most: usize) {
        let mut order: Vec<(u64, Reverse<usize>)> = self
            .waiting
            .iter()
            .enumerate()
            .map(|(at, stretch)| (worth(stretch, &self.read), Reverse(at)))
            .collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        let (mut kept, mut sum) = (BTreeSet::new(), 0);
        for (worth, Reverse(at)) in order {
            let Some(stretch) = self.waiting.get(at).filter(|_| worth > 0) else { continue };
            sum += stretch.tokens;
            if sum > most {
                break;
            }
            kept.insert(at);
        }
        let mut at = 0;
        self.waiting.retain(|_| {
            at += 1;
            kept.contains(&(at - 1))
        });
        let named: BTreeSet<Slot> = self.waiting.iter().map(|stretch| stretch.slot).collect();
        self.runs.retain(|slot, _| self.opened.contains(slot) || named.contains(slot));
    }

    /// The next stretches to be read when this share of the budget may be spent, in hundredths: a list for each question.
    pub fn next(&mut self, share: u32) -> Vec<Vec<Stretch>> {
        let share = usize::try_from(share.min(100)).unwrap_or(100);
        let may = (self.budget / 100).saturating_mul(share) + (self.budget % 100) * share / 100;
        let chosen = choose_more(&self.waiting, may.saturating_sub(self.spent), &mut self.read);
        let asked: Vec<Vec<Stretch>> = questions(&self.waiting, &chosen, self.question)
            .into_iter()
            .map(|question| question.iter().filter_map(|at| self.waiting.get(*at)).cloned().collect())
            .collect();
        for stretch in asked.iter().flatten() {
            self.spent += stretch.tokens;
            self.opened.insert(stretch.slot);
        }
        let mut at = 0;
        self.waiting.retain(|_| {
            at += 1;
            !chosen.contains(&(at - 1))
        });
        self.thin_out(self.budget.saturating_mul(KEPT));
        asked
    }

    /// Takes in a job that is told as a whole, whatever it costs: its steps may be cited.
    pub fn open(&mut self, run: &JobRun) {
        self.opened.insert(run.job.slot);
        self.runs.insert(run.job.slot, Arc::new(run.clone()));
    }

    /// Tokens that were read so far, about.
    pub fn spent(&self) -> usize {
        self.spent
    }

    /// Tokens that may be read.
    pub fn budget(&self) -> usize {
        self.budget
    }

    /// The screens of all jobs of which something was read.
    pub fn screens(&self, layouts: &dyn Layouts) -> Screens {
        let mut screens = Screens::default();
        for slot in &self.opened {
            let Some(run) = self.runs.get(slot) else { continue };
            screens.add(*slot, &tell(run, layouts, &mut self.veil.clone(), &NoPixels));
        }
        screens
    }

    /// A job of which something was read.
    pub fn run(&self, slot: Slot) -> Option<&Arc<JobRun>> {
        self.runs.get(&slot)
    }
}
