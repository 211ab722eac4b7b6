//! What the answers of reader and reviewer, and the experiments between them, lead to.
//!
//! In: finished jobs of theirs. Out: notes, suspicions whose evidence exists as findings to be replayed, wishes, opinions.

use super::ReaderPlanner;
use crate::reader::asking::{is_cut_off, last_reply};
use crate::reader::errand::TryOut;
use crate::reader::evidence::Proof;
use crate::reader::oracle::violation;
use crate::reader::review;
use crate::reader::shown::experiment;
use crate::reader::stretch::Stretch;
use crate::reader::suspect::suspected;
use crate::reader::suspicion::{Reading, Suspicion, reading};
use crate::recipe::performed_until;
use droidmux_record::{FindingId, JobRun, Layouts, Role, Slot, TurnPlace};
use droidmux_words::number::count;

/// Questions in a row that may stay without a reply.
const MOST_SILENT: u32 = 3;

impl ReaderPlanner {
    /// Notes whether somebody answered.
    fn heard(&mut self, run: &JobRun) {
        self.notes.spend(run);
        self.silent = if last_reply(run).is_some() { 0 } else { self.silent + 1 };
        if is_cut_off(run) || self.silent >= MOST_SILENT {
            self.cut_off = true;
            self.agenda.give_up();
        }
    }

    /// Takes in what the reader said of some stretches.
    pub(super) fn read(&mut self, run: &JobRun, stretches: &[Stretch], layouts: &dyn Layouts) {
        self.heard(run);
        let said = last_reply(run).and_then(|(_, reply)| reading(&reply.text));
        let Some(Reading { mut suspicions, notebook, wanted, unusable }) = said else {
            self.notes.in_vain += 1;
            return;
        };
        self.notes.read += count(stretches.iter().map(|stretch| stretch.events).sum::<usize>());
        if !notebook.is_empty() {
            self.notes.notebook = notebook;
        }
        self.notes.unusable += count(unusable.len());
        self.agenda.wish(wanted);
        suspicions.sort_by_key(|suspicion| std::cmp::Reverse(suspicion.confidence));
        let screens = self.shelf.screens(layouts);
        for suspicion in suspicions {
            match screens.evidence(&suspicion) {
                Ok(proof) => {
                    if let Some(id) = self.suspect(run.job.slot, &suspicion, &proof, layouts) {
                        self.notes.suspect(id, &suspicion);
                    }
                }
                Err(why) => self.notes.discard(&suspicion, &why.to_string()),
            }
        }
    }

    /// Takes in what came of an experiment.
    pub(super) fn tried(&mut self, run: &JobRun, tried: &TryOut, layouts: &dyn Layouts) {
        let own = self.source == self.session;
        if own {
            self.shelf.open(run);
        }
        let told = experiment(run, &tried.wanted, own, &mut self.shelf.veil, layouts);
        self.agenda.tell(told);
    }

    /// Makes a suspicion whose evidence exists a finding that is to be replayed.
    fn suspect(
        &mut self,
        asked: Slot,
        suspicion: &Suspicion,
        proof: &Proof,
        layouts: &dyn Layouts,
    ) -> Option<FindingId> {
        let run = self.shelf.run(proof.slot)?.clone();
        let suspected = suspected(&run, suspicion, proof, layouts)?;
        let own = self.source == self.session;
        let slot = if own { proof.slot } else { asked };
        let verdict = violation(&run, slot, proof.test, &suspected, proof.turns)?;
        let test = performed_until(&run, proof.turns.1, Role::Suspected(Box::new(suspected)))?;
        self.suspects.suspect(&verdict, vec![test]);
        let id = self.suspects.findings.of_key(&verdict.key)?.id.clone();
        self.notes.controls(&id, &suspicion.controls, &self.shelf, layouts);
        Some(id)
    }

    /// Takes in what the reviewer said.
    pub(super) fn opine(&mut self, run: &JobRun, id: &FindingId) {
        self.heard(run);
        let said = last_reply(run).map(|(turn, reply)| (turn, review::opinion(&reply.text)));
        let Some((turn, Ok(opinion))) = said else {
            self.notes.no_opinion += 1;
            return;
        };
        let place = TurnPlace { slot: run.job.slot, turn };
        self.notes.opinion(opinion.bearing);
        self.reviews.opine(id, opinion, place);
    }
}
