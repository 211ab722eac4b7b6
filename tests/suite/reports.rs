//! Reports of a store with one violation: every format, whatever the texts, checked against its schema.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use droidmux::record::SessionId;
use droidmux::store::Store;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

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
    assert!(page.contains("class=\"row single inserted\""), "what was inserted stands alone");
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
    jenkins_takes(&out.join("junit.xml"));
    sarif(&serde_json::from_str(&read("report.sarif")).unwrap());
    keep_to_schema("report.schema.json", &[serde_json::from_str(&read("report.json")).unwrap()]);

    let (code, said) =
        droidmux(folder, &["report", "--all", "-o", &out.to_string_lossy(), "--format", "json"]);
    assert!(code <= 1 && said.lines().count() == 1, "{said}");
    let (code, said) = droidmux(folder, &["report", "s9", "-o", &out.to_string_lossy()]);
    assert!(code == 2 && said.contains("no session s9"), "{said}");
    assert_eq!(session, SessionId(1));
}

/// The schema of Jenkins' plug-in, which Python's lxml reads; reported as skipped if that is not installed.
fn jenkins_takes(file: &Path) {
    let Some(python) = python_with(&["lxml"]) else { return };
    let check = "import sys; from lxml import etree\n\
                 schema = etree.XMLSchema(etree.parse(sys.argv[1]))\n\
                 ok = schema.validate(etree.parse(sys.argv[2])); print(schema.error_log); sys.exit(not ok)";
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/junit-10.xsd");
    let said = |file: &Path| {
        let output = Command::new(&python).args(["-c", check]).arg(&schema).arg(file).output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (sound, words) = said(file);
    assert!(sound, "{words}");
    let broken = file.with_file_name("broken.xml");
    std::fs::write(&broken, std::fs::read_to_string(file).unwrap().replace("testcase", "testcaze")).unwrap();
    assert!(!said(&broken).0, "the schema is looked at");
}

/// What the readers of build servers rely on beyond the schema: elements where they belong, and correct counts.
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

/// The schema of SARIF 2.1.0, and that results name their rules.
fn sarif(value: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas/sarif-2.1.0.json");
    // As it was published, one of its patterns has a bracket that closes nothing.
    let text = std::fs::read_to_string(path).unwrap().replace("{2}]?$", "{2}\\\\]?$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    let schema = jsonschema::options().build(&schema).unwrap();
    if let Err(error) = schema.validate(value) {
        panic!("{error} at {}", error.instance_path());
    }
    let mut unknown = value.clone();
    unknown["runs"][0]["results"][0]["level"] = "dreadful".into();
    assert!(schema.validate(&unknown).is_err(), "the schema is looked at");
    for run in value["runs"].as_array().unwrap() {
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
    }
}
