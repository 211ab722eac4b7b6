//! The ruling on a finding: false alarm, true and which defects, or undecided.
//!
//! In: the defects of the app, and replays of the finding with some of them on. Out: a ruling. A defect is named when
//! the finding shows in each of [`TIMES`] replays with this defect alone on, and in none of as many with all defects
//! off. There are no half measures: a finding that shows only with several defects on, or only now and then, is
//! undecided.
//!
//! What cannot be followed with all defects off, because a step on the way goes elsewhere then, is first reduced to the events
//! that the finding needs with all of them on. Where a finding rests on more than its test, the shorter one may show the same
//! for another reason, so it can name a defect, and call nothing a false alarm. What cannot be followed even then is
//! replayed with all defects but one: a defect is named when the finding shows in each replay with all on, and when it is
//! the only one without which the finding shows in none.
//!
//! Invariant: replays with the same switches begin on a fresh phone, so a ruling depends on the finding alone and
//! not on what was judged before.

use std::collections::BTreeSet;
use std::future::Future;

use serde::{Deserialize, Serialize};

use super::BenchError;
use droidmux_technique::findings::Replay;

/// Replays that have to agree.
const TIMES: u32 = 2;
/// The most times a replay that could not follow the recorded events is run.
const TRIES: u32 = 2;

/// What the experiments say about a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Ruling {
    /// It shows with all defects off, too.
    FalseAlarm,
    /// It shows with each of these alone, and never with all defects off.
    True {
        /// The ids of the defects it shows, at least one.
        defects: Vec<String>,
    },
    /// The replays are not conclusive.
    Undecided {
        /// Why not, in words.
        why: String,
    },
}

/// The replays of one finding.
pub trait Experiment {
    /// Takes a fresh phone, with these defects on and all others off, for the following replays.
    fn set_up(&mut self, on: &BTreeSet<String>) -> impl Future<Output = Result<(), BenchError>> + Send;

    /// Those of these defects that can have to do with the finding: with all on, its events set them off.
    fn suspects(
        &mut self,
        present: &[String],
    ) -> impl Future<Output = Result<Vec<String>, BenchError>> + Send;

    /// Leaves out of the finding's test what it does not need with these defects on; false when that is nothing.
    fn shorten(&mut self, present: &[String]) -> impl Future<Output = Result<bool, BenchError>> + Send;

    /// Whether the finding rests on more than its test.
    fn rests_on_more(&self) -> bool;

    /// Replays the finding once on the current phone.
    fn replay(&mut self) -> impl Future<Output = Result<Replay, BenchError>> + Send;
}

/// What several replays with the same switches show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Always,
    /// Not in each.
    Sometimes,
    Never,
    /// One could not follow the recorded events.
    Unclear,
}

/// Judges a finding of an app with these defects.
///
/// # Errors
/// The errors of the replays.
pub async fn rule<E: Experiment>(experiment: &mut E, present: &[String]) -> Result<Ruling, BenchError> {
    if present.is_empty() {
        // The session itself was the experiment with all defects off.
        return Ok(Ruling::FalseAlarm);
    }
    let mut without = seen(experiment, &BTreeSet::new(), Replay::Absent).await?;
    if without == Seen::Unclear && experiment.shorten(present).await? {
        without = seen(experiment, &BTreeSet::new(), Replay::Absent).await?;
        if matches!(without, Seen::Always | Seen::Sometimes) && experiment.rests_on_more() {
            return Ok(undecided(
                "what is left of its test shows with all defects off, perhaps for another reason",
            ));
        }
    }
    match without {
        Seen::Always | Seen::Sometimes => return Ok(Ruling::FalseAlarm),
        Seen::Unclear => return leaving_out(experiment, present).await,
        Seen::Never => {}
    }
    let (mut defects, mut sometimes) = (Vec::new(), false);
    for defect in &experiment.suspects(present).await? {
        match seen(experiment, &BTreeSet::from([defect.clone()]), Replay::Shown).await? {
            Seen::Always => defects.push(defect.clone()),
            Seen::Sometimes => sometimes = true,
            Seen::Never | Seen::Unclear => {}
        }
    }
    if !defects.is_empty() {
        return Ok(Ruling::True { defects });
    }
    if sometimes {
        return Ok(undecided("with one defect on it shows in some replays only"));
    }
    let all = present.iter().cloned().collect();
    Ok(match seen(experiment, &all, Replay::Shown).await? {
        Seen::Always => undecided("it takes several defects to show it"),
        Seen::Sometimes | Seen::Never | Seen::Unclear => {
            undecided("it shows neither with all defects off nor, each time, with all on")
        }
    })
}

/// Judges a finding that cannot be followed with all defects off: by leaving out one after the other.
async fn leaving_out<E: Experiment>(experiment: &mut E, present: &[String]) -> Result<Ruling, BenchError> {
    let lost = undecided("its replay with all defects off could not follow it");
    let all: BTreeSet<String> = present.iter().cloned().collect();
    if all.len() < 2 || seen(experiment, &all, Replay::Shown).await? != Seen::Always {
        return Ok(lost);
    }
    let mut needed = Vec::new();
    for defect in experiment.suspects(present).await? {
        let others = all.iter().filter(|other| **other != defect).cloned().collect();
        if seen(experiment, &others, Replay::Absent).await? == Seen::Never {
            needed.push(defect);
        }
    }
    Ok(match needed.len() {
        0 => lost,
        1 => Ruling::True { defects: needed },
        _ => undecided("it takes several defects to show it"),
    })
}

/// What replays with these defects on show, all on one fresh phone. A result other than `hoped` decides at once.
async fn seen<E: Experiment>(
    experiment: &mut E,
    on: &BTreeSet<String>,
    hoped: Replay,
) -> Result<Seen, BenchError> {
    experiment.set_up(on).await?;
    let (mut shown, mut run) = (0, 0);
    while run < TIMES {
        let replay = faithful(experiment).await?;
        if replay == Replay::Unfaithful {
            return Ok(Seen::Unclear);
        }
        run += 1;
        shown += u32::from(replay == Replay::Shown);
        if replay != hoped {
            break;
        }
    }
    Ok(match shown {
        0 => Seen::Never,
        _ if shown == run => Seen::Always,
        _ => Seen::Sometimes,
    })
}

/// A replay, repeated when it could not follow the recorded events.
async fn faithful<E: Experiment>(experiment: &mut E) -> Result<Replay, BenchError> {
    for _ in 1..TRIES {
        let replay = experiment.replay().await?;
        if replay != Replay::Unfaithful {
            return Ok(replay);
        }
    }
    experiment.replay().await
}

fn undecided(why: &str) -> Ruling {
    Ruling::Undecided { why: why.into() }
}

#[cfg(test)]
#[path = "ruling_tests.rs"]
mod tests;
