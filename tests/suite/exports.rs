//! Exported scripts: run by the tools they are for, against simulated labs with the defect on and off; and scripts with
//! every kind of step, and with texts that are syntax elsewhere, read by these tools' own parsers.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use droidmux::gui::{Bounds, DeviceSetting, Direction, Event, EventKind};
use droidmux::record::{FindingId, SessionId};
use droidmux::report::script::{Check, Language, Locator, Plan, PlanStep, script};
use droidmux::sim::{DefectSwitches, SimLab, SimOptions, apps};
use serde_json::Value;

use crate::adb_genuine::is_installed;
use crate::program::droidmux;
use crate::python_clients::python_with;
use crate::shrink::padded;
use crate::store::fixture::{layout, run as run_of};

/// A lab of one steady device, with these defects, that a script is run against.
async fn lab(defects: DefectSwitches) -> SimLab {
    let options = SimOptions { devices: 1, steady: true, defects, ..SimOptions::with_apps(apps::all()) };
    SimLab::start(options).await.unwrap()
}

/// Runs a script against a lab; returns its exit code and its output.
async fn run(mut command: Command, server: SocketAddr, home: &Path) -> (i32, String) {
    command
        .env("HOME", home)
        .env("TMPDIR", home)
        .env("ANDROID_ADB_SERVER_HOST", "127.0.0.1")
        .env("ANDROID_ADB_SERVER_PORT", server.port().to_string())
        .env("PYTHONWARNINGS", "ignore")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env_remove("ADB_SERVER_SOCKET")
        .env_remove("ANDROID_SERIAL")
        .stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), said)
}

