//! Choosing mutants blindly.
//!
//! In: an app with all its mutants woven in, a seed. Out: a [`Choice`]. One session of random events with all of them off
//! tells which it would have set off: the host counts that for all at once. Of these, in an order that the seed gives, each is
//! tried alone: taken is what lets the app start and go through the first random events without a crash that the app does
//! not have by itself, until there are enough; at most so many of an operator.

use std::collections::{BTreeMap, BTreeSet};

use tokio_util::sync::CancellationToken;

use super::choice::{Choice, Chosen, Rejected};
use crate::defects::{BenchError, Planted, Stand, Subject};
use droidmux_lab::SessionEvent;
use droidmux_record::{Evidence, RunSettings, ScreenPolicy, SessionDefinition, Technique};
use droidmux_sim::{FrameworkOptions, Mutant};

/// An app with its mutants, before any are chosen.
#[derive(Clone, Debug)]
pub struct Woven {
    /// Its name in lists.
    pub name: String,
    /// Its application id.
    pub package: String,
    /// What its translation is kept under.
    pub translation: String,
    /// All its mutants.
    pub mutants: Vec<Mutant>,
    /// What a simulated lab needs to serve it; the switches are named by [`Woven::new`].
    pub options: FrameworkOptions,
}

/// How is chosen.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceOptions {
    /// Gives the random events and the order.
    pub seed: u64,
    /// Random events that have to set a mutant off.
    pub events: u64,
    /// Random events that a mutant alone must not crash; one test of a session takes 55.
    pub alone: u64,
    /// Mutants of an app at most.
    pub most: usize,
    /// Mutants of an operator at most.
    pub of_operator: usize,
}

impl Default for ChoiceOptions {
    /// 30 of an app, three of an operator.
    fn default() -> Self {
        Self { seed: 1, events: 1_000, alone: 60, most: 30, of_operator: 3 }
    }
}

impl Woven {
    /// An app called so, as the translator has made it.
    pub fn new(
        (name, package): (&str, &str),
        translation: String,
        mutants: Vec<Mutant>,
        options: FrameworkOptions,
    ) -> Self {
        let names = mutants.iter().map(|mutant| (id(name, mutant), mutant.number)).collect();
        let options = FrameworkOptions { mutants: names, ..options };
        Self { name: name.to_owned(), package: package.to_owned(), translation, mutants, options }
    }

    /// The app with all its mutants as defects.
    pub(super) fn whole(&self) -> Subject {
        let planted = |mutant: &Mutant| Planted { id: id(&self.name, mutant), kind: mutant.operator.clone() };
        let defects = self.mutants.iter().map(planted).collect();
        Subject::translated((&self.package, &self.name), defects, usize::MAX, Some(self.options.clone()))
    }

    /// Whether a choice was made for exactly this, with these options.
    pub fn is_of(&self, choice: &Choice, options: ChoiceOptions) -> bool {
        choice.translation == self.translation
            && (choice.seed, choice.events, choice.wanted) == (options.seed, options.events, options.most)
    }
}

/// The name of a mutant: `markor.lost-write-17`.
fn id(name: &str, mutant: &Mutant) -> String {
    format!("{name}.{}-{}", mutant.operator, mutant.number)
}

