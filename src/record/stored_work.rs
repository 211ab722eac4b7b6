//! Work in the store and in JSON, and the kinds of work that stores of format 5 hold.
//!
//! In: bytes, JSON. Out: [`Work`]. In format 5 every technique had a variant of its own; these are read
//! as the errands that the techniques make today.
//!
//! Invariants: variants and fields in this file stay as they are, and nothing is written in the
//! former ones; the field names are those of the techniques' own types, so that a session of format 5
//! plans the same jobs again.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Batch, Errand, ErrandContent, Explore, Handled, SessionId, Source, View, Work};
use crate::gui::{Event, StateId};

impl Serialize for Work {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Self::Explore(explore) => Written::Explore(explore),
            Self::Batch(batch) => Written::Batch(batch),
            Self::Errand(errand) => Written::Errand(errand),
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Work {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Stored::deserialize(deserializer)? {
            Stored::Explore(explore) => Self::Explore(explore),
            Stored::Batch(batch) => Self::Batch(batch),
            Stored::Weigh(weighing) => Self::errand(*weighing),
            Stored::Properties(test) => Self::errand(test),
            Stored::Form(form) => Self::errand(*form),
            Stored::Tour(tour) => Self::errand(tour),
            Stored::Errand(errand) => Self::Errand(errand),
        })
    }
}

