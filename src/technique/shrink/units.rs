//! What can be left out of tests, and what is left of them then.

use std::collections::BTreeSet;

use super::ddmin::Kept;
use droidmux_gui::{Event, EventKind};
use droidmux_record::{Call, CallStep, Insertion, Role, ScreenCheck, Stretch, Suspected, Test};

/// Tests, and the parts of them that can be left out.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    tests: Vec<Test>,
    units: Vec<Unit>,
}

/// What can only be left out as a whole: these events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit(pub(super) Vec<EventAt>);

/// An event: the number of its test, and its own number in that, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EventAt {
    pub(super) test: usize,
    pub(super) event: usize,
}

impl Parts {
    pub(super) fn of(tests: &[Test]) -> Self {
        Self { tests: tests.to_vec(), units: units(tests) }
    }

    /// The tests with all that can be left out.
    pub(super) fn whole(&self) -> &[Test] {
        &self.tests
    }

    /// All units, in chunks that may well be left out as a whole: random events between functions,
    /// then all others. What comes late depends on what came before it, so it comes first.
    pub(super) fn chunks(&self) -> Vec<Kept> {
        let property = |unit: &Unit| {
            let test = unit.0.first().and_then(|place| self.tests.get(place.test));
            test.and_then(|test| match &test.role {
                Role::Property(calls) => Some(calls),
                _ => None,
            })
        };
        let is_random = |unit: &Unit| {
            let event = unit.0.first().map(|place| place.event);
            property(unit).is_some_and(|calls| {
                let mut steps = calls.iter().flat_map(|call| &call.steps);
                !steps.any(|step| Some(usize::from(step.at)) == event)
            })
        };
        let units = (0..self.units.len()).rev();
        let (random, others) = units.partition(|&unit| self.units.get(unit).is_some_and(is_random));
        vec![random, others]
    }

    /// How many units there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    /// The tests with these units alone, besides what belongs to no unit; `None` when that would
    /// leave no test of its role: a mutant into which nothing is inserted.
    pub(super) fn with(&self, kept: &Kept) -> Option<Vec<Test>> {
        let left_out: BTreeSet<EventAt> = (0..self.units.len())
            .filter(|unit| !kept.contains(unit))
            .filter_map(|unit| self.units.get(unit))
            .flat_map(|unit| unit.0.iter().copied())
            .collect();
        let tests = self.tests.iter().enumerate();
        let shorter = |(test, whole): (usize, &Test)| {
            without(whole, |event| left_out.contains(&EventAt { test, event }))
        };
        tests.map(shorter).collect()
    }
}

/// The units of tests by their roles. A technique whose tests hold more than single events (a whole
/// function, say) gets its own arm here and in [`role_without`].
fn units(tests: &[Test]) -> Vec<Unit> {
    let seeds: Vec<usize> =
        (0..tests.len()).filter(|&n| matches!(tests.get(n).map(|t| &t.role), Some(Role::Seed))).collect();
    let mut units = seed_units(tests, &seeds);
    units.extend(form_units(tests));
    for (number, test) in tests.iter().enumerate() {
        let places = |events: std::ops::Range<usize>| {
            events.map(move |event| Unit(vec![EventAt { test: number, event }]))
        };
        match &test.role {
            // With the seeds: what is left out of one is left out of all.
            Role::Seed | Role::Valid | Role::Unusual | Role::Forbidden => {}
            Role::Mutant(insertion) => units.extend(places(inserted(insertion, test))),
            // The last event is the one that is judged.
            Role::Usual(_) | Role::Deviant(_) => units.extend(places(0..test.events.len().saturating_sub(1))),
            Role::Property(calls) => units.extend(property_units(number, test.events.len(), calls)),
            Role::Toured(_) => units.extend(places(0..test.events.len())),
            Role::Suspected(suspected) => {
                let free =
                    |event: &usize| !suspected.needed.iter().any(|needed| usize::from(*needed) == *event);
                // The screen after the last event is the one that is judged.
                let free = (0..test.events.len().saturating_sub(1)).filter(free);
                units.extend(free.map(|event| Unit(vec![EventAt { test: number, event }])));
            }
        }
    }
    units
}

/// Each function that is carried out, as a whole, but the last one, whose property is judged; each
/// random event.
fn property_units(test: usize, events: usize, calls: &[Call]) -> Vec<Unit> {
    let unit = |events: Vec<usize>| Unit(events.into_iter().map(|event| EventAt { test, event }).collect());
    let of = |call: &Call| call.steps.iter().map(|step| usize::from(step.at)).collect::<Vec<_>>();
    let in_calls: BTreeSet<usize> = calls.iter().flat_map(of).collect();
    let random = (0..events).filter(|event| !in_calls.contains(event)).map(|event| unit(vec![event]));
    let before_the_last = calls.split_last().map_or(&[][..], |(_, earlier)| earlier);
    before_the_last.iter().map(|call| unit(of(call))).chain(random).collect()
}

