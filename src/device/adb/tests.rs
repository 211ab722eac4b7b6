//! The client against a scripted server: everything a server or a device may do wrong.

use std::time::Duration;

use super::scripted::{Reply, Scripted, packet, sections};
use super::{AdbDevice, Server};
use crate::{Beginning, Device, DeviceError, DeviceErrorKind, Gesture, Manner, Patience};
use droidmux_gui::Point;

fn patience() -> Patience {
    Patience::of(Duration::from_secs(20))
}

fn kind<T: std::fmt::Debug>(result: Result<T, DeviceError>) -> DeviceErrorKind {
    result.expect_err("an error").kind
}

#[tokio::test]
async fn commands_give_both_outputs_and_the_exit_code() {
    let scripted = Scripted::with_device(|_| Reply::shell("out\n", "err\n", 42)).await;
    let output = scripted.device().shell("fail", &patience()).await.expect("an answer");
    assert_eq!(
        (output.stdout.as_slice(), output.stderr.as_slice(), output.exit),
        (&b"out\n"[..], &b"err\n"[..], 42)
    );
    assert_eq!(
        scripted.requests(),
        ["host-serial:d1:features", "host:transport:d1", "shell,v2,TERM=xterm,raw:fail"]
    );
}

#[tokio::test]
async fn broken_streams_have_names() {
    let answer = |text: &str| DeviceErrorKind::Answer(text.to_owned());
    let cases: Vec<(&str, fn() -> Reply, DeviceErrorKind)> = vec![
        (
            "no exit packet",
            || Reply::raw([&b"OKAY"[..], &packet(1, b"half")].concat()),
            DeviceErrorKind::Lost("the stream ended too early".into()),
        ),
        (
            "inside a packet",
            || Reply::raw([&b"OKAY"[..], &packet(1, b"half")[..7]].concat()),
            DeviceErrorKind::Lost("the stream ended too early".into()),
        ),
        ("before any answer", || Reply::raw(""), DeviceErrorKind::Lost("the stream ended too early".into())),
        ("closed", || Reply::fail("closed"), DeviceErrorKind::Lost("closed".into())),
        ("offline", || Reply::fail("device offline"), DeviceErrorKind::NotReady("offline".into())),
        (
            "another protocol",
            || Reply::raw("HTTP/1.1 400 Bad Request"),
            answer("`HTTP` instead of OKAY or FAIL; is this an ADB server?"),
        ),
        (
            "garbage for a length",
            || Reply::raw("FAIL\u{1}\u{2}xy"),
            answer("`\\x01\\x02xy` instead of a length"),
        ),
        (
            "an unknown packet",
            || Reply::raw([&b"OKAY"[..], &packet(9, b"?")].concat()),
            answer("a shell packet of kind 9"),
        ),
        (
            "a huge packet",
            || Reply::raw(b"OKAY\x01\xff\xff\xff\xff".to_vec()),
            answer("more than 67108864 bytes"),
        ),
    ];
    for (name, reply, expected) in cases {
        let scripted = Scripted::with_device(move |_| reply()).await;
        let error = scripted.device().shell("ls", &patience()).await.expect_err(name);
        assert_eq!(error.kind, expected, "{name}");
        assert_eq!((error.serial.as_str(), error.what.as_str()), ("d1", "ls"), "{name}");
    }
}

#[tokio::test]
async fn silence_ends_at_the_deadline() {
    let stages: [fn(&str) -> bool; 3] =
        [|r| r.starts_with("host-serial"), |r| r.starts_with("host:transport"), |r| r.starts_with("shell")];
    for stage in stages {
        let scripted = Scripted::start(move |request| match request {
            request if stage(request) => Reply::raw("OKA").then_silence(),
            "host-serial:d1:features" => Reply::block("shell_v2"),
            _ => Reply::okay(),
        })
        .await;
        let within = Duration::from_millis(50);
        let result = scripted.device().shell("ls", &Patience::of(within)).await;
        assert_eq!(kind(result), DeviceErrorKind::TimedOut(within));
    }
}

#[tokio::test]
async fn cancelling_ends_a_read_at_once() {
    let scripted =
        Scripted::with_device(|_| Reply::raw([&b"OKAY"[..], &packet(1, b"half")].concat()).then_silence())
            .await;
    let patience = Patience::of(Duration::from_secs(600));
    let cancel = patience.cancel.clone();
    let reading = tokio::spawn(async move { scripted.device().layout(10, &patience).await.map(drop) });
    tokio::time::sleep(Duration::from_millis(50)).await;
    cancel.cancel();
    assert_eq!(kind(reading.await.expect("no panic")), DeviceErrorKind::Cancelled);
}

