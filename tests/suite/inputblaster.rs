//! InputBlaster with the fixed rules, on the simulated apps.

use droidmux::record::{SessionDefinition, Technique};

use crate::handset::{self, Renaming};

/// What fields do with texts decides, not what an app calls them: the same defects are found when all
/// words and ids of the app are replaced, and nothing is found in the app without them.
#[test]
fn planted_defects_are_found_whatever_the_app_calls_things() {
    let cases: [(&str, &[&str]); 3] = [
        ("org.droidmux.calc", &["calc.brackets"]),
        ("org.droidmux.health", &["health.leading-zero"]),
        ("org.droidmux.calc", &[]),
    ];
    for (app, defects) in cases {
        let mut definition = SessionDefinition::new(Technique::Inputblaster, app);
        definition.inputblaster.explore_events = 500;
        for renaming in [Renaming::default(), Renaming::random()] {
            let session = handset::run(&definition, defects, renaming.clone(), 1);
            let form = session.progress.form;
            assert!(form.passed > 0 && form.inputs > 20, "{app} {renaming:?}: {form:?}");
            let confirmed = session.findings.iter().filter(|finding| finding.confirmation.is_confirmed());
            let titles: Vec<&str> = confirmed.map(|finding| finding.verdict.title.as_str()).collect();
            assert_eq!(titles.is_empty(), defects.is_empty(), "{app} {defects:?} {renaming:?}: {titles:?}");
        }
    }
}
