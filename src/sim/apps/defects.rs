//! The shortest trigger of every defect, with its switch on and off, and the traps.

use std::collections::BTreeSet;

use super::{cards, conference, expenses, omni, player, radio, reader, todo, tube, wiki};
use droidmux_sim::PhoneOptions;
use droidmux_sim::phone::Night;
use droidmux_sim_toolkit::{DefectSwitches, SimApp};
use droidmux_testutils::app::Probe;
pub(super) use droidmux_testutils::app::{Case, TrapCase};

/// The cases of the apps without a file of cases.
const CASES: &[Case] = &[
    Case {
        id: "diary.wrong-picture",
        package: "org.droidmux.diary",
        functions: &["start activities", "attach pictures", "delete a picture"],
        trigger: |probe| {
            probe.tap("Cinema").tap("Attach picture").tap("Cleaning").tap("Attach picture");
            probe.tap("Diary").tap("Picture of Cinema").tap("Delete");
        },
        is_right: |probe| probe.shows("Picture of Cleaning") && !probe.shows("Picture of Cinema"),
    },
    Case {
        id: "diary.unsaved-name",
        package: "org.droidmux.diary",
        functions: &["rename an activity", "leave a new one unsaved", "open the renamed one"],
        trigger: |probe| {
            probe.hold("Officework").enter("edit_activity_name", "Shopping").tap("Save");
            probe.tap("Add Activity").enter("edit_activity_name", "Reading").key("BACK").key("BACK");
            probe.hold("Shopping");
        },
        is_right: |probe| probe.shows("Shopping") && !probe.shows("Reading"),
    },
    Case {
        id: "files.search-rename",
        package: "org.droidmux.files",
        functions: &["search", "rename on the results page"],
        trigger: |probe| {
            probe.tap("New").tap("Folder").enter("singleedittext_input", "old").tap("Create");
            probe.tap("Search").enter("search_edit_text", "old").tap("Start search");
            probe.hold("second").tap("Rename").enter("singleedittext_input", "new").tap("Save");
        },
        is_right: |probe| probe.shows("new") && probe.count("old") == 1,
    },
    Case {
        id: "files.hidden-search",
        package: "org.droidmux.files",
        functions: &["create a hidden folder", "show hidden ones", "search"],
        trigger: |probe| {
            probe.tap("New").tap("Folder").enter("singleedittext_input", ".cfg").tap("Create");
            probe.tap("Open navigation").tap("Settings").tap("Show hidden files").key("BACK");
            probe.tap("Search").enter("search_edit_text", "cfg").tap("Start search");
        },
        is_right: |probe| probe.shows(".cfg"),
    },
    Case {
        id: "files.unsorted-results",
        package: "org.droidmux.files",
        functions: &["create a folder", "search"],
        trigger: |probe| {
            probe.tap("New").tap("Folder").enter("singleedittext_input", "ma").tap("Create");
            probe.tap("Search").enter("search_edit_text", "ma").tap("Start search");
        },
        is_right: |probe| probe.texts_of("firstline") == ["ma", "manual.txt"],
    },
    Case {
        id: "files.new-name",
        package: "org.droidmux.files",
        functions: &["rename a folder", "search"],
        trigger: |probe| {
            probe.hold("Music").tap("Rename").enter("singleedittext_input", "Songs").tap("Save");
            probe.tap("Search").enter("search_edit_text", "song").tap("Start search");
        },
        is_right: |probe| probe.shows("Songs"),
    },
    Case {
        id: "files.root-search",
        package: "org.droidmux.files",
        functions: &["search"],
        trigger: |probe| {
            probe.tap("Search").enter("search_edit_text", "read").tap("Start search");
        },
        is_right: |probe| probe.shows("readme.txt"),
    },
    Case {
        id: "notes.same-title",
        package: "org.droidmux.notes",
        functions: &["create a note"],
        trigger: |probe| {
            probe
                .tap("New note")
                .enter("note__title", "Ideas")
                .enter("document__edit", "Another")
                .tap("Save");
        },
        is_right: |probe| probe.count("Ideas") == 2 && probe.shows("A shed for the bicycles"),
    },
    Case {
        id: "notes.case-twin",
        package: "org.droidmux.notes",
        functions: &["rename a note"],
        trigger: |probe| {
            probe.hold("Books").tap("Rename").enter("new_name", "ideas").tap("button1");
        },
        is_right: |probe| probe.shows("ideas") && probe.shows("Ideas"),
    },
    Case {
        id: "notes.rotate-edit",
        package: "org.droidmux.notes",
        functions: &["write a note", "turn the screen"],
        trigger: |probe| {
            probe.tap("New note").enter("note__title", "Unsaved");
            probe.turn();
        },
        is_right: |probe| probe.shows("Unsaved") && !probe.crashed(),
    },
    Case {
        id: "notes.question-mark",
        package: "org.droidmux.notes",
        functions: &["rename a note"],
        trigger: |probe| {
            probe.hold("Books").tap("Rename").enter("new_name", "Which?").tap("button1");
        },
        is_right: |probe| probe.shows("Which?") && !probe.shows("Books"),
    },
    Case {
        id: "notes.rotate-search",
        package: "org.droidmux.notes",
        functions: &["search", "turn the screen"],
        trigger: |probe| {
            probe.tap("Search notes").enter("search_src_text", "apples");
            probe.turn();
        },
        is_right: |probe| !probe.crashed() && probe.shows("Shopping") && !probe.shows("Books"),
    },
    Case {
        id: "diary.turn-dialog",
        package: "org.droidmux.diary",
        functions: &["choose a color", "turn the screen"],
        trigger: |probe| {
            probe.tap("Add Activity").tap("edit_activity_color").turn();
        },
        is_right: |probe| probe.shows("alertTitle"),
    },
    Case {
        id: "notes.killed-draft",
        package: "org.droidmux.notes",
        functions: &["write a note", "let the system end the app"],
        trigger: |probe| {
            probe.tap("New note").enter("note__title", "Unsaved");
            probe.key("HOME").kill("org.droidmux.notes").launch("org.droidmux.notes");
        },
        is_right: |probe| probe.shows("Unsaved"),
    },
    Case {
        id: "files.turn-folder",
        package: "org.droidmux.files",
        functions: &["open a folder", "turn the screen"],
        trigger: |probe| {
            probe.tap("Music").turn();
        },
        is_right: |probe| probe.text_of("fullpath").ends_with("Music"),
    },
    Case {
        id: "units.dark-units",
        package: "org.droidmux.units",
        functions: &["choose a unit", "switch to dark and back"],
        trigger: |probe| {
            probe.tap("Kilometre");
            probe.phone.set_night(Night::Yes);
            probe.phone.set_night(Night::No);
        },
        is_right: |probe| probe.text_of("from_chosen") == "From: Kilometre",
    },
];

