use super::{Move, Stepped, Trouble, opening, rejoined};
use crate::findings::Findings;
use droidmux_gui::{Event, EventKind, LayoutBuilder, LayoutHash, StateId, WidgetId};
use droidmux_record::{
    Act, Answer, AppBuild, Batch, Call, CallStep, Consultation, DeviceInfo, EffectKind, Evidence, Expected,
    Failure, FindingId, Fingerprint, Insertion, Job, JobRun, Observation, Outcome, Purpose, Role, Screen,
    Seen, SessionId, Slot, StepOrder, StepSettings, Stretch, Test, Turn, UnmatchedEffect, Verdict, Work,
};

/// A mutant of six events, the third and fourth inserted; the violation shows after the fifth.
fn settings() -> StepSettings {
    let events: Vec<Event> = (0..6).map(|n| Event::wait(n + 1)).collect();
    let seed = [&events[..2], &events[4..]].concat();
    let mutant = Role::Mutant(Insertion { pivot: 3, length: 2 });
    StepSettings {
        finding: FindingId { session: SessionId(1), key: 1 },
        key: "k".into(),
        tests: vec![Test { role: Role::Seed, events: seed }, Test { role: mutant, events }],
        stepped: 1,
        against: Some(0),
        pause: 2,
        violation: 5,
        recorded: Vec::new(),
        seed: Vec::new(),
    }
}

fn seen() -> Observation {
    let screen = Screen {
        layout: LayoutHash([7; 16]),
        package: "a".into(),
        activity: "a.A".into(),
        in_app: true,
        rotation: 0,
        keyboard: false,
    };
    Observation::Seen(Box::new(Seen {
        screen,
        settling: droidmux_record::Settling::Strict,
        dumps: 2,
        toast: None,
        hears_toasts: false,
        resolution: None,
        signals: Vec::new(),
        setup: Vec::new(),
        dialogs: Vec::new(),
        screenshot: None,
    }))
}

fn order(word: &str) -> StepOrder {
    match word {
        "next" => StepOrder::Next,
        "skip" => StepOrder::Skip,
        "insert" => StepOrder::Insert(Event::global(EventKind::Back)),
        "back" => StepOrder::Back,
        "violation" => StepOrder::RunToViolation,
        "end" => StepOrder::RunToEnd,
        "leave" => StepOrder::Leave,
        number => StepOrder::RunTo(number.parse().expect("a number of events")),
    }
}

/// Leads the test with these orders and writes down what the device is asked: `R` a reset, the number of a wait, `b`
/// back, `?` where the person is asked, `.` the end. The event numbered `broken` never works.
fn led(orders: &str, broken: &str) -> (String, Stepped) {
    led_by(&settings(), orders, broken)
}

fn led_by(settings: &StepSettings, orders: &str, broken: &str) -> (String, Stepped) {
    let mut stepped = Stepped::new(settings, "a");
    let mut orders = orders.split_whitespace().map(order);
    let (mut said, mut observation) = (String::new(), Observation::Started);
    loop {
        let act = stepped.next(&observation);
        observation = seen();
        match act {
            Act::Reset => said.push('R'),
            Act::Perform(event) => {
                let word =
                    if event.kind == EventKind::Back { "b".into() } else { event.seconds().to_string() };
                said += &word;
                if word == broken {
                    observation = Observation::Failed(Failure::NotFound);
                }
            }
            Act::Consult(asked) => {
                said.push('?');
                assert!(matches!(*asked, Consultation::Steer(_)));
                let Some(order) = orders.next() else { return (said, stepped) };
                observation = Observation::Answered(Box::new(Answer::Order(order)));
            }
            Act::Finish(_) => return (said + ".", stepped),
        }
    }
}

#[test]
fn orders_become_acts() {
    for (orders, acts) in [
        ("", "R12?"),
        ("leave", "R12?."),
        ("next next", "R12?3?4?"),
        ("skip skip end", "R12???56?"),
        ("insert next", "R12?b?3?"),
        ("violation", "R12?345?"),
        ("end next", "R12?3456??"),
        ("5", "R12?345?"),
        // Going back runs again what came before, including what was put in; a skipped event is only taken back.
        ("insert next back", "R12?b?3?R12b?"),
        ("next insert back next", "R12?3?b?R123?4?"),
        ("skip back next", "R12???3?"),
        ("end violation", "R12?3456?R12345?"),
        ("insert 1", "R12?b?R1?"),
        ("0 back", "R12?R??"),
    ] {
        assert_eq!(led(orders, "").0, acts, "{orders}");
    }
}

