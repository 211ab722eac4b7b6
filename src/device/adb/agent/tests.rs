use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::adb::AdbDevice;
use crate::adb::scripted::{Reply, Scripted, sections};
use crate::{Device, Equipment, Gesture, Patience};
use droidmux_gui::Point;
use droidmux_record::DumpChoice;

const STOCK: &str = "<?xml version='1.0'?><hierarchy rotation=\"0\"><node class=\"a.Stock\" bounds=\"[0,0][9,9]\"/></hierarchy>";

/// A device on which an agent answers already: first `pong`, then what each connection is given here,
/// the last one again and again. `uiautomator` works.
async fn device(answers: Vec<Vec<u8>>) -> (Scripted, AdbDevice, tempfile::TempDir) {
    device_with(move |n| Reply::raw(answers.get(n).or(answers.last()).cloned().unwrap_or_default())).await
}

/// The same, with a rule for the n-th connection after the first.
async fn device_with(
    rule: impl Fn(usize) -> Reply + Send + Sync + 'static,
) -> (Scripted, AdbDevice, tempfile::TempDir) {
    let count = AtomicUsize::new(0);
    let scripted = Scripted::start(move |request| match request.strip_prefix("shell,v2,TERM=xterm,raw:") {
        Some(line) => Reply::shell(&shell(line), "", 0),
        None if request == "host-serial:d1:features" => Reply::block("shell_v2,cmd"),
        None if request == "tcp:9008" => match count.fetch_add(1, Ordering::Relaxed) {
            0 => Reply::raw(answered(b"pong")),
            n => rule(n - 1),
        },
        None => Reply::okay(),
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    let jar = folder.path().join("u2.jar");
    std::fs::write(&jar, b"PK\x03\x04").expect("a jar");
    let device = scripted.device();
    let wanted = Equipment { agent: Some(jar.clone()), dumps: DumpChoice::Agent, pictures: false };
    let said = device.equip(&wanted, &Patience::default()).await.expect("equipped");
    assert_eq!(said.said, ["dumps: by the agent"]);
    // There is none, in case one has to be started after all.
    std::fs::remove_file(&jar).expect("removed");
    (scripted, device, folder)
}

fn shell(line: &str) -> String {
    sections(line, |command| match command {
        c if c.starts_with("getprop ro.build.version.sdk") => "30\n".into(),
        "wm size" => "Physical size: 1080x1920\n".into(),
        c if c.starts_with("date") => "09-10 10:00:00.000\n".into(),
        c if c.starts_with("cat ") => STOCK.into(),
        _ => "x\n".into(),
    })
}

fn answered(body: &[u8]) -> Vec<u8> {
    let head = format!("OKAYHTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// The answer to a wait, dumps, and what a toast said.
fn dumps(results: &[serde_json::Value]) -> Vec<u8> {
    let none = [const { serde_json::Value::Null }; 2];
    let replies = none.iter().take(1).chain(results).chain(&none).enumerate();
    let replies: Vec<_> =
        replies.map(|(id, result)| serde_json::json!({"id": id, "result": result})).collect();
    answered(serde_json::Value::Array(replies).to_string().as_bytes())
}

/// These results, in the order of the calls.
fn listed(results: &[serde_json::Value]) -> Vec<u8> {
    let replies =
        results.iter().enumerate().map(|(id, result)| serde_json::json!({"id": id, "result": result}));
    answered(serde_json::Value::Array(replies.collect()).to_string().as_bytes())
}

#[tokio::test]
async fn whatever_it_answers_the_screen_is_dumped() {
    let xml = STOCK.replace("Stock", "Agent");
    let good = || dumps(&[xml.clone().into(), xml.clone().into()]);
    let cut = good()[..200].to_vec();
    let http = |text: &str| format!("OKAY{text}").into_bytes();
    let long_head = http(&format!("HTTP/1.1 200 OK\r\n{}", "x: y\r\n".repeat(5_000)));
    let refused = r#"[{"id":0},{"id":1,"error":{"code":-32001,"message":"android.os.DeadObjectException"}},{"id":2},{"id":3},{"id":4}]"#;
    let endless = [http("HTTP/1.1 200 OK\r\n\r\n"), vec![b'x'; (96 << 20) + 1]].concat();
    let coloured = r#"[{"id":0},{"id":1,"error":{"code":9,"message":"\u001b[31mred\u009b\u202e"}},{"id":2},{"id":3},{"id":4}]"#;
    let cases: [(&str, Vec<Vec<u8>>, &str, &str); 14] = [
        ("well", vec![good()], "a.Agent", ""),
        ("cut, then well", vec![cut.clone(), good()], "a.Stock", "failed"),
        ("cut", vec![cut], "a.Stock", "the stream ended too early"),
        ("refused", vec![b"FAIL0006closed".to_vec()], "a.Stock", "nothing listens on the device's port 9008"),
        ("no HTTP", vec![http("SSH-2.0\r\n\r\n")], "a.Stock", "no HTTP answer"),
        ("an endless head", vec![long_head], "a.Stock", "more than 16384 bytes"),
        (
            "an endless body",
            vec![http("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")],
            "a.Stock",
            "an answer of",
        ),
        (
            "a status",
            vec![http("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n")],
            "a.Stock",
            "HTTP status 500",
        ),
        ("no JSON", vec![answered(b"{\"a\":")], "a.Stock", "not what was asked for"),
        ("others' answers", vec![dumps(&[])], "a.Stock", "left a question unanswered"),
        ("a body that does not say its end", vec![endless], "a.Stock", "more than 100663296 bytes"),
        ("escape sequences", vec![answered(coloured.as_bytes())], "a.Stock", "␛[31mred"),
        ("a head of escapes", vec![http("\u{1b}]0;x\u{7}\r\n\r\n")], "a.Stock", "␛]0;x␇"),
        ("an exception", vec![answered(refused.as_bytes())], "a.Stock", "DeadObjectException"),
    ];
    for (name, answers, class, said) in cases {
        let (_scripted, device, _folder) = device(answers).await;
        let settled = device.layout(4, &Patience::default()).await.expect(name);
        assert!(settled.settling.is_settled(), "{name}");
        assert_eq!(settled.layout.widgets().next().map(|w| w.class()), Some(class), "{name}");
        let remarks = device.remarks().join("\n");
        assert!(remarks.contains(said), "{name}: {remarks}");
        assert!(!remarks.replace('\n', "").contains(char::is_control), "{name}: {remarks:?}");
        assert_eq!(remarks.contains("u2.jar: No such file"), !said.is_empty(), "{name}: {remarks}");
    }
}

#[tokio::test]
async fn an_agent_that_never_answers_gives_way_at_once() {
    let silences: [fn() -> Reply; 3] = [
        Reply::okay,
        || Reply::raw("OKAYHTTP/1.1 200 OK\r\nContent-Le"),
        || Reply::raw("OKAYHTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n[{"),
    ];
    for silence in silences {
        let (_scripted, device, _folder) = device_with(move |_| silence().then_silence()).await;
        let limit = Duration::from_millis(50);
        device.resident().await.answer_within(limit);
        let settled = device.layout(4, &Patience::default()).await.expect("by uiautomator");
        assert_eq!(settled.layout.widgets().next().map(|w| w.class()), Some("a.Stock"));
        let remarks = device.remarks().join("\n");
        for part in ["no answer within 50ms", "another program's, which is left running"] {
            assert!(remarks.contains(part), "{remarks}");
        }
    }
}

/// A finger that goes down and is then refused: the tap is made by the device's own tool.
#[tokio::test]
async fn half_a_tap_is_made_whole() {
    let cases: [(&[serde_json::Value], bool); 3] = [
        (&[true.into(), true.into(), true.into()], false),
        (&[true.into(), false.into(), true.into()], true),
        (&[false.into(), false.into(), false.into()], true),
    ];
    for (answers, by_tool) in cases {
        let answers = answers.to_vec();
        let (scripted, device, _folder) = device(vec![listed(&answers)]).await;
        let tap = Gesture::Tap(Point { x: 7, y: 9 });
        device.perform(&tap, &Patience::default()).await.expect("tapped");
        let taps = scripted.requests().iter().filter(|line| line.contains("input tap 7 9")).count();
        assert_eq!(taps, usize::from(by_tool), "{answers:?}");
    }
}

/// An agent that is gone in the middle of a tap: whether the screen that is dumped next is another one, and whether the
/// tap is made again.
#[tokio::test]
async fn a_tap_that_may_have_been_made_is_not_made_twice() {
    for (changed, again) in [(false, true), (true, false)] {
        let before = || dumps(&[STOCK.into(), STOCK.into()]);
        let now = if changed { STOCK.replace("Stock", "Next") } else { STOCK.into() };
        let broken = b"OKAY".to_vec();
        let answers = vec![before(), broken, answered(b"pong"), dumps(&[now.clone().into(), now.into()])];
        let (scripted, device, _folder) = device(answers).await;
        device.layout(4, &Patience::default()).await.expect("a screen");
        let tap = Gesture::Tap(Point { x: 7, y: 9 });
        device.perform(&tap, &Patience::default()).await.expect("tapped");
        let taps = scripted.requests().iter().filter(|line| line.contains("input tap 7 9")).count();
        assert_eq!(taps, usize::from(again), "changed: {changed}");
        let remarks = device.remarks().join("\n");
        assert!(remarks.contains("the agent was started again"), "{remarks}");
    }
}

/// A tap, and what the wait after it is answered with: at once here, which is too soon to know that nothing moves.
#[tokio::test]
async fn an_agent_that_does_not_wait_is_not_believed() {
    for (moved, believed) in [(true, true), (false, false)] {
        let (_scripted, device, _folder) =
            device(vec![listed(&[true.into(), true.into(), moved.into()])]).await;
        let tap = Gesture::Tap(Point { x: 7, y: 9 });
        device.perform(&tap, &Patience::default()).await.expect("tapped");
        assert_eq!(device.resident().await.tells_movement(), believed);
        let remarks = device.remarks().join("\n");
        assert_eq!(remarks.contains("nothing moves before it can know"), !believed, "{remarks}");
    }
}

#[tokio::test]
async fn an_agent_that_is_slow_again_and_again_gives_way() {
    let (_scripted, device, _folder) = device(vec![dumps(&[STOCK.into(), STOCK.into()])]).await;
    // Seconds that dumps took, and whether the agent is still wanted then.
    let cases = [(6, true), (6, true), (1, true), (6, true), (6, true), (6, false)];
    for (number, (seconds, wanted)) in cases.into_iter().enumerate() {
        let mut resident = device.resident().await;
        resident.note_pace(&device, Duration::from_secs(seconds)).await.expect("noted");
        assert_eq!(resident.is_wanted(), wanted, "case {number}");
    }
    let remarks = device.remarks().join("\n");
    assert!(remarks.contains("3 answers in a row took longer than 5s"), "{remarks}");
}

#[tokio::test]
async fn dumps_that_fail_are_made_again() {
    let xml: serde_json::Value = STOCK.replace("Stock", "Agent").into();
    let cases: [(serde_json::Value, &str); 4] = [
        (serde_json::Value::Null, "the active window shows nothing"),
        ("<hierarchy rotation=\"0\" />".into(), "the active window shows nothing"),
        (7.into(), "its dump is no text"),
        ("<hierarchy><node".into(), "the dump cannot be read"),
    ];
    for (bad, said) in cases {
        let both = dumps(&[bad.clone(), bad.clone()]);
        let one = dumps(std::slice::from_ref(&xml));
        let (_scripted, device, _folder) = device(vec![both, one]).await;
        let settled = device.layout(4, &Patience::default()).await.expect("the next ones are good");
        assert!(settled.settling.is_settled(), "{said}");
        let (_scripted, device, _folder) = self::device(vec![dumps(&[bad.clone(), bad])]).await;
        let error = device.layout(2, &Patience::default()).await.expect_err("never a dump").kind;
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[tokio::test]
async fn a_lost_device_is_no_failure_of_the_agent() {
    let scripted = Scripted::start(|request| match request {
        "host-serial:d1:features" => Reply::block("shell_v2"),
        _ => Reply::fail("device 'd1' not found"),
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    let jar: PathBuf = folder.path().join("u2.jar");
    std::fs::write(&jar, b"PK\x03\x04").expect("a jar");
    let wanted = Equipment { agent: Some(jar), dumps: DumpChoice::Agent, pictures: false };
    let error = scripted.device().equip(&wanted, &Patience::default()).await.expect_err("no device");
    assert!(error.kind.is_gone(), "{error}");
}
