//! The texts that trigger the defects of the apps with forms, with each switch on and off.

use std::collections::{BTreeMap, BTreeSet};

use super::probe::Probe;
use super::{calc, forms, health, import, signup, travel};
use crate::sim::PhoneOptions;
use crate::sim::toolkit::{DefectKind, DefectSwitches};

/// A form, how it is reached, and valid input.
pub(super) struct InputForm {
    pub package: &'static str,
    /// From the first page of the app to the form.
    pub open: fn(&mut Probe),
    /// Field and text, all fields that have to hold something.
    pub valid: &'static [(&'static str, &'static str)],
    /// The button.
    pub submit: &'static str,
    /// From the page a form leads to when it passes to the one that shows the entry.
    pub look: fn(&mut Probe),
    /// What that page then shows of the valid input.
    pub shows: &'static [&'static str],
}

/// A defect, the text that triggers it, and what a correct app does with it.
pub(super) struct InputCase {
    pub id: &'static str,
    pub form: &'static InputForm,
    /// Where valid input is replaced: field, text, how often the text is repeated.
    pub entered: &'static [(&'static str, &'static str, usize)],
    /// What a correct app shows then: the entry as dumps have it, or why it is refused.
    pub right: &'static [&'static str],
    pub symptom: Symptom,
    /// A field with text that is refused: then the defect must not show, since the form does not
    /// pass. `None` when it lies before such constraints.
    pub unless: Option<(&'static str, &'static str)>,
}

/// How a defect shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symptom {
    Crash,
    /// The system says that the app does not respond.
    Stuck,
    /// A progress bar turns for ever.
    Loads,
    /// The form passes, and what was entered is missing or cut.
    Lost,
    /// The form passes, or shows something, and not what it should.
    Wrong,
}

const FORMS: &[&[&InputForm]] = &[
    calc::cases::FORMS,
    health::cases::FORMS,
    import::cases::FORMS,
    signup::cases::FORMS,
    travel::cases::FORMS,
];

const LISTS: &[&[InputCase]] = &[
    calc::cases::CASES,
    health::cases::CASES,
    import::cases::CASES,
    signup::cases::CASES,
    travel::cases::CASES,
];

fn cases() -> impl Iterator<Item = &'static InputCase> {
    LISTS.iter().copied().flatten()
}

/// Fills the form with valid input and these replacements, and submits it.
fn enter(probe: &mut Probe, form: &InputForm, replaced: &[(&str, String)]) {
    (form.open)(probe);
    let mut texts: BTreeMap<&str, String> =
        form.valid.iter().map(|(f, text)| (*f, (*text).to_owned())).collect();
    texts.extend(replaced.iter().map(|(field, text)| (*field, text.clone())));
    for (field, text) in &texts {
        probe.set(field, text);
    }
    probe.tap(form.submit);
}

fn replaced(case: &InputCase) -> Vec<(&'static str, String)> {
    case.entered.iter().map(|(field, text, times)| (*field, text.repeat(*times))).collect()
}

/// Whether every field of the form is on the screen.
fn stays(probe: &Probe, form: &InputForm) -> bool {
    form.valid.iter().all(|(field, _)| probe.shows(field))
}

/// Looks at what is shown, unless the form did not pass.
fn look(probe: &mut Probe, form: &InputForm) {
    if answers(probe) && !stays(probe, form) {
        (form.look)(probe);
    }
}

fn answers(probe: &Probe) -> bool {
    !probe.crashed() && !probe.hangs() && !probe.shows("progress_bar")
}

fn shows_all(probe: &Probe, texts: &[&str]) -> bool {
    texts.iter().all(|text| probe.shows(text))
}

