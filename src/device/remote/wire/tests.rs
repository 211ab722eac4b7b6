//! What every type of the wire looks like. A line that has to change here changes the wire: raise
//! [`crate::frame::VERSION`] with it.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::*;
use droidmux_device::adb::agent::AgentError;
use droidmux_device::{
    Condition, DeviceErrorKind, DumpTimes, Equipped, Expectation, Foreground, Key, Manner, NoDumps, Observed,
    Person, Settled, Shortcoming, TestData, Trial, Vitals,
};
use droidmux_gui::{Bounds, DeviceSetting, Direction, LayoutBuilder, LayoutHash, Note, Point};
use droidmux_record::Settling;

/// Writes a value, compares it, and writes what was read of it again.
fn pinned<T: Serialize + DeserializeOwned>(value: &T, expected: &str) {
    let written = serde_json::to_string(value).expect("JSON");
    assert_eq!(written, expected);
    let read: T = serde_json::from_str(&written).expect(expected);
    assert_eq!(serde_json::to_string(&read).expect("JSON"), expected);
}

#[test]
fn gestures_are_written_so() {
    let point = Point { x: 1, y: -2 };
    let cases = [
        (Gesture::Tap(point), r#"{"tap":{"x":1,"y":-2}}"#),
        (Gesture::LongPress(point), r#"{"long-press":{"x":1,"y":-2}}"#),
        (
            Gesture::Swipe(Bounds { left: 1, top: 2, right: 3, bottom: 4 }, Direction::Down),
            r#"{"swipe":[{"left":1,"top":2,"right":3,"bottom":4},"down"]}"#,
        ),
        (Gesture::Type(point, "é".into()), r#"{"type":[{"x":1,"y":-2},"é"]}"#),
        (Gesture::Key(Key::Back), r#"{"key":"back"}"#),
        (Gesture::Rotate, r#""rotate""#),
        (Gesture::Launch("a.b".into()), r#"{"launch":"a.b"}"#),
        (Gesture::Wait(3), r#"{"wait":3}"#),
        (Gesture::Kill("a.b".into()), r#"{"kill":"a.b"}"#),
        (Gesture::Relaunch("a.b".into()), r#"{"relaunch":"a.b"}"#),
        (Gesture::Power(Power::Lock), r#"{"power":"lock"}"#),
        (Gesture::Set("a.b".into(), DeviceSetting::Dark, "on".into()), r#"{"set":["a.b","dark","on"]}"#),
    ];
    for (gesture, expected) in cases {
        let expected = format!(r#"{{"perform":{{"gesture":{expected},"look":null}}}}"#);
        pinned(&Ask::Perform { gesture, look: None }, &expected);
    }
}

#[test]
fn requests_are_written_so() {
    let file = || BlobFile { name: "a".into(), hash: "00".into(), of: 3 };
    let package = || "a.b".to_owned();
    let hash = LayoutHash([1; 16]);
    let swift = Manner::Swift(Expectation { before: Some(hash), after: Arc::new([hash]) });
    let beginning = Beginning { data: TestData::Kept, grant: true };
    let cases = [
        (Ask::Hello, r#""hello""#),
        (Ask::Holds { blobs: vec!["00".into()] }, r#"{"holds":{"blobs":["00"]}}"#),
        (Ask::Blob { hash: "00".into(), of: 3, at: 1 }, r#"{"blob":{"hash":"00","of":3,"at":1}}"#),
        (Ask::Info, r#""info""#),
        (
            Ask::ChoosePlace {
                package: package(),
                place: AppPlace { user: Some(10), ..AppPlace::default() },
            },
            r#"{"choose-place":{"package":"a.b","place":{"user":10}}}"#,
        ),
        (Ask::App { package: package() }, r#"{"app":{"package":"a.b"}}"#),
        (
            Ask::Install { packages: vec![file()] },
            r#"{"install":{"packages":[{"name":"a","hash":"00","of":3}]}}"#,
        ),
        (Ask::Layout { tries: 2 }, r#"{"layout":{"tries":2}}"#),
        (Ask::Foreground, r#""foreground""#),
        (Ask::Signals, r#""signals""#),
        (
            Ask::Observe { look: LookWire::of(&Manner::Strict, 3) },
            r#"{"observe":{"look":{"swift":null,"tries":3}}}"#,
        ),
        (
            Ask::Observe { look: LookWire::of(&swift, 3) },
            r#"{"observe":{"look":{"swift":{"before":"01010101010101010101010101010101","after":["01010101010101010101010101010101"]},"tries":3}}}"#,
        ),
        (Ask::Screenshot, r#""screenshot""#),
        (
            Ask::Begin { package: package(), beginning },
            r#"{"begin":{"package":"a.b","beginning":{"data":"kept","grant":true}}}"#,
        ),
        (Ask::Keep { package: package() }, r#"{"keep":{"package":"a.b"}}"#),
        (Ask::Start { package: package() }, r#"{"start":{"package":"a.b"}}"#),
        (
            Ask::Equip { agent: true, dumps: DumpChoice::Auto, pictures: false },
            r#"{"equip":{"agent":true,"dumps":"auto","pictures":false}}"#,
        ),
        (Ask::Restart { package: package() }, r#"{"restart":{"package":"a.b"}}"#),
        (Ask::TryTools, r#""try-tools""#),
        (Ask::Vitals, r#""vitals""#),
        (Ask::Condition, r#""condition""#),
        (Ask::TimeDumps { agent: false }, r#"{"time-dumps":{"agent":false}}"#),
        (Ask::Wake, r#""wake""#),
        (Ask::Noted, r#""noted""#),
        (
            Ask::ExchangeNote { seen: None, new: "n".into(), settle: 5 },
            r#"{"exchange-note":{"seen":null,"new":"n","settle":5}}"#,
        ),
        (Ask::Prepare, r#""prepare""#),
        (
            Ask::Furnish { files: vec![file()], people: vec![PersonWire::from(&Person::default())] },
            r#"{"furnish":{"files":[{"name":"a","hash":"00","of":3}],"people":[{"name":"","phones":[],"emails":[]}]}}"#,
        ),
        (
            Ask::SetClock { at: "2026-03-01T09:00".parse().expect("a moment") },
            r#"{"set-clock":{"at":"2026-03-01T09:00"}}"#,
        ),
        (Ask::Restore, r#""restore""#),
    ];
    for (ask, expected) in cases {
        pinned(&ask, expected);
    }
    let request = |knows| Request {
        run: 1,
        begin_by: 2,
        within: 3,
        client: "c".into(),
        phone: "p".into(),
        knows,
        ask: Ask::Wake,
    };
    pinned(&request(vec![]), r#"{"run":1,"begin_by":2,"within":3,"client":"c","phone":"p","ask":"wake"}"#);
    let knowing = r#"{"run":1,"begin_by":2,"within":3,"client":"c","phone":"p","knows":[4,5],"ask":"wake"}"#;
    pinned(&request(vec![4, 5]), knowing);
}

#[test]
fn replies_are_written_so() {
    let layout = Arc::new(LayoutBuilder::new().finish());
    let settled = || Settled {
        layout: layout.clone(),
        notes: vec![Note::BadBytes],
        settling: Settling::Quiet,
        dumps: 2,
    };
    let front = || Foreground { package: "p".into(), activity: "a".into(), keyboard: true, rotation: 1 };
    let observed = || Observed {
        settled: settled(),
        foreground: front(),
        signals: vec![],
        toast: Some("t".into()),
        hears_toasts: true,
    };
    let front_json = r#"{"package":"p","activity":"a","keyboard":true,"rotation":1}"#;
    let settled_json = r#"{"notes":[{"kind":"bad-bytes"}],"settling":"quiet","dumps":2}"#;
    let trial = Trial {
        command: "c".into(),
        tried: "t".into(),
        needed: true,
        outcome: Err(DeviceErrorKind::Cancelled),
    };
    let times = DumpTimes {
        uiautomator: Ok(Duration::from_millis(1_500)),
        agent: Some(Err(AgentError::NotNamed)),
        by_agent: Some(Err(NoDumps { why: "w".into() })),
        differ: false,
    };
    let cases = [
        (Answer::Done, r#""done""#.to_owned()),
        (
            Answer::Host(HostWords { wire: 1, phones: vec![PhoneWords::default()], ..HostWords::default() }),
            r#"{"host":{"wire":1,"version":"","name":"","pool":"","run":0,"clock":0,"trouble":"","allows":[],"phones":[{"serial":"","state":"","info":null}]}}"#.into(),
        ),
        (Answer::Holds(vec![]), r#"{"holds":[]}"#.into()),
        (
            Answer::Info(DeviceInfo::default()),
            r#"{"info":{"serial":"","model":"","android":"","api":0,"build":"","width":0,"height":0}}"#.into(),
        ),
        (
            Answer::App(AppBuild::default()),
            r#"{"app":{"package":"","version_name":"","version_code":0}}"#.into(),
        ),
        (Answer::Settled(SettledWire::of(settled()).0), format!(r#"{{"settled":{settled_json}}}"#)),
        (Answer::Foreground(front().into()), format!(r#"{{"foreground":{front_json}}}"#)),
        (Answer::Signals(vec![]), r#"{"signals":[]}"#.into()),
        (
            Answer::Observed(ObservedWire::of(observed()).0),
            format!(r#"{{"observed":{{"settled":{settled_json},"front":{front_json},"toast":"t","hears_toasts":true}}}}"#),
        ),
        (
            Answer::Unseen(Fault { what: "w".into(), kind: DeviceErrorKind::Answer("a".into()) }),
            r#"{"unseen":{"what":"w","kind":{"answer":"a"}}}"#.into(),
        ),
        (Answer::Picture, r#""picture""#.into()),
        (Answer::Began(true), r#"{"began":true}"#.into()),
        (Answer::Kept(false), r#"{"kept":false}"#.into()),
        (
            Answer::Equipped(EquippedWire::from(Equipped {
                said: vec!["s".into()],
                lacks_agent: Some(AgentError::Start("w".into())),
            })),
            r#"{"equipped":{"said":["s"],"lacks_agent":{"start":"w"}}}"#.into(),
        ),
        (
            Answer::Trials(vec![TrialWire::from(trial)]),
            r#"{"trials":[{"command":"c","tried":"t","needed":true,"outcome":{"Err":{"what":"","kind":"cancelled"}}}]}"#
                .into(),
        ),
        (
            Answer::Vitals(Vitals::default()),
            r#"{"vitals":{"booted":false,"boot":"","battery":null,"heat":null,"throttling":null,"awake":null,"locked":false,"space":null}}"#
                .into(),
        ),
        (
            Answer::Condition(Condition::default()),
            r#"{"condition":{"exit_codes":false,"animations":[null,null,null],"keyboard":null,"has_adb_keyboard":false,"uses_adb_keyboard":false,"size":null,"resized":false,"density":null,"is_prepared":false}}"#
                .into(),
        ),
        (
            Answer::Times(times.into()),
            r#"{"times":{"uiautomator":{"Ok":{"secs":1,"nanos":500000000}},"agent":{"Err":"not-named"},"by_agent":{"Err":"w"},"differ":false}}"#
                .into(),
        ),
        (Answer::Noted { clock: 1, text: "t".into() }, r#"{"noted":{"clock":1,"text":"t"}}"#.into()),
    ];
    for (answer, expected) in cases {
        pinned(&answer, &expected);
    }
    let reply = Reply {
        run: 1,
        clock: 2,
        done: Ok(Answer::Done),
        remarks: vec!["r".into()],
        shortcomings: vec![
            Shortcoming::Keyboard.into(),
            Shortcoming::Battery("b".into()).into(),
            Shortcoming::Log { why: "w".into(), remedy: "r".into() }.into(),
        ],
    };
    pinned(
        &reply,
        r#"{"run":1,"clock":2,"done":{"Ok":"done"},"remarks":["r"],"shortcomings":["keyboard",{"battery":"b"},{"log":{"why":"w","remedy":"r"}}]}"#,
    );
    let back = ObservedWire::of(observed()).0.with(&layout.encode()).expect("a layout");
    assert_eq!((back.foreground, back.settled.dumps), (front(), 2));
    assert!(ObservedWire::of(observed()).0.with(b"none").is_none());
}

#[test]
fn errors_are_written_so() {
    let cases = [
        (DeviceErrorKind::Lost("w".into()), r#"{"lost":"w"}"#),
        (DeviceErrorKind::NoServer("a".into()), r#"{"no-server":"a"}"#),
        (DeviceErrorKind::TimedOut(Duration::from_secs(3)), r#"{"timed-out":{"secs":3,"nanos":0}}"#),
        (DeviceErrorKind::Cancelled, r#""cancelled""#),
        (DeviceErrorKind::NotInstalled("p".into()), r#"{"not-installed":"p"}"#),
        (DeviceErrorKind::NotReady("s".into()), r#"{"not-ready":"s"}"#),
        (DeviceErrorKind::Misplaced("m".into()), r#"{"misplaced":"m"}"#),
        (DeviceErrorKind::Leased { whose: "w".into(), age_s: 3 }, r#"{"leased":{"whose":"w","age-s":3}}"#),
        (
            DeviceErrorKind::Command { command: "c".into(), code: 1, output: "o".into(), remedy: "r".into() },
            r#"{"command":{"command":"c","code":1,"output":"o","remedy":"r"}}"#,
        ),
        (
            DeviceErrorKind::Refused { command: "c".into(), output: "o".into(), remedy: "r".into() },
            r#"{"refused":{"command":"c","output":"o","remedy":"r"}}"#,
        ),
        (DeviceErrorKind::Answer("a".into()), r#"{"answer":"a"}"#),
        (DeviceErrorKind::Uninstallable("u".into()), r#"{"uninstallable":"u"}"#),
        (DeviceErrorKind::Untypable("t".into()), r#"{"untypable":"t"}"#),
        (DeviceErrorKind::Unsupported("u".into()), r#"{"unsupported":"u"}"#),
        (
            DeviceErrorKind::OtherBuild { before: "b".into(), now: "n".into() },
            r#"{"other-build":{"before":"b","now":"n"}}"#,
        ),
    ];
    for (kind, expected) in cases {
        let fault = Fault { what: "w".into(), kind: kind.clone() };
        pinned(&fault, &format!(r#"{{"what":"w","kind":{expected}}}"#));
        let read: Fault = serde_json::from_str(&serde_json::to_string(&fault).expect("JSON")).expect("read");
        assert_eq!(read.of("x@y").kind, kind);
    }
}
