//! How a finding stands on the build that is installed now, by the replays of its tests.
//!
//! In: a session that replayed it. Out: fixed, still there, or undecided and why.
//!
//! Invariant: nothing that was not looked for is called fixed: replays that could not follow the recorded events decide
//! nothing, and for a violation that showed only now and then, enough replays must miss it to make chance unlikely.

use droidmux_record::{Confirmation, Finding, Outcome, ReplaySettings, SessionId};
use droidmux_store::{Store, StoreError};
use droidmux_technique::findings::Replay;
use droidmux_technique::shortfall;

/// The chance that replays of a flaky violation all miss it must be at most this for it to count as fixed.
const CHANCE: f64 = 0.05;

/// What replays on a build say of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The recorded events were followed, and the violation did not show.
    Fixed,
    /// The violation showed.
    StillThere,
    /// Neither can be said of the finding; says why, in a clause.
    Undecided(String),
}

impl Standing {
    /// `fixed`, `still there` or `undecided`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::StillThere => "still there",
            Self::Undecided(_) => "undecided",
        }
    }

    /// Judges by what replays came to; `trouble` is why some could not follow the recorded events, and `before`
    /// what replays said when the finding was confirmed.
    pub fn of(now: Confirmation, before: Confirmation, trouble: Option<&str>) -> Self {
        let ran = now.shown + now.absent + now.unfaithful;
        let trouble = || trouble.map(|why| format!(": {why}")).unwrap_or_default();
        if now.shown > 0 {
            return Self::StillThere;
        }
        if ran == 0 {
            return Self::Undecided("no replay came to its end".into());
        }
        if now.unfaithful >= now.absent {
            let unfaithful = now.unfaithful;
            let words =
                format!("{unfaithful} of {ran} replays could not follow the recorded events{}", trouble());
            return Self::Undecided(words);
        }
        let missing = before.flakiness();
        let chance = missing.powi(i32::try_from(now.absent).unwrap_or(i32::MAX));
        if chance > CHANCE {
            let (shown, of) = (before.shown, before.shown + before.absent);
            let needed = (CHANCE.ln() / missing.ln()).ceil();
            let advice = match needed.is_finite() {
                true => format!("; --times {needed} would decide"),
                false => String::new(),
            };
            let absent = now.absent;
            return Self::Undecided(format!(
                "it showed in only {shown} of {of} replays when it was found, so {absent} without it may be chance{advice}"
            ));
        }
        Self::Fixed
    }
}

/// What the replays of a finding in a session came to, and why one could not follow the recorded events.
///
/// # Errors
/// When the store cannot be read.
pub fn replays(
    store: &Store,
    session: SessionId,
    settings: &ReplaySettings,
) -> Result<(Confirmation, Option<String>), StoreError> {
    let mut counted = Confirmation { of: settings.times, ..Confirmation::default() };
    let mut trouble = None;
    for run in store.runs(session) {
        let run = run?;
        let Some(judgement) = store.judgement(session, run.job.slot)? else { continue };
        let replay = Replay::read(&settings.key, &settings.tests, &run, &judgement);
        replay.count_in(&mut counted);
        if replay != Replay::Unfaithful || trouble.is_some() {
            continue;
        }
        let traces = run.traces();
        let lacking =
            traces.iter().zip(&settings.tests).find_map(|(trace, test)| shortfall(trace, test.events.len()));
        let unjudged = judgement.verdicts.iter().find_map(|verdict| match &verdict.outcome {
            Outcome::Inconclusive(why) => Some(why.clone()),
            _ => None,
        });
        trouble = lacking.map(|shortfall| shortfall.to_string()).or(unjudged);
        if trouble.is_none() && traces.len() < settings.tests.len() {
            trouble = Some(format!("only {} of {} tests ran", traces.len(), settings.tests.len()));
        }
    }
    Ok((counted, trouble))
}

/// Whether two findings are one violation, perhaps seen in several sessions.
pub fn is_same(one: &Finding, other: &Finding) -> bool {
    (&one.app, &one.technique, &one.verdict.key) == (&other.app, &other.technique, &other.verdict.key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_replays_that_could_have_shown_it_say_that_it_is_fixed() {
        let replays =
            |shown, absent, unfaithful| Confirmation { shown, absent, unfaithful, ..Confirmation::default() };
        let steady = replays(3, 0, 0);
        let cases = [
            (replays(0, 3, 0), steady, "fixed", ""),
            (replays(0, 1, 0), steady, "fixed", ""),
            (replays(0, 2, 1), steady, "fixed", ""),
            (replays(1, 2, 0), steady, "still there", ""),
            (replays(1, 0, 2), steady, "still there", ""),
            (replays(0, 0, 0), steady, "undecided", "no replay came to its end"),
            (
                replays(0, 0, 3),
                steady,
                "undecided",
                "3 of 3 replays could not follow the recorded events: event 2",
            ),
            (replays(0, 1, 1), steady, "undecided", "1 of 2 replays"),
            (replays(0, 3, 0), replays(2, 1, 0), "fixed", ""),
            (replays(0, 3, 0), replays(2, 2, 0), "undecided", "--times 5 would decide"),
            (replays(0, 5, 0), replays(2, 2, 0), "fixed", ""),
            (replays(0, 5, 0), replays(0, 3, 0), "undecided", "it showed in only 0 of 3 replays"),
            (replays(0, 3, 0), replays(0, 0, 0), "fixed", ""),
        ];
        for (now, before, expected, why) in cases {
            let standing =
                Standing::of(now, before, Some("event 2 of 5 (click): its receiver was not found"));
            assert_eq!(standing.name(), expected, "{now:?} {before:?}");
            let said = match &standing {
                Standing::Undecided(why) => why.as_str(),
                _ => "",
            };
            assert!(said.contains(why) && (why.is_empty() == said.is_empty()), "{said}");
        }
    }
}
