//! The shortest trigger of every defect, with its switch on and off.

use super::probe::Probe;
use crate::sim::phone::Buffer;

/// A defect, its app, how to trigger it, and whether the app then behaved as it should.
struct Case {
    id: &'static str,
    package: &'static str,
    trigger: fn(&mut Probe),
    is_right: fn(&Probe) -> bool,
}

const CASES: &[Case] = &[
    Case {
        id: "diary.wrong-picture",
        package: "org.droidmux.diary",
        trigger: |probe| {
            probe.tap("Cinema").tap("Attach picture").tap("Cleaning").tap("Attach picture");
            probe.tap("Diary").tap("Picture of Cinema").tap("Delete");
        },
        is_right: |probe| probe.shows("Picture of Cleaning") && !probe.shows("Picture of Cinema"),
    },
    Case {
        id: "diary.unsaved-name",
        package: "org.droidmux.diary",
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
        trigger: |probe| {
            probe.tap("New").tap("Folder").enter("singleedittext_input", "old").tap("Create");
            probe.tap("Search").enter("search_edit_text", "old").tap("Start search");
            probe.hold("second").tap("Rename").enter("singleedittext_input", "new").tap("Save");
        },
        is_right: |probe| probe.shows("new") && probe.count("old") == 1,
    },
    Case {
        id: "notes.same-title",
        package: "org.droidmux.notes",
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
        trigger: |probe| {
            probe.hold("Books").tap("Rename").enter("new_name", "ideas").tap("button1");
        },
        is_right: |probe| probe.shows("ideas") && probe.shows("Ideas"),
    },
    Case {
        id: "notes.rotate-edit",
        package: "org.droidmux.notes",
        trigger: |probe| {
            probe.tap("New note").enter("note__title", "Unsaved");
            probe.phone.set_rotation(1);
        },
        is_right: |probe| probe.shows("Unsaved") && probe.phone.logcat(&[Buffer::Crash]).is_empty(),
    },
];

#[test]
fn each_defect_shows_only_with_its_switch_on() {
    for case in CASES {
        for (defects, right) in [(vec![], true), (vec![case.id], false)] {
            let mut probe = Probe::start(case.package, &defects);
            (case.trigger)(&mut probe);
            assert_eq!((case.is_right)(&probe), right, "{} with {defects:?} on", case.id);
        }
    }
}

#[test]
fn every_defect_has_a_case() {
    let known: Vec<&str> = super::all().iter().flat_map(|app| app.defects()).map(|d| d.id).collect();
    let tried: Vec<&str> = CASES.iter().map(|case| case.id).collect();
    assert_eq!(known, tried);
}