/// Exports the finding and runs the script with the defect on and off.
async fn shows_and_shows_not(tool: &str, command: impl Fn(&Path, SocketAddr) -> Command) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, finding) = padded(folder).await;
    let file = folder.join("script");
    let (code, said) =
        droidmux(folder, &["export", &finding, "--to", tool, "--output", &file.to_string_lossy()]);
    assert_eq!(code, 0, "{said}");
    for (defects, expected, words) in
        [(DefectSwitches::all(), 1, "shows the bug"), (DefectSwitches::none(), 0, "does not show the bug")]
    {
        let lab = lab(defects).await;
        let (code, said) = run(command(&file, lab.server_addr()), lab.server_addr(), folder).await;
        assert_eq!(code, expected, "{said}\n{}", std::fs::read_to_string(&file).unwrap());
        assert!(said.contains(words), "{said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_adb_form_shows_the_bug_and_that_it_is_gone() {
    if !is_installed() {
        return;
    }
    shows_and_shows_not("adb", |file, server| {
        let mut command = Command::new("sh");
        command.arg(file).env("ADB", format!("adb -P {} -s sim-1", server.port()));
        command
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_uiautomator2_form_shows_the_bug_and_that_it_is_gone() {
    let Some(python) = python_with(&["uiautomator2"]) else { return };
    shows_and_shows_not("uiautomator2", |file, _| {
        let mut command = Command::new(&python);
        command.arg(file).arg("sim-1");
        command
    })
    .await;
}

/// Texts that would be syntax in a careless script.
const HOSTILE: &str = "a'b\"c $(x) ${1+1} `y` \\d */ # %s : - [x] {y}\n\u{1b}\u{202e} é 中 \u{1f600} <&>";

/// Every kind of step, on widgets with hostile texts, and one without a name.
fn plan(check: Check) -> Plan {
    let named = Locator {
        resource_id: "org.example:id/a.b".into(),
        text: HOSTILE.into(),
        description: HOSTILE.into(),
        index: 2,
        ..Locator::default()
    };
    let bounds = Bounds { left: 10, top: 20, right: 110, bottom: 220 };
    let unnamed = Locator { class: "android.view.View".into(), bounds, ..Locator::default() };
    let screen = layout("anything");
    let receiver = screen.selector(screen.widgets().next().unwrap().id());
    let on = |kind, locator: &Locator| PlanStep {
        event: Event { data: Some(HOSTILE.into()), ..Event::on(kind, receiver.clone()) },
        locator: Some(locator.clone()),
        inserted: true,
    };
    let alone = |event| PlanStep { event, locator: None, inserted: false };
    let mut steps = Vec::new();
    let scrolls = [Direction::Up, Direction::Down, Direction::Left, Direction::Right].map(EventKind::Scroll);
    for kind in [EventKind::Click, EventKind::LongClick, EventKind::Edit].into_iter().chain(scrolls) {
        steps.extend([on(kind, &named), on(kind, &unnamed), alone(Event::global(kind))]);
    }
    use EventKind::{Back, Enter, Home, Kill, Launch, Lock, Menu, Relaunch, Rotate, Sleep, Unlock, Wake};
    let keys = [Back, Home, Menu, Enter, Rotate, Launch, Kill, Relaunch, Sleep, Wake, Lock, Unlock];
    steps.extend(keys.map(|kind| alone(Event::global(kind))));
    steps.push(alone(Event::wait(3)));
    let settings = [
        (DeviceSetting::Dark, "on"),
        (DeviceSetting::Dark, ""),
        (DeviceSetting::Language, "de-DE"),
        (DeviceSetting::FontSize, "1.3"),
        (DeviceSetting::Network, "off"),
    ];
    steps.extend(settings.map(|(setting, value)| alone(Event::set(setting, value))));
    let run = run_of(1, Vec::new());
    Plan {
        finding: FindingId { session: SessionId(1), key: 0x1234_abcd },
        title: HOSTILE.into(),
        app: "org.example".into(),
        device: run.device,
        build: run.app,
        shrunk: true,
        setup: Vec::new(),
        steps,
        check,
    }
}

/// A script of every kind of check, in a folder.
fn scripts(folder: &Path, language: Language, ending: &str) -> Vec<PathBuf> {
    let locator = Locator { text: HOSTILE.into(), ..Locator::default() };
    let lines = vec![HOSTILE.to_owned()];
    let checks = [
        ("count", Check::Count { locator, expected: 2, found: 1 }),
        ("ended", Check::Ended { headline: HOSTILE.into(), sought: HOSTILE.into() }),
        ("look", Check::Look { expected: lines.clone(), found: lines }),
    ];
    let write = |(name, check): (&str, Check)| {
        let file = folder.join(format!("{name}.{ending}"));
        std::fs::write(&file, script(&plan(check), language)).unwrap();
        file
    };
    checks.into_iter().map(write).collect()
}

/// Maven with a project in `tests/`; `None`, with a message, if Java, Maven or what it downloads is not available.
fn maven(project: &str, arguments: &[String]) -> Option<(bool, String)> {
    let pom = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(project).join("pom.xml");
    let mut command = Command::new("mvn");
    command.args(["-q", "-B", "-f"]).arg(pom).args(arguments);
    // They run for seconds: optimising takes longer than it saves.
    command.env("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            println!("skipped: no mvn ({error})");
            return None;
        }
    };
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let absent = ["Could not resolve", "Could not transfer", "could not be resolved", "JAVA_HOME"];
    if !output.status.success() && absent.iter().any(|words| said.contains(words)) {
        println!("skipped: Maven cannot fetch what {project} needs");
        return None;
    }
    Some((output.status.success(), said))
}

#[test]
fn maestro_reads_every_kind_of_step_and_texts_stay_texts() {
    let folder = tempfile::tempdir().unwrap();
    let flows = scripts(folder.path(), Language::Maestro, "yaml");
    let list: Vec<String> = flows.iter().map(|flow| flow.display().to_string()).collect();
    let arguments = ["compile".into(), "exec:java".into(), format!("-Dexec.args={}", list.join(" "))];
    let Some((read, said)) = maven("maestro", &arguments) else { return };
    assert!(read, "{said}");
    for words in
        ["Enable dark mode", "Disable dark mode", "Swiping", "Press Home key", "Erase 100 characters"]
    {
        assert!(said.contains(words), "no {words:?} in {said}");
    }
    // Whatever Maestro would run as JavaScript is escaped, everywhere.
    assert!(said.contains("Input text a'b\"c $(x) \\${1+1} `y` "), "{said}");
    let flow = std::fs::read_to_string(&flows[0]).unwrap();
    assert_eq!(flow.matches("${").count(), flow.matches("\\\\${").count() + flow.matches("# a'b").count());

    let broken = folder.path().join("broken.yaml");
    std::fs::write(&broken, flow.replace("eraseText", "eraseTexts")).unwrap();
    let arguments = ["exec:java".into(), format!("-Dexec.args={}", broken.display())];
    let (read, said) = maven("maestro", &arguments).unwrap();
    assert!(!read && said.contains("eraseTexts"), "the reader reads: {said}");
}

#[test]
fn espresso_and_its_compiler_take_every_kind_of_step() {
    let folder = tempfile::tempdir().unwrap();
    let tests = scripts(folder.path(), Language::Espresso, "kt");
    // All at once, which takes classes of different names.
    for (number, test) in tests.iter().enumerate() {
        let text = std::fs::read_to_string(test).unwrap();
        let numbered = text.replace("\nclass ", &format!("\nclass Check{number}"));
        assert_ne!(text, numbered);
        std::fs::write(test, numbered).unwrap();
    }
    let compile = |path: &Path| maven("espresso", &["compile".into(), format!("-Dtest={}", path.display())]);
    let Some((compiled, said)) = compile(folder.path()) else { return };
    assert!(compiled, "{said}");
    let broken = std::fs::read_to_string(&tests[0]).unwrap().replace("pressBack", "pressBackward");
    std::fs::write(&tests[0], broken).unwrap();
    assert!(compile(&tests[0]).is_some_and(|(compiled, _)| !compiled), "the compiler looks at it");
}

#[test]
fn shells_and_python_take_every_kind_of_step() {
    let folder = tempfile::tempdir().unwrap();
    for file in scripts(folder.path(), Language::Adb, "sh") {
        let output = Command::new("sh").arg("-n").arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let Some(python) = python_with(&[]) else { return };
    for file in scripts(folder.path(), Language::Uiautomator2, "py") {
        let parse = "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read())";
        let output = Command::new(&python).args(["-c", parse]).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The Maestro commands that flows use, according to its documentation, with the keys that each accepts.
const MAESTRO: [(&str, &[&str]); 20] = [
    ("launchApp", &["appId", "clearState", "permissions", "stopApp"]),
    ("tapOn", &["id", "text", "index", "point"]),
    ("longPressOn", &["id", "text", "index", "point"]),
    ("eraseText", &[]),
    ("inputText", &[]),
    ("pressKey", &[]),
    ("back", &[]),
    ("swipe", &["from", "direction"]),
    ("setOrientation", &[]),
    ("setDarkMode", &[]),
    ("stopApp", &[]),
    ("killApp", &[]),
    ("waitForAnimationToEnd", &[]),
    ("extendedWaitUntil", &["visible", "notVisible", "timeout", "optional"]),
    ("assertVisible", &["id", "text", "index"]),
    ("assertNotVisible", &["id", "text", "index"]),
    ("assertTrue", &["condition", "label"]),
    ("takeScreenshot", &[]),
    ("scroll", &[]),
    ("hideKeyboard", &[]),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_maestro_form_keeps_to_its_grammar() {
    let folder = tempfile::tempdir().unwrap();
    let (_, finding) = padded(folder.path()).await;
    let (code, flow) = droidmux(folder.path(), &["export", &finding, "--to", "maestro"]);
    assert_eq!(code, 0, "{flow}");
    let lines = flow.lines().filter(|line| !line.starts_with('#') && !line.starts_with("droidmux: "));
    let lines: Vec<&str> = lines.collect();
    let split = lines.iter().position(|line| *line == "---").unwrap();
    let (head, commands) = (&lines[..split], &lines[split + 1..]);
    assert!(head.iter().any(|line| line.starts_with("appId: \"")), "{head:?}");
    assert!(commands.len() > 5, "{flow}");
    for line in commands {
        let command = line.strip_prefix("- ").unwrap_or_else(|| panic!("{line}"));
        let (name, value) = command.split_once(": ").unwrap_or((command, "null"));
        let keys = MAESTRO.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{line}")).1;
        if let Ok(Value::Object(given)) = serde_json::from_str(value) {
            assert!(given.keys().all(|key| keys.contains(&key.as_str())), "{line}");
        }
    }
    let (code, test) = droidmux(folder.path(), &["export", &finding, "--to", "espresso"]);
    assert!(code == 0 && test.contains("@Test") && test.contains("withResourceName"), "{test}");
}
