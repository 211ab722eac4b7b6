//! Phones with several users, displays, icons, with warnings before their pictures, and serials of every kind: the same
//! is done on them as on a usual phone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use droidmux::device::adb::{AdbDevice, DeviceEntry, Server};
use droidmux::device::{Device, DeviceError, DeviceErrorKind, Equipment, Gesture, Key, Screenshot};
use droidmux::gui::{Flags, LayoutHash};
use droidmux::lab::SessionOptions;
use droidmux::record::{AppPlace, BlobHash, IgnoreRule, Layouts, ScreenPolicy, SessionDefinition, SessionId};
use droidmux::sim::{Oddity, SimLab, SimOptions, apps};

use crate::device::{GRANTED, fresh, patience, step, tour, widget};
use crate::sessions::{Bench, session};
use crate::trial_app::{PACKAGE, app};

async fn lab(oddities: &[Oddity], serials: &[&str]) -> SimLab {
    let options = SimOptions {
        devices: u16::try_from(serials.len().max(1)).expect("few"),
        serials: serials.iter().map(|serial| (*serial).to_owned()).collect(),
        oddities: oddities.iter().copied().collect(),
        apps: vec![app()],
        strict: true,
        ..SimOptions::default()
    };
    SimLab::start(options).await.expect("a simulated lab")
}

fn device(lab: &SimLab) -> AdbDevice {
    AdbDevice::new(Server::at(lab.server_addr()), "sim-1")
}

fn place(user: Option<u32>, display: Option<u32>, activity: Option<&str>) -> AppPlace {
    AppPlace { user, display, activity: activity.map(str::to_owned) }
}

