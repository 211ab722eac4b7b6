//! The table of techniques: the one place that knows all of them.
//!
//! In: a session definition. Out: its planner, the verdicts of its oracles, what is wrong with its
//! settings.
//!
//! Invariants: names are unique. A technique that is not part of this crate is added with [`register`] before the first
//! session begins; a session of a technique that is not there, or whose settings cannot be read, plans nothing.

use std::sync::{PoisonError, RwLock};

use super::patient::PatientPlanner;
use super::relation::{self, RelationOracle};
use super::replay::ReplayPlanner;
use super::shrink::ShrinkPlanner;
use super::stepper::StepPlanner;
use super::{
    BatchDriver, CrashOracle, Driver, IdleDriver, Inputs, Oracle, Plan, Planner, TechniqueEntry, Uses,
    baseline, genie, inputblaster, neutral, odin, pbfdroid, reader, visiondroid,
};
use droidmux_record::{
    Batch, Finding, JobRun, Judgement, Layouts, MaskEdit, Progress, ReadNamed, Role, SessionDefinition,
    SessionId, SettingComplaint, SettingsKind, Slot, TextSource,
};

/// Another technique has this name.
#[derive(Debug, thiserror::Error)]
#[error("there is a technique `{0}` already")]
pub struct NameTaken(&'static str);

/// The techniques of this crate.
static INSIDE: [&TechniqueEntry; 9] = [
    &genie::ENTRY,
    &odin::ENTRY,
    &neutral::ENTRY,
    &baseline::MONKEY,
    &pbfdroid::ENTRY,
    &inputblaster::ENTRY,
    &inputblaster::RANDOMTEXT,
    &visiondroid::ENTRY,
    &reader::ENTRY,
];

/// Those that were registered.
static OUTSIDE: RwLock<Vec<&TechniqueEntry>> = RwLock::new(Vec::new());

/// Adds a technique that is not part of this crate.
///
/// # Errors
/// [`NameTaken`] when another one has its name.
pub fn register(entry: &'static TechniqueEntry) -> Result<(), NameTaken> {
    let mut outside = OUTSIDE.write().unwrap_or_else(PoisonError::into_inner);
    if INSIDE.iter().chain(outside.iter()).any(|known| known.name == entry.name) {
        return Err(NameTaken(entry.name));
    }
    outside.push(entry);
    Ok(())
}

/// All techniques, those of this crate first.
pub fn techniques() -> Vec<&'static TechniqueEntry> {
    let outside = OUTSIDE.read().unwrap_or_else(PoisonError::into_inner);
    INSIDE.iter().chain(outside.iter()).copied().collect()
}

/// The names of all techniques.
pub fn names() -> Vec<&'static str> {
    techniques().into_iter().map(|entry| entry.name).collect()
}

/// The tables of session files that any technique uses, each once.
pub fn kinds() -> Vec<&'static SettingsKind> {
    let mut kinds: Vec<&SettingsKind> = Vec::new();
    for kind in techniques().into_iter().flat_map(|entry| entry.settings) {
        if !kinds.iter().any(|known| known.name == kind.name) {
            kinds.push(kind);
        }
    }
    kinds
}

/// Writes out the settings of all techniques, with the defaults of what is not set: a later version may have others. A
/// session without a table for the reader is not read, and gets none.
pub fn complete(definition: &mut SessionDefinition) {
    let is_read = reader::is_wanted(definition);
    let kinds = kinds().into_iter().filter(|kind| is_read || kind.name != reader::NAME);
    kinds.for_each(|kind| kind.fill(&mut definition.settings));
}

/// Makes the content of the files that a session's settings name a part of them.
///
/// # Errors
/// When a file cannot be read or makes no sense, with the key that names it.
pub fn freeze(definition: &mut SessionDefinition, read: ReadNamed<'_>) -> Result<(), SettingComplaint> {
    used(definition).into_iter().try_for_each(|kind| kind.freeze(&mut definition.settings, read))
}

/// Whether a session's confirmed findings become examples. What only repeats a finding teaches nothing new.
pub fn learns(definition: &SessionDefinition) -> bool {
    let own = entry(definition.technique.name()).and_then(|entry| entry.settings.first());
    definition.replayed().is_none() && own.is_some_and(|kind| kind.learns(&definition.settings))
}

