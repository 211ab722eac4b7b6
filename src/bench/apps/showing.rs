//! Which mutants show: after how many random events a screen is another one than without the mutant.
//!
//! In: an app with all its mutants woven in, and the choice that was made of them. Out: for each of the chosen, alone on its
//! app, the first event of the random session after which something differs, and what. A mutant may be set off as often as
//! it likes: where it changes values that no screen shows, or where the app does the same in another way, no oracle that looks
//! at screens can find it. So what shows is told beside what is set off.
//!
//! Invariant: an app that is not the same twice by itself shows nothing by being different. Its session without mutants runs
//! twice, and nothing counts from the first event on after which the two differ.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::choice::Choice;
use super::choosing::{Woven, random};
use crate::defects::{BenchError, Stand, Subject};
use droidmux_account::facts::Facts;
use droidmux_account::{Change, Told, Veil, change};
use droidmux_lab::SessionEvent;
use droidmux_record::{Act, Layouts, Screen, SessionDefinition, Turn};

/// What is told of a first difference, in lines at most.
const MOST_LINES: usize = 3;

/// Whether random events show a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Shown {
    /// All screens were those of the app without it.
    Never,
    /// One was not.
    After {
        /// Events performed up to it, of the whole session.
        events: u64,
        /// What differed there, or that another event was chosen.
        what: String,
    },
    /// The app itself is not the same twice from this event on, and up to it nothing showed.
    Unsteady {
        /// Events that could be compared.
        events: u64,
        /// What differed then.
        what: String,
    },
}

/// Looks which of the chosen mutants show, in the random events by which they were chosen; those that were looked at before are
/// left. Takes up to a session for each, so `keep` receives the choice after each.
///
/// # Errors
/// When the app cannot be run, or `keep` fails; `Interrupted` when `stop` is cancelled.
pub async fn show(
    app: &Woven,
    choice: &mut Choice,
    keep: impl Fn(&Choice) -> Result<(), BenchError>,
    stop: CancellationToken,
) -> Result<(), BenchError> {
    let definition = random(&app.package, choice.events);
    let mut walk = Walk::new(&app.whole(), definition, choice.seed, stop).await?;
    let own = walk.screens(&BTreeSet::new()).await?;
    let unsteady = walk.apart(&BTreeSet::new(), &own).await?;
    let steady = unsteady.as_ref().map_or(own.len(), |(at, _)| *at);
    let own = own.get(..steady).unwrap_or_default();
    for number in 0..choice.chosen.len() {
        let chosen = &mut choice.chosen[number];
        if chosen.shown.is_some() {
            continue;
        }
        let apart = walk.apart(&BTreeSet::from([chosen.id.clone()]), own).await?;
        chosen.shown = Some(match (apart, &unsteady) {
            (Some((at, what)), _) => Shown::After { events: count(&own[..at]), what },
            (None, None) => Shown::Never,
            (None, Some((_, what))) => Shown::Unsteady { events: count(own), what: what.clone() },
        });
        keep(choice)?;
    }
    Ok(())
}

/// What was done, and the screen after it.
type Sight = (Act, Option<(Screen, Option<String>)>);

/// The same random events again and again.
struct Walk {
    stand: Stand,
    definition: SessionDefinition,
    seed: u64,
}

impl Walk {
    async fn new(
        app: &Subject,
        definition: SessionDefinition,
        seed: u64,
        stop: CancellationToken,
    ) -> Result<Self, BenchError> {
        let stand = Stand::new(app, &definition, stop).await?;
        Ok(Self { stand, definition, seed })
    }

    /// All that is seen with these mutants on.
    async fn screens(&mut self, on: &BTreeSet<String>) -> Result<Vec<Sight>, BenchError> {
        let mut sights = Vec::new();
        self.walk(on, |turn| {
            sights.push(sight(turn));
            ControlFlow::Continue(())
        })
        .await?;
        Ok(sights)
    }

