//! A finding as an archive of its own: written from one store, imported into another one, and shown, exported and
//! replayed there.

use droidmux::store::Store;
use serde_json::Value;

use crate::program::{droidmux, json_lines};
use crate::shrink::padded;
use crate::store::fixture::{options, session};

const SIM: [&str; 4] = ["--lab", "sim", "--steady", "--json"];

/// The name of an import's only finding, as printed.
fn finding_in(said: &str) -> String {
    let (_, rest) = said.split_once("; finding ").unwrap_or_else(|| panic!("{said}"));
    rest.split_once(':').unwrap().0.to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finding_goes_to_another_droidmux_and_shows_there() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (here, there) = (here.path(), there.path());
    let (_, finding) = padded(here).await;
    let (code, said) = droidmux(here, &[&["shrink", finding.as_str()][..], &SIM].concat());
    assert_eq!(code, 1, "{said}");
    let (code, said) = droidmux(here, &["findings", &finding, "--mark", "true", "--note", "seen by hand"]);
    assert!(code == 1 && said.contains("seen by hand"), "{said}");
    {
        // Sessions in the other store have the numbers that the archive's sessions have here.
        let store = Store::open(&there.join("store"), options()).unwrap();
        for _ in 0..3 {
            store.create_session(&session()).unwrap();
        }
    }

    let file = here.join("finding.tar.zst");
    let file = file.to_string_lossy();
    let (code, said) = droidmux(here, &["export", &finding, "--to", "droidmux"]);
    assert!(code == 2 && said.contains("--output"), "{said}");
    let (code, said) = droidmux(here, &["export", &finding, "--to", "droidmux", "-o", &file]);
    assert!(code == 0 && said.contains(&format!("{finding} with 2 runs")), "{said}");

    let (code, said) = droidmux(there, &["store", "import", &file]);
    assert!(code == 0 && said.contains("s4    genie org.droidmux.diary, was s1; finding s4-"), "{said}");
    let taken = finding_in(&said);
    assert_eq!(taken.split_once('-').unwrap().1, finding.split_once('-').unwrap().1);
    let (code, said) = droidmux(there, &["store", "import", &file]);
    assert!(code == 0 && said.contains("left out 2 sessions, there already"), "{said}");
    let (code, said) = droidmux(there, &["store", "verify", "--rederive"]);
    assert!(
        code == 0 && said.contains("skipped session s4: its traces were imported, not planned"),
        "{said}"
    );

    shows_the_same(here, &finding, there, &taken);
    for (way, events) in [(&["--times", "2"][..], 16), (&["--times", "2", "--shrunk"], 7)] {
        let (code, said) = droidmux(there, &[&["replay", taken.as_str()], way, &SIM].concat());
        let summary = json_lines(&said).pop().unwrap();
        assert_eq!((code, &summary["findings"][0]["confirmation"]["shown"]), (1, &2.into()), "{summary}");
        assert!(summary["events"].as_u64() >= Some(events), "{summary}");
    }
    // Its pictures stay even though other sessions are removed.
    let (code, said) = droidmux(there, &["store", "remove", "s6", "s7"]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = droidmux(there, &["store", "verify"]);
    assert!(code == 0 && said.contains("clean"), "{said}");
    shows_the_same(here, &finding, there, &taken);
}

/// Reports and scripts of the finding are the same in both stores, except for its name.
fn shows_the_same(here: &std::path::Path, finding: &str, there: &std::path::Path, taken: &str) {
    let told = |folder: &std::path::Path, id: &str| {
        let out = folder.join("out");
        let session = id.split_once('-').unwrap().0;
        let (code, said) = droidmux(folder, &["report", session, "-o", &out.to_string_lossy()]);
        assert_eq!(code, 1, "{said}");
        let page = std::fs::read_to_string(out.join("report.html")).unwrap();
        let report: Value = serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap();
        let mut told = report["sessions"][0]["findings"][0].clone();
        for own in ["finding", "replay"] {
            told[own] = told[own].as_str().unwrap().replace(id, "ID").into();
        }
        let (code, script) = droidmux(folder, &["export", id, "--to", "uiautomator2"]);
        assert_eq!(code, 0, "{script}");
        (told, script.replace(id, "ID"), page.matches("<image ").count())
    };
    let (ours, theirs) = (told(here, finding), told(there, taken));
    assert!(ours.2 > 3, "{} pictures", ours.2);
    assert_eq!(ours, theirs);
}
