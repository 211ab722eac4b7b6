//! What all apps of this crate are held to.

use droidmux::sim::SimApp;
use droidmux_testutils::app::{Case, TrapCase, walk, walk_beside};

use crate::{agenda, basket, benched, chat, gallery, habits, kitchen, mail, vault};

/// The cases of an app.
type Cases = (&'static [Case], &'static [TrapCase]);

fn cases() -> Vec<(SimApp, Cases)> {
    let cases = [
        (mail::cases::CASES, mail::cases::TRAPS),
        (kitchen::cases::CASES, kitchen::cases::TRAPS),
        (gallery::cases::CASES, gallery::cases::TRAPS),
        (vault::cases::CASES, vault::cases::TRAPS),
        (agenda::cases::CASES, agenda::cases::TRAPS),
        (basket::cases::CASES, basket::traps::TRAPS),
        (chat::cases::CASES, chat::cases::TRAPS),
        (habits::cases::CASES, habits::cases::TRAPS),
    ];
    benched().into_iter().zip(cases).collect()
}

#[test]
fn every_defect_has_a_case_that_triggers_it() {
    for (app, (cases, _)) in cases() {
        let defects: Vec<&str> = app.defects().iter().map(|defect| defect.id).collect();
        assert_eq!(cases.iter().map(|case| case.id).collect::<Vec<_>>(), defects);
        assert!(defects.len() >= 6, "{defects:?}");
        for case in cases {
            assert_eq!(case.check(std::slice::from_ref(&app)), Vec::<String>::new(), "{}", case.id);
        }
    }
}

#[test]
fn every_trap_has_a_case_that_shows_it() {
    for (app, (_, traps)) in cases() {
        let declared: Vec<&str> = app.traps().iter().map(|trap| trap.id).collect();
        assert_eq!(traps.iter().map(|trap| trap.id).collect::<Vec<_>>(), declared);
        assert!(declared.len() >= 8, "{declared:?}");
        for trap in traps {
            assert!(trap.shows(std::slice::from_ref(&app)), "{} does not show", trap.id);
        }
    }
}

#[test]
fn ids_are_their_apps_own() {
    let mut known = std::collections::BTreeSet::new();
    for app in benched() {
        let short = app.package().rsplit('.').next().unwrap_or_default().to_owned();
        let ids = app.defects().iter().map(|d| d.id).chain(app.traps().iter().map(|trap| trap.id));
        for id in ids {
            assert_eq!(id.split_once('.').map(|(app, _)| app), Some(short.as_str()), "{id}");
            assert!(known.insert(id), "{id} is there twice");
        }
    }
}

#[test]
fn correct_apps_take_random_walks_and_answer_the_same_twice() {
    for app in benched() {
        for seed in 1..=2 {
            let dump = walk(std::slice::from_ref(&app), app.package(), seed, 150);
            assert!(dump.is_ok(), "{dump:?}");
            assert_eq!(dump, walk(std::slice::from_ref(&app), app.package(), seed, 150), "{}", app.package());
        }
    }
}

#[test]
fn no_defect_shows_before_it_was_counted() {
    let (mut wrong, mut struck) = (Vec::new(), 0);
    for app in benched() {
        for defect in app.defects() {
            for seed in 1..=3 {
                match walk_beside(std::slice::from_ref(&app), app.package(), defect.id, seed, 80) {
                    Ok(inputs) => struck += u64::from(inputs > 0),
                    Err(why) => wrong.push(why),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(struck > 5, "walks set off next to nothing: {struck}");
}
