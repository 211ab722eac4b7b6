//! What events change around an app, over the ADB wire: their effect, and that everything is put back.

use std::sync::OnceLock;

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Device, DeviceErrorKind, Gesture, Key, Manner, Power};
use droidmux::gui::{DeviceSetting, Event, EventKind};
use droidmux::lab::SessionEnd;
use droidmux::record::{
    Act, Batch, Ending, Errand, ErrandContent, Failure, Finding, Funnel, Job, JobRun, Judgement, Layouts,
    Observation, Phase, Progress, ScreenPolicy, Seen, SessionDefinition, SessionId, Slot, StartAt, Technique,
    Work,
};
use droidmux::sim::{DefectSwitches, Night, Phone, SimLab, SimOptions, apps};
use droidmux::technique::{
    BatchDriver, Driver, IdleDriver, Plan, Planner, Search, TechniqueEntry, Uses, register,
};
use serde::{Deserialize, Serialize};

use crate::device::{GRANTED, fresh, patience, step, widget};
use crate::sessions::Bench;
use crate::trial_app::{PACKAGE, app};

async fn lab(sdk: u32) -> SimLab {
    let options = SimOptions { sdk, apps: vec![app()], strict: true, ..SimOptions::default() };
    SimLab::start(options).await.expect("a simulated lab")
}

fn device(lab: &SimLab) -> AdbDevice {
    AdbDevice::new(Server::at(lab.server_addr()), "sim-1")
}

fn set(setting: DeviceSetting, value: &str) -> Gesture {
    Gesture::Set(PACKAGE.into(), setting, value.into())
}

/// What events may have changed: dark, the app's languages, the font, Wi-Fi, mobile data, lit and unlocked.
type State = (Night, String, Option<String>, Option<String>, Option<String>, bool);

fn state(lab: &SimLab) -> State {
    let read = |phone: &mut Phone| {
        let setting = |space, key| phone.setting(space, key).map(str::to_owned);
        let locales = phone.app_locales(PACKAGE).unwrap_or_default().to_owned();
        let lit = phone.is_screen_on() && phone.keyguard().is_none();
        let font = setting("system", "font_scale");
        (phone.night(), locales, font, setting("global", "wifi_on"), setting("global", "mobile_data"), lit)
    };
    lab.device("sim-1").expect("a device").with_phone(read)
}

/// Settings as left by somebody who does not use the defaults.
fn lived_in(lab: &SimLab) {
    lab.device("sim-1").expect("a device").with_phone(|phone| {
        phone.set_night(Night::Auto);
        phone.set_setting("system", "font_scale", Some("1.15"));
        phone.set_mobile_data(false);
    });
}

/// Changes everything that can be changed, and leaves the screen off.
async fn change_everything(device: &AdbDevice) {
    for (setting, value) in [
        (DeviceSetting::Dark, "on"),
        (DeviceSetting::Language, "de-DE"),
        (DeviceSetting::FontSize, "1.3"),
        (DeviceSetting::Network, "off"),
    ] {
        device.perform(&set(setting, value), &patience()).await.expect("set");
    }
    device.perform(&Gesture::Power(Power::Lock), &patience()).await.expect("locked");
}

