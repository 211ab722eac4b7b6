//! The framework lab against a host of a few lines, without a JVM.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::hello::Hello;
use super::{Confinement, FrameworkOptions, Host, MutantSwitches, read_faults, scene};
use crate::{DefectSwitches, LinkState, Phone, PhoneOptions, SimError, SimLab, SimOptions};
use droidmux_gui::Point;
use droidmux_testutils::write_shell_script;

/// Answers like a host whose app has a button at the top that crashes it, and one that says hello.
const HOST: &str = r#"echo '{"droidmux-framework":1,"package":"com.example.app","activity":"com.example.app.Main","label":"App","version":"1","version-code":3,"min":21,"target":34,"activities":["com.example.app.Main"],"permissions":["android.permission.INTERNET","android.permission.CAMERA"],"asked":["android.permission.CAMERA"],"api":34}'
text=''
heads=false
home=true
shade=false
memory=300000000
while read -r line; do
  id=${line#*'"id":'}; id=${id%%[,\}]*}
  more=
  case $line in
    *'"do":"start"'*) home=false ;;
    *'"do":"tap"'*'"y":100'*|*'"y":100'*'"do":"tap"'*) more=',"crash":"FATAL EXCEPTION: main\nProcess: com.example.app, PID: 1\njava.lang.Error: no"'; home=true ;;
    *'"do":"tap"'*'"y":300'*|*'"y":300'*'"do":"tap"'*) more=',"of":"lab","crash":"FATAL EXCEPTION: main\nProcess: com.example.app, PID: 1\njava.lang.Error: ours\n\tat a.B.c(B.java:1)"'; home=true ;;
    *'"do":"tap"'*'"y":500'*|*'"y":500'*'"do":"tap"'*) heads=true ;;
    *'"do":"floating"'*) more=',"windows":["<hierarchy rotation=\"0\"><node index=\"0\" text=\"urgent\" class=\"android.widget.TextView\" package=\"com.android.systemui\" enabled=\"true\" bounds=\"[0,72][1080,300]\" /></hierarchy>","no window"]' ;;
    *'"do":"tap"'*) text=hello; [ $shade = false ] || { shade=false; home=false; } ;;
    *'"open":true'*) shade=true; text=news ;;
    *'"open":false'*) shade=false ;;
    *'"do":"notifications"'*) more=',"lines":["    NotificationRecord(news)"]' ;;
    *'"do":"am"'*) home=false; more=',"output":"Starting: it\n","errors":"","code":0' ;;
    *'"do":"swipe"'*) sleep 3 ;;
    *'"do":"quit"'*|*'"do":"commit"'*) exit ;;
    *'"do":"focus"'*) more=',"package":"com.example.app","activity":"com.example.app.Main","home":'$home',"shade":'$shade',"heads-up":'$heads',"outside":false,"keyboard":false,"editor":true' ;;
    *'"do":"log"'*) more=',"next":2,"lines":["03-05 10:00:00.100  4037  4037 I App     : a: b","03-05 10:00:00.100   512   512 I System  : x"]' ;;
    *'"do":"dump"'*) more=',"xml":"<hierarchy rotation=\"0\"><node index=\"0\" text=\"'$text'\" class=\"android.widget.TextView\" package=\"com.example.app\" enabled=\"true\" bounds=\"[0,0][1080,1920]\" /></hierarchy>"' ;;
    *'"do":"files"'*) more=',"files":[{"path":"Download","folder":true,"size":0,"modified":0},{"path":"Download/made.txt","folder":false,"size":3,"modified":7},{"path":"../x","folder":false,"size":3,"modified":7}]' ;;
    *'"do":"read-file"'*) more=',"bytes":"YWJj"' ;;
    *'"times"'*) printf '%s\n' "$line" >> "$0.said" ;;
    *'"do":"idle"'*) text=waited; printf '%s\n' "$line" >> "$0.said" ;;
    *'"do":"write-file"'*) printf '%s\n' "$line" >> "$0.said" ;;
    *'"do":"content"'*) more=',"lines":["Row: 0 _id=5"]' ;;
    *'"do":"mutants"'*'"on"'*|*'"on"'*'"do":"mutants"'*) printf '%s\n' "$line" >> "$0.said" ;;
    *'"do":"mutants"'*) more=',"reached":{"3":5,"4":2,"9":1},"differed":{"3":2.0,"4":1}' ;;
    *'"do":"clear"'*) more=',"memory":'$memory; memory=$((memory + 200000000)) ;;
    *'"do":"hello"'*) more=',"activity":"com.example.app.Main"' ;;
  esac
  printf '%s\n' "{\"id\":$id,\"ok\":true$more}"