/// The width of a picture: other displays than the app's have another one.
async fn width(device: &AdbDevice) -> u32 {
    match device.screenshot(&patience()).await.expect("a picture") {
        Screenshot::Raw(frame) => frame.width(),
        Screenshot::Png(png) => image::load_from_memory(&png).expect("a PNG").width(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_is_done_on_odd_phones_as_on_a_usual_one() {
    let usual = tour(&device(&lab(&[], &[]).await)).await;
    let mut kinds: Vec<Vec<Oddity>> = Oddity::ALL.iter().map(|kind| vec![*kind]).collect();
    kinds.push(Oddity::ALL.to_vec());
    for kinds in kinds {
        let odd = lab(&kinds, &[]).await;
        let device = device(&odd);
        assert_eq!(tour(&device).await, usual, "{kinds:?}");
        fresh(&device).await;
        assert_eq!(width(&device).await, 1_080, "{kinds:?}: it is the picture of the app's display");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pixels_are_found_behind_warnings() {
    for kind in [Oddity::Warnings, Oddity::Cluster] {
        let lab = lab(&[kind], &[]).await;
        let device = device(&lab);
        fresh(&device).await;
        let wanted = Equipment { pictures: true, ..Equipment::default() };
        let equipped = device.equip(&wanted, &patience()).await.expect("equipped");
        let said = equipped.said.join("; ");
        assert!(said.contains("pictures: raw") || said.contains("pictures: PNG"), "{said}");
        assert!(!said.contains("failed"), "{kind}: both ways give a picture: {said}");
        assert_eq!(width(&device).await, 1_080, "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_display_is_used_for_everything() {
    let lab = lab(&[Oddity::Cluster], &[]).await;
    let device = device(&lab);
    device.choose_place(PACKAGE, &place(None, Some(2), None), &patience()).await.expect("there is one");
    device.app(PACKAGE, &patience()).await.expect("installed");
    let main = fresh(&device).await;
    assert_eq!(lab.devices()[0].with_phone(|phone| phone.focus().package), PACKAGE);
    let held = step(&device, Gesture::LongPress(widget(&main, "held").bounds().center())).await;
    assert_eq!(widget(&held.settled.layout, "held").text(), "Held 1", "touches arrive there");
    let at = widget(&main, "name").bounds().center();
    let typed = step(&device, Gesture::Type(at, "two words".into())).await;
    assert_eq!(widget(&typed.settled.layout, "echo").text(), "[two words]", "texts, too");
    assert_eq!(width(&device).await, 1_080, "and pictures are taken of it");
    let turned = step(&device, Gesture::Key(Key::Home)).await;
    assert_ne!(turned.foreground.package, PACKAGE, "what is on the other one does not count");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_chosen_and_not_there_is_told_with_what_there_is() {
    async fn tried(kinds: &[Oddity], place: AppPlace) -> Result<(), DeviceError> {
        let lab = lab(kinds, &[]).await;
        let device = device(&lab);
        device.choose_place(PACKAGE, &place, &patience()).await?;
        device.app(PACKAGE, &patience()).await?;
        device.begin(PACKAGE, GRANTED, &patience()).await.map(drop)
    }
    let cases = [
        (vec![], place(None, Some(0), None), None),
        (vec![], place(None, Some(4), None), Some("it has no display 4, but 0")),
        (vec![Oddity::Cluster], place(None, Some(4), None), Some("it has no display 4, but 2, 0")),
        (vec![Oddity::WorkProfile], place(Some(10), None, None), None),
        (vec![Oddity::WorkProfile], place(Some(0), None, None), Some("not installed for user 0, but for 10")),
        (vec![Oddity::Driver], place(Some(11), None, None), Some("not installed for user 11, but for 10")),
        (vec![Oddity::Launchers], place(None, None, Some(".ListActivity")), None),
        (vec![Oddity::Launchers], place(None, None, Some("com.example.trial.ListActivity")), None),
        (
            vec![Oddity::Launchers],
            place(None, None, Some(".Absent")),
            Some("has no activity .Absent that can be started; with an icon there are: com.example.trial."),
        ),
    ];
    for (kinds, place, expected) in cases {
        let outcome = tried(&kinds, place.clone()).await;
        match (outcome, expected) {
            (Ok(()), None) => {}
            (Err(DeviceError { kind: DeviceErrorKind::Misplaced(said), .. }), Some(part)) => {
                assert!(said.contains(part), "{kinds:?} {place:?}: {said}");
            }
            (outcome, expected) => panic!("{kinds:?} {place:?}: {outcome:?}, {expected:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_icon_is_chosen_among_several() {
    let lab = lab(&[Oddity::Launchers], &[]).await;
    let device = device(&lab);
    device.app(PACKAGE, &patience()).await.expect("installed");
    device.start(PACKAGE, &patience()).await.expect("started");
    let front = device.foreground(&patience()).await.expect("a focus");
    assert_eq!(front.activity, "com.example.trial.MainActivity", "not the one that cannot be started");
    let said = device.remarks().join("\n");
    assert!(said.contains("has several icons") && said.contains("com.example.trial.ListActivity"), "{said}");
    device
        .choose_place(PACKAGE, &place(None, None, Some(".ListActivity")), &patience())
        .await
        .expect("taken");
    device.restart(PACKAGE, &patience()).await.expect("started");
    let front = device.foreground(&patience()).await.expect("a focus");
    assert_eq!(front.activity, "com.example.trial.ListActivity");
}

#[tokio::test(flavor = "multi_thread")]
async fn serials_may_hold_anything() {
    let serials = ["adb-R5CT (2)._adb-tls-connect._tcp", "Ann's device [spare]", "device offline"];
    let lab = lab(&[], &serials).await;
    let server = Server::at(lab.server_addr());
    let listed = server.devices(&patience()).await.expect("a list");
    let names: Vec<&str> = listed.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, serials);
    assert!(listed.iter().all(DeviceEntry::is_ready), "{listed:?}");
    for name in serials {
        let device = AdbDevice::new(server.clone(), name);
        fresh(&device).await;
        // Its number changes with every reconnection, and is found again.
        lab.device(name).expect("a device").unplug();
        lab.device(name).expect("a device").replug();
        while device.info(&patience()).await.is_err() || device.signals(&patience()).await.is_err() {}
        fresh(&device).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_phones_with_one_serial_are_both_used() {
    const SERIAL: &str = "0123456789ABCDEF";
    let lab = lab(&[], &[SERIAL, SERIAL]).await;
    let server = Server::at(lab.server_addr());
    let mut tracker = server.track(&patience()).await.expect("a list");
    let mut names = async || -> Vec<String> {
        let listed = tracker.next(&patience()).await.expect("a list");
        listed.into_iter().map(|entry| entry.name).collect()
    };
    assert_eq!(names().await, [SERIAL, "0123456789ABCDEF#2"]);
    let phones = [SERIAL, "0123456789ABCDEF#2"].map(|name| AdbDevice::new(server.clone(), name));
    let texts = ["one", "two"];
    let typed = async |at: usize| {
        let main = fresh(&phones[at]).await;
        let field = widget(&main, "name").bounds().center();
        step(&phones[at], Gesture::Type(field, texts[at].into())).await;
        lab.devices()[at]
            .with_phone(|phone| phone.dump().expect("a dump").contains(&format!("[{}]", texts[at])))
    };
    for at in [0, 1] {
        assert!(typed(at).await, "each name leads to its phone");
    }
    lab.devices()[0].unplug();
    assert_eq!(names().await, ["0123456789ABCDEF#2"], "the other one keeps its name");
    let lost = phones[0].info(&patience()).await.and(phones[0].signals(&patience()).await);
    let lost = lost.expect_err("it is gone, and the other one is no substitute");
    assert!(matches!(lost.kind, DeviceErrorKind::Lost(_)), "{lost}");
    lab.devices()[0].replug();
    assert_eq!(names().await, [SERIAL, "0123456789ABCDEF#2"]);
    for at in [0, 1] {
        assert!(typed(at).await, "again, by a new number");
    }
}

/// A short session on the notes, and what it comes to: its end, why it was in vain, what it found.
async fn monkey(
    oddities: &[Oddity],
    change: impl Fn(&mut SessionDefinition),
) -> (String, BTreeSet<String>, Arc<Bench>) {
    let options = SimOptions {
        devices: 1,
        steady: true,
        oddities: oddities.iter().copied().collect(),
        ..SimOptions::with_apps(apps::all())
    };
    let bench = Bench::new(options).await;
    let mut definition = session("notes-monkey.toml");
    definition.run.max_events = 120;
    definition.run.screens = ScreenPolicy::Changed;
    change(&mut definition);
    let options = SessionOptions { rng: 5, ..SessionOptions::default() };
    let outcome = bench.lab.run(definition, options).await.expect("it ends");
    let found = outcome.findings.iter().map(|finding| finding.verdict.title.clone()).collect();
    (format!("{:?} {:?} {}", outcome.end, outcome.vain, outcome.steps), found, Arc::new(bench))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_finds_the_same_on_a_phone_with_everything_odd() {
    let (usual, found, _bench) = monkey(&[], |_| {}).await;
    let (odd, also, bench) = monkey(&Oddity::ALL, |_| {}).await;
    let log: Vec<String> = bench.lab.hub().log().into_iter().map(|row| row.line.text).collect();
    assert_eq!((odd, also), (usual, found), "{}", log.join("\n"));
    assert!(log.iter().any(|line| line.contains("is run as user 10")), "{log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_moves_by_itself_makes_no_other_picture() {
    // How many pictures there are of each layout whose field has the focus, and how often it was looked at.
    let pictures = async |oddities: &[Oddity]| {
        let (_, _, bench) = monkey(oddities, |definition| definition.run.screens = ScreenPolicy::All).await;
        let store = bench.lab.store();
        let mut pictures: BTreeMap<LayoutHash, (BTreeSet<BlobHash>, usize)> = BTreeMap::new();
        for turn in store.runs(SessionId(1)).flat_map(|run| run.expect("readable").turns) {
            let Some(seen) = turn.observation.seen() else { continue };
            let layout = store.layout(seen.screen.layout).expect("recorded");
            if layout.widgets().any(|widget| widget.has(Flags::FOCUSED)) {
                let (taken, looks) = pictures.entry(seen.screen.layout).or_default();
                taken.extend(seen.screenshot);
                *looks += 1;
            }
        }
        pictures
            .into_iter()
            .map(|(layout, (taken, looks))| (layout, (taken.len(), looks)))
            .collect::<BTreeMap<_, _>>()
    };
    let usual = pictures(&[]).await;
    assert!(usual.values().any(|(_, looks)| *looks > 1), "fields are looked at more than once");
    assert_eq!(pictures(&[Oddity::Cursor]).await, usual);
    assert_eq!(pictures(&[Oddity::Arrows]).await, usual);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_never_touches_its_app_is_in_vain() {
    let elsewhere =
        IgnoreRule { activity: "org.droidmux.notes.NoSuchActivity".into(), ..IgnoreRule::default() };
    let (ended, found, _bench) = monkey(&[], |definition| definition.only.push(elsewhere.clone())).await;
    assert!(ended.contains("the app was never touched"), "{ended}");
    assert_eq!(found, BTreeSet::new());
}