#[tokio::test]
async fn a_missing_server_is_said_to_be_missing() {
    // Bound, so that nobody else gets it, and not listening.
    let silent = tokio::net::TcpSocket::new_v4().expect("a socket");
    silent.bind((std::net::Ipv4Addr::LOCALHOST, 0).into()).expect("a port");
    let address = silent.local_addr().expect("an address");
    let error = kind(Server::at(address).devices(&patience()).await);
    assert_eq!(error, DeviceErrorKind::NoServer(address.to_string()));
    assert!(error.is_gone());
    assert!(error.to_string().contains("adb start-server"), "{error}");
}

#[tokio::test]
async fn devices_come_and_go() {
    let list = |text: &str| format!("{:04x}{text}", text.len());
    let one = list("d1 device product:p model:M device:d transport_id:1\n");
    let stream = format!("OKAY{one}{}{}", list(""), list("d1 offline transport_id:2\n"));
    let cut = stream.get(..stream.len() - 5).expect("longer than that").to_owned();
    let scripted = Scripted::start(move |_| Reply::raw(cut.clone()).then_silence()).await;
    let mut tracker = scripted.server().track(&patience()).await.expect("a list");
    let first = tracker.next(&patience()).await.expect("one device");
    assert_eq!(first.first().map(|d| (d.model.as_str(), d.is_ready())), Some(("M", true)));
    assert_eq!(tracker.next(&patience()).await.expect("no device"), []);
    // A list that is not complete yet: waiting may be abandoned and resumed.
    for _ in 0..2 {
        let within = Duration::from_millis(20);
        assert_eq!(kind(tracker.next(&Patience::of(within)).await), DeviceErrorKind::TimedOut(within));
    }
    assert_eq!(scripted.requests(), ["host:track-devices-l"]);
}

#[tokio::test]
async fn a_server_that_goes_away_ends_the_list() {
    let scripted = Scripted::start(|request| match request {
        "host:track-devices-l" => Reply::fail("unknown host service"),
        _ => Reply::block("d1\tdevice\n"),
    })
    .await;
    let mut tracker = scripted.server().track(&patience()).await.expect("the short form");
    assert_eq!(tracker.next(&patience()).await.expect("a list").len(), 1);
    assert!(matches!(kind(tracker.next(&patience()).await), DeviceErrorKind::Lost(_)));
    assert_eq!(scripted.requests(), ["host:track-devices-l", "host:track-devices"]);
}

#[tokio::test]
async fn connecting_is_judged_by_the_text() {
    let cases = [
        ("connected to 10.0.0.7:5555", true),
        ("already connected to 10.0.0.7:5555", true),
        ("failed to connect to 10.0.0.7:5555", false),
        ("cannot connect to 10.0.0.7:5555: Connection refused", false),
    ];
    for (text, connected) in cases {
        let scripted = Scripted::start(move |_| Reply::block(text)).await;
        let result = scripted.server().connect("10.0.0.7:5555", &patience()).await;
        assert_eq!(result.is_ok(), connected, "{text}");
    }
}

#[tokio::test]
async fn old_devices_print_their_exit_code() {
    let old = |reply: &'static str| {
        Scripted::start(move |request| match request {
            "host-serial:d1:features" => Reply::block(""),
            "host:transport:d1" => Reply::okay(),
            _ => Reply::raw(reply),
        })
    };
    let scripted = old("OKAYhi\r\ndroidmux-exit:3\r\n").await;
    let output = scripted.device().shell("x", &patience()).await.expect("an answer");
    assert_eq!((output.text().as_ref(), output.exit), ("hi\n", 3));
    assert_eq!(scripted.requests().last().map(String::as_str), Some("shell:x; echo droidmux-exit:$?"));
    let cut = old("OKAYhi\r\n").await.device().shell("x", &patience()).await;
    assert_eq!(kind(cut), DeviceErrorKind::Lost("the shell ended without an exit code".into()));
}