done
"#;

struct Fake {
    _folder: tempfile::TempDir,
    options: FrameworkOptions,
}

/// These scripts start no Java, so nobody is asked to confine it.
fn nobody() -> Confinement {
    Confinement::by("/bin/false".into(), false)
}

fn fake(script: &str) -> Fake {
    let folder = tempfile::tempdir().expect("a folder");
    let program: PathBuf = folder.path().join("run");
    write_shell_script(&program, script);
    let options = FrameworkOptions {
        program,
        app: folder.path().to_owned(),
        in_use: None,
        confinement: nobody(),
        faults: folder.path().join("faults.jsonl"),
        mutants: BTreeMap::new(),
    };
    Fake { _folder: folder, options }
}

fn started(options: &FrameworkOptions) -> (std::sync::Arc<Host>, Phone) {
    let (host, app, sdk) =
        Host::start(options.clone(), (1080, 1920), 480, CancellationToken::new()).expect("a host");
    let options = PhoneOptions { sdk, ..PhoneOptions::default() };
    (host, Phone::new(options, &[app], &DefectSwitches::none()))
}

#[test]
fn a_phone_shows_what_the_host_shows() {
    let fake = fake(HOST);
    let (_host, mut phone) = started(&fake.options);
    let package = phone.package("com.example.app").expect("installed");
    assert_eq!(
        (package.version_code, package.target_sdk, package.permissions, package.install_permissions),
        (
            3,
            34,
            vec![("android.permission.CAMERA".to_owned(), false)],
            vec!["android.permission.INTERNET".to_owned()]
        )
    );
    phone.launch("com.example.app/.Main").expect("it is there");
    assert_eq!(phone.focus().window, "com.example.app/com.example.app.Main");
    // The status bar's and the navigation bar's places are the app's as well.
    phone.tap(Point { x: 500, y: 1900 });
    let dump = phone.dump().expect("a dump");
    assert!(dump.contains("text=\"hello\"") && dump.contains("drawing-order=\"0\""), "{dump}");
    let logged: Vec<String> =
        phone.logcat(&crate::phone::Buffer::ALL).iter().map(|line| line.message.clone()).collect();
    assert!(logged.contains(&"a: b".to_owned()), "{logged:?}");
}

/// A clock of its own has no need of the computer's time.
#[tokio::test]
async fn what_the_shell_waits_passes_for_the_app_at_once() {
    let fake = fake(HOST);
    let options = SimOptions { framework: Some(fake.options.clone()), devices: 1, ..SimOptions::default() };
    let lab = SimLab::start(options).await.expect("a lab");
    let device = lab.device("sim-1").expect("a device");
    device.with_phone(|phone| phone.launch("com.example.app/.Main")).expect("it is there");
    let began = std::time::Instant::now();
    assert_eq!(crate::tests::shell(device, "sleep 70; echo done", "").await.out, "done\n");
    assert!(began.elapsed() < Duration::from_secs(60));
    let said = fs::read_to_string(fake.options.program.with_extension("said")).expect("what was said");
    let waits = said.lines().map(|line| serde_json::from_str(line).expect("a request"));
    let waits: Vec<Option<u64>> = waits.map(|wait: serde_json::Value| wait["ms"].as_u64()).collect();
    assert_eq!(waits, [Some(60_000), Some(10_000)]);
    assert!(device.with_phone(|phone| phone.dump()).expect("a dump").contains("text=\"waited\""));
}

#[test]
fn keys_that_are_pressed_again_and_again_are_one_request() {
    let fake = fake(HOST);
    let (_host, mut phone) = started(&fake.options);
    phone.launch("com.example.app/.Main").expect("it is there");
    for (name, times) in [("DEL", 1), ("DEL", 3), ("BACK", 2), ("67", 1_200), ("MOVE_END", 2)] {
        phone.keys(name, times).expect(name);
    }
    phone.keys("NONSENSE", 2).expect_err("no such key");
    let said = std::fs::read_to_string(fake.options.program.with_extension("said")).expect("what was said");
    let members = |line: &str| {
        let request: serde_json::Value = serde_json::from_str(line).expect("a request");
        (request["code"].as_u64(), request["times"].as_u64())
    };
    let said: Vec<_> = said.lines().map(members).collect();
    let expected = [(67, 3), (67, 1_000), (67, 200), (123, 2)];
    assert_eq!(said, expected.map(|(code, times)| (Some(code), Some(times))));
}

