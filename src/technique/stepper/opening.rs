//! Which test of a finding is stepped through, where the person is asked first, and where the violation shows.

use droidmux_gui::{EventKind, LayoutHash};
use droidmux_record::{Act, Evidence, FindingId, JobRun, Role, StepSettings, Test, Trace, Verdict};

/// What stepping through a finding of this verdict begins with. `tests` show it again
/// ([`recipe`](crate::recipe), or a shorter one); `runs` are the jobs that may have recorded them, that of
/// the finding first. `None` when there is no test with an event.
pub fn opening(
    finding: &FindingId,
    verdict: &Verdict,
    tests: Vec<Test>,
    runs: &[JobRun],
) -> Option<StepSettings> {
    let stepped = tests.iter().rposition(|test| tells(&test.role)).or(tests.len().checked_sub(1))?;
    let test = tests.get(stepped).filter(|test| !test.events.is_empty())?;
    let against = tests.iter().position(|other| is_held_against(&other.role, &test.role));
    let most = test.events.len();
    let violation = violation(verdict, test, runs.first()).clamp(1, most);
    let pause = pause(verdict, test, runs.first(), violation).min(violation.saturating_sub(1));
    let recorded = recorded(test, runs);
    let seed = against.and_then(|seed| tests.get(seed)).map(|seed| self::recorded(seed, runs));
    let number = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    Some(StepSettings {
        finding: finding.clone(),
        key: verdict.key.clone(),
        stepped: number(stepped),
        against: against.map(number),
        pause: number(pause),
        violation: number(violation),
        recorded,
        seed: seed.unwrap_or_default(),
        tests,
    })
}

/// Whether the violation shows in a test of this role, if there are several.
fn tells(role: &Role) -> bool {
    match role {
        Role::Mutant(_) | Role::Deviant(_) | Role::Unusual | Role::Forbidden => true,
        Role::Seed
        | Role::Usual(_)
        | Role::Valid
        | Role::Property(_)
        | Role::Toured(_)
        | Role::Suspected(_) => false,
    }
}

fn is_held_against(role: &Role, stepped: &Role) -> bool {
    matches!(
        (role, stepped),
        (Role::Seed, Role::Mutant(_))
            | (Role::Usual(_), Role::Deviant(_))
            | (Role::Valid, Role::Unusual | Role::Forbidden)
    )
}

/// Events of the test after which the violation shows.
fn violation(verdict: &Verdict, test: &Test, run: Option<&JobRun>) -> usize {
    let most = test.events.len();
    let performed = |turn: u32| run.map_or(most, |run| performed(run, turn));
    match &verdict.evidence {
        Evidence::Effects(effects) => {
            let shows = effects.iter().map(|effect| usize::from(effect.mutant.1).saturating_sub(1));
            shows.min().unwrap_or(most)
        }
        Evidence::Signal { turn, .. } => performed(*turn),
        Evidence::Breach(breach) => performed(breach.turn),
        Evidence::Mismatch(mismatch) => performed(mismatch.span.1),
        Evidence::Broken(broken) => performed(broken.turns.1),
        Evidence::None | Evidence::Deviation(_) | Evidence::Mistreated(_) => most,
    }
}

/// Events that lead to where the test becomes interesting.
fn pause(verdict: &Verdict, test: &Test, run: Option<&JobRun>, violation: usize) -> usize {
    match &test.role {
        Role::Mutant(insertion) => usize::from(insertion.pivot).saturating_sub(1),
        Role::Property(calls) => {
            let last = calls.last().and_then(|call| call.steps.first());
            last.map_or(0, |step| usize::from(step.at))
        }
        Role::Toured(stretch) => usize::from(stretch.first),
        Role::Valid | Role::Unusual | Role::Forbidden => {
            test.events.iter().rposition(|event| event.kind == EventKind::Edit).unwrap_or(0)
        }
        Role::Usual(_) | Role::Deviant(_) => test.events.len().saturating_sub(1),
        Role::Seed | Role::Suspected(_) => match (&verdict.evidence, run) {
            (Evidence::Broken(broken), Some(run)) => performed(run, broken.turns.0),
            _ => violation.saturating_sub(1),
        },
    }
}

/// Events that were performed from the last reset up to a turn.
fn performed(run: &JobRun, turn: u32) -> usize {
    let turns = run.turns.get(..=turn as usize).unwrap_or(&run.turns);
    let since = turns.iter().rposition(|turn| turn.act == Act::Reset).unwrap_or(0);
    let performed = turns.iter().skip(since).filter(|turn| turn.observation.seen().is_some());
    performed.filter(|turn| matches!(turn.act, Act::Perform(_))).count()
}

/// The layouts that a test showed in the run that followed it furthest.
fn recorded(test: &Test, runs: &[JobRun]) -> Vec<LayoutHash> {
    let traces = runs.iter().flat_map(JobRun::traces);
    traces.map(|trace| in_common(test, &trace)).max_by_key(Vec::len).unwrap_or_default()
}

/// The layouts of a trace as far as it did what the test does.
fn in_common(test: &Test, trace: &Trace<'_>) -> Vec<LayoutHash> {
    let Some(start) = trace.start else { return Vec::new() };
    let done = trace.steps.iter().filter_map(|step| Some((step.event, step.after.ok()?)));
    let same = done.zip(&test.events).take_while(|((event, _), wanted)| event == wanted);
    std::iter::once(start.screen.layout).chain(same.map(|((_, seen), _)| seen.screen.layout)).collect()
}