    /// The number of the first sight that differs from these with other mutants on, and how it does.
    async fn apart(
        &mut self,
        on: &BTreeSet<String>,
        own: &[Sight],
    ) -> Result<Option<(usize, String)>, BenchError> {
        let mut at = 0;
        let mut other = None;
        self.walk(on, |turn| match own.get(at) {
            None => ControlFlow::Break(()),
            Some(expected) => {
                let seen = sight(turn);
                if *expected == seen {
                    at += 1;
                    return ControlFlow::Continue(());
                }
                other = Some(seen);
                ControlFlow::Break(())
            }
        })
        .await?;
        Ok(match other {
            Some(seen) => Some((at, self.difference(&own[at], &seen))),
            None if at < own.len() => Some((at, "nothing more can be done".into())),
            None => None,
        })
    }

    async fn walk(
        &mut self,
        on: &BTreeSet<String>,
        mut pass: impl FnMut(&Turn) -> ControlFlow<()> + Send,
    ) -> Result<(), BenchError> {
        self.stand.set_up(on).await?;
        let enough = self.stand.enough();
        let listen = |event: SessionEvent| {
            if let SessionEvent::Absorbed { run, .. } = event
                && !enough.is_cancelled()
                && run.turns.iter().filter(|turn| turn.act.is_step()).any(|turn| pass(turn).is_break())
            {
                enough.cancel();
            }
        };
        self.stand.run_until(&enough, self.definition.clone(), self.seed, listen).await?;
        Ok(())
    }

    /// In words: what differs between the two.
    fn difference(&self, (act, own): &Sight, (other_act, other): &Sight) -> String {
        if act != other_act {
            return "another event is chosen".into();
        }
        let (Some((own, toast)), Some((other, other_toast))) = (own, other) else {
            return "one of the events cannot be performed".into();
        };
        let store = self.stand.store();
        let told = |screen: &Screen| {
            let facts = Facts::alone(store.layout(screen.layout)?);
            Some(Told::new(screen, &facts, None, &Veil::default()))
        };
        let (Some(a), Some(b)) = (told(own), told(other)) else { return "a screen is not known".into() };
        match change(&a, &b) {
            Change::Whole => format!("another page: {}, not {}", b.page, a.page),
            Change::Lines(lines) => {
                let lines: Vec<String> = lines.iter().take(MOST_LINES).map(ToString::to_string).collect();
                lines.join("; ")
            }
            Change::Nothing if toast != other_toast => "what a toast says".into(),
            Change::Nothing => "what is not told in words".into(),
        }
    }
}

fn sight(turn: &Turn) -> Sight {
    let seen = turn.observation.seen().map(|seen| (seen.screen.clone(), seen.toast.clone()));
    (turn.act.clone(), seen)
}

fn count(sights: &[Sight]) -> u64 {
    sights.iter().filter(|(act, _)| matches!(act, Act::Perform(_))).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defects::fixture::trial;

    #[tokio::test(flavor = "multi_thread")]
    async fn an_app_is_the_same_twice_and_another_one_with_its_defects() {
        let trial = trial("monkey", "notes", 500);
        let stop = CancellationToken::new();
        let mut walk =
            Walk::new(&trial.app, trial.definition.clone(), 1, stop.clone()).await.expect("a stand");
        let none = BTreeSet::new();
        let own = walk.screens(&none).await.expect("walked");
        assert!(count(&own) > 400, "{}", count(&own));
        assert_eq!(walk.apart(&none, &own).await.expect("walked"), None);
        let all = trial.present.iter().cloned().collect();
        let (at, what) = walk.apart(&all, &own).await.expect("walked").expect("a difference");
        assert!(at > 0 && at < own.len(), "{at}: {what}");
        assert!(!what.is_empty());
        walk.definition.run.max_events = 200;
        let (at, what) = walk.apart(&none, &own).await.expect("walked").expect("an end");
        assert!(at > 0 && at < own.len(), "{at}");
        assert_eq!(what, "nothing more can be done");
        stop.cancel();
        assert!(matches!(walk.screens(&none).await, Err(BenchError::Interrupted)));
    }
}