#[test]
fn only_mutants_that_are_on_are_set_off_and_another_host_is_told_of_them() {
    let mut fake = fake(HOST);
    fake.options.mutants = [("app.one".to_owned(), 3), ("app.two".to_owned(), 4)].into();
    let (host, phone) = started(&fake.options);
    let switches = MutantSwitches::of(Arc::clone(&host));
    assert_eq!(phone.set_off("com.example.app"), BTreeMap::new());
    let counts = switches.counts();
    assert_eq!(counts.reached, [("app.one".to_owned(), 5), ("app.two".to_owned(), 2)].into());
    assert_eq!(counts.differed, [("app.one".to_owned(), 2), ("app.two".to_owned(), 1)].into());

    switches.choose(&BTreeSet::from(["app.one".to_owned()])).expect("chosen");
    switches.choose(&BTreeSet::from(["app.two".to_owned()])).expect("chosen");
    assert_eq!(phone.set_off("com.example.app"), [("app.two".to_owned(), 1)].into());
    let unknown = switches.choose(&BTreeSet::from(["app.three".to_owned()]));
    assert!(unknown.is_err_and(|error| error.to_string().contains("no mutant \"app.three\"")));

    host.restart().expect("it starts again");
    let said = fs::read_to_string(fake.options.program.with_extension("said")).expect("said");
    let on: Vec<serde_json::Value> = said
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["on"].clone())
        .collect();
    assert_eq!(on, [json!([3]), json!([4]), json!([4])], "the second choice alone is made again");
}

#[test]
fn a_crash_is_told_in_the_words_of_the_host() {
    let fake = fake(HOST);
    let (_host, mut phone) = started(&fake.options);
    phone.launch("com.example.app/.Main").expect("it is there");
    phone.tap(Point { x: 500, y: 100 });
    assert_eq!(phone.pid_of("com.example.app"), None);
    assert_eq!(phone.focus().package, "com.android.launcher3");
    let crash = phone.logcat(&[crate::phone::Buffer::Crash]);
    let words: Vec<&str> = crash.iter().map(|line| line.message.as_str()).collect();
    assert_eq!((words.len(), words.last()), (3, Some(&"java.lang.Error: no")), "{words:?}");
    assert_eq!(read_faults(&fake.options.faults).expect("no list"), []);
}

#[test]
fn a_fault_of_the_lab_is_told_in_the_log_and_listed() {
    let fake = fake(HOST);
    let (_host, mut phone) = started(&fake.options);
    phone.launch("com.example.app/.Main").expect("it is there");
    phone.tap(Point { x: 500, y: 300 });
    let crash = phone.logcat(&[crate::phone::Buffer::Crash]);
    let words: Vec<&str> = crash.iter().map(|line| line.message.trim()).collect();
    let told =
        ["java.lang.Error: ours", "The fault is the framework lab's, not the app's.", "at a.B.c(B.java:1)"];
    assert_eq!(words[2..], told, "{words:?}");
    let faults = read_faults(&fake.options.faults).expect("a list");
    let listed: Vec<_> = faults.iter().map(|fault| (&*fault.kind, &*fault.app)).collect();
    assert_eq!(listed, [("crash", "com.example.app 1")]);
}

#[test]
fn a_notification_over_the_app_is_a_window_of_the_systems() {
    let fake = fake(HOST);
    let (_host, mut phone) = started(&fake.options);
    phone.launch("com.example.app/.Main").expect("it is there");
    assert!(!phone.dump_by_agent(50, false).contains("urgent"));
    phone.tap(Point { x: 500, y: 500 });
    let all = phone.dump_by_agent(50, false);
    assert!(all.contains("text=\"urgent\"") && all.contains("com.example.app"), "{all}");
    for active in [phone.dump_by_agent(50, true), phone.dump().expect("a dump")] {
        assert!(!active.contains("urgent"), "the active window alone: {active}");
    }
}

