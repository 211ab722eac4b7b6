//! The desk: answers what drivers ask besides the device, for one session.
//!
//! In: consultations. Out: their answers; the pictures that were sent are in the store by then.
//! Nothing here decides anything: it draws, sends, runs and looks up.

use tokio_util::sync::CancellationToken;

use super::LabError;
use crate::record::{Answer, Consultation, Exchange, Generated, GeneratorFailure, NoReply, Slot, Unanswered};

/// Where a consultation stands in its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asking {
    pub slot: Slot,
    pub attempt: u32,
    /// The turn it will be.
    pub turn: u32,
    /// Questions of the same agent before it in the job.
    pub ordinal: u32,
}

/// One session's way to models, sandbox and examples.
#[derive(Debug, Default)]
pub(super) struct Desk {}

impl Desk {
    /// The answer; `None` when it was cancelled.
    pub async fn consult(
        &self,
        _place: &Asking,
        consultation: &Consultation,
        _cancel: &CancellationToken,
    ) -> Result<Option<Answer>, LabError> {
        Ok(Some(match consultation {
            Consultation::Ask(_) => Answer::None(Unanswered {
                why: NoReply::Refused,
                detail: "no language model here".into(),
                exchange: Exchange::default(),
            }),
            Consultation::Generate(_) => Answer::Inputs(Generated {
                failure: Some(GeneratorFailure::Crashed("no sandbox here".into())),
                ..Generated::default()
            }),
            Consultation::Recall(_) => Answer::Examples(Vec::new()),
        }))
    }
}