/// Each event of the seed, in all its runs and in its mutants. Tests that are no runs and mutants
/// of one seed have none: what belongs together in them is not known.
fn seed_units(tests: &[Test], seeds: &[usize]) -> Vec<Unit> {
    let Some(seed) = seeds.first().and_then(|&n| tests.get(n)) else { return Vec::new() };
    let mut units = vec![Unit(Vec::new()); seed.events.len()];
    for (number, test) in tests.iter().enumerate() {
        let inserted = match &test.role {
            Role::Seed => 0..0,
            Role::Mutant(insertion) => inserted(insertion, test),
            Role::Usual(_)
            | Role::Deviant(_)
            | Role::Property(_)
            | Role::Valid
            | Role::Unusual
            | Role::Toured(_)
            | Role::Suspected(_)
            | Role::Forbidden => continue,
        };
        let own: Vec<(usize, &Event)> =
            test.events.iter().enumerate().filter(|(event, _)| !inserted.contains(event)).collect();
        if own.len() != units.len() || own.iter().zip(&seed.events).any(|((_, a), b)| *a != b) {
            return Vec::new();
        }
        for (unit, (event, _)) in units.iter_mut().zip(own) {
            unit.0.push(EventAt { test: number, event });
        }
    }
    units
}

/// The events with which all fillings of a form begin, each in all of them: the way there and the
/// other fields. The last edit and what comes after it is what is judged.
fn form_units(tests: &[Test]) -> Vec<Unit> {
    let of_form = |test: &&Test| matches!(test.role, Role::Valid | Role::Unusual | Role::Forbidden);
    let Some(first) = tests.first().filter(of_form) else { return Vec::new() };
    let last_edit = first.events.iter().rposition(|event| event.kind == EventKind::Edit).unwrap_or(0);
    let alike = |&event: &usize| tests.iter().all(|t| t.events.get(event) == first.events.get(event));
    let units = (0..last_edit).take_while(alike);
    units.map(|event| Unit((0..tests.len()).map(|test| EventAt { test, event }).collect())).collect()
}

/// The numbers of a mutant's inserted events, from 0.
fn inserted(insertion: &Insertion, test: &Test) -> std::ops::Range<usize> {
    let start = usize::from(insertion.pivot).saturating_sub(1).min(test.events.len());
    let end = (start + usize::from(insertion.length)).min(test.events.len());
    start..end
}

/// A test without some of its events.
fn without(test: &Test, is_left_out: impl Fn(usize) -> bool) -> Option<Test> {
    let role = role_without(test, &is_left_out)?;
    let events = test.events.iter().enumerate().filter(|(event, _)| !is_left_out(*event));
    Some(Test { role, events: events.map(|(_, event)| event.clone()).collect() })
}