#[test]
fn the_shade_is_the_hosts_and_leads_to_the_app() {
    let fake = fake(HOST);
    let (_host, mut phone) = started(&fake.options);
    phone.open_notifications();
    assert_eq!(phone.focus().window, "NotificationShade");
    assert!(phone.dump().expect("a dump").contains("text=\"news\""));
    assert_eq!(phone.notifications(), ["    NotificationRecord(news)"]);
    phone.close_shade();
    assert_eq!(phone.focus().package, "com.android.launcher3");
    phone.open_notifications();
    phone.tap(Point { x: 500, y: 400 });
    assert_eq!(phone.focus().window, "com.example.app/com.example.app.Main", "its intent was sent");
    assert!(phone.pid_of("com.example.app").is_some());
}

#[test]
fn an_intent_of_the_shell_brings_the_app_to_the_front() {
    let fake = fake(HOST);
    let (_host, mut phone) = started(&fake.options);
    let words = ["start", "-a", "android.intent.action.VIEW", "-d", "x:y"].map(str::to_owned);
    assert_eq!(phone.activity_command(Some("org.other"), &words), None);
    let answered = phone.activity_command(None, &words).expect("it reads intents");
    assert_eq!((answered.output.as_str(), answered.code), ("Starting: it\n", 0));
    assert_eq!(phone.focus().package, "com.example.app");
}

#[tokio::test]
async fn a_host_that_ends_is_started_again() {
    let fake = fake(HOST);
    let (host, mut phone) = started(&fake.options);
    phone.launch("com.example.app/.Main").expect("it is there");
    phone.commit_text("\u{e9}");
    host.ended().await;
    assert!(phone.dump().is_err(), "nothing is drawn any more");
    host.restart().expect("it starts again");
    phone.boot();
    phone.booted();
    phone.launch("com.example.app/.Main").expect("it is there");
    assert!(phone.dump().expect("a dump").contains("text=\"\""), "a fresh one");
    host.stop();
    host.ended().await;
}

