//! Random walks through the simulated apps: correct ones keep what they must, and no defect shows before it was set
//! off.

use droidmux::sim::apps;
use droidmux_testutils::app::{walk, walk_beside};

#[test]
fn correct_apps_neither_crash_nor_load_and_answer_the_same_twice() {
    let apps = apps::all();
    for app in &apps {
        for seed in 1..=2 {
            let dump = walk(&apps, app.package(), seed, 120);
            assert!(dump.is_ok(), "{dump:?}");
            assert_eq!(dump, walk(&apps, app.package(), seed, 120), "{}", app.package());
        }
    }
}

#[test]
fn no_defect_shows_before_it_was_counted() {
    let (mut wrong, mut struck) = (Vec::new(), 0);
    for app in apps::all() {
        for defect in app.defects() {
            for seed in 1..=2 {
                match walk_beside(std::slice::from_ref(&app), app.package(), defect.id, seed, 60) {
                    Ok(inputs) => struck += u64::from(inputs > 0),
                    Err(why) => wrong.push(why),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(struck > 10, "walks set off next to nothing: {struck}");
}

#[test]
fn a_defect_that_no_app_has_is_told() {
    let apps = apps::functional();
    assert_eq!(walk_beside(&apps, "org.droidmux.notes", "notes.none", 1, 1), Err("notes.none".into()));
}