/// What is known of the technique of this name.
pub fn entry(name: &str) -> Option<&'static TechniqueEntry> {
    techniques().into_iter().find(|entry| entry.name == name)
}

/// What a session uses: its technique, and what lends it texts.
pub fn uses(definition: &SessionDefinition) -> Uses {
    let uses = entry(definition.technique.name()).map_or(Uses::NOTHING, |entry| entry.uses);
    let uses = Uses { models: uses.models || reader::is_wanted(definition), ..uses };
    match definition.run.text {
        TextSource::Own => uses,
        TextSource::Inputblaster => Uses { models: true, unusual_texts: true, ..uses },
    }
}

/// What the planner of a session takes in before the first slot; nothing for one that only repeats a finding.
pub fn inputs(definition: &SessionDefinition) -> Inputs {
    let inputs = entry(definition.technique.name()).and_then(|entry| entry.inputs);
    let inputs = inputs.filter(|_| definition.replayed().is_none());
    inputs.map(|inputs| inputs(definition)).unwrap_or_default()
}

/// The tables that a session uses.
fn used(definition: &SessionDefinition) -> Vec<&'static SettingsKind> {
    let own = entry(definition.technique.name()).map_or(&[][..], |entry| entry.settings);
    let texts = match definition.run.text {
        TextSource::Own => &[],
        TextSource::Inputblaster => inputblaster::TEXTS,
    };
    let is_listed = own.iter().any(|kind| kind.name == reader::NAME);
    let reading = if is_listed || !reader::is_wanted(definition) { &[] } else { reader::ENTRY.settings };
    own.iter().chain(texts).chain(reading).collect()
}

/// The planner of a session at its start. `rng` is the session's RNG seed.
pub fn planner(definition: &SessionDefinition, session: SessionId, rng: u64) -> Box<dyn Planner> {
    if let Some(settings) = &definition.replay {
        return Box::new(ReplayPlanner::new(definition, settings, session, rng, player));
    }
    if let Some(settings) = &definition.shrink {
        return Box::new(ShrinkPlanner::new(definition, settings, session, rng, player));
    }
    if let Some(settings) = &definition.step {
        return Box::new(StepPlanner::new(definition, settings, session, rng));
    }
    if !used(definition).iter().all(|kind| kind.is_readable(&definition.settings)) {
        return Box::new(Unknown);
    }
    let Some(entry) = entry(definition.technique.name()) else { return Box::new(Unknown) };
    let planner = (entry.planner)(definition, session, rng);
    let planner = match definition.run.text {
        TextSource::Own => planner,
        TextSource::Inputblaster => inputblaster::with_texts(planner, definition),
    };
    let planner = match reader::is_reviewed(definition, uses(definition).models) {
        true => Box::new(reader::ReaderPlanner::new(planner, definition, session, rng)),
        false => planner,
    };
    Box::new(PatientPlanner::new(planner))
}

/// What all oracles of a session say of a finished job: that of its technique, then the relations and the
/// crash oracle. `edits` are people's changes to the masks.
pub fn judge(
    run: &JobRun,
    definition: &SessionDefinition,
    edits: &[MaskEdit],
    layouts: &dyn Layouts,
) -> Judgement {
    let oracle = entry(definition.technique.name()).and_then(|entry| entry.oracle);
    let mut judgement =
        oracle.map(|oracle| oracle(definition, edits).judge(run, layouts)).unwrap_or_default();
    let relations = RelationOracle::new(definition).judge(run, layouts);
    judgement.verdicts.extend(relations.verdicts);
    judgement.held.extend(relations.held);
    judgement.verdicts.extend(reader::ReaderOracle::new(definition).judge(run, layouts).verdicts);
    judgement.verdicts.extend(CrashOracle.judge(run, layouts).verdicts);
    judgement
}

