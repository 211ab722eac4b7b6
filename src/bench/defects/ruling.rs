//! The ruling on a finding: false alarm, true and which defects, or undecided.
//!
//! In: the defects of the app, and replays of the finding with some of them on. Out: a ruling. A defect is named when
//! the finding shows in each of [`TIMES`] replays with this defect alone on, and in none of as many with all defects
//! off. There are no half measures: a finding that shows only with several defects on, or only now and then, is
//! undecided.
//!
//! What cannot be followed with all defects off, because a step on the way goes elsewhere then, is first reduced to the events
//! that the finding needs with all of them on. Where a finding rests on more than its test, the shorter one may show the same
//! for another reason, so it can name a defect, and call nothing a false alarm.
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
        Seen::Unclear => return Ok(undecided("its replay with all defects off could not follow it")),
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
mod tests {
    use super::*;

    /// Answers according to the set of defects that is on, written as their ids with `+` between: one letter for each
    /// replay on one phone, `s`hown, `g`one or `l`ost, the last one for all further replays.
    struct Script {
        answers: fn(&str) -> &'static str,
        on: String,
        asked: usize,
        replays: usize,
        phones: Vec<String>,
        /// The answers of the shorter test, if there is one.
        shorter: Option<fn(&str) -> &'static str>,
        rests_on_more: bool,
    }

    impl Experiment for Script {
        async fn set_up(&mut self, on: &BTreeSet<String>) -> Result<(), BenchError> {
            self.on = on.iter().map(String::as_str).collect::<Vec<_>>().join("+");
            self.phones.push(self.on.clone());
            self.asked = 0;
            Ok(())
        }

        async fn suspects(&mut self, present: &[String]) -> Result<Vec<String>, BenchError> {
            Ok(present.to_vec())
        }

        async fn shorten(&mut self, _: &[String]) -> Result<bool, BenchError> {
            let Some(answers) = self.shorter.take() else { return Ok(false) };
            self.answers = answers;
            self.phones.clear();
            Ok(true)
        }

        fn rests_on_more(&self) -> bool {
            self.rests_on_more
        }

        async fn replay(&mut self) -> Result<Replay, BenchError> {
            let answers = (self.answers)(&self.on);
            let answer = answers.chars().nth(self.asked).or(answers.chars().last());
            self.asked += 1;
            self.replays += 1;
            Ok(match answer {
                Some('s') => Replay::Shown,
                Some('g') => Replay::Absent,
                _ => Replay::Unfaithful,
            })
        }
    }

    impl Script {
        fn new(answers: fn(&str) -> &'static str) -> Self {
            Self {
                answers,
                on: String::new(),
                asked: 0,
                replays: 0,
                phones: Vec::new(),
                shorter: None,
                rests_on_more: false,
            }
        }
    }

    fn words(ruling: &Ruling) -> String {
        match ruling {
            Ruling::FalseAlarm => "false alarm".into(),
            Ruling::True { defects } => format!("shows {}", defects.join(" and ")),
            Ruling::Undecided { why } => format!("undecided: {why}"),
        }
    }

    #[tokio::test]
    async fn rulings_follow_from_what_replays_show() {
        let cases: [(&str, fn(&str) -> &'static str, &str, usize); 11] = [
            ("still there with all off", |_| "s", "false alarm", 1),
            (
                "there once of two times with all off",
                |on| if on.is_empty() { "gs" } else { "s" },
                "false alarm",
                2,
            ),
            (
                "not faithful, twice",
                |_| "l",
                "undecided: its replay with all defects off could not follow it",
                2,
            ),
            ("faithful at the second try", |on| if on.is_empty() { "ls" } else { "g" }, "false alarm", 2),
            ("one defect", |on| if on.contains('b') { "s" } else { "g" }, "shows b", 6),
            (
                "one defect, once of two times",
                |on| if on.contains('b') { "sg" } else { "g" },
                "undecided: with one defect on it shows in some replays only",
                6,
            ),
            (
                "one defect, and another now and then",
                |on| match on {
                    "a" => "sg",
                    "c" => "s",
                    _ => "g",
                },
                "shows c",
                7,
            ),
            (
                "either of two",
                |on| if on.contains('a') || on.contains('c') { "s" } else { "g" },
                "shows a and c",
                7,
            ),
            (
                "two together",
                |on| if on.contains('a') && on.contains('c') { "s" } else { "g" },
                "undecided: it takes several defects to show it",
                7,
            ),
            (
                "never again",
                |_| "g",
                "undecided: it shows neither with all defects off nor, each time, with all on",
                6,
            ),
            (
                "lost with one alone",
                |on| if on.is_empty() { "g" } else { "l" },
                "undecided: it shows neither with all defects off nor, each time, with all on",
                10,
            ),
        ];
        let present = ["a", "b", "c"].map(str::to_owned);
        for (name, answers, expected, replays) in cases {
            let mut script = Script::new(answers);
            let ruling = rule(&mut script, &present).await.expect("no replay fails");
            assert_eq!(words(&ruling), expected, "{name}");
            assert_eq!(script.replays, replays, "{name}: {:?}", script.phones);
            assert_eq!(script.phones[0], "", "{name}: all off comes first");
            let different: BTreeSet<&String> = script.phones.iter().collect();
            assert_eq!(different.len(), script.phones.len(), "{name}: one fresh phone for each setting");
        }
    }

    #[tokio::test]
    async fn what_cannot_be_followed_is_judged_by_what_it_needs() {
        let present = ["a", "b"].map(str::to_owned);
        let lost = "undecided: its replay with all defects off could not follow it";
        let slipped =
            "undecided: what is left of its test shows with all defects off, perhaps for another reason";
        let cases: [(&str, fn(&str) -> &'static str, bool, &str); 5] = [
            ("it is clear then", |on| if on.contains('b') { "s" } else { "g" }, false, "shows b"),
            (
                "the same of one that rests on more",
                |on| if on.contains('b') { "s" } else { "g" },
                true,
                "shows b",
            ),
            ("it shows without a defect then", |_| "s", false, "false alarm"),
            ("the same of one that rests on more", |_| "s", true, slipped),
            ("still lost", |_| "l", false, lost),
        ];
        for (name, shorter, rests_on_more, expected) in cases {
            let mut script = Script { shorter: Some(shorter), rests_on_more, ..Script::new(|_| "l") };
            let ruling = rule(&mut script, &present).await.expect("no replay fails");
            assert_eq!(words(&ruling), expected, "{name}");
        }
    }

    #[tokio::test]
    async fn an_app_without_defects_can_only_give_false_alarms() {
        let mut script = Script::new(|_| "g");
        assert_eq!(rule(&mut script, &[]).await.expect("nothing fails"), Ruling::FalseAlarm);
        assert!(script.phones.is_empty());
    }
}