#[tokio::test(flavor = "multi_thread")]
async fn pairs_of_events_leave_the_app_as_it_was() {
    let lab = lab(33).await;
    let device = device(&lab);
    device.prepare(&patience()).await.expect("prepared");
    let pairs: [(&str, Vec<Gesture>); 8] = [
        ("turned", vec![Gesture::Rotate, Gesture::Rotate]),
        ("left", vec![Gesture::Key(Key::Home), Gesture::Launch(PACKAGE.into())]),
        (
            "killed",
            vec![Gesture::Key(Key::Home), Gesture::Kill(PACKAGE.into()), Gesture::Launch(PACKAGE.into())],
        ),
        ("asleep", vec![Gesture::Power(Power::Sleep), Gesture::Power(Power::Wake)]),
        ("locked", vec![Gesture::Power(Power::Lock), Gesture::Power(Power::Unlock)]),
        ("dark", vec![set(DeviceSetting::Dark, "on"), set(DeviceSetting::Dark, "off")]),
        ("German", vec![set(DeviceSetting::Language, "de-DE"), set(DeviceSetting::Language, "")]),
        ("large", vec![set(DeviceSetting::FontSize, "1.3"), set(DeviceSetting::FontSize, "1.0")]),
    ];
    for (name, gestures) in pairs {
        let main = fresh(&device).await;
        step(&device, Gesture::Type(widget(&main, "name").bounds().center(), "typed".into())).await;
        let before = step(&device, Gesture::Key(Key::Back)).await;
        for gesture in &gestures {
            device.perform(gesture, &patience()).await.expect(name);
            if *gesture == Gesture::Rotate {
                // The screen shows which way it is turned.
                device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
            }
        }
        let after = device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
        assert_eq!(after.settled.layout.hash(), before.settled.layout.hash(), "{name}");
        assert!(after.signals.is_empty(), "{name}: {:?}", after.signals);
    }
    let asked = lab.unknown_commands();
    assert!(asked.is_empty(), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_is_set_and_put_back() {
    let lab = lab(33).await;
    let device = device(&lab);
    let now = || lab.device("sim-1").expect("a device").with_phone(|phone| phone.now_ms() / 1_000);
    let before = now();
    device.prepare(&patience()).await.expect("prepared");
    let at: StartAt = "2031-03-01T09:00".parse().expect("a moment");
    device.set_clock(at, &patience()).await.expect("set");
    let wanted = u64::try_from(at.seconds()).expect("after 1970");
    assert!(now().abs_diff(wanted) < 90, "{} is not {wanted}", now());
    fresh(&device).await;
    let seen = device.observe(&Manner::Strict, 10, &patience()).await.expect("observed");
    assert!(seen.signals.is_empty(), "nothing of before is told: {:?}", seen.signals);
    let day = device.perform(&set(DeviceSetting::Clock, "+1d"), &patience()).await;
    let day = day.expect_err("phones cannot skip a day");
    assert!(matches!(day.kind, DeviceErrorKind::Unsupported(_)), "{day}");
    // Another session finds it as it was, when this one's end did not come.
    device.prepare(&patience()).await.expect("prepared");
    assert!(now().abs_diff(before) < 600, "{} is not {before}", now());
    device.set_clock(at, &patience()).await.expect("set");
    device.restore(&patience()).await.expect("restored");
    assert!(now().abs_diff(before) < 600, "{} is not {before}", now());
    let asked = lab.unknown_commands();
    assert!(asked.is_empty(), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_do_what_they_say() {
    let lab = lab(33).await;
    let device = device(&lab);
    device.prepare(&patience()).await.expect("prepared");
    fresh(&device).await;
    let pid = || lab.device("sim-1").expect("a device").with_phone(|phone| phone.pid_of(PACKAGE));
    let first = pid();
    device.perform(&Gesture::Kill(PACKAGE.into()), &patience()).await.expect("nothing to kill");
    assert!(first.is_some() && pid() == first, "an app in front stays");
    device.perform(&Gesture::Key(Key::Home), &patience()).await.expect("home");
    device.perform(&Gesture::Kill(PACKAGE.into()), &patience()).await.expect("killed");
    assert_eq!(pid(), None);
    device.perform(&Gesture::Launch(PACKAGE.into()), &patience()).await.expect("back");
    assert!(pid().is_some() && pid() != first);
    device.perform(&Gesture::Power(Power::Lock), &patience()).await.expect("locked");
    let vitals = device.vitals(&patience()).await.expect("vitals");
    assert!(vitals.awake == Some(false) && vitals.locked, "{vitals:?}");
    device.perform(&Gesture::Power(Power::Unlock), &patience()).await.expect("unlocked");
    change_everything(&device).await;
    let off = Some("0".to_owned());
    let expected = (Night::Yes, "de-DE".to_owned(), Some("1.3".to_owned()), off.clone(), off, false);
    assert_eq!(state(&lab), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_put_back_whatever_happened() {
    let endings = ["reset", "restored", "died and prepared", "died and restored"];
    for ending in endings {
        let lab = lab(33).await;
        lived_in(&lab);
        let one = device(&lab);
        one.prepare(&patience()).await.expect("prepared");
        fresh(&one).await;
        // The languages are the app's own, and go when its data is cleared.
        lab.device("sim-1").expect("a device").with_phone(|phone| phone.set_app_locales(PACKAGE, "fr-FR,en"));
        let mut before = state(&lab);
        change_everything(&one).await;
        assert_ne!(state(&lab), before);
        match ending {
            "reset" => {
                one.begin(PACKAGE, GRANTED, &patience()).await.expect("reset");
                before.1.clear();
            }
            "restored" => one.restore(&patience()).await.expect("restored"),
            "died and prepared" => device(&lab).prepare(&patience()).await.expect("prepared"),
            _ => device(&lab).restore(&patience()).await.expect("restored"),
        }
        assert_eq!(state(&lab), before, "{ending}");
        // And nothing is put back a second time.
        device(&lab).restore(&patience()).await.expect("restored");
        lab.device("sim-1").expect("a device").with_phone(|phone| phone.set_night(Night::No));
        device(&lab).restore(&patience()).await.expect("restored");
        assert_eq!(state(&lab).0, Night::No, "{ending}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn older_systems_say_what_they_lack() {
    let cases = [
        (28, DeviceSetting::Dark, "on", Some("Android 10")),
        (28, DeviceSetting::FontSize, "1.3", None),
        (28, DeviceSetting::Network, "off", None),
        (29, DeviceSetting::Dark, "on", None),
        (32, DeviceSetting::Language, "de-DE", Some("Android 13")),
        (33, DeviceSetting::Language, "de-DE", None),
        (33, DeviceSetting::Language, "$(reboot)", Some("a value that there is not")),
        (33, DeviceSetting::FontSize, "huge", Some("a value that there is not")),
    ];
    for (sdk, setting, value, lacks) in cases {
        let lab = lab(sdk).await;
        let device = device(&lab);
        device.prepare(&patience()).await.expect("prepared");
        let done = device.perform(&set(setting, value), &patience()).await.map_err(|error| error.kind);
        match lacks {
            None => assert_eq!(done, Ok(()), "{sdk} {setting:?}"),
            Some(words) => {
                let Err(DeviceErrorKind::Unsupported(why)) = done else {
                    panic!("{sdk} {setting:?}: {done:?}")
                };
                assert!(why.contains(words), "{sdk} {setting:?}: {why}");
            }
        }
        device.restore(&patience()).await.expect("restored");
    }
}

/// A technique that performs the events of a list.
static SCRIPTED: TechniqueEntry = TechniqueEntry {
    name: "scripted-surroundings",
    what: "nothing: performs the events of a list",
    settings: &[],
    uses: Uses::NOTHING,
    needs: None,
    inputs: None,
    planner: |definition, session, rng| Box::new(ScriptPlanner::new(definition, session, rng)),
    oracle: None,
    player: |batch, definition| Box::new(BatchDriver::new(batch, &definition.app, None)),
    check: |_| Vec::new(),
};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Script;

impl ErrandContent for Script {
    const NAME: &'static str = "script";

    fn events(&self) -> u64 {
        script().len() as u64
    }
}

fn script() -> Vec<Event> {
    let global = Event::global;
    vec![
        global(EventKind::Rotate),
        global(EventKind::Rotate),
        global(EventKind::Home),
        global(EventKind::Kill),
        global(EventKind::Launch),
        global(EventKind::Sleep),
        global(EventKind::Home),
        global(EventKind::Wake),
        global(EventKind::Lock),
        global(EventKind::Unlock),
        Event::set(DeviceSetting::Dark, "on"),
        Event::set(DeviceSetting::Dark, ""),
        Event::set(DeviceSetting::Language, "de-DE"),
        Event::set(DeviceSetting::Language, ""),
        Event::set(DeviceSetting::Language, "?"),
        Event::set(DeviceSetting::Network, "off"),
        Event::set(DeviceSetting::Network, "on"),
        global(EventKind::Relaunch),
        // The session ends with a screen that is off and large text.
        Event::set(DeviceSetting::FontSize, "1.3"),
        global(EventKind::Sleep),
    ]
}

struct ScriptPlanner(Search);

impl ScriptPlanner {
    fn new(definition: &SessionDefinition, session: SessionId, rng: u64) -> Self {
        Self(Search::new(definition, session, rng, Phase::new("script", "performing the script")))
    }
}

impl Planner for ScriptPlanner {
    fn plan(&mut self, slot: Slot) -> Plan {
        self.0.plan(slot, || Some(Work::errand(Script)))
    }

    fn batch_driver(&self, _: &Batch) -> Box<dyn Driver> {
        Box::new(IdleDriver)
    }

    fn errand_driver(&self, _: &Job, _: &Errand) -> Box<dyn Driver> {
        Box::new(ScriptDriver(0))
    }

    fn absorb(&mut self, run: &JobRun, judgement: &Judgement, layouts: &dyn Layouts) {
        self.0.absorb(run, judgement, layouts);
    }

    fn progress(&self) -> Progress {
        self.0.progress(Funnel::default())
    }

    fn findings(&self) -> Vec<Finding> {
        self.0.findings()
    }

    fn version(&self) -> u32 {
        1
    }
}

#[derive(Clone)]
struct ScriptDriver(usize);

impl Driver for ScriptDriver {
    fn next(&mut self, observation: &Observation, _: &dyn Layouts) -> Act {
        if *observation == Observation::Started {
            return Act::Reset;
        }
        self.0 += 1;
        let next = script().into_iter().nth(self.0 - 1);
        next.map_or(Act::Finish(Ending::Complete), Act::Perform)
    }

    fn fresh(&self) -> Box<dyn Driver> {
        Box::new(self.clone())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_performs_them_and_nobody_wakes_a_screen_that_a_test_sent_to_sleep() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| register(&SCRIPTED).expect("a name of its own"));
    let defects = DefectSwitches::none();
    let bench = Bench::new(SimOptions { steady: true, defects, ..SimOptions::with_apps(apps::all()) }).await;
    let mut definition =
        SessionDefinition::new(Technique::Outside(SCRIPTED.name.into()), "org.droidmux.notes");
    // Two tests: the second one begins where the first one left the phone.
    definition.run.max_events = 3 * script().len() as u64;
    definition.run.screens = ScreenPolicy::Never;
    let (outcome, runs) = bench.run(&definition, 1).await;
    assert_eq!(outcome.end, SessionEnd::Complete);
    assert!(runs.len() >= 2, "{} jobs", runs.len());
    for run in &runs {
        let seen = |n: usize| -> &Seen {
            let turn = run.turns.get(n).expect("a turn");
            turn.observation.seen().unwrap_or_else(|| panic!("{n}: {:?}", turn.observation))
        };
        let first = seen(0).screen.clone();
        for (number, event) in script().into_iter().enumerate() {
            let at = number + 1;
            let what = (number, event.kind.name());
            if event.data.as_deref() == Some("?") {
                let turn = run.turns.get(at).expect("a turn");
                assert_eq!(turn.observation, Observation::Failed(Failure::Unsupported));
                continue;
            }
            assert!(seen(at).dialogs.is_empty(), "{what:?}: {:?}", seen(at).dialogs);
            let slept = script().into_iter().take(at).rev().find(|event| {
                use EventKind::{Lock, Sleep, Unlock, Wake};
                matches!(event.kind, Sleep | Lock | Wake | Unlock)
            });
            if slept.is_some_and(|event| matches!(event.kind, EventKind::Sleep | EventKind::Lock)) {
                assert!(!seen(at).screen.in_app && seen(at).screen.package.is_empty(), "{what:?}");
            }
        }
        let same = |n: usize| assert_eq!(seen(n).screen, first, "after event {n}");
        // HOME in between reaches no phone that sleeps.
        [2, 5, 8, 10, 12, 14, 17, 18].into_iter().for_each(same);
    }
    let phone = bench.sim.device("sim-1").expect("a device");
    phone.with_phone(|phone| {
        assert!(phone.is_screen_on() && phone.keyguard().is_none());
        assert_eq!(phone.setting("system", "font_scale"), None);
    });
}
