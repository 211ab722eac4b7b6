//! Where sessions get their planners and oracles.

use droidmux_record::{JobRun, Judgement, Layouts, MaskEdit, SessionDefinition, SessionId};
use droidmux_technique::{self as technique, Planner};

/// Makes planners and judges runs; as pure as what it makes.
pub trait Craft: Send + Sync {
    /// The planner of a session at its start.
    fn planner(&self, definition: &SessionDefinition, session: SessionId, rng: u64) -> Box<dyn Planner>;

    /// What the oracles of a session say of a finished job; `edits` are people's changes to the masks.
    fn judge(
        &self,
        run: &JobRun,
        definition: &SessionDefinition,
        edits: &[MaskEdit],
        layouts: &dyn Layouts,
    ) -> Judgement;
}

/// The techniques of this crate.
pub(super) struct Techniques;

impl Craft for Techniques {
    fn planner(&self, definition: &SessionDefinition, session: SessionId, rng: u64) -> Box<dyn Planner> {
        technique::planner(definition, session, rng)
    }

    fn judge(
        &self,
        run: &JobRun,
        definition: &SessionDefinition,
        edits: &[MaskEdit],
        layouts: &dyn Layouts,
    ) -> Judgement {
        technique::judge(run, definition, edits, layouts)
    }
}