#[tokio::test]
async fn files_are_moved_in_chunks() {
    let word = |id: &[u8; 4], n: u32| [&id[..], &n.to_le_bytes()].concat();
    let data = |n: usize| [word(b"DATA", u32::try_from(n).expect("small")), vec![7; n]].concat();
    let received = [b"OKAY".to_vec(), data(65_536), data(10), word(b"DONE", 0)].concat();
    let cases: [(&str, Vec<u8>, usize, Result<usize, DeviceErrorKind>); 4] = [
        ("whole", received.clone(), 1 << 20, Ok(65_546)),
        ("over the cap", received, 65_540, Err(DeviceErrorKind::Answer("more than 65540 bytes".into()))),
        (
            "missing",
            [b"OKAY".to_vec(), word(b"FAIL", 7), b"no file".to_vec()].concat(),
            9,
            Err(DeviceErrorKind::Answer("no file".into())),
        ),
        (
            "cut",
            [b"OKAY".to_vec(), word(b"DATA", 9)].concat(),
            99,
            Err(DeviceErrorKind::Lost("the stream ended too early".into())),
        ),
    ];
    for (name, reply, cap, expected) in cases {
        let scripted = Scripted::start(move |request| match request {
            "sync:" => Reply::raw(reply.clone()),
            _ => Reply::okay(),
        })
        .await;
        let pulled = scripted.device().pull("/x", cap, &patience()).await;
        assert_eq!(pulled.map(|bytes| bytes.len()).map_err(|e| e.kind), expected, "{name}");
    }
}

/// A device of API 30 on which `uiautomator` and `cat` do what the rule says.
fn phone(command: &str, rule: impl Fn(&str) -> String) -> Reply {
    let stdout = sections(command, |command| match command {
        c if c.starts_with("getprop ro.build.version.sdk") => "30\n".into(),
        c if c.starts_with("getprop") => "x\n".into(),
        "wm size" => "Physical size: 1080x1920\n".into(),
        c if c.starts_with("date") => "09-10 10:00:00.000\n".into(),
        c => rule(c),
    });
    Reply::shell(&stdout, "", 0)
}

fn screen(text: &str) -> String {
    format!(
        "<?xml version='1.0'?><hierarchy rotation=\"0\"><node text=\"{text}\" class=\"a.B\" package=\"com.a\" bounds=\"[0,0][9,9]\" /></hierarchy>"
    )
}

#[tokio::test]
async fn a_screen_is_observed_in_one_round_trip() {
    let scripted = Scripted::with_device(|command| {
        phone(command, |command| match command {
            c if c.starts_with("cat ") => screen("hello"),
            c if c.starts_with("dumpsys window") => "  mCurrentFocus=Window{1 u0 com.a/com.a.B}\n".into(),
            c if c.starts_with("dumpsys input_method") => " mInputShown=true\n".into(),
            c if c.starts_with("logcat") => "09-10 10:00:00.500  7  7 E AndroidRuntime: FATAL EXCEPTION: main\n09-10 10:00:00.500  7  7 E AndroidRuntime: Process: com.a, PID: 7\n09-10 10:00:00.500  7  7 E AndroidRuntime: x.Y\n".into(),
            _ => "UI hierchary dumped to: /x\n".into(),
        })
    })
    .await;
    let device = scripted.device();
    device.info(&patience()).await.expect("properties");
    let before = scripted.requests().len();
    let observed = device.observe(&Manner::Strict, 10, &patience()).await.expect("a screen");
    assert_eq!(scripted.requests().len() - before, 2, "one transport, one shell");
    assert!(observed.settled.settling.is_settled());
    assert_eq!(observed.foreground.activity, "com.a.B");
    assert!(observed.foreground.keyboard);
    assert_eq!(observed.signals.len(), 1);
    assert_eq!(
        device.observe(&Manner::Strict, 10, &patience()).await.expect("a screen").signals,
        [],
        "told once"
    );
}

#[tokio::test]
async fn dumps_that_fail() {
    let cases: [(&str, &str, &str, &str); 3] = [
        (
            "never idle",
            "ERROR: could not get idle state.\n",
            "",
            "uiautomator: ERROR: could not get idle state.",
        ),
        (
            "no file",
            "UI hierchary dumped to: /x\n",
            "",
            "uiautomator: it said it was done, but wrote no file",
        ),
        ("no XML", "UI hierchary dumped to: /x\n", "garbage", "the dump cannot be read: "),
    ];
    for (name, said, file, expected) in cases {
        let scripted = Scripted::with_device(move |command| {
            phone(command, |command| if command.starts_with("cat ") { file.into() } else { said.into() })
        })
        .await;
        let error = kind(scripted.device().layout(3, &patience()).await);
        assert!(
            matches!(&error, DeviceErrorKind::Answer(text) if text.starts_with(expected)),
            "{name}: {error}"
        );
        let dumps: usize = scripted.requests().iter().map(|r| r.matches("uiautomator dump").count()).sum();
        assert_eq!(dumps, 3, "{name}");
    }
}

