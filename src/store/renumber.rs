//! The session numbers inside stored values: all of them, for listing or changing.
//!
//! In: a value as stored under its key, decompressed. Out: the same value, after every session number was shown to a
//! visitor, which may change it. Kinds of values not named here contain none.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::engine::decode;
use super::findings::Mark;
use super::key::Key;
use super::runs::FinishedRun;
use super::{StoreError, codec};
use droidmux_record::{
    BlobHash, Evidence, Finding, Handling, Job, Judgement, MaskEdit, Purpose, Recheck, SessionId,
    SessionRecord, Shrunk, StepPlace, Turn, Verdict, Work,
};

/// Sees and may change a session number.
pub(super) type Visit<'a> = &'a mut dyn FnMut(&mut SessionId);

/// A value that names sessions.
trait Names {
    fn each_session(&mut self, visit: Visit<'_>);
}

/// Shows the visitor every session number in the value of this key and returns the value; values without any are only
/// decoded.
///
/// # Errors
/// `Corrupt` when the value is not one of this key, `Misuse` for keys that belong to no session.
pub(super) fn renumbered(key: &Key, raw: Vec<u8>, visit: Visit<'_>) -> Result<Vec<u8>, StoreError> {
    let at = key.bytes();
    match key {
        Key::Session(_) => changed::<SessionRecord>(&at, &raw, visit),
        Key::Job(..) => changed::<Job>(&at, &raw, visit),
        Key::Judgement(..) => changed::<Judgement>(&at, &raw, visit),
        Key::Finding(_) => changed::<Finding>(&at, &raw, visit),
        Key::Shrunk(..) => changed::<Shrunk>(&at, &raw, visit),
        Key::Recheck(..) => changed::<Recheck>(&at, &raw, visit),
        Key::Handling(_) => decode::<Handling>(&at, &raw).map(|_| raw),
        Key::Turns(_) => decode::<Vec<Turn>>(&at, &raw).map(|_| raw),
        Key::Step(..) | Key::Exchange(..) => decode::<StepPlace>(&at, &raw).map(|_| raw),
        Key::Finished(..) => decode::<FinishedRun>(&at, &raw).map(|_| raw),
        Key::Picture(..) => decode::<BlobHash>(&at, &raw).map(|_| raw),
        Key::Mark(_) => decode::<Mark>(&at, &raw).map(|_| raw),
        Key::Bookmark(..) => decode::<String>(&at, &raw).map(|_| raw),
        Key::MaskEdit(..) => decode::<MaskEdit>(&at, &raw).map(|_| raw),
        Key::Counter
        | Key::Import(_)
        | Key::Incident(_)
        | Key::Example(..)
        | Key::Layout(_)
        | Key::Chunk { .. } => Err(StoreError::Misuse(format!("{key} belongs to no session"))),
    }
}

fn changed<T: Names + Serialize + DeserializeOwned>(
    key: &[u8],
    raw: &[u8],
    visit: Visit<'_>,
) -> Result<Vec<u8>, StoreError> {
    let mut value: T = decode(key, raw)?;
    value.each_session(visit);
    codec::encode(&value).map_err(|why| StoreError::Misuse(format!("{}: {why}", super::key::describe(key))))
}

impl Key {
    /// The same key with every session number shown to the visitor.
    pub(super) fn renumbered(mut self, visit: Visit<'_>) -> Key {
        match &mut self {
            Key::Session(id)
            | Key::Handling(id)
            | Key::Import(id)
            | Key::Job(id, _)
            | Key::Finished(id, _)
            | Key::Step(id, _)
            | Key::Exchange(id, _)
            | Key::Picture(id, _)
            | Key::Judgement(id, _)
            | Key::MaskEdit(id, _)
            | Key::Recheck(id, _)
            | Key::Bookmark(id, _) => visit(id),
            Key::Turns(key) => visit(&mut key.session),
            Key::Finding(id) | Key::Mark(id) => visit(&mut id.session),
            Key::Shrunk(id, by) => {
                visit(&mut id.session);
                visit(by);
            }
            Key::Counter | Key::Incident(_) | Key::Example(..) | Key::Layout(_) | Key::Chunk { .. } => {}
        }
        self
    }
}

impl Names for SessionRecord {
    fn each_session(&mut self, visit: Visit<'_>) {
        self.inputs.iter_mut().for_each(|input| visit(&mut input.session));
        let definition = &mut self.definition;
        if let Some(replay) = &mut definition.replay {
            visit(&mut replay.finding.session);
        }
        if let Some(shrink) = &mut definition.shrink {
            visit(&mut shrink.finding.session);
        }
        if let Some(step) = &mut definition.step {
            visit(&mut step.finding.session);
        }
        definition.settings.each_session(visit);
    }
}

impl Names for Job {
    fn each_session(&mut self, visit: Visit<'_>) {
        match &mut self.work {
            Work::Batch(batch) => match &mut batch.purpose {
                Purpose::Confirm { finding, .. }
                | Purpose::Replay { finding, .. }
                | Purpose::Shrink { finding, .. }
                | Purpose::Examine { finding, .. } => visit(&mut finding.session),
                Purpose::Mutants { .. } | Purpose::Calibrate { .. } | Purpose::Manifest(_) => {}
            },
            Work::Errand(errand) => errand.sessions.iter_mut().for_each(visit),
            Work::Explore(_) => {}
        }
    }
}

impl Names for Judgement {
    fn each_session(&mut self, visit: Visit<'_>) {
        self.verdicts.iter_mut().for_each(|verdict| verdict.each_session(visit));
    }
}

impl Names for Verdict {
    fn each_session(&mut self, visit: Visit<'_>) {
        if let Evidence::Deviation(deviation) = &mut self.evidence {
            visit(&mut deviation.usual.source.session);
            visit(&mut deviation.deviant.source.session);
        }
    }
}

impl Names for Finding {
    fn each_session(&mut self, visit: Visit<'_>) {
        visit(&mut self.id.session);
        visit(&mut self.cluster.session);
        self.verdict.each_session(visit);
    }
}

impl Names for Shrunk {
    fn each_session(&mut self, visit: Visit<'_>) {
        visit(&mut self.finding.session);
        visit(&mut self.session);
    }
}

impl Names for Recheck {
    fn each_session(&mut self, visit: Visit<'_>) {
        for objection in &mut self.violations {
            objection.verdict.each_session(visit);
            objection.places.iter_mut().for_each(|place| visit(&mut place.session));
        }
    }
}