/// The driver that runs the tests of a finding again.
pub(crate) fn player(batch: &Batch, definition: &SessionDefinition) -> Box<dyn Driver> {
    if batch.tests.iter().all(|test| matches!(test.role, Role::Suspected(_))) {
        return Box::new(BatchDriver::new(batch, &definition.app, None));
    }
    match entry(definition.technique.name()) {
        Some(entry) => (entry.player)(batch, definition),
        None => Box::new(IdleDriver),
    }
}

/// Whether an oracle of its technique's own judges what a session's tests show: some techniques have only the crash
/// oracle, and a replay only asks whether one finding shows.
pub fn has_own_oracle(definition: &SessionDefinition) -> bool {
    let entry = entry(definition.technique.name());
    definition.replayed().is_none() && entry.is_some_and(|entry| entry.oracle.is_some())
}

/// What is wrong with a definition: with the settings of its technique, with those that it has no use for, and with its
/// choice of relations.
pub fn check(definition: &SessionDefinition) -> Vec<SettingComplaint> {
    let name = definition.technique.name();
    let mut complaints = match entry(name) {
        Some(entry) => {
            let used = used(definition);
            let values = used.iter().flat_map(|kind| kind.complaints(&definition.settings));
            values.chain(unused(definition, &used)).chain((entry.check)(definition)).collect()
        }
        None => {
            let known: Vec<String> = names().iter().map(|name| format!("`{name}`")).collect();
            let what = format!("there is no technique `{name}`, only {}", known.join(", "));
            vec![SettingComplaint::new(&["technique"], what)]
        }
    };
    if let Some(what) = definition.run.relations.as_deref().and_then(relation::unknown) {
        complaints.push(SettingComplaint::new(&["run", "relations"], what));
    }
    complaints
}

/// Complaints about settings that change nothing.
fn unused(definition: &SessionDefinition, used: &[&SettingsKind]) -> Vec<SettingComplaint> {
    let technique = definition.technique.name();
    let is_used = |kind: &SettingsKind| used.iter().any(|known| known.name == kind.name);
    let idle = kinds().into_iter().filter(|kind| !is_used(kind) && !kind.is_usual(&definition.settings));
    let complaint = |kind: &SettingsKind| {
        let unless = match inputblaster::TEXTS.iter().any(|texts| texts.name == kind.name) {
            true => ", unless `text = \"inputblaster\"` stands under [run]",
            false => "",
        };
        let what = format!("`[{}]` does nothing with `technique = {technique:?}`{unless}", kind.name);
        SettingComplaint::new(&[kind.name], what)
    };
    let mut complaints: Vec<SettingComplaint> = idle.map(complaint).collect();
    complaints.extend(inputblaster::unlearnt(definition));
    complaints
}

/// For sessions of a technique that this program does not have, or whose settings it cannot read.
struct Unknown;

impl Planner for Unknown {
    fn plan(&mut self, _slot: Slot) -> Plan {
        Plan::Done
    }

    fn absorb(&mut self, _run: &JobRun, _judgement: &Judgement, _layouts: &dyn Layouts) {}

    fn progress(&self) -> Progress {
        Progress::default()
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    /// No technique has this version, so no session of such a technique is continued.
    fn version(&self) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::Technique;

    #[test]
    fn a_name_is_that_of_one_technique() {
        for name in names() {
            let technique: Technique = name.parse().expect("a name");
            assert_ne!(technique, Technique::Outside(name.into()), "{name} is inside");
            assert_eq!(technique.name(), name);
            assert_eq!(INSIDE.iter().filter(|entry| entry.name == name).count(), 1, "{name}");
        }
        assert!(matches!(register(&genie::ENTRY), Err(NameTaken("genie"))));
    }

    #[test]
    fn a_technique_that_is_not_there_plans_nothing_and_is_complained_of() {
        let definition = SessionDefinition::new(Technique::Outside("dowsing".into()), "org.app");
        let mut planner = planner(&definition, SessionId(1), 7);
        assert_eq!((planner.plan(Slot(0)), planner.version()), (Plan::Done, 0));
        let said = check(&definition);
        let [complaint] = said.as_slice() else { panic!("{said:?}") };
        assert_eq!(complaint.at, ["technique"]);
        assert!(complaint.what.contains("`dowsing`, only `genie`, `odin`"), "{}", complaint.what);
    }
}