#[test]
fn each_text_triggers_its_defect_only() {
    let mut wrong = Vec::new();
    for case in cases() {
        let mut off = Probe::start(case.form.package, &[]);
        enter(&mut off, case.form, &replaced(case));
        look(&mut off, case.form);
        if !answers(&off) || !shows_all(&off, case.right) {
            wrong.push(format!("{} off: {:#?}", case.id, off.all_texts()));
        }

        let mut on = Probe::start(case.form.package, &[case.id]);
        enter(&mut on, case.form, &replaced(case));
        let passed = answers(&on) && !stays(&on, case.form);
        look(&mut on, case.form);
        let shown = match case.symptom {
            Symptom::Crash => on.crashed(),
            Symptom::Stuck => on.hangs(),
            Symptom::Loads => on.shows("progress_bar"),
            Symptom::Lost => passed && answers(&on) && !shows_all(&on, case.right),
            Symptom::Wrong => answers(&on) && !shows_all(&on, case.right),
        };
        if !shown {
            wrong.push(format!("{} on: {:#?}", case.id, on.all_texts()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn defects_lie_behind_constraints() {
    let mut behind = 0;
    for case in cases() {
        let Some((field, text)) = case.unless else { continue };
        behind += 1;
        let mut probe = Probe::start(case.form.package, &[case.id]);
        let mut texts = replaced(case);
        texts.push((field, text.to_owned()));
        enter(&mut probe, case.form, &texts);
        let seen = probe.all_texts();
        assert!(answers(&probe) && stays(&probe, case.form), "{} but {field}: {seen:#?}", case.id);
    }
    assert!(behind * 2 >= cases().count(), "{behind} of {}", cases().count());
}

#[test]
fn valid_input_passes_with_every_defect_on_and_is_shown() {
    for form in FORMS.iter().copied().flatten() {
        let options = PhoneOptions::default();
        let mut probe = Probe::start_of(form.package, &forms(), &DefectSwitches::all(), options);
        enter(&mut probe, form, &[]);
        let passed = !stays(&probe, form);
        look(&mut probe, form);
        let seen = probe.all_texts();
        assert!(passed && shows_all(&probe, form.shows), "{} {:?}: {seen:#?}", form.package, form.valid);
    }
}

/// InputBlaster learns what a form wants from what it says when it is refused.
#[test]
fn an_empty_form_is_refused_with_a_sentence() {
    for form in FORMS.iter().copied().flatten() {
        let mut probe = Probe::start(form.package, &[]);
        (form.open)(&mut probe);
        for (field, _) in form.valid {
            probe.set(field, "");
        }
        let before: BTreeSet<String> = probe.all_texts().into_iter().collect();
        probe.tap(form.submit);
        let new = probe.all_texts().into_iter().filter(|text| !before.contains(text)).count();
        assert!(new > 0, "{} {:?}: {before:#?}", form.package, form.valid);
    }
}

#[test]
fn every_defect_has_a_text() {
    let apps = forms();
    let mut known: Vec<_> =
        apps.iter().flat_map(|app| app.defects()).map(|d| (d.id, symptoms(d.kind))).collect();
    known.sort_unstable_by_key(|(id, _)| *id);
    let mut tried: Vec<_> = cases().map(|case| (case.id, case.symptom)).collect();
    tried.sort_unstable_by_key(|(id, _)| *id);
    let ids = |list: Vec<&'static str>| list;
    assert_eq!(
        ids(known.iter().map(|(id, _)| *id).collect()),
        ids(tried.iter().map(|(id, _)| *id).collect())
    );
    for ((id, symptoms), (_, symptom)) in known.iter().zip(&tried) {
        assert!(symptoms.contains(symptom), "{id} is no {symptom:?}");
    }
}

/// The symptoms a kind of defect can have.
fn symptoms(kind: DefectKind) -> &'static [Symptom] {
    match kind {
        DefectKind::Crash => &[Symptom::Crash],
        DefectKind::Hang => &[Symptom::Stuck],
        DefectKind::EndlessLoading => &[Symptom::Loads],
        DefectKind::DataLoss => &[Symptom::Lost],
        _ => &[Symptom::Wrong],
    }
}
#[test]
fn there_are_enough_of_each_kind() {
    let count = |wanted: &[Symptom]| cases().filter(|case| wanted.contains(&case.symptom)).count();
    let counts = [
        count(&[Symptom::Crash]),
        count(&[Symptom::Stuck, Symptom::Loads]),
        count(&[Symptom::Lost]),
        count(&[Symptom::Wrong]),
    ];
    let least = [9, 3, 5, 4];
    assert!(counts.iter().zip(least).all(|(count, least)| *count >= least), "{counts:?}");
    assert!(counts.iter().sum::<usize>() >= 20, "{counts:?}");
}