/// The traps of the apps without a file of cases.
const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "files.hidden",
        package: "org.droidmux.files",
        steady: true,
        show: |probe| {
            probe.tap("New").tap("Folder").enter("singleedittext_input", ".cfg").tap("Create");
            let before = probe.shows(".cfg");
            probe.tap("Open navigation").tap("Settings").tap("Show hidden files").key("BACK");
            !before && probe.shows(".cfg")
        },
    },
    TrapCase {
        id: "files.sorted",
        package: "org.droidmux.files",
        steady: true,
        show: |probe| {
            probe.tap("New").tap("Folder").enter("singleedittext_input", "Letters").tap("Create");
            probe.is_above("Download", "Letters") && probe.is_above("Letters", "Music")
        },
    },
    TrapCase {
        id: "notes.tip",
        package: "org.droidmux.notes",
        steady: false,
        show: |probe| {
            let first = probe.text_of("tip_banner");
            (0..5).any(|_| {
                probe.launch_again("org.droidmux.notes");
                probe.text_of("tip_banner") != first
            })
        },
    },
    TrapCase {
        id: "units.refresh",
        package: "org.droidmux.units",
        steady: true,
        show: |probe| {
            let before = probe.tap("Kilometre").text_of("from_chosen");
            before == "From: Kilometre" && probe.tap("Refresh").text_of("from_chosen") == "From: Metre"
        },
    },
    TrapCase {
        id: "units.random-repeat",
        package: "org.droidmux.units",
        steady: true,
        show: |probe| {
            probe.tap("More options").tap("Practise").tap("Random");
            let before = probe.text_of("order");
            before == "Random order" && probe.tap("Repeat").text_of("order") == "Repeating two cards"
        },
    },
    TrapCase {
        id: "notes.menu-turn",
        package: "org.droidmux.notes",
        steady: true,
        show: |probe| {
            let before = probe.hold("Books").shows("Rename");
            before && !probe.turn().shows("Rename")
        },
    },
    TrapCase {
        id: "files.menu-turn",
        package: "org.droidmux.files",
        steady: true,
        show: |probe| {
            let before = probe.hold("Music").shows("Rename");
            before && !probe.turn().shows("Rename")
        },
    },
    TrapCase {
        id: "units.menu-turn",
        package: "org.droidmux.units",
        steady: true,
        show: |probe| {
            let before = probe.tap("More options").shows("Practise");
            before && !probe.turn().shows("Practise")
        },
    },
];

