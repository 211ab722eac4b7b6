//! What a reader says: suspicions with their evidence, what it learned of the app, what it wants to have tried.
//!
//! In: the text of a reply, hostile. Out: what of it can be used. Nothing is believed here: whether the evidence exists
//! is looked up afterwards (`evidence.rs`).

use std::fmt;

use serde_json::{Map, Value};

use crate::members::{find, number, text, texts};
use crate::reply;

/// A step by the name it has in the account: job and turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepName {
    /// The job's slot.
    pub slot: u64,
    /// The turn in the job.
    pub turn: u32,
}

/// Something that a reader takes for a bug.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspicion {
    /// What was done.
    pub done: String,
    /// What the screen shows.
    pub shown: String,
    /// What it should show.
    pub expected: String,
    /// In a word or two: `lost data`, `wrong row`.
    pub kind: String,
    /// The steps that show it, in the order of the account; never empty.
    pub steps: Vec<StepName>,
    /// Steps at which the same went right.
    pub controls: Vec<StepName>,
    /// How sure the reader is, in percent.
    pub confidence: u8,
    /// What of it a program can see on the screen after the last of its steps.
    pub check: Check,
}

/// What a program can see on a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// All of these lines stand there.
    Present(Vec<String>),
    /// None of these lines stands there.
    Absent(Vec<String>),
    /// A line stands there so many times.
    Count(String, usize),
    /// These lines stand there in this order.
    Order(Vec<String>),
    /// Its lines are those after an earlier step.
    Same(StepName),
}

/// What can be used of a reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// In the order of the reply.
    pub suspicions: Vec<Suspicion>,
    /// What the reader learned of the app.
    pub notebook: Vec<String>,
    /// Experiments that would settle something, each a list of events in words.
    pub wanted: Vec<Vec<String>>,
    /// Suspicions that cannot be used, and why.
    pub unusable: Vec<Unusable>,
}

/// Why a suspicion cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It names no step.
    #[error("it names no step of the account")]
    NoSteps,
    /// It has no check, or one of an unknown kind.
    #[error("it has no check that a program can make")]
    NoCheck,
    /// It does not say what is wrong.
    #[error("it does not say what is shown and what should be")]
    NoWords,
}

/// The most suspicions, lines of the notebook and experiments of one reply.
const MOST_SUSPICIONS: usize = 20;
const MOST_NOTES: usize = 30;
const MOST_WANTED: usize = 5;

/// Reads a reply; `None` where there is no object in it.
pub fn reading(text: &str) -> Option<Reading> {
    let members = reply::object(text)?;
    let mut reading = Reading { notebook: texts(&members, &["notebook"]), ..Reading::default() };
    reading.notebook.truncate(MOST_NOTES);
    for said in list(&members, "suspicions").iter().take(MOST_SUSPICIONS) {
        match suspicion(said) {
            Ok(suspicion) => reading.suspicions.push(suspicion),
            Err(why) => reading.unusable.push(why),
        }
    }
    let wanted = list(&members, "wanted").iter().take(MOST_WANTED);
    reading.wanted = wanted.map(events).filter(|events| !events.is_empty()).collect();
    Some(reading)
}

/// The schema of a reply, for endpoints that can enforce one.
pub fn schema() -> String {
    let steps = r#"{"type":"array","items":{"type":"string","description":"a step's number as in the account: 3.17"}}"#;
    format!(
        r#"{{"type":"object","required":["suspicions","notebook","wanted"],"properties":{{"suspicions":{{"type":"array","maxItems":{MOST_SUSPICIONS},"items":{{"type":"object","required":["done","shown","expected","kind","steps","controls","confidence","check"],"properties":{{"done":{{"type":"string"}},"shown":{{"type":"string"}},"expected":{{"type":"string"}},"kind":{{"type":"string"}},"steps":{steps},"controls":{steps},"confidence":{{"type":"integer","minimum":0,"maximum":100}},"check":{{"type":"object","required":["kind"],"properties":{{"kind":{{"enum":["present","absent","count","order","same"]}},"lines":{{"type":"array","items":{{"type":"string"}}}},"times":{{"type":"integer"}},"as":{{"type":"string"}}}}}}}}}}}},"notebook":{{"type":"array","maxItems":{MOST_NOTES},"items":{{"type":"string"}}}},"wanted":{{"type":"array","maxItems":{MOST_WANTED},"items":{{"type":"array","items":{{"type":"string"}}}}}}}}}}"#
    )
}

fn list<'a>(members: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    find(members, &[name]).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// An experiment: a list of events, or one text of several lines.
fn events(value: &Value) -> Vec<String> {
    match value {
        Value::Array(_) => {
            let members = Map::from_iter([("events".to_owned(), value.clone())]);
            texts(&members, &["events"])
        }
        Value::Object(members) => texts(members, &["events", "steps"]),
        Value::String(text) => {
            text.lines().map(|line| line.trim().to_owned()).filter(|l| !l.is_empty()).collect()
        }
        _ => Vec::new(),
    }
}

fn suspicion(said: &Value) -> Result<Suspicion, Unusable> {
    let Value::Object(members) = said else { return Err(Unusable::NoWords) };
    let words = |names: &[&str]| text(members, names);
    let (shown, expected) = (words(&["shown", "actual"]), words(&["expected", "should"]));
    if shown.is_empty() || expected.is_empty() {
        return Err(Unusable::NoWords);
    }
    let names = |name: &str| -> Vec<StepName> {
        let mut names: Vec<StepName> =
            texts(members, &[name]).iter().filter_map(|text| StepName::read(text)).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    let steps = names("steps");
    if steps.is_empty() {
        return Err(Unusable::NoSteps);
    }
    let check = find(members, &["check"]).and_then(check).ok_or(Unusable::NoCheck)?;
    let confidence = number(members, &["confidence"]).unwrap_or(0).min(100);
    Ok(Suspicion {
        done: words(&["done"]),
        shown,
        expected,
        kind: words(&["kind"]),
        steps,
        controls: names("controls"),
        confidence: u8::try_from(confidence).unwrap_or(100),
        check,
    })
}

fn check(value: &Value) -> Option<Check> {
    let members = value.as_object()?;
    let lines = texts(members, &["lines", "line"]);
    let first = lines.first().cloned();
    match text(members, &["kind"]).as_str() {
        "present" => first.map(|_| Check::Present(lines)),
        "absent" => first.map(|_| Check::Absent(lines)),
        "order" => (lines.len() > 1).then_some(Check::Order(lines)),
        "count" => {
            let times = usize::try_from(number(members, &["times", "count"])?).ok()?;
            Some(Check::Count(first?, times))
        }
        "same" => StepName::read(&text(members, &["as", "step"])).map(Check::Same),
        _ => None,
    }
}

impl StepName {
    /// Reads `3.17`, also within `step 3.17`.
    pub fn read(text: &str) -> Option<Self> {
        let part = |c: char| !(c.is_ascii_digit() || c == '.');
        text.split(part).find_map(|word| {
            let (slot, turn) = word.trim_matches('.').split_once('.')?;
            Some(Self { slot: slot.parse().ok()?, turn: turn.parse().ok()? })
        })
    }
}

impl fmt::Display for StepName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.slot, self.turn)
    }
}
