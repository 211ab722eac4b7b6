//! The shortest triggers of the defects, and the traps.

use droidmux_testutils::app::{Case, Probe, TrapCase};

use super::MANIFEST;

const APP: &str = MANIFEST.package;

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "gallery.sorted-next",
        package: APP,
        functions: &["sort an album", "open a photo", "step to the next"],
        trigger: |probe| {
            probe.tap("Camera").tap("Sort").tap("Name").tap("beach.jpg").tap("Next photo");
        },
        is_right: |probe| probe.shows("dinner.jpg"),
    },
    Case {
        id: "gallery.deletes-first",
        package: APP,
        functions: &["open a photo", "step to the next", "delete it"],
        trigger: |probe| {
            probe.tap("Camera").tap("tower.jpg").tap("Next photo").tap("Delete").key("BACK");
        },
        is_right: |probe| probe.shows("tower.jpg") && !probe.shows("beach.jpg"),
    },
    Case {
        id: "gallery.restored-plain",
        package: APP,
        functions: &["make a photo a favourite", "delete it", "restore it"],
        trigger: |probe| {
            favour_goat(probe);
            probe.tap("Favourites").tap("goat.jpg").tap("Delete").key("BACK");
            menu(probe, "Recycle bin");
            probe.tap("goat.jpg").tap("Restore").key("BACK");
        },
        is_right: |probe| probe.shows("Favourites"),
    },
    Case {
        id: "gallery.count-stale",
        package: APP,
        functions: &["move a photo to another album"],
        trigger: |probe| {
            probe.tap("Camera").hold("goat.jpg");
            menu(probe, "Move to");
            probe.tap("Downloads").key("BACK");
        },
        is_right: |probe| probe.count("3 photos") == 2,
    },
    Case {
        id: "gallery.search-hidden",
        package: APP,
        functions: &["search"],
        trigger: |probe| {
            probe.tap("Search").enter("photo_search", "pass").key("BACK");
        },
        is_right: |probe| probe.shows("Nothing found"),
    },
    Case {
        id: "gallery.turn-photo",
        package: APP,
        functions: &["open a photo", "step to the next", "turn the screen"],
        trigger: |probe| {
            probe.tap("Camera").tap("tower.jpg").tap("Next photo").turn();
        },
        is_right: |probe| probe.shows("beach.jpg"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "gallery.return-photo",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Camera").shows("walk.jpg");
            !before && probe.key("HOME").launch(APP).shows("walk.jpg")
        },
    },
    TrapCase {
        id: "gallery.favourites-album",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Favourites");
            favour_goat(probe);
            !before && probe.shows("Favourites")
        },
    },
    TrapCase {
        id: "gallery.pinned-first",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.is_above("Camera", "Screenshots");
            probe.hold("Screenshots").tap("Pin");
            before && probe.is_left_of("Screenshots", "Camera") && probe.is_above("Screenshots", "Downloads")
        },
    },
    TrapCase {
        id: "gallery.next-after-delete",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Camera").tap("tower.jpg").shows("1 of 4");
            before && probe.tap("Delete").shows("beach.jpg") && probe.shows("1 of 3")
        },
    },
    TrapCase {
        id: "gallery.viewer-snapshot",
        package: APP,
        steady: true,
        show: |probe| {
            favour_goat(probe);
            let stays = probe.tap("Favourites").tap("goat.jpg").tap("Favourite").shows("1 of 1");
            stays && probe.key("BACK").shows("No photos here")
        },
    },
    TrapCase {
        id: "gallery.bin-off",
        package: APP,
        steady: true,
        show: |probe| {
            menu(probe, "Settings");
            probe.tap("Recycle bin").key("BACK").tap("Camera").hold("goat.jpg").tap("Delete").tap("button1");
            probe.key("BACK");
            menu(probe, "Recycle bin");
            probe.shows("The recycle bin is empty")
        },
    },
    TrapCase {
        id: "gallery.day-headings",
        package: APP,
        steady: true,
        show: |probe| {
            menu(probe, "Settings");
            probe.tap("Group by day").key("BACK").tap("Camera").is_above("Thu, 5 Mar", "goat.jpg")
        },
    },
    TrapCase {
        id: "gallery.hidden-leaves",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Downloads");
            before && !probe.hold("Downloads").tap("Hide").shows("Downloads")
        },
    },
    TrapCase {
        id: "gallery.hidden-return",
        package: APP,
        steady: true,
        show: |probe| {
            menu(probe, "Show hidden");
            let before = probe.shows("Papers");
            before && !probe.key("HOME").launch(APP).shows("Papers")
        },
    },
    TrapCase {
        id: "gallery.other-name",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Camera").hold("goat.jpg");
            menu(probe, "Copy to");
            probe.tap("Downloads").key("BACK").tap("Downloads").shows("goat (1).jpg")
        },
    },
    TrapCase {
        id: "gallery.selection-controls",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Camera").shows("More options");
            !before && probe.hold("goat.jpg").tap("More options").shows("Copy to")
        },
    },
    TrapCase {
        id: "gallery.album-restored",
        package: APP,
        steady: true,
        show: |probe| {
            probe.hold("Downloads").tap("Delete").tap("button1");
            let gone = !probe.shows("Downloads");
            menu(probe, "Recycle bin");
            gone && probe.tap("poster.jpg").tap("Restore").key("BACK").shows("Downloads")
        },
    },
    TrapCase {
        id: "gallery.undo-turn",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Camera").hold("goat.jpg").tap("Delete").shows("Undo");
            before && !probe.turn().shows("Undo")
        },
    },
    TrapCase {
        id: "gallery.names-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Camera").shows("photo_name");
            probe.key("BACK");
            menu(probe, "Settings");
            before && !probe.tap("File names").key("BACK").tap("Camera").shows("photo_name")
        },
    },
];

fn menu(probe: &mut Probe, item: &str) {
    probe.tap("More options").tap(item);
}

/// Makes a photo of the camera's album a favourite, from the page of albums and back to it.
fn favour_goat(probe: &mut Probe) {
    probe.tap("Camera").tap("goat.jpg").tap("No favourite").key("BACK").key("BACK");
}