const LISTS: &[(&[Case], &[TrapCase])] = &[
    (cards::cases::CASES, cards::cases::TRAPS),
    (conference::cases::CASES, conference::cases::TRAPS),
    (expenses::cases::CASES, expenses::cases::TRAPS),
    (omni::cases::CASES, omni::cases::TRAPS),
    (player::cases::CASES, player::cases::TRAPS),
    (radio::cases::CASES, radio::cases::TRAPS),
    (reader::cases::CASES, reader::cases::TRAPS),
    (todo::cases::CASES, todo::cases::TRAPS),
    (tube::cases::CASES, tube::cases::TRAPS),
    (wiki::cases::CASES, wiki::cases::TRAPS),
];

fn cases() -> impl Iterator<Item = &'static Case> {
    CASES.iter().chain(LISTS.iter().flat_map(|(cases, _)| *cases))
}

fn traps() -> impl Iterator<Item = &'static TrapCase> {
    TRAPS.iter().chain(LISTS.iter().flat_map(|(_, traps)| *traps))
}

fn sorted<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut ids: Vec<&str> = ids.collect();
    ids.sort_unstable();
    ids
}

#[test]
fn each_defect_shows_only_with_its_switch_on_and_is_counted_then() {
    let apps = super::functional();
    let wrong: Vec<String> = cases().flat_map(|case| case.check(&apps)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for case in cases() {
        let options = PhoneOptions::default();
        let mut probe = Probe::start(case.package, &apps, &DefectSwitches::all(), options);
        let opened = probe.phone.set_off(case.package);
        assert!(opened.is_empty(), "{} when it is opened: {opened:?}", case.package);
        probe = Probe::start(case.package, &apps, &DefectSwitches::none(), PhoneOptions::default());
        (case.trigger)(&mut probe);
        assert!(probe.events <= 15, "{} takes {} events", case.id, probe.events);
    }
}

#[test]
fn every_defect_has_a_case() {
    let apps = super::functional();
    let known = sorted(apps.iter().flat_map(|app| app.defects()).map(|d| d.id));
    assert_eq!(known, sorted(cases().map(|case| case.id)));
}

#[test]
fn a_third_of_the_defects_needs_three_functions_and_all_kinds_occur() {
    // Defects that only take an event of the system are not deep, and are counted separately.
    let apps = super::functional();
    let neutral: BTreeSet<&str> =
        apps.iter().flat_map(|app| app.defects()).filter(|d| d.is_neutral()).map(|d| d.id).collect();
    let by_hand = || cases().filter(|case| !neutral.contains(case.id));
    let deep = by_hand().filter(|case| case.functions.len() >= 3).count();
    assert!(deep * 3 >= by_hand().count(), "{deep} of {}", by_hand().count());
    assert!(neutral.len() >= 8, "{neutral:?}");
    for case in cases() {
        let different: BTreeSet<&str> = case.functions.iter().copied().collect();
        assert!(!different.is_empty() && different.len() == case.functions.len(), "{}", case.id);
    }
    let kinds: BTreeSet<&str> = apps.iter().flat_map(SimApp::defects).map(|d| d.kind.name()).collect();
    assert_eq!(kinds.len(), 8, "{kinds:?}");
}

#[test]
fn correct_apps_show_every_trap() {
    let apps = super::functional();
    for case in traps() {
        assert!(case.shows(&apps), "{}", case.id);
    }
}

#[test]
fn every_trap_has_a_case_and_an_id_of_its_own() {
    let apps = super::functional();
    let known = sorted(apps.iter().flat_map(|app| app.traps()).map(|trap| trap.id));
    assert_eq!(known, sorted(traps().map(|case| case.id)));
    let defects = apps.iter().flat_map(|app| app.defects()).map(|defect| defect.id);
    let ids: BTreeSet<&str> = known.iter().copied().chain(defects.clone()).collect();
    assert_eq!(ids.len(), known.len() + defects.count(), "an id occurs twice");
}

/// Switches are shared by all apps of a phone, so an id says which app it belongs to.
#[test]
fn ids_begin_with_the_name_of_their_app() {
    for app in super::all() {
        let name = app.package().rsplit('.').next().unwrap_or_default();
        let ids = app.defects().iter().map(|d| d.id).chain(app.traps().iter().map(|t| t.id));
        for id in ids {
            assert_eq!(id.split('.').next(), Some(name), "{id}");
        }
    }
}