#[tokio::test]
async fn a_screen_that_never_settles_is_said_to_be_unsettled() {
    let count = std::sync::atomic::AtomicU32::new(0);
    let scripted = Scripted::with_device(move |command| {
        phone(command, |command| match command {
            c if c.starts_with("cat ") => {
                screen(&count.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string())
            }
            _ => String::new(),
        })
    })
    .await;
    let settled = scripted.device().layout(5, &patience()).await.expect("a layout");
    assert!(!settled.settling.is_settled());
    assert_eq!(settled.layout.widgets().next().map(|w| w.text()), Some("4"), "the last one is taken");
}

#[tokio::test]
async fn nothing_is_typed_when_something_cannot_be() {
    let scripted = Scripted::with_device(|command| phone(command, |_| String::new())).await;
    let (device, at) = (scripted.device(), Point { x: 1, y: 2 });
    for _ in 0..2 {
        let error = kind(device.perform(&Gesture::Type(at, "secret €".into()), &patience()).await);
        assert_eq!(error, DeviceErrorKind::Untypable("€".into()));
    }
    let asked = scripted.requests();
    let asked: Vec<&String> = asked.iter().filter(|request| request.contains("shell")).collect();
    let about_keyboards = asked.iter().filter(|request| request.contains("ime list")).count();
    assert_eq!(about_keyboards, 1, "asked once for keyboards: {asked:?}");
    assert!(!asked.iter().any(|request| request.contains("secret")), "{asked:?}");
}

#[tokio::test]
async fn tools_that_fail_are_heard() {
    let refused =
        "java.lang.SecurityException: Injecting input events requires the caller to have INJECT_EVENTS";
    // What a tap prints on both outputs and its code; whether it is a refusal; the words about it.
    let cases: [(&'static str, String, u8, bool, &str); 8] = [
        ("", "inaccessible or not found".into(), 127, false, "`adb shell input keyevent 0`"),
        ("Error: Invalid arguments for command: tap\n", String::new(), 0, false, "Error: Invalid"),
        ("", "Killed\n".into(), 137, false, "input tap failed with exit code 137: Killed"),
        (
            "",
            format!("\nException occurred while executing 'tap':\n{refused}\n"),
            255,
            true,
            "input tap is refused",
        ),
        ("", refused.into(), 0, true, "USB debugging (Security settings)"),
        (refused, String::new(), 0, true, "INJECT_EVENTS"),
        ("INJECT_EVENTS: operation not allowed\n", String::new(), 1, true, "Xiaomi"),
        ("权限不足\n", String::new(), 0, true, "input tap is refused"),
    ];
    for (stdout, stderr, code, refusal, expected) in cases {
        let said = format!("{stdout}{stderr}");
        let scripted = Scripted::with_device(move |command| match command {
            c if c.starts_with("getprop") => Reply::shell("Xiaomi\nPOCO\n", "", 0),
            _ => Reply::shell(stdout, &stderr, code),
        })
        .await;
        let tap = Gesture::Tap(Point { x: 1, y: 2 });
        let error = kind(scripted.device().perform(&tap, &patience()).await);
        assert_eq!(matches!(error, DeviceErrorKind::Refused { .. }), refusal, "{said}: {error}");
        assert!(error.to_string().contains(expected), "{said}: {error}");
    }
}

#[tokio::test]
async fn names_never_reach_the_shell_unchecked() {
    let scripted = Scripted::with_device(|_| Reply::shell("", "", 0)).await;
    let device: AdbDevice = scripted.device();
    let name = "com.a; reboot";
    for error in [
        device.app(name, &patience()).await.map(drop),
        device.begin(name, Beginning::default(), &patience()).await.map(drop),
        device.start(name, &patience()).await,
    ] {
        assert_eq!(kind(error), DeviceErrorKind::NotInstalled(name.into()));
    }
    assert_eq!(scripted.requests(), [] as [&str; 0]);
}
