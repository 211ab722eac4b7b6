//! The ruling on a finding: false alarm, true and which defect, or undecided.
//!
//! In: the defects of the app, and replays of the finding with some of them on. Out: a ruling. What
//! decides is the replay with all defects off; the defect is named by switching each on alone and
//! off alone.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

use serde::{Deserialize, Serialize};

use super::BenchError;
use crate::technique::findings::Replay;

/// Times a replay that could not follow the recorded events is run, at most.
const TRIES: u32 = 2;

/// What the experiments say of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Ruling {
    /// It shows with all defects off, too.
    FalseAlarm,
    /// With all defects off it is gone.
    True {
        /// The ids of what it shows; empty when no set of defects shows it again.
        defects: Vec<String>,
        /// How sure the ids are.
        naming: Naming,
    },
    /// No replay said anything.
    Undecided {
        /// What kept the replays from it, in words.
        why: String,
    },
}

/// How the defects of a true finding were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Naming {
    /// It shows with this one alone, and with all but this one it does not.
    OnAndOff,
    /// It shows with this one alone, and with no other alone.
    OnAlone,
    /// None can be taken away from these: it shows with them, and not with one fewer.
    SmallestSet,
    /// It did not show again with any set of defects.
    Nothing,
}

/// The replays of one finding.
pub trait Experiment {
    /// Replays the finding once on a phone with these defects on and all others off.
    fn replay(&mut self, on: &BTreeSet<String>) -> impl Future<Output = Result<Replay, BenchError>> + Send;
}

/// What is known of a finding before its experiments.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The ids of the app's defects.
    pub present: &'a [String],
    /// The session's own replays confirmed it.
    pub confirmed: bool,
    /// The defect that a finding with the same key showed: tried first.
    pub likely: Option<&'a str>,
}

/// Judges a finding.
///
/// # Errors
/// Those of the replays.
pub async fn rule<E: Experiment>(experiment: &mut E, question: Question<'_>) -> Result<Ruling, BenchError> {
    if question.present.is_empty() {
        // The session itself was the experiment with all defects off.
        return Ok(Ruling::FalseAlarm);
    }
    let mut inquiry = Inquiry { experiment, question, known: BTreeMap::new() };
    match inquiry.shows(BTreeSet::new()).await? {
        Replay::Shown => Ok(Ruling::FalseAlarm),
        Replay::Unfaithful => {
            Ok(Ruling::Undecided { why: "its replay with all defects off could not follow it".into() })
        }
        Replay::Absent => inquiry.name().await,
    }
}

struct Inquiry<'e, E> {
    experiment: &'e mut E,
    question: Question<'e>,
    /// What was seen, by the defects that were on.
    known: BTreeMap<BTreeSet<String>, Replay>,
}

impl<E: Experiment> Inquiry<'_, E> {
    /// What the finding's replay shows with these defects on.
    async fn shows(&mut self, on: BTreeSet<String>) -> Result<Replay, BenchError> {
        if let Some(known) = self.known.get(&on) {
            return Ok(*known);
        }
        let mut replay = Replay::Unfaithful;
        for _ in 0..TRIES {
            replay = self.experiment.replay(&on).await?;
            if replay != Replay::Unfaithful {
                break;
            }
        }
        self.known.insert(on, replay);
        Ok(replay)
    }

    fn all(&self) -> BTreeSet<String> {
        self.question.present.iter().cloned().collect()
    }

    async fn shows_alone(&mut self, defect: &str) -> Result<bool, BenchError> {
        Ok(self.shows(BTreeSet::from([defect.to_owned()])).await? == Replay::Shown)
    }

    async fn gone_without(&mut self, defect: &str) -> Result<bool, BenchError> {
        let mut rest = self.all();
        rest.remove(defect);
        Ok(self.shows(rest).await? == Replay::Absent)
    }

    async fn name(&mut self) -> Result<Ruling, BenchError> {
        let present = self.question.present;
        if let Some(likely) = self.question.likely
            && present.iter().any(|id| id == likely)
            && self.shows_alone(likely).await?
            && self.gone_without(likely).await?
        {
            return Ok(named(vec![likely.to_owned()], Naming::OnAndOff));
        }
        let (mut alone, mut both) = (Vec::new(), Vec::new());
        for defect in present {
            if self.shows_alone(defect).await? {
                alone.push(defect.clone());
                if self.gone_without(defect).await? {
                    both.push(defect.clone());
                }
            }
        }
        if let [_] = both.as_slice() {
            return Ok(named(both, Naming::OnAndOff));
        }
        if let [_] = alone.as_slice() {
            return Ok(named(alone, Naming::OnAlone));
        }
        // Of several that show it alone, each is a smallest set.
        if let Some(first) = both.into_iter().chain(alone).next() {
            return Ok(named(vec![first], Naming::SmallestSet));
        }
        self.shrink().await
    }

    /// No defect alone shows it: the set that none can be taken away from.
    async fn shrink(&mut self) -> Result<Ruling, BenchError> {
        let mut kept = self.all();
        if self.shows(kept.clone()).await? != Replay::Shown {
            // What was confirmed has shown with all of them on already.
            return Ok(if self.question.confirmed {
                named(Vec::new(), Naming::Nothing)
            } else {
                Ruling::Undecided { why: "it shows neither with all defects off nor with all on".into() }
            });
        }
        for defect in self.question.present {
            let mut fewer = kept.clone();
            fewer.remove(defect);
            if self.shows(fewer.clone()).await? == Replay::Shown {
                kept = fewer;
            }
        }
        Ok(named(kept.into_iter().collect(), Naming::SmallestSet))
    }
}

