//! Relations on the simulated apps: nothing is reported where nothing is wrong.

use droidmux::record::{RunSettings, SessionDefinition, Technique, Tier};
use droidmux::sim::apps;
use droidmux::technique::tier_of;

use crate::handset::{self, Renaming};

/// The apps on which thresholds and word lists are tuned.
const APPS: [&str; 7] = ["cards", "diary", "files", "notes", "omni", "player", "units"];

fn definition(technique: Technique, app: &str, events: u64) -> SessionDefinition {
    let run = RunSettings { max_events: events, ..RunSettings::default() };
    SessionDefinition { run, ..SessionDefinition::new(technique, app) }
}

/// What the relations report in a session: title and key of each finding.
fn said(definition: &SessionDefinition, defects: &[&str], rng: u64) -> Vec<String> {
    let session = handset::run(definition, defects, Renaming::default(), rng);
    // What a claim with too little support says is a suspicion.
    let findings = session
        .findings
        .into_iter()
        .filter(|finding| finding.verdict.oracle == "relations" && tier_of(finding).0 == Tier::Reported);
    let told = findings.map(|finding| {
        let c = finding.confirmation;
        let key = finding.verdict.key.replace('\n', " / ");
        format!("{}/{} x{} {} [{key}]", c.shown, c.of, finding.occurrences, finding.verdict.title)
    });
    told.collect()
}

#[test]
fn correct_apps_break_no_relation() {
    for app in APPS {
        let package = format!("org.droidmux.{app}");
        assert_eq!(
            said(&definition(Technique::Monkey, &package, 600), &[], 1),
            Vec::<String>::new(),
            "{app}"
        );
    }
}

/// What the relations say, for people: in the apps that `APPS` lists, with `EVENTS` events each and the seed `SEED`;
/// with `EACH` also with every defect on by itself, with `TECHNIQUE` in sessions of another technique.
#[test]
#[ignore = "a measurement"]
fn measure() {
    let variable = |name: &str| std::env::var(name).ok();
    let only = variable("APPS").unwrap_or(APPS.join(","));
    let number = |name: &str, default| variable(name).and_then(|n| n.parse().ok()).unwrap_or(default);
    let technique: Technique = variable("TECHNIQUE").unwrap_or("monkey".into()).parse().expect("a technique");
    for app in apps::all().iter().filter(|app| only.split(',').any(|name| app.package().ends_with(name))) {
        let each = variable("EACH").is_some();
        let single = app.defects().iter().filter(|_| each).map(|defect| vec![defect.id]);
        for set in std::iter::once(Vec::new()).chain(single) {
            let began = std::time::Instant::now();
            let definition = definition(technique.clone(), app.package(), number("EVENTS", 2_000));
            let said = said(&definition, &set, number("SEED", 1));
            println!("== {} {set:?} {:?}", app.package(), began.elapsed());
            said.iter().for_each(|line| println!("   {line}"));
        }
    }
}