/// What is written: the former variants keep their numbers.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code, reason = "the former variants only keep their numbers")]
enum Written<'a> {
    Explore(&'a Explore),
    Batch(&'a Batch),
    Weigh(Never),
    Properties(Never),
    Form(Never),
    Tour(Never),
    Errand(&'a Errand),
}

#[derive(Serialize)]
enum Never {}

/// What is read.
#[derive(Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(rename_all = "kebab-case")]
enum Stored {
    Explore(Explore),
    Batch(Batch),
    Weigh(Box<Weighing>),
    Properties(Properties),
    Form(Box<Form>),
    Tour(Tour),
    Errand(Box<Errand>),
}

#[derive(Serialize, Deserialize)]
struct Weighing {
    state: StateId,
    event: Handled,
    events: Vec<Event>,
    behaviours: Vec<Behaviour>,
}

#[derive(Serialize, Deserialize)]
struct Behaviour {
    input: Vec<u32>,
    before: View,
    after: View,
    source: Source,
}

#[derive(Serialize, Deserialize)]
struct Properties {
    only: Option<u16>,
    without: Vec<u16>,
    events: u32,
    retries: u32,
}

#[derive(Serialize, Deserialize)]
struct Form {
    way: Vec<Event>,
    state: StateId,
    field: u16,
    attempts: u32,
    events: u32,
    calls: u32,
    known: Option<Known>,
}

#[derive(Serialize, Deserialize)]
struct Known {
    valid: Vec<String>,
    submit: Event,
    look: Option<Event>,
    ticks: bool,
    in_place: bool,
    constraints: Vec<String>,
    rounds: Vec<Round>,
}

#[derive(Serialize, Deserialize)]
struct Round {
    field: u16,
    rule: String,
    tried: Vec<Tried>,
    failure: String,
}

#[derive(Serialize, Deserialize)]
struct Tried {
    text: String,
    reaction: Reaction,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Reaction {
    Crashed,
    Accepted,
    Refused,
    Unmoved,
    Mistreated,
    Untypable,
    Strayed,
}

#[derive(Serialize, Deserialize)]
struct Tour {
    events: u32,
    calls: u32,
}

impl ErrandContent for Weighing {
    const NAME: &'static str = "weigh";

    fn events(&self) -> u64 {
        0
    }

    fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
        self.behaviours.iter_mut().for_each(|behaviour| visit(&mut behaviour.source.session));
    }
}

impl ErrandContent for Properties {
    const NAME: &'static str = "properties";

    fn events(&self) -> u64 {
        u64::from(self.events) + u64::from(self.retries)
    }
}

impl ErrandContent for Form {
    const NAME: &'static str = "form";

    fn events(&self) -> u64 {
        self.events.into()
    }

    fn calls(&self) -> u64 {
        self.calls.into()
    }
}

impl ErrandContent for Tour {
    const NAME: &'static str = "tour";

    fn events(&self) -> u64 {
        self.events.into()
    }

    fn calls(&self) -> u64 {
        self.calls.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{EventKind, LayoutHash};
    use crate::record::{Choice, Goal, Purpose, Slot};

    /// A byte a character: 16 of them in two digits each.
    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn weighing() -> Weighing {
        let event = Event { data: Some("ä".into()), ..Event::global(EventKind::Edit) };
        let view =
            |n, activity: &str| View { layout: LayoutHash([n; 16]), activity: activity.into(), in_app: true };
        let behaviours = [7, 3, 7].map(|session| Behaviour {
            input: vec![0, 300],
            before: view(1, "a.B"),
            after: view(2, ""),
            source: Source { session: SessionId(session), slot: Slot(9), test: 1, step: 2 },
        });
        let behaviours = behaviours.into_iter().collect();
        Weighing { state: StateId(u64::MAX), event: Handled::of(&event), events: vec![event], behaviours }
    }

    fn form() -> Form {
        let reactions = [
            Reaction::Crashed,
            Reaction::Accepted,
            Reaction::Refused,
            Reaction::Unmoved,
            Reaction::Mistreated,
            Reaction::Untypable,
            Reaction::Strayed,
        ];
        let tried = reactions.into_iter().map(|reaction| Tried { text: "\"\u{1}".into(), reaction });
        let round = Round { field: 1, rule: "long".into(), tried: tried.collect(), failure: "".into() };
        let known = Known {
            valid: vec!["Bern".into()],
            submit: Event::global(EventKind::Enter),
            look: None,
            ticks: true,
            in_place: false,
            constraints: vec!["digits".into()],
            rounds: vec![round],
        };
        let way = vec![Event::global(EventKind::Back)];
        Form { way, state: StateId(5), field: 2, attempts: 30, events: 400, calls: 6, known: Some(known) }
    }

    #[test]
    fn work_of_format_5_is_read_as_errands() {
        for (stored, start, name, events, calls, content) in [
            (
                Stored::Weigh(Box::new(weighing())),
                "02ffffffffffffffffff01",
                "weigh",
                0,
                0,
                "\"source\":{\"session\":1,\"slot\":9,\"test\":1,\"step\":2}",
            ),
            (
                Stored::Properties(Properties {
                    only: Some(2),
                    without: vec![3, 300],
                    events: 60,
                    retries: 9,
                }),
                "0301020203ac023c09",
                "properties",
                69,
                0,
                "{\"only\":2,\"without\":[3,300],\"events\":60,\"retries\":9}",
            ),
            (Stored::Form(Box::new(form())), "0401", "form", 400, 6, "\"reaction\":\"strayed\""),
            (Stored::Tour(Tour { events: 60, calls: 240 }), "053cf001", "tour", 60, 240, "\"calls\":240"),
        ] {
            let bytes = postcard::to_stdvec(&stored).expect("bytes");
            assert!(hex(&bytes).starts_with(start), "{name}: {}", hex(&bytes));
            let work: Work = postcard::from_bytes(&bytes).expect("work");
            assert_eq!((work.name(), work.events(), work.calls()), (name, events, calls));
            let json = serde_json::to_string(&work).expect("JSON");
            assert!(json.starts_with("{\"errand\":{\"name\":\"") && json.contains(content), "{json}");
            assert_eq!(serde_json::from_str::<Work>(&json).expect("work"), work, "{name}");
            let written = postcard::to_stdvec(&work).expect("bytes");
            assert_eq!(written.first(), Some(&6), "{name}");
            assert_eq!(postcard::from_bytes::<Work>(&written), Ok(work), "{name}");
        }
        let Work::Errand(errand) = Work::errand(weighing()) else { panic!("no errand") };
        assert_eq!(errand.sessions, [7, 3].map(SessionId));
    }

    #[test]
    fn common_work_is_what_it_was() {
        let explore = Explore { goal: Goal::Seed, choice: Choice::Random, events: 50 };
        let batch = Batch { purpose: Purpose::Mutants { seed: 3 }, tests: Vec::new() };
        for (work, stored, json) in [
            (Work::Explore(explore.clone()), Stored::Explore(explore), "{\"explore\":{"),
            (Work::Batch(batch.clone()), Stored::Batch(batch), "{\"batch\":{"),
        ] {
            let bytes = postcard::to_stdvec(&work).expect("bytes");
            assert_eq!(bytes, postcard::to_stdvec(&stored).expect("bytes"));
            assert_eq!(postcard::from_bytes::<Work>(&bytes), Ok(work.clone()));
            let text = serde_json::to_string(&work).expect("JSON");
            assert!(text.starts_with(json), "{text}");
            assert_eq!(serde_json::from_str::<Work>(&text).expect("work"), work);
        }
    }
}