#[test]
fn what_cannot_be_performed_stays_the_next_event() {
    for (orders, broken, acts, trouble, at) in [
        ("next", "3", "R12?3?", Some(Trouble::Failed(Failure::NotFound)), 2),
        ("end", "5", "R12?345?", Some(Trouble::Failed(Failure::NotFound)), 4),
        ("insert", "b", "R12?b?", Some(Trouble::Failed(Failure::NotFound)), 2),
        ("next skip", "3", "R12?3??", None, 3),
        ("", "1", "R1?", Some(Trouble::Failed(Failure::NotFound)), 0),
        ("end next", "", "R12?3456??", Some(Trouble::AtEnd), 6),
        ("0 back", "", "R12?R??", Some(Trouble::AtStart), 0),
    ] {
        let (said, stepped) = led(orders, broken);
        assert_eq!(
            (said.as_str(), stepped.trouble(), stepped.course().at()),
            (acts, trouble.as_ref(), at),
            "{orders}"
        );
        let shots = stepped.shots().len();
        assert_eq!(shots, stepped.course().moves().len() + 1, "{orders}: a screen for each move");
    }
}

#[test]
fn a_led_test_is_a_test_again() {
    let mutant = |pivot, length| Role::Mutant(Insertion { pivot, length });
    for (orders, events, role) in [
        ("end", "123456", mutant(3, 2)),
        ("skip end", "12456", mutant(3, 1)),
        ("skip insert end", "12b456", mutant(3, 2)),
        ("insert end", "12b3456", mutant(3, 3)),
        ("skip skip end", "1256", Role::Seed),
        ("0 skip end", "23456", mutant(2, 2)),
        ("violation", "12345", mutant(3, 2)),
    ] {
        let led = led(orders, "").1.course().as_led();
        let word = |event: &Event| match event.kind {
            EventKind::Back => "b".to_owned(),
            _ => event.seconds().to_string(),
        };
        assert_eq!(led.events.iter().map(word).collect::<String>(), events, "{orders}");
        assert_eq!(led.role, role, "{orders}");
    }
    let moves = led("skip insert next", "").1;
    let back = Event::global(EventKind::Back);
    assert!(
        matches!(moves.course().moves(), [.., Move::Skipped, Move::Added(event), Move::Performed] if *event == back)
    );
}

/// Which events carry out functions is counted among those that were performed.
#[test]
fn functions_move_with_their_events() {
    let call = |at: &[u16]| Call { dmf: 0, steps: at.iter().map(|&at| CallStep { at, event: 0 }).collect() };
    let toured = |first| Role::Toured(Stretch { function: "delete".into(), first });
    let property = |calls: &[&[u16]]| Role::Property(calls.iter().map(|at| call(at)).collect());
    for (recorded, orders, expected) in [
        (property(&[&[0, 1], &[4]]), "end", property(&[&[0, 1], &[4]])),
        (property(&[&[0, 1], &[4]]), "skip insert end", property(&[&[0, 1], &[4]])),
        (property(&[&[0, 1], &[4]]), "skip end", property(&[&[0, 1], &[3]])),
        (property(&[&[0, 1], &[2, 4]]), "skip end", property(&[&[0, 1]])),
        (property(&[&[0, 1], &[4]]), "next", property(&[&[0, 1]])),
        (toured(4), "insert skip skip end", toured(3)),
        (toured(2), "skip end", toured(2)),
    ] {
        let mut settings = settings();
        settings.tests[1].role = recorded.clone();
        let led = led_by(&settings, orders, "").1.course().as_led();
        assert_eq!(led.role, expected, "{recorded:?} {orders}");
    }
}

