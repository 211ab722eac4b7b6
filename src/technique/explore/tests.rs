//! Explorations on the toy app: what they type, how they end, and what they change.

use std::collections::BTreeSet;

use crate::GenieSettings;
use crate::toy::{Session, run_session};
use droidmux_gui::{Event, EventKind};
use droidmux_record::{Act, Choice, Explore, Goal, JobRun, SessionDefinition, Technique, Texts, Work};

fn session(max_events: u64, rng: u64) -> Session {
    let mut definition = SessionDefinition::new(Technique::Neutral, "toy.notes");
    definition.run.max_events = max_events;
    definition.run.revisit_share = 30;
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 300);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 6);
    run_session(&definition, false, rng, 1)
}

fn explorations(session: &Session) -> Vec<(&Explore, &JobRun)> {
    let explored = session.runs.iter().filter_map(|run| match &run.job.work {
        Work::Explore(explore) => Some((explore, run)),
        Work::Batch(_) | Work::Errand(_) => None,
    });
    explored.collect()
}

fn performed(run: &JobRun) -> impl Iterator<Item = &Event> {
    run.turns.iter().filter_map(|turn| match &turn.act {
        Act::Perform(event) => Some(event),
        Act::Reset | Act::Consult(_) | Act::Finish(_) => None,
    })
}

/// The texts typed in each test, without those of searches.
fn typed(run: &JobRun) -> Vec<Vec<&str>> {
    let mut typed = Vec::new();
    for trace in run.traces() {
        let edits = trace.steps.iter().filter(|step| {
            let receiver = step.event.receiver.as_ref();
            step.event.kind == EventKind::Edit && !receiver.is_some_and(|r| r.resource_id.contains("query"))
        });
        typed.push(edits.filter_map(|step| step.event.data.as_deref()).collect());
    }
    typed
}

#[test]
fn half_of_all_type_texts_that_are_unique_in_their_trace() {
    let session = session(3_000, 2);
    let all = explorations(&session);
    let unique = all.iter().filter(|(explore, _)| explore.texts == Texts::Unique).count();
    assert!(unique * 2 >= all.len() - 1 && unique * 2 <= all.len() + 1, "{unique} of {}", all.len());
    let (mut kinds, mut met) = (BTreeSet::new(), Vec::new());
    for (explore, run) in all {
        for texts in typed(run) {
            let different: BTreeSet<&&str> = texts.iter().collect();
            match explore.texts {
                Texts::Unique => assert_eq!(different.len(), texts.len(), "{texts:?}"),
                Texts::Colliding => met.extend(texts.iter().copied()),
            }
            kinds.insert((explore.texts == Texts::Unique, texts.is_empty()));
        }
    }
    assert!(kinds.contains(&(true, false)) && kinds.contains(&(false, false)), "{kinds:?}");
    let different: BTreeSet<&str> = met.iter().copied().collect();
    assert!(different.len() * 2 < met.len(), "{met:?}");
}

#[test]
fn a_visit_starts_the_app_again_and_looks_for_what_was_typed() {
    let mut shown = 0;
    for rng in 0..3 {
        let session = session(3_000, rng);
        let all = explorations(&session);
        assert!(
            all.iter().any(|(explore, _)| explore.revisits)
                && all.iter().any(|(explore, _)| !explore.revisits)
        );
        for (explore, run) in all {
            let events: Vec<EventKind> = performed(run).map(|event| event.kind).collect();
            let relaunch = events.iter().position(|kind| *kind == EventKind::Relaunch);
            assert!(relaunch.is_none() || explore.revisits, "{events:?}");
            assert!(run.events() <= run.job.work.events());
            let Some(at) = relaunch else { continue };
            assert!(events.len() - at <= Explore::VISIT as usize, "{events:?}");
            let texts: Vec<&str> = typed(run).pop().unwrap_or_default();
            let last = run.turns.iter().filter_map(|turn| turn.observation.seen()).next_back();
            let layout =
                last.and_then(|seen| droidmux_record::Layouts::layout(&session.shown, seen.screen.layout));
            let layout = layout.expect("a last screen");
            shown += usize::from(layout.widgets().any(|w| !w.is_editable() && texts.contains(&w.text())));
        }
    }
    assert!(shown > 0, "no visit ended where something typed is shown");
}

#[test]
fn roaming_takes_its_share_all_the_time_and_gives_seeds() {
    let mut definition = SessionDefinition::new(Technique::Genie, "toy.notes");
    definition.run.max_events = 9_000;
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 300);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 6);
    for (share, least, most) in [(33, 25, 36), (0, 0, 0)] {
        definition.run.explore_share = share;
        let session = run_session(&definition, false, 4, 1);
        let is_roaming = |run: &&JobRun| {
            matches!(&run.job.work, Work::Explore(Explore { goal: Goal::Roam, choice: Choice::Changing, .. }))
        };
        let events = |runs: &[JobRun]| runs.iter().map(JobRun::events).sum::<u64>();
        let roamed: Vec<&JobRun> = session.runs.iter().filter(is_roaming).collect();
        let percent = roamed.iter().map(|run| run.events()).sum::<u64>() * 100 / events(&session.runs);
        assert!((least..=most).contains(&percent), "{share}: {percent}");
        let half = session.runs.len() / 2;
        let late = session.runs.iter().skip(half).filter(is_roaming).count();
        assert_eq!(late > 0, share > 0, "{share}");
        let kept = session.progress.funnel.seeds;
        assert_eq!(
            kept > u64::from(definition.settings.of::<GenieSettings>().seeds),
            share > 0,
            "{share}: {kept} seeds"
        );
    }
}

#[test]
fn what_roams_changes_more_than_what_goes_by_event_types() {
    // Notes saved in a test: the list grew.
    let saved = |runs: &[&JobRun]| -> u64 {
        let saves = |run: &&JobRun| {
            performed(run)
                .filter(|event| event.receiver.as_ref().is_some_and(|r| r.resource_id == "save"))
                .count() as u64
        };
        runs.iter().map(saves).sum::<u64>() * 1_000 / runs.iter().map(|run| run.events()).sum::<u64>().max(1)
    };
    let mut definition = SessionDefinition::new(Technique::Genie, "toy.notes");
    definition.run.max_events = 9_000;
    definition.settings.change(|genie: &mut GenieSettings| genie.mine_events = 1_000);
    definition.settings.change(|genie: &mut GenieSettings| genie.seeds = 6);
    let session = run_session(&definition, false, 4, 1);
    let of = |choice: Choice| -> Vec<&JobRun> {
        let all = explorations(&session).into_iter().filter(|(explore, _)| explore.choice == choice);
        all.map(|(_, run)| run).collect()
    };
    let (roaming, random) = (saved(&of(Choice::Changing)), saved(&of(Choice::Random)));
    assert!(roaming > random, "per thousand events: {roaming}, {random}");
    let performed = session.acts.iter().flatten().filter(|act| matches!(act, Act::Perform(_))).count() as u64;
    assert!(performed <= definition.run.max_events);
}