/// It has 300, 500 and 700 MB at the first, second and third time, and is another one from then on.
#[tokio::test]
async fn a_host_that_has_grown_too_large_is_replaced_when_data_is_cleared() {
    let fake = fake(HOST);
    let said = || fs::read_to_string(fake.options.program.with_file_name("run.said")).unwrap_or_default();
    let (host, mut phone) = started(&fake.options);
    host.give("write-file", json!({ "path": "Download/a.txt", "bytes": "aGVsbG8=" }));
    for replaced in [false, false, true, false, false, true] {
        assert_eq!(host.clear(), replaced);
    }
    assert_eq!(said().matches("aGVsbG8=").count(), 3, "each host is given it: {}", said());
    phone.launch("com.example.app/.Main").expect("it is there");
    assert!(phone.dump().is_ok());
    let news = tokio::time::timeout(Duration::from_millis(100), host.ended()).await;
    assert!(news.is_err(), "nobody took it for a device that went away");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_goes_away_with_its_host_and_comes_back() {
    let fake = fake(HOST);
    let options = SimOptions { framework: Some(fake.options.clone()), devices: 2, ..SimOptions::default() };
    let lab = SimLab::start(options).await.expect("a lab");
    let device = lab.device("sim-2").expect("a device");
    assert_eq!(device.with_phone(|phone| phone.options().sdk), 34, "the host's");
    let mut changes = device.changes();
    let before = *changes.borrow();
    device.with_phone(|phone| {
        phone.launch("com.example.app/.Main").expect("it is there");
        phone.commit_text("\u{e9}");
    });
    // Away and back are two changes, of which the first may be over before anybody looks.
    let back = changes.wait_for(|version| *version >= before + 2 && device.state() == LinkState::Device);
    tokio::time::timeout(Duration::from_secs(60), back).await.expect("in time").expect("the lab lives");
    assert_eq!(lab.device("sim-1").map(|other| other.state()), Some(LinkState::Device));
    device.with_phone(|phone| phone.launch("com.example.app/.Main").expect("it is there"));
    assert!(device.with_phone(|phone| phone.dump()).is_ok());
}

/// What the app made is among the files, what is pushed goes to the host, and to the next one as well.
#[tokio::test(flavor = "multi_thread")]
async fn the_shared_storage_is_the_hosts() {
    let fake = fake(HOST);
    let said = || fs::read_to_string(fake.options.program.with_file_name("run.said")).unwrap_or_default();
    let options = SimOptions { framework: Some(fake.options.clone()), devices: 1, ..SimOptions::default() };
    let lab = SimLab::start(options).await.expect("a lab");
    let device = Arc::clone(lab.device("sim-1").expect("a device"));
    device.fetch("/data/local/tmp");
    assert_eq!(device.file("/sdcard/Download/made.txt"), None, "nobody has asked for the storage");
    device.fetch("ls /sdcard/Download");
    assert_eq!(device.file("/sdcard/Download/made.txt").as_deref(), Some(&b"abc"[..]));
    let new = Bytes::from_static(b"hello");
    device.files().write("/sdcard/Download/new.txt", new, 0o644, true).expect("there is room");
    assert!(said().contains("aGVsbG8=") && said().contains("Download/new.txt"), "{}", said());
    assert!(!said().contains("made.txt"), "the host has it: {}", said());
    device.fetch("/storage/emulated/0");
    assert_eq!(device.file("/sdcard/Download/new.txt"), None, "the app has taken it away");
    let mut back = device.changes();
    let before = *back.borrow();
    device.with_phone(|phone| {
        phone.launch("com.example.app/.Main").expect("it is there");
        phone.commit_text("\u{e9}");
    });
    let again = back.wait_for(|version| *version >= before + 2 && device.state() == LinkState::Device);
    tokio::time::timeout(Duration::from_secs(60), again).await.expect("in time").expect("the lab lives");
    assert_eq!(said().matches("aGVsbG8=").count(), 2, "{}", said());
    let storage = device.storage.as_ref().expect("a host");
    let rows = storage.content(json!({ "verb": "query", "uri": "content://com.android.contacts/contacts" }));
    assert_eq!(rows, Ok(vec!["Row: 0 _id=5".to_owned()]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_host_that_takes_long_makes_no_other_device_wait() {
    let fake = fake(HOST);
    let options = SimOptions { framework: Some(fake.options.clone()), devices: 2, ..SimOptions::default() };
    let lab = SimLab::start(options).await.expect("a lab");
    let device = |serial: &str| Arc::clone(lab.device(serial).expect("a device"));
    let (first, again, other) = (device("sim-1"), device("sim-1"), device("sim-2"));
    first.with_phone(|phone| phone.launch("com.example.app/.Main").expect("it is there"));
    let (from, to) = (Point { x: 500, y: 900 }, Point { x: 500, y: 500 });
    let slow = tokio::spawn(async move { first.with_phone(|phone| phone.swipe(from, to, 300)) });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let waiting = tokio::spawn(async move { again.with_phone(|phone| phone.dump().is_ok()) });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let meanwhile = tokio::spawn(async move { other.with_phone(|phone| phone.options().sdk) });
    assert_eq!(meanwhile.await.expect("a task"), 34);
    assert!(!slow.is_finished() && !waiting.is_finished(), "the other device did not wait for this one");
    slow.await.expect("a task");
    assert!(waiting.await.expect("a task"));
}

#[test]
fn what_cannot_be_started_is_told_in_a_sentence() {
    let complaint =
        |script: &str| match Host::start(fake(script).options, (1080, 1920), 480, CancellationToken::new()) {
            Err(SimError::Framework(words)) => words,
            _ => "it started".to_owned(),
        };
    assert_eq!(
        complaint("echo '{\"droidmux-framework\":1,\"error\":\"x: no such app\"}'\n"),
        "x: no such app"
    );
    assert_eq!(
        complaint("echo '{\"droidmux-framework\":9}'\n"),
        "the host speaks another protocol than version 1"
    );
    assert!(complaint("echo nonsense\n").contains("ended without an answer"));
    let nowhere = FrameworkOptions { program: "/nowhere/run".into(), ..fake(HOST).options };
    let told = Host::start(nowhere, (1080, 1920), 480, CancellationToken::new())
        .map(|_| ())
        .map_err(|error| error.to_string());
    assert!(told.is_err_and(|words| words.contains("/nowhere/run: cannot be started")));
}

#[test]
fn what_is_no_dump_is_no_window() {
    for xml in ["", "<hierarchy/>", "<node", "<hierarchy><node bounds=\"x\"/></hierarchy>", "</node>"] {
        assert!(scene::read(xml).is_none(), "{xml}");
    }
    let line = json!({ "droidmux-framework": 1, "package": 3 });
    assert!(Hello::read(&line).is_err());
}
