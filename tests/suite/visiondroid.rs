//! VisionDroid with the fixed rules, on the simulated apps.

use droidmux::record::{RunSettings, SessionDefinition, Technique};
use droidmux::sim::apps;

use crate::handset::{self, Renaming};

fn definition(app: &str, events: u64) -> SessionDefinition {
    let run = RunSettings { max_events: events, ..RunSettings::default() };
    SessionDefinition { run, ..SessionDefinition::new(Technique::Visiondroid, app) }
}

/// What counts is what is on the screens, not what an app calls it: the same defect is found when all words and ids of
/// the app are replaced, and nothing is found in the app without it.
#[test]
fn a_planted_defect_is_found_whatever_the_app_calls_things() {
    let app = "org.droidmux.diary";
    let found = |defects: &[&str], renaming: Renaming| -> Vec<String> {
        // Rules come by chance to a page with two pictures.
        let events = if defects.is_empty() { 800 } else { 6_000 };
        let session = handset::run(&definition(app, events), defects, renaming, 1);
        let confirmed = session.findings.into_iter().filter(|finding| finding.confirmation.is_confirmed());
        confirmed.filter(|f| f.verdict.oracle == "visiondroid").map(|f| f.verdict.title).collect()
    };
    for renaming in [Renaming::default(), Renaming::random()] {
        let titles = found(&["diary.wrong-picture"], renaming.clone());
        assert!(titles.iter().any(|title| title.contains("went instead")), "{renaming:?}: {titles:?}");
        assert_eq!(found(&[], renaming.clone()), Vec::<String>::new(), "{renaming:?}");
    }
}

/// The stored observations lead to the same acts again, and the same session run twice gives the same findings.
#[test]
fn a_session_is_the_same_twice() {
    let definition = definition("org.droidmux.notes", 200);
    let [one, other] = [1, 1].map(|rng| handset::run(&definition, &[], Renaming::default(), rng));
    assert_eq!((&one.runs, &one.findings, &one.progress), (&other.runs, &other.findings, &other.progress));
    assert!(one.progress.tour.judged > 20, "{:?}", one.progress.tour);
}

/// What the rules find, and what they should not, for people: in the apps whose last names `APPS` lists (all without
/// it), with `EVENTS` events each; with `EACH` also with every defect on by itself.
#[test]
#[ignore = "a measurement"]
fn measure() {
    let only = std::env::var("APPS").unwrap_or_default();
    let events = std::env::var("EVENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    for app in apps::all()
        .iter()
        .filter(|app| only.is_empty() || only.split(',').any(|name| app.package().ends_with(name)))
    {
        let all: Vec<&str> = app.defects().iter().map(|defect| defect.id).collect();
        let each = std::env::var("EACH").is_ok();
        let sets = std::iter::once(Vec::new()).chain(all.iter().filter(|_| each).map(|id| vec![*id]));
        for set in sets {
            let began = std::time::Instant::now();
            let session = handset::run(&definition(app.package(), events), &set, Renaming::default(), 1);
            let tour = session.progress.tour;
            println!("== {} {set:?} {tour:?} {:?}", app.package(), began.elapsed());
            for finding in session.findings {
                let c = finding.confirmation;
                println!(
                    "   {}/{} x{} {} [{}]",
                    c.shown,
                    c.of,
                    finding.occurrences,
                    finding.verdict.title,
                    finding.verdict.key.replace('\n', " / ")
                );
            }
        }
    }
}
