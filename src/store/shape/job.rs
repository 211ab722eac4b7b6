//! Jobs as earlier versions stored them.

/// Every technique had its own variant for its work; explorations ended with their last event.
pub(crate) mod v1 {
    use serde::{Deserialize, Serialize};

    use droidmux_gui::{Event, StateId};
    use droidmux_record::{
        Batch, Choice, ErrandContent, FrontLayout, Goal, Handled, SessionId, Slot, Source,
    };

    #[derive(Serialize, Deserialize)]
    pub struct Job {
        pub slot: Slot,
        pub rng: u64,
        pub work: Work,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Work {
        Explore(Explore),
        Batch(Batch),
        Weigh(Box<Weighing>),
        Properties(PropertyTest),
        Form(Box<FormTest>),
        Tour(Tour),
    }

    #[derive(Serialize, Deserialize)]
    pub struct Explore {
        pub goal: Goal,
        pub choice: Choice,
        pub events: u32,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Weighing {
        pub state: StateId,
        pub event: Handled,
        pub events: Vec<Event>,
        pub behaviours: Vec<Behaviour>,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Behaviour {
        pub input: Vec<u32>,
        pub before: FrontLayout,
        pub after: FrontLayout,
        pub source: Source,
    }

    #[derive(Serialize, Deserialize)]
    pub struct PropertyTest {
        pub only: Option<u16>,
        pub without: Vec<u16>,
        pub events: u32,
        pub retries: u32,
    }

    #[derive(Serialize, Deserialize)]
    pub struct FormTest {
        pub way: Vec<Event>,
        pub state: StateId,
        pub field: u16,
        pub attempts: u32,
        pub events: u32,
        pub calls: u32,
        pub known: Option<FormKnown>,
    }

    #[derive(Serialize, Deserialize)]
    pub struct FormKnown {
        pub valid: Vec<String>,
        pub submit: Event,
        pub look: Option<Event>,
        pub ticks: bool,
        pub in_place: bool,
        pub constraints: Vec<String>,
        pub rounds: Vec<FormRound>,
    }

    #[derive(Serialize, Deserialize)]
    pub struct FormRound {
        pub field: u16,
        pub rule: String,
        pub tried: Vec<TriedText>,
        pub failure: String,
    }

    #[derive(Serialize, Deserialize)]
    pub struct TriedText {
        pub text: String,
        pub reaction: Reaction,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Reaction {
        Crashed,
        Accepted,
        Refused,
        Unmoved,
        Mistreated,
        Untypable,
        Strayed,
    }

    #[derive(Serialize, Deserialize)]
    pub struct Tour {
        pub events: u32,
        pub calls: u32,
    }

    // The way the techniques' own types put themselves into envelopes.

    impl ErrandContent for Weighing {
        const NAME: &'static str = "weigh";

        fn events(&self) -> u64 {
            0
        }

        fn each_session(&mut self, visit: &mut dyn FnMut(&mut SessionId)) {
            self.behaviours.iter_mut().for_each(|behaviour| visit(&mut behaviour.source.session));
        }
    }

    impl ErrandContent for PropertyTest {
        const NAME: &'static str = "properties";

        fn events(&self) -> u64 {
            u64::from(self.events) + u64::from(self.retries)
        }
    }

    impl ErrandContent for FormTest {
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
}

use droidmux_record::{Explore, Job, Work};

impl From<v1::Job> for Job {
    fn from(v1::Job { slot, rng, work }: v1::Job) -> Self {
        let work = match work {
            v1::Work::Explore(v1::Explore { goal, choice, events }) => {
                Work::Explore(Explore::new(goal, choice, events))
            }
            v1::Work::Batch(batch) => Work::Batch(batch),
            v1::Work::Weigh(weighing) => Work::errand(*weighing),
            v1::Work::Properties(test) => Work::errand(test),
            v1::Work::Form(test) => Work::errand(*test),
            v1::Work::Tour(tour) => Work::errand(tour),
        };
        Self { slot, rng, work }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{SHAPES, kind};
    use droidmux_gui::{Event, EventKind, LayoutHash, StateId};
    use droidmux_record::{Batch, Choice, FrontLayout, Goal, Handled, Purpose, SessionId, Slot, Source};

    fn weighing() -> v1::Weighing {
        let event = Event { data: Some("ä".into()), ..Event::global(EventKind::Edit) };
        let view = |n, activity: &str| FrontLayout {
            layout: LayoutHash([n; 16]),
            activity: activity.into(),
            in_app: true,
        };
        let behaviours = [7, 3, 7].map(|session| v1::Behaviour {
            input: vec![0, 300],
            before: view(1, "a.B"),
            after: view(2, ""),
            source: Source { session: SessionId(session), slot: Slot(9), test: 1, step: 2 },
        });
        let behaviours = behaviours.into_iter().collect();
        let (state, handled) = (StateId(u64::MAX), Handled::of(&event));
        v1::Weighing { state, event: handled, events: vec![event], behaviours }
    }

    fn form() -> v1::FormTest {
        let tried = v1::TriedText { text: "\"\u{1}".into(), reaction: v1::Reaction::Strayed };
        let round = v1::FormRound { field: 1, rule: "long".into(), tried: vec![tried], failure: "".into() };
        let known = v1::FormKnown {
            valid: vec!["Bern".into()],
            submit: Event::global(EventKind::Enter),
            look: None,
            ticks: true,
            in_place: false,
            constraints: vec!["digits".into()],
            rounds: vec![round],
        };
        let (way, known) = (vec![Event::global(EventKind::Back)], Some(known));
        v1::FormTest { way, state: StateId(5), field: 2, attempts: 30, events: 400, calls: 6, known }
    }

    #[test]
    fn work_of_every_technique_becomes_an_errand() {
        let explore = v1::Explore { goal: Goal::Seed, choice: Choice::Random, events: 50 };
        let batch = Batch { purpose: Purpose::Mutants { seed: 3 }, tests: Vec::new() };
        let properties = v1::PropertyTest { only: Some(2), without: vec![3, 300], events: 60, retries: 9 };
        for (work, name, events, calls, json) in [
            (v1::Work::Explore(explore), "seed", 50, 0, "{\"explore\":{\"goal\":\"seed\""),
            (v1::Work::Batch(batch), "mutants", 0, 0, "{\"batch\":{\"purpose\":{\"mutants\""),
            (
                v1::Work::Weigh(Box::new(weighing())),
                "weigh",
                0,
                0,
                "\"sessions\":[7,3],\"content\":{\"state\":18446744073709551615",
            ),
            (
                v1::Work::Properties(properties),
                "properties",
                69,
                0,
                "\"content\":{\"only\":2,\"without\":[3,300],\"events\":60,\"retries\":9}",
            ),
            (v1::Work::Form(Box::new(form())), "form", 400, 6, "\"reaction\":\"strayed\""),
            (
                v1::Work::Tour(v1::Tour { events: 60, calls: 240 }),
                "tour",
                60,
                240,
                "\"content\":{\"events\":60,\"calls\":240}",
            ),
        ] {
            let former = v1::Job { slot: Slot(4), rng: 5, work };
            let stored = postcard::to_stdvec(&former).expect("bytes");
            let shape = SHAPES.iter().find(|shape| shape.kind == kind::JOB).expect("jobs");
            let current = shape.current(1, stored).expect("a job of today");
            let job: Job = postcard::from_bytes(&current).expect("a job");
            assert_eq!((job.slot, job.rng), (Slot(4), 5), "{name}");
            assert_eq!((job.work.name(), job.work.events(), job.work.calls()), (name, events, calls));
            let told = serde_json::to_string(&job.work).expect("JSON");
            assert!(told.contains(json), "{told}");
        }
    }
}
