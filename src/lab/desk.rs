//! The desk: answers what drivers ask besides the device, for one session.
//!
//! In: consultations. Out: their answers; the pictures that were sent are in the store by then.
//! Nothing here decides anything: it draws, sends, runs and looks up.

use tokio_util::sync::CancellationToken;

use super::LabError;
use crate::record::{
    Answer, Consultation, Exchange, Generated, GeneratorFailure, NoReply, SessionDefinition, Slot, Spent,
    Technique, Unanswered,
};

/// Where a consultation stands in its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asking<'a> {
    /// The serial of the device that waits.
    pub device: &'a str,
    pub slot: Slot,
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
        _place: &Asking<'_>,
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

    /// What the session has used so far.
    pub fn spent(&self) -> Spent {
        Spent::default()
    }
}

/// What answers a session's questions, for viewers; empty when it asks none.
pub(super) fn model_name(definition: &SessionDefinition) -> String {
    let asks = matches!(definition.technique, Technique::Inputblaster | Technique::Visiondroid);
    if asks { definition.llm.name() } else { String::new() }
}