/// The role of a test some of whose events are left out: what names events by number is put right.
fn role_without(test: &Test, is_left_out: &impl Fn(usize) -> bool) -> Option<Role> {
    let lost = |events: std::ops::Range<usize>| {
        u16::try_from(events.filter(|&event| is_left_out(event)).count()).unwrap_or(u16::MAX)
    };
    match &test.role {
        Role::Mutant(insertion) => {
            let inserted = inserted(insertion, test);
            let length = insertion.length.saturating_sub(lost(inserted.clone()));
            let pivot = insertion.pivot.saturating_sub(lost(0..inserted.start));
            (length > 0).then_some(Role::Mutant(Insertion { pivot, length }))
        }
        Role::Property(calls) => {
            let is_whole = |call: &&Call| !call.steps.iter().any(|step| is_left_out(step.at.into()));
            let moved = |step: &CallStep| {
                let at = step.at.saturating_sub(lost(0..usize::from(step.at)));
                CallStep { at, event: step.event }
            };
            let steps = |call: &Call| call.steps.iter().map(moved).collect();
            let calls = calls.iter().filter(is_whole);
            Some(Role::Property(calls.map(|call| Call { dmf: call.dmf, steps: steps(call) }).collect()))
        }
        Role::Toured(stretch) => {
            let first = usize::from(stretch.first);
            let kept = (first..test.events.len()).any(|event| !is_left_out(event));
            let first = stretch.first.saturating_sub(lost(0..first));
            kept.then(|| Role::Toured(Stretch { first, function: stretch.function.clone() }))
        }
        Role::Suspected(suspected) => {
            let moved = |event: &u16| event.saturating_sub(lost(0..usize::from(*event)));
            let check = match &suspected.check {
                ScreenCheck::Same { after } => ScreenCheck::Same { after: moved(after) },
                other => other.clone(),
            };
            let needed = suspected.needed.iter().map(moved).collect();
            Some(Role::Suspected(Box::new(Suspected { check, needed, ..(**suspected).clone() })))
        }
        // They name no events.
        role @ (Role::Seed
        | Role::Usual(_)
        | Role::Deviant(_)
        | Role::Valid
        | Role::Unusual
        | Role::Forbidden) => Some(role.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::StateId;
    use droidmux_record::{Expected, Fingerprint};

    /// The calls of a test: events in capitals that stand together.
    fn calls(text: &str) -> Vec<Call> {
        let mut calls: Vec<Call> = Vec::new();
        let mut inside = false;
        for (at, letter) in (0..).zip(text.chars()) {
            if letter.is_ascii_uppercase() {
                if !inside {
                    calls.push(Call { dmf: 0, steps: Vec::new() });
                }
                let call = calls.last_mut().expect("a call");
                let event = u16::try_from(call.steps.len()).expect("few");
                call.steps.push(CallStep { at, event });
            }
            inside = letter.is_ascii_uppercase();
        }
        calls
    }

    /// A test whose events are named by letters: `abc`, a mutant `a[x]bc`, `u:abc`, `d:abc`, and
    /// `p:aBCd` with a function carried out by the events in capitals.
    fn test(text: &str) -> Test {
        let expected = Expected { state: StateId(1), rules: 0, script: Fingerprint([0; 16]) };
        let (role, text) = match text.split_once(':') {
            Some(("u", rest)) => (Role::Usual(expected), rest),
            Some(("d", rest)) => (Role::Deviant(expected), rest),
            Some(("p", rest)) => (Role::Property(calls(rest)), rest),
            _ => (Role::Seed, text),
        };
        let role = match (text.find('['), text.find(']')) {
            (Some(from), Some(to)) => {
                Role::Mutant(Insertion { pivot: from as u16 + 1, length: (to - from - 1) as u16 })
            }
            _ => role,
        };
        let event = |c: char| Event { kind: EventKind::Edit, receiver: None, data: Some(c.into()) };
        Test { role, events: text.chars().filter(char::is_ascii_alphabetic).map(event).collect() }
    }

    fn text(test: &Test) -> String {
        let mut letters: Vec<String> =
            test.events.iter().map(|event| event.data.clone().expect("a letter")).collect();
        let mark = match &test.role {
            Role::Usual(_) => "u:",
            Role::Deviant(_) => "d:",
            _ => "",
        };
        if let Role::Property(found) = &test.role {
            assert_eq!(*found, calls(&letters.concat()), "calls go with their events");
            return format!("p:{}", letters.concat());
        }
        if let Role::Mutant(insertion) = &test.role {
            let start = usize::from(insertion.pivot) - 1;
            letters.insert(start + usize::from(insertion.length), "]".into());
            letters.insert(start, "[".into());
        }
        mark.to_owned() + &letters.concat()
    }

    #[test]
    fn what_a_suspicion_rests_on_stays() {
        let suspected = |needed: Vec<u16>, after: u16| {
            Role::Suspected(Box::new(Suspected {
                key: "k".into(),
                done: String::new(),
                shown: String::new(),
                expected: String::new(),
                harm: droidmux_record::Harm::LostData,
                check: ScreenCheck::Same { after },
                needed,
            }))
        };
        let whole = Test { role: suspected(vec![1, 4], 2), events: test("abcde").events };
        let parts = Parts::of(&[whole]);
        // a, c and d; b and e are cited.
        assert_eq!(parts.len(), 3);
        let shorter = parts.with(&vec![1]).expect("a test");
        let [shorter] = shorter.as_slice() else { panic!("{shorter:?}") };
        assert_eq!(text(shorter), "bce");
        assert_eq!(shorter.role, suspected(vec![0, 2], 1));
    }

    #[test]
    fn units_go_with_their_roles() {
        // tests; how many units; the numbers of those left out, and what is left then
        for (tests, units, left_out, expected) in [
            ("abc", 3, &[1][..], Some("ac")),
            ("abc", 3, &[0, 1, 2], Some("")),
            ("abc a[xy]bc abc", 5, &[], Some("abc a[xy]bc abc")),
            ("abc a[xy]bc abc", 5, &[0], Some("bc [xy]bc bc")),
            ("abc a[xy]bc abc", 5, &[2, 3], Some("ab a[y]b ab")),
            ("abc abc[x] abc", 4, &[0, 1], Some("c c[x] c")),
            ("ab [x]ab ab", 3, &[0, 1], Some(" [x] ")),
            ("ab a[xy]b ab", 4, &[2, 3], None),
            ("u:abc d:xc", 3, &[1, 2], Some("u:ac d:c")),
            ("u:a d:a", 0, &[], Some("u:a d:a")),
            // Two functions, the second judged, and three random events.
            ("p:aBCdEFg", 4, &[], Some("p:aBCdEFg")),
            ("p:aBCdEFg", 4, &[0], Some("p:adEFg")),
            ("p:aBCdEFg", 4, &[1, 3], Some("p:BCdEF")),
            ("p:aBCdEFg", 4, &[0, 1, 2, 3], Some("p:EF")),
            // Not of one seed: only what was inserted can go.
            ("abc x[yz]bc abc", 2, &[0], Some("abc x[z]bc abc")),
        ] {
            let tests: Vec<Test> = tests.split(' ').map(test).collect();
            let parts = Parts::of(&tests);
            assert_eq!(parts.len(), units, "{expected:?}");
            let kept = (0..units).filter(|unit| !left_out.contains(unit)).collect();
            let shorter = parts.with(&kept);
            let told = shorter.map(|tests| tests.iter().map(text).collect::<Vec<_>>().join(" "));
            assert_eq!(told.as_deref(), expected);
        }
    }
}