fn named(defects: Vec<String>, naming: Naming) -> Ruling {
    Ruling::True { defects, naming }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers by the set of defects that is on, written as their ids with `+` between; `!` after an
    /// answer says that the first try is unfaithful.
    struct Script {
        answer: fn(&str) -> &'static str,
        asked: Vec<String>,
    }

    impl Experiment for Script {
        async fn replay(&mut self, on: &BTreeSet<String>) -> Result<Replay, BenchError> {
            let on = on.iter().map(String::as_str).collect::<Vec<_>>().join("+");
            let answer = (self.answer)(&on);
            let again = self.asked.contains(&on);
            self.asked.push(on);
            Ok(match answer.strip_suffix('!') {
                Some(_) if !again => Replay::Unfaithful,
                _ if answer.starts_with("shown") => Replay::Shown,
                _ if answer.starts_with("gone") => Replay::Absent,
                _ => Replay::Unfaithful,
            })
        }
    }

    fn words(ruling: &Ruling) -> String {
        match ruling {
            Ruling::FalseAlarm => "false alarm".into(),
            Ruling::True { defects, naming } => format!("{} by {naming:?}", defects.join("+")),
            Ruling::Undecided { why } => format!("undecided: {why}"),
        }
    }

    #[tokio::test]
    async fn rulings_follow_from_what_replays_show() {
        let cases: [(&str, bool, Option<&str>, fn(&str) -> &'static str, &str, usize); 12] = [
            ("still there with all off", true, None, |_| "shown", "false alarm", 1),
            (
                "not faithful, twice",
                true,
                None,
                |_| "lost",
                "undecided: its replay with all defects off could not follow it",
                2,
            ),
            (
                "faithful at the second try",
                true,
                None,
                |on| if on.is_empty() { "shown!" } else { "gone" },
                "false alarm",
                2,
            ),
            (
                "one defect, on and off",
                true,
                None,
                |on| if on.contains('b') { "shown" } else { "gone" },
                "b by OnAndOff",
                5,
            ),
            (
                "the likely one is tried first",
                true,
                Some("c"),
                |on| if on.contains('c') { "shown" } else { "gone" },
                "c by OnAndOff",
                3,
            ),
            (
                "the likely one is another",
                true,
                Some("c"),
                |on| if on.contains('a') { "shown" } else { "gone" },
                "a by OnAndOff",
                5,
            ),
            (
                "a likely one of another app",
                true,
                Some("z"),
                |on| {
                    if on.contains('a') { "shown" } else { "gone" }
                },
                "a by OnAndOff",
                5,
            ),
            (
                "shows alone, but without it the replay is lost",
                true,
                None,
                |on| match on {
                    "b" | "a+b+c" => "shown",
                    "a+c" => "lost",
                    _ => "gone",
                },
                "b by OnAlone",
                6,
            ),
            (
                "either of two",
                true,
                None,
                |on| if on.contains('a') || on.contains('c') { "shown" } else { "gone" },
                "a by SmallestSet",
                6,
            ),
            (
                "two together",
                true,
                None,
                |on| if on.contains('a') && on.contains('c') { "shown" } else { "gone" },
                "a+c by SmallestSet",
                7,
            ),
            ("never again, confirmed", true, None, |_| "gone", " by Nothing", 5),
            (
                "never again, not confirmed",
                false,
                None,
                |_| "gone",
                "undecided: it shows neither with all defects off nor with all on",
                5,
            ),
        ];
        let present = ["a", "b", "c"].map(str::to_owned);
        for (name, confirmed, likely, answer, expected, replays) in cases {
            let mut script = Script { answer, asked: Vec::new() };
            let question = Question { present: &present, confirmed, likely };
            let ruling = rule(&mut script, question).await.expect("no replay fails");
            assert_eq!(words(&ruling), expected, "{name}");
            assert_eq!(script.asked.len(), replays, "{name}: {:?}", script.asked);
            assert_eq!(script.asked[0], "", "{name}: all off comes first");
        }
    }

    #[tokio::test]
    async fn an_app_without_defects_can_only_give_false_alarms() {
        let mut script = Script { answer: |_| "gone", asked: Vec::new() };
        let question = Question { present: &[], confirmed: false, likely: None };
        assert_eq!(rule(&mut script, question).await.expect("nothing fails"), Ruling::FalseAlarm);
        assert!(script.asked.is_empty());
    }
}
