//! Reports and exported scripts: the commands on a store with one violation, and the scripts run by the tools they are
//! for against simulated labs with the defect on and off.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use droidmux::record::SessionId;
use droidmux::sim::{DefectSwitches, SimLab, SimOptions};
use droidmux::store::Store;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

use crate::adb_genuine::is_installed;
use crate::program::{droidmux, keep_to_schema};
use crate::python_clients::python_with;
use crate::shrink::padded;
use crate::store::fixture::options;

const HOSTILE: &str = "<script>document.title = 'x'</script> ]]> \u{1b}[31m & \"quoted\"";

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_reported_in_every_format_whatever_its_texts() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (session, finding) = padded(folder).await;
    {
        let store = Store::open(&folder.join("store"), options()).unwrap();
        let mut found = store.findings(Some(session)).unwrap().remove(0);
        found.verdict.title = HOSTILE.into();
        found.because = HOSTILE.into();
        store.put_finding(&found).unwrap();
    }
    let out = folder.join("out");
    let (code, said) = droidmux(folder, &["report", &session.to_string(), "-o", &out.to_string_lossy()]);
    assert!(code <= 1, "{said}");
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();

    let page = read("report.html");
    assert!(!page.contains("<script"), "no text becomes a script");
    assert!(page.contains("&lt;script&gt;document.title") && page.contains(&format!("id=\"f-{finding}\"")));
    assert!(page.contains("class=\"row inserted\""), "what was inserted stands alone");
    assert!(page.contains("unmatched: ") && page.contains("class=\"box violation\""));
    assert!(page.contains(&format!("droidmux replay {finding}")));
    let links = page.matches("href=\"#f-").count();
    assert!(links > 0 && page.matches("id=\"f-").count() >= links, "links lead somewhere");
    for outside in ["http://", "https://", "src=", "url(", "@import"] {
        assert!(!page.contains(outside), "the page needs {outside}");
    }

    let marked = read("report.md");
    assert!(!marked.contains("<script") && marked.contains("(inserted)") && marked.contains("#### Steps"));
    junit(&read("junit.xml"));
    sarif(&serde_json::from_str(&read("report.sarif")).unwrap());
    keep_to_schema("report.schema.json", &[serde_json::from_str(&read("report.json")).unwrap()]);

    let (code, said) =
        droidmux(folder, &["report", "--all", "-o", &out.to_string_lossy(), "--format", "json"]);
    assert!(code <= 1 && said.lines().count() == 1, "{said}");
    let (code, said) = droidmux(folder, &["report", "s9", "-o", &out.to_string_lossy()]);
    assert!(code == 2 && said.contains("no session s9"), "{said}");
    assert_eq!(session, SessionId(1));
}

/// What JUnit's schema (that of Jenkins' plug-in) asks of elements: where they may stand and what they must have.
fn junit(xml: &str) {
    let parents = BTreeMap::from([
        ("testsuites", vec![""]),
        ("testsuite", vec!["testsuites"]),
        ("properties", vec!["testsuite"]),
        ("property", vec!["properties"]),
        ("testcase", vec!["testsuite"]),
        ("failure", vec!["testcase"]),
        ("skipped", vec!["testcase"]),
        ("system-out", vec!["testcase", "testsuite"]),
    ]);
    let required = BTreeMap::from([
        ("testsuite", vec!["name", "tests", "failures", "errors", "time", "timestamp"]),
        ("property", vec!["name", "value"]),
        ("testcase", vec!["name", "classname"]),
        ("failure", vec!["type", "message"]),
    ]);
    let attribute = |element: &BytesStart<'_>, name: &str| {
        let found = element.attributes().map(Result::unwrap).find(|found| found.key.0 == name);
        found.map(|found| found.value.into_owned())
    };
    let (mut open, mut counted, mut said) = (vec![String::new()], BTreeMap::<String, u64>::new(), Vec::new());
    let mut reader = Reader::from_str(xml);
    loop {
        let event = reader.read_event().unwrap();
        let (element, empty) = match &event {
            Event::Start(element) => (element, false),
            Event::Empty(element) => (element, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Eof => break,
            _ => continue,
        };
        let name = element.name().0.to_owned();
        let allowed = parents.get(name.as_str()).unwrap_or_else(|| panic!("no element {name}"));
        assert!(allowed.contains(&open.last().unwrap().as_str()), "{name} in {open:?}");
        for needed in required.get(name.as_str()).into_iter().flatten() {
            assert!(attribute(element, needed).is_some(), "{name} has no {needed}");
        }
        if name == "testsuite" {
            for (counter, of) in [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")] {
                said.push((of, attribute(element, counter).unwrap().parse::<u64>().unwrap()));
            }
        }
        *counted.entry(name.clone()).or_default() += 1;
        if !empty {
            open.push(name);
        }
    }
    for (of, number) in said {
        assert_eq!(counted.get(of).copied().unwrap_or(0), number, "{of}");
    }
}

/// What the schema of SARIF 2.1.0 asks of the parts that are used.
fn sarif(value: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/sarif-2.1.0-used.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let schema = jsonschema::options().build(&schema).unwrap();
    if let Err(error) = schema.validate(value) {
        panic!("{error} at {}", error.instance_path);
    }
    for run in value["runs"].as_array().unwrap() {
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
    }
}

/// A lab of one steady device, with these defects, that a script is run against.
async fn lab(defects: DefectSwitches) -> SimLab {
    let options = SimOptions { devices: 1, steady: true, defects, ..SimOptions::default() };
    SimLab::start(options).await.unwrap()
}

/// Runs a script against a lab; its exit code and what it said.
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

/// The commands of Maestro that flows use, by its documentation, with the keys that each takes.
const MAESTRO: [(&str, &[&str]); 19] = [
    ("launchApp", &["appId", "clearState", "permissions", "stopApp"]),
    ("tapOn", &["id", "text", "index", "point"]),
    ("longPressOn", &["id", "text", "index", "point"]),
    ("eraseText", &[]),
    ("inputText", &[]),
    ("pressKey", &[]),
    ("back", &[]),
    ("swipe", &["from", "direction"]),
    ("setOrientation", &[]),
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