/// Oracles see the led test among the recorded ones; if one of those is not recorded, they cannot be asked.
#[test]
fn a_led_test_is_judged_among_the_recorded_ones() {
    let turn = |act: Act| Turn { act, observation: seen(), at_ms: 0, took_ms: 0 };
    let turns = |events: &[Event]| {
        let performed = events.iter().map(|event| turn(Act::Perform(event.clone())));
        std::iter::once(turn(Act::Reset)).chain(performed).collect::<Vec<_>>()
    };
    let settings = settings();
    let [seed, mutant] = settings.tests.as_slice() else { panic!("two tests") };
    let run = |turns: Vec<Turn>| JobRun {
        job: Job {
            slot: Slot(3),
            rng: 1,
            work: Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests: settings.tests.clone() }),
        },
        attempt: 1,
        device: DeviceInfo::default(),
        app: AppBuild { package: "a".into(), version_name: String::new(), version_code: 1 },
        turns,
    };
    let led = Test { events: mutant.events[..4].to_vec(), ..mutant.clone() };
    // The first attempt at it went elsewhere.
    let own = [turns(&mutant.events[..1]), turns(&led.events)].concat();
    let recorded = [turns(&seed.events), turns(&mutant.events)].concat();
    let joined = rejoined(&settings, led.clone(), &own, &[run(recorded)]).expect("all is there");
    let Work::Batch(batch) = &joined.job.work else { panic!("a batch") };
    assert_eq!(batch.tests, [seed.clone(), led.clone()]);
    let events: Vec<usize> = joined.traces().iter().map(|trace| trace.steps.len()).collect();
    assert_eq!(events, [seed.events.len(), 4]);
    for (own, recorded) in [
        (own.clone(), turns(&mutant.events)),
        (turns(&led.events[..2]), turns(&seed.events)),
        (Vec::new(), turns(&seed.events)),
    ] {
        assert!(rejoined(&settings, led.clone(), &own, &[run(recorded)]).is_none());
    }
    assert!(rejoined(&settings, led, &own, &[]).is_none());
}

/// Every technique's tests, and relations': which test is stepped, held against which, where it pauses and where the
/// violation shows.
#[test]
fn findings_of_all_techniques_are_stepped_through() {
    let events = |count: u32| (0..count).map(Event::wait).collect::<Vec<_>>();
    let test = |role: &Role, count: u32| Test { role: role.clone(), events: events(count) };
    let mutant = Role::Mutant(Insertion { pivot: 3, length: 2 });
    let expected = Expected { state: StateId(0), rules: 0, script: Fingerprint([0; 16]) };
    let call = |at| Call { dmf: 0, steps: vec![CallStep { at, event: 0 }] };
    let form = |role: Role| {
        let field = LayoutBuilder::new().finish().selector(WidgetId(0));
        Test { role, events: vec![Event::wait(1), Event::edit(field, "x"), Event::wait(2)] }
    };
    let effect = UnmatchedEffect {
        kind: EffectKind::Deleted,
        before: None,
        after: None,
        context: String::new(),
        seed: (3, 4),
        mutant: (3, 6),
        layouts: [LayoutHash([7; 16]); 4],
        diverged: false,
    };
    let stretch = Stretch { function: "delete".into(), first: 1 };
    let cases = [
        (
            "genie",
            vec![test(&Role::Seed, 4), test(&mutant, 6), test(&Role::Seed, 4)],
            Evidence::Effects(vec![effect]),
            (1, Some(0), 2, 5),
        ),
        (
            "odin",
            vec![test(&Role::Usual(expected), 3), test(&Role::Deviant(expected), 4)],
            Evidence::None,
            (1, Some(0), 3, 4),
        ),
        (
            "inputblaster",
            vec![form(Role::Valid), form(Role::Valid), form(Role::Unusual)],
            Evidence::None,
            (2, Some(0), 1, 3),
        ),
        ("pbfdroid", vec![test(&Role::Property(vec![call(0), call(2)]), 4)], Evidence::None, (0, None, 2, 4)),
        ("visiondroid", vec![test(&Role::Toured(stretch), 3)], Evidence::None, (0, None, 1, 3)),
        ("relations", vec![test(&Role::Seed, 3)], Evidence::None, (0, None, 2, 3)),
    ];
    for (technique, tests, evidence, expected) in cases {
        let verdict =
            Verdict { key: "k".into(), evidence, ..Verdict::new(Slot(0), 0, technique, Outcome::Violation) };
        let mut findings = Findings::new(SessionId(1), technique, "a", 1, 1);
        findings.add(Slot(0), &verdict);
        let finding = findings.ranked().remove(0);
        let opened = opening(&finding.id, &finding.verdict, tests, &[]).expect("it has a test");
        let found = (opened.stepped, opened.against, opened.pause, opened.violation);
        assert_eq!(found, expected, "{technique}");
        assert!(
            opening(&finding.id, &finding.verdict, Vec::new(), &[]).is_none(),
            "{technique}: without a test there is nothing"
        );
    }
}