/// Chooses mutants of an app. Takes minutes.
///
/// # Errors
/// When the app cannot be run; `Interrupted` when `stop` is cancelled.
pub async fn choose(
    app: &Woven,
    options: ChoiceOptions,
    stop: CancellationToken,
) -> Result<Choice, BenchError> {
    let mut stand = Stand::new(&app.whole(), &random(&app.package, options.events), stop).await?;
    let mut choice = Choice {
        format: Choice::FORMAT,
        name: app.name.clone(),
        package: app.package.clone(),
        translation: app.translation.clone(),
        seed: options.seed,
        events: options.events,
        wanted: options.most,
        woven: by_operator(app.mutants.iter()),
        set_off: BTreeMap::new(),
        rejected: Vec::new(),
        chosen: Vec::new(),
    };
    stand.set_up(&BTreeSet::new()).await?;
    let own = walk(&mut stand, random(&app.package, options.events), options.seed).await?;
    let differed = stand.mutants().await?.differed;
    let set_off = |mutant: &&Mutant| differed.contains_key(&id(&app.name, mutant));
    choice.set_off = by_operator(app.mutants.iter().filter(set_off));
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for mutant in in_order(app.mutants.iter().filter(set_off), &app.name, options.seed) {
        let of_operator = taken.entry(mutant.operator.as_str()).or_default();
        if *of_operator >= options.of_operator || choice.chosen.len() >= options.most {
            continue;
        }
        let id = id(&app.name, mutant);
        match fault(&mut stand, app, &id, &own, options).await? {
            Some(why) => choice.rejected.push(Rejected { id, why }),
            None => {
                *of_operator += 1;
                let set_off = differed.get(&id).copied().unwrap_or_default();
                choice.chosen.push(chosen(id, mutant, set_off));
            }
        }
    }
    choice.chosen.sort_by_key(|chosen| (chosen.operator.clone(), chosen.number));
    Ok(choice)
}

/// Why a mutant is not taken, alone on its app, which has these crashes of its `own`; `None` when it is.
async fn fault(
    stand: &mut Stand,
    app: &Woven,
    id: &str,
    own: &BTreeSet<String>,
    options: ChoiceOptions,
) -> Result<Option<String>, BenchError> {
    stand.set_up(&BTreeSet::from([id.to_owned()])).await?;
    match walk(stand, random(&app.package, options.alone), options.seed).await {
        Ok(crashes) if crashes.is_subset(own) => Ok(None),
        Ok(_) => Ok(Some("it crashes the app".into())),
        Err(BenchError::Interrupted) => Err(BenchError::Interrupted),
        Err(error) => Ok(Some(format!("no session runs on it: {error}"))),
    }
}

/// Runs a session; how the app crashed or hung in it, each way once.
async fn walk(
    stand: &mut Stand,
    definition: SessionDefinition,
    seed: u64,
) -> Result<BTreeSet<String>, BenchError> {
    let mut crashes = BTreeSet::new();
    let listen = |event: SessionEvent| {
        if let SessionEvent::Absorbed { judgement, .. } = event {
            let told = judgement.verdicts.iter().filter(|v| matches!(v.evidence, Evidence::Signal { .. }));
            crashes.extend(told.map(|verdict| verdict.key.clone()));
        }
    };
    stand.run(definition, seed, listen).await?;
    Ok(crashes)
}

/// So many random events on an app.
pub(super) fn random(package: &str, events: u64) -> SessionDefinition {
    let run = RunSettings { screens: ScreenPolicy::Never, max_events: events, ..RunSettings::default() };
    SessionDefinition { run, ..SessionDefinition::new(Technique::Monkey, package) }
}

/// In an order that nobody has chosen.
fn in_order<'m>(mutants: impl Iterator<Item = &'m Mutant>, name: &str, seed: u64) -> Vec<&'m Mutant> {
    let mut mutants: Vec<&Mutant> = mutants.collect();
    mutants.sort_by_cached_key(|mutant| {
        *blake3::hash(format!("{seed} {}", id(name, mutant)).as_bytes()).as_bytes()
    });
    mutants
}

fn by_operator<'m>(mutants: impl Iterator<Item = &'m Mutant>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for mutant in mutants {
        *counts.entry(mutant.operator.clone()).or_default() += 1;
    }
    counts
}

fn chosen(id: String, mutant: &Mutant, set_off: u64) -> Chosen {
    Chosen {
        id,
        number: mutant.number,
        operator: mutant.operator.clone(),
        class: mutant.class.clone(),
        method: mutant.method.clone(),
        line: mutant.line,
        what: mutant.what.clone(),
        set_off,
        shown: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_seeds_and_no_other() {
        let mutant = |number: u32| Mutant { number, operator: "lost-write".into(), ..Mutant::default() };
        let mutants: Vec<Mutant> = (0..20).map(mutant).collect();
        let order = |seed: u64| -> Vec<u32> {
            in_order(mutants.iter(), "markor", seed).iter().map(|mutant| mutant.number).collect()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert_ne!(order(1), (0..20).collect::<Vec<_>>());
    }
}
