//! Mutants: defects that the translator wove into an app, each with a switch in the host.
//!
//! In: what the translator says of them, which are to be on. Out: how many requests reached each of them, and to how many
//! it made a difference. Nothing that talks to a device as to a device sees any of this.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::host::Host;
use super::translated::Misdescribed;
use crate::SimError;
use crate::device::lock;
use crate::hold::apart;

/// A mutant that the translator wove in. Texts are the app's: whoever shows them cleans them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Mutant {
    /// Its switch in the host.
    pub number: u32,
    /// The kind of defect: `silent-listener`.
    pub operator: String,
    /// The class that it is in, with dots.
    pub class: String,
    /// Name and descriptor of the method.
    pub method: String,
    /// The line in the source file; 0 where the code does not say.
    pub line: u32,
    /// What is done otherwise, in words.
    pub what: String,
}

/// The switches of a device's mutants.
#[derive(Clone)]
pub struct MutantSwitches(Arc<Host>);

/// How many requests there were, by the mutants' names, without those that are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutantCounts {
    /// Those that reached its place.
    pub reached: BTreeMap<String, u64>,
    /// Those to which it made a difference, or would have made one were it on.
    pub differed: BTreeMap<String, u64>,
}

/// The list that a translator writes.
#[derive(Deserialize)]
struct Listed {
    #[serde(rename = "droidmux-mutants")]
    format: u32,
    mutants: Vec<Mutant>,
}

/// The format that is read here.
const FORMAT: u32 = 1;

/// Reads `mutants.json`.
pub(super) fn read(text: &str) -> Result<Vec<Mutant>, Misdescribed> {
    let Listed { format, mutants } = serde_json::from_str(text)?;
    if format == FORMAT { Ok(mutants) } else { Err(Misdescribed::Format(format)) }
}

impl MutantSwitches {
    pub(crate) fn of(host: Arc<Host>) -> Self {
        Self(host)
    }

    /// These are on from now on and all others off: the app's process ends, its data is cleared, its clock begins anew, and
    /// so do the counts. Blocks for a moment.
    ///
    /// # Errors
    /// When the app has no mutant of that name, or its host does not answer.
    pub fn choose(&self, on: &BTreeSet<String>) -> Result<(), SimError> {
        let numbers = on.iter().map(|name| match self.0.mutant(name) {
            Some(number) => Ok(number),
            None => Err(SimError::Framework(format!("the app has no mutant {name:?}"))),
        });
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        lock(&self.0.on).clone_from(on);
        let members: Map<String, Value> = [("on".to_owned(), json!(numbers))].into_iter().collect();
        if apart(|| self.0.ask("mutants", members.clone())).is_none() {
            return Err(SimError::Framework("the host did not take its mutants".into()));
        }
        self.0.remember("mutants", members);
        Ok(())
    }

    /// What was counted since they were chosen. Blocks for a moment.
    pub fn counts(&self) -> MutantCounts {
        apart(|| counts(&self.0))
    }
}

/// How many requests each mutant that is on made a difference to.
pub(super) fn set_off(host: &Host) -> BTreeMap<String, u64> {
    let on = lock(&host.on).clone();
    if on.is_empty() {
        return BTreeMap::new();
    }
    counts(host).differed.into_iter().filter(|(name, _)| on.contains(name)).collect()
}

fn counts(host: &Host) -> MutantCounts {
    let Some(answer) = host.ask("mutants", Map::new()) else { return MutantCounts::default() };
    let names: BTreeMap<String, &String> =
        host.mutants().iter().map(|(name, number)| (number.to_string(), name)).collect();
    let read = |what: &str| -> BTreeMap<String, u64> {
        let counts = answer[what].as_object().into_iter().flatten();
        counts.filter_map(|(number, count)| Some(((*names.get(number)?).clone(), whole(count)?))).collect()
    };
    MutantCounts { reached: read("reached"), differed: read("differed") }
}

/// A count, which Java may write with a fraction of nothing.
fn whole(count: &Value) -> Option<u64> {
    count.as_u64().or_else(|| count.to_string().strip_suffix(".0")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_of_the_known_format_are_read() {
        let one = r#"{"number":3,"operator":"lost-write","class":"a.B","method":"c()V","line":7,"what":"left out"}"#;
        let told = |text: &str| read(text).map_err(|error| error.to_string());
        let mutants = told(&format!(r#"{{"droidmux-mutants":1,"mutants":[{one}]}}"#)).expect("a list");
        assert_eq!((mutants[0].number, mutants[0].operator.as_str()), (3, "lost-write"));
        assert!(
            told(r#"{"droidmux-mutants":2,"mutants":[]}"#).is_err_and(|error| error.contains("format 2"))
        );
        assert!(told("[]").is_err());
    }
}
