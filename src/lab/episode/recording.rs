//! Recording turns as they happen.
//!
//! In: a finished turn. Out: the turn in the store, and the step or question that the hub shows. Invariant: what is shown
//! is stored.

use super::{Episode, EpisodeState, Interrupted};
use crate::exchange_view::exchange_of;
use crate::patient_writer::PatientWriter;
use crate::step_view::step_view;
use droidmux_gui::Layout;
use droidmux_record::{BlobHash, Observation, StepPlace, Turn};
use droidmux_store::Append;
use droidmux_words::printable;

impl Episode<'_> {
    /// Stores a turn durably and gives its number in the log it belongs to; while the disk is too
    /// full, waits and says so.
    pub(super) async fn record(
        &self,
        turn: &Turn,
        place: &StepPlace,
        screenshots: Vec<(BlobHash, Vec<u8>)>,
        state: &EpisodeState,
    ) -> Result<u64, Interrupted> {
        let layouts = match (&turn.observation, &state.last) {
            (Observation::Seen(_), Some(look)) => vec![look.layout.clone()],
            _ => Vec::new(),
        };
        let append = Append {
            session: self.session,
            slot: self.job.slot,
            attempt: self.attempt,
            first_turn: state.turn,
            turns: vec![turn.clone()],
            steps: turn.act.is_step().then(|| place.clone()).into_iter().collect(),
            exchanges: exchange_of(turn).map(|_| place.clone()).into_iter().collect(),
            layouts,
            screenshots,
        };
        let writer = PatientWriter {
            hub: self.hub,
            gate: self.gate,
            session: self.session,
            patience: self.definition.run.patience,
        };
        match writer.write(|| self.store.append(append.clone())).await? {
            Some(number) => Ok(number),
            None => Err(Interrupted::Stopped),
        }
    }

    pub(super) fn place(&self, state: &EpisodeState) -> StepPlace {
        StepPlace {
            slot: self.job.slot,
            attempt: self.attempt,
            turn: state.turn,
            test: state.test.unwrap_or(0),
            event: state.event,
            device: self.device.serial().to_owned(),
        }
    }

    pub(super) fn show(&self, turn: &Turn, before: Option<&Layout>, number: u64, place: &StepPlace) {
        if let Some(step) = step_view(self.job, number, place, turn, before.map(Layout::hash)) {
            for headline in &step.signals {
                self.hub.warn(self.device.serial(), &printable(headline));
            }
            self.hub.step(self.session, step);
        }
        if let Some((question, _)) = exchange_of(turn) {
            self.hub.exchanged(self.session, number, question.agent, self.desk.spent());
        }
    }
}
