//! The texts that trigger the defects of the apps with forms, with each switch on and off.

use std::collections::{BTreeMap, BTreeSet};

use super::{calc, forms, health, import, signup, travel};
use droidmux_gui::{Flags, read_dump};
use droidmux_sim::PhoneOptions;
use droidmux_sim_toolkit::{DefectKind, DefectSwitches};
use droidmux_testutils::app::Probe;

/// A form, how it is reached, and valid input.
pub(super) struct InputForm {
    pub package: &'static str,
    /// From the first page of the app to the form.
    pub open: fn(&mut Probe),
    /// Text of each field.
    pub valid: &'static [(&'static str, &'static str)],
    /// Whether some field has to hold something.
    pub is_required: bool,
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
    /// The form passes, or shows something, but not what it should.
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

/// Starts an app with these defects on.
fn start(package: &str, defects: &[&str]) -> Probe {
    let switches = DefectSwitches::only(defects.iter().copied(), &forms()).expect("known defects");
    Probe::start(package, &forms(), &switches, PhoneOptions::default())
}

/// Goes to the form and fills it with valid input and these replacements.
fn fill(probe: &mut Probe, form: &InputForm, replaced: &[(&str, String)]) {
    (form.open)(probe);
    let mut texts: BTreeMap<&str, String> =
        form.valid.iter().map(|(f, text)| (*f, (*text).to_owned())).collect();
    texts.extend(replaced.iter().map(|(field, text)| (*field, text.clone())));
    for (field, text) in &texts {
        probe.set(field, text);
    }
}

/// The same, and submits the form.
fn enter(probe: &mut Probe, form: &InputForm, replaced: &[(&str, String)]) {
    fill(probe, form, replaced);
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
        let mut off = start(case.form.package, &[]);
        enter(&mut off, case.form, &replaced(case));
        look(&mut off, case.form);
        if !answers(&off) || !shows_all(&off, case.right) {
            wrong.push(format!("{} off: {:#?}", case.id, off.all_texts()));
        }

        let mut on = start(case.form.package, &[case.id]);
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
        if !on.phone.set_off(case.form.package).contains_key(case.id) {
            wrong.push(format!("{} is not counted", case.id));
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
        let mut probe = start(case.form.package, &[case.id]);
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
        let mut probe = Probe::start(form.package, &forms(), &DefectSwitches::all(), options);
        enter(&mut probe, form, &[]);
        let passed = !stays(&probe, form);
        look(&mut probe, form);
        let seen = probe.all_texts();
        assert!(passed && shows_all(&probe, form.shows), "{} {:?}: {seen:#?}", form.package, form.valid);
    }
}

/// Texts that no field asks for and keyboards do not type.
const UNUSUAL: &[&str] = &[
    "",
    " \t\n",
    "\u{2003}\u{200b}",
    "😀👩\u{200d}👧",
    "\u{10d83d}",
    "\u{202e}שלום",
    "Z\u{335}\u{31b}\u{346}",
    "'; DROP TABLE x; --",
    "\"<b>\\",
    "%s%n%d 100%",
    "../../etc/hosts",
    "-0",
    "1e308",
    "９９",
    "0x10",
    "9999-12-31",
    "null",
    "\u{0}\u{7}\u{fffd}",
];

/// Characters of the long text that is tried besides.
const LONG: usize = 3_000;

#[test]
fn correct_apps_pass_every_text_or_say_what_is_wrong_with_it() {
    let long = "x".repeat(LONG);
    for form in FORMS.iter().copied().flatten() {
        for (field, _) in form.valid {
            for text in UNUSUAL.iter().copied().chain([long.as_str()]) {
                let mut probe = start(form.package, &[]);
                fill(&mut probe, form, &[(*field, text.to_owned())]);
                let before = probe.all_texts();
                probe.tap(form.submit);
                assert!(answers(&probe), "{} {field}: {text:?}", form.package);
                let says = probe.all_texts().iter().any(|text| !before.contains(text));
                assert!(says, "{} {field}: {text:?} without a word", form.package);
            }
        }
    }
}

/// InputBlaster learns what a form wants from what it says when it is refused.
#[test]
fn an_empty_form_is_refused_with_a_sentence() {
    for form in FORMS.iter().copied().flatten() {
        let mut probe = start(form.package, &[]);
        (form.open)(&mut probe);
        for (field, _) in form.valid {
            probe.set(field, "");
        }
        let before: BTreeSet<String> = probe.all_texts().into_iter().collect();
        probe.tap(form.submit);
        let new = probe.all_texts().into_iter().filter(|text| !before.contains(text)).count();
        assert!(
            new > 0 && stays(&probe, form) == form.is_required,
            "{} {:?}: {before:#?}",
            form.package,
            form.valid
        );
    }
}

/// Also for fields that are filled in: there only the agent's dumps say it.
#[test]
fn dumps_tell_what_a_field_is_for() {
    for form in FORMS.iter().copied().flatten() {
        let mut probe = start(form.package, &[]);
        fill(&mut probe, form, &[]);
        let xml = probe.phone.dump_by_agent(50, true);
        let layout = read_dump(xml.as_bytes()).expect("readable").layout;
        for (field, text) in form.valid {
            let widget = layout.widgets().find(|widget| widget.short_id() == *field).expect("shown");
            assert!(!widget.hint().is_empty(), "{} {field}", form.package);
            let is_secret = field.contains("password");
            assert_eq!(widget.has(Flags::PASSWORD), is_secret, "{field}");
            // A field without a text shows its hint.
            let shown = if text.is_empty() { widget.hint() } else { text };
            assert_eq!(widget.text() == shown, !is_secret, "{field}");
        }
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

#[test]
fn the_manual_lists_every_defect() {
    let manual = include_str!("../../../docs/simulator.md");
    for defect in forms().iter().flat_map(|app| app.defects()) {
        let row = format!("| `{}` | {} | {} |", defect.id, defect.kind.name(), defect.what);
        assert!(manual.contains(&row), "docs/simulator.md has no row {row}");
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
