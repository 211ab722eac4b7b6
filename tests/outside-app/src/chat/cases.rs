//! The shortest triggers of the defects, and the traps.

use droidmux_testutils::app::{Case, Probe, TrapCase};

use super::MANIFEST;

const APP: &str = MANIFEST.package;

const PARCEL: &str = "Did the parcel arrive?";
const LIGHTHOUSE: &str = "I liked the lighthouse";
const BAG: &str = "Bring the blue bag";

pub(crate) const CASES: &[Case] = &[
    Case {
        id: "chat.preview-deleted",
        package: APP,
        functions: &["delete the last message of a conversation"],
        trigger: |probe| {
            probe.tap("Lena Fox").hold(BAG).tap("Delete for me").key("BACK");
        },
        is_right: |probe| probe.shows("You: Yes, at nine"),
    },
    Case {
        id: "chat.edit-star",
        package: APP,
        functions: &["star a message", "edit it"],
        trigger: |probe| {
            probe.tap("Ben Hale").hold(PARCEL).tap("Star");
            edit_parcel(probe, "Did it come?");
        },
        is_right: |probe| is_marked(probe, "starred"),
    },
    Case {
        id: "chat.filter-return",
        package: APP,
        functions: &["filter conversations", "open one and come back"],
        trigger: |probe| {
            probe.tap("filter_groups").tap("Roof repair").key("BACK");
        },
        is_right: |probe| probe.shows("Roof repair") && !probe.shows("Ben Hale"),
    },
    Case {
        id: "chat.edit-draft",
        package: APP,
        functions: &["type a message", "begin to edit another one", "cancel that"],
        trigger: |probe| {
            probe.tap("Ben Hale").enter("message_field", "Later").key("BACK");
            probe.hold(PARCEL).tap("Edit").tap("Cancel edit");
        },
        is_right: |probe| probe.text_of("message_field") == "Later",
    },
    Case {
        id: "chat.search-edited",
        package: APP,
        functions: &["edit a message", "search"],
        trigger: |probe| {
            probe.tap("Ben Hale");
            edit_parcel(probe, "Any news?");
            probe.key("BACK");
            probe.tap("Search").enter("search_field", "news").key("BACK");
        },
        is_right: |probe| probe.shows("Any news?"),
    },
    Case {
        id: "chat.starred-sender",
        package: APP,
        functions: &["star a message of a group", "open it from the starred messages"],
        trigger: |probe| {
            probe.tap("Book club").hold(LIGHTHOUSE).tap("Star").key("BACK");
            menu(probe, "Starred messages");
            probe.tap(LIGHTHOUSE);
        },
        is_right: |probe| probe.shows("Book club") && probe.shows(LIGHTHOUSE),
    },
    Case {
        id: "chat.members-stale",
        package: APP,
        functions: &["remove a member from a group"],
        trigger: |probe| {
            probe.tap("Book club").tap("Info").tap("Ada Moss").tap("Remove from group").key("BACK");
        },
        is_right: |probe| probe.shows("3 members"),
    },
    Case {
        id: "chat.forward-again",
        package: APP,
        functions: &["forward a message", "turn the screen"],
        trigger: |probe| {
            probe.tap("Lena Fox").hold(BAG).tap("Forward").tap("Book club").turn().turn();
        },
        is_right: |probe| probe.count(BAG) == 1,
    },
    Case {
        id: "chat.undo-pin",
        package: APP,
        functions: &["archive a pinned conversation", "undo that"],
        trigger: |probe| {
            probe.hold("Lena Fox").tap("Archive").tap("Undo");
        },
        is_right: |probe| probe.shows("Lena Fox") && probe.shows("Pinned"),
    },
    Case {
        id: "chat.killed-pins",
        package: APP,
        functions: &["pin a conversation", "be ended in the background"],
        trigger: |probe| {
            probe.hold("Ben Hale").tap("Pin").key("HOME").kill(APP).launch(APP);
        },
        is_right: |probe| probe.is_above("Ben Hale", "Omar Reed"),
    },
];

pub(crate) const TRAPS: &[TrapCase] = &[
    TrapCase {
        id: "chat.return-receives",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.is_above("Book club", "Omar Reed");
            let after = probe.key("HOME").launch(APP).is_above("Omar Reed", "Book club");
            before && after && probe.shows("Now it is at five")
        },
    },
    TrapCase {
        id: "chat.open-reads",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("filter_unread").shows("Omar Reed");
            before && !probe.tap("Omar Reed").key("BACK").shows("Omar Reed")
        },
    },
    TrapCase {
        id: "chat.draft-preview",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("It came this morning");
            probe.tap("Ben Hale").enter("message_field", "Later").key("BACK").key("BACK");
            before && probe.shows("Draft: Later") && !probe.shows("It came this morning")
        },
    },
    TrapCase {
        id: "chat.archive-unpins",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Pinned");
            probe.hold("Lena Fox").tap("Archive").tap("archived").hold("Lena Fox").tap("Unarchive");
            before && probe.key("BACK").shows("Lena Fox") && !probe.shows("Pinned")
        },
    },
    TrapCase {
        id: "chat.arrival-unarchives",
        package: APP,
        steady: true,
        show: |probe| {
            let archived = !probe.hold("Omar Reed").tap("Archive").shows("Omar Reed");
            archived && probe.key("HOME").launch(APP).shows("Omar Reed")
        },
    },
    TrapCase {
        id: "chat.quote-stays",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Ben Hale").hold(PARCEL).tap("Reply");
            send(probe, "Hello");
            edit_parcel(probe, "Did it come?");
            probe.text_of("quote") == "You: Did the parcel arrive?" && probe.shows("Did it come?")
        },
    },
    TrapCase {
        id: "chat.sent-twice",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Ben Hale");
            send(probe, "Hello");
            send(probe, "Hello");
            probe.count("Hello") == 2
        },
    },
    TrapCase {
        id: "chat.earlier-messages",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Book club").shows("How far did you get?");
            for text in ["one", "two", "three"] {
                send(probe, text);
            }
            let gone = !probe.shows("How far did you get?");
            before && gone && probe.tap("Earlier messages").shows("How far did you get?")
        },
    },
    TrapCase {
        id: "chat.pin-limit",
        package: APP,
        steady: true,
        show: |probe| {
            for name in ["Ben Hale", "Omar Reed", "Roof repair"] {
                probe.hold(name).tap("Pin");
            }
            probe.count("Pinned") == 3
        },
    },
    TrapCase {
        id: "chat.selection-controls",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("Archive");
            !before && probe.hold("Ben Hale").shows("Archive") && !probe.key("BACK").shows("Archive")
        },
    },
    TrapCase {
        id: "chat.edit-own",
        package: APP,
        steady: true,
        show: |probe| {
            let others = probe.tap("Ben Hale").hold("It came this morning").shows("Edit");
            !others && probe.key("BACK").hold(PARCEL).shows("Edit")
        },
    },
    TrapCase {
        id: "chat.preview-setting",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("It came this morning");
            menu(probe, "Settings");
            before && !probe.tap("Message previews").key("BACK").shows("It came this morning")
        },
    },
    TrapCase {
        id: "chat.clear-keeps",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Ben Hale").hold(PARCEL).tap("Star").tap("Info").tap("Clear messages").tap("button1");
            probe.key("BACK").shows(PARCEL) && !probe.shows("It came this morning")
        },
    },
    TrapCase {
        id: "chat.undo-expires",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.hold("Ben Hale").tap("Archive").shows("Undo");
            before && !probe.tap("filter_groups").shows("Undo")
        },
    },
    TrapCase {
        id: "chat.line-name",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Book club").tap("Info").tap("Add member").tap("Ben Hale").key("BACK").key("BACK");
            probe.tap("New conversation").hold("Ben Hale").tap("Rename").enter("name_field", "Benno");
            let renamed = probe.tap("OK").key("BACK").shows("Benno");
            renamed && probe.tap("Book club").shows("You added Ben Hale")
        },
    },
    TrapCase {
        id: "chat.blocked-field",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.tap("Ben Hale").shows("message_field");
            probe.tap("Info").tap("Block").key("BACK");
            before && probe.shows("blocked") && !probe.shows("message_field")
        },
    },
    TrapCase {
        id: "chat.nothing-said",
        package: APP,
        steady: true,
        show: |probe| {
            let opened = probe.tap("New conversation").tap("Tilda Gray").shows("No messages here yet");
            opened && !probe.key("BACK").shows("Tilda Gray") && probe.shows("Ben Hale")
        },
    },
    TrapCase {
        id: "chat.muted-uncounted",
        package: APP,
        steady: true,
        show: |probe| {
            let before = probe.shows("3 unread");
            probe.hold("Book club");
            menu(probe, "Mute");
            before && probe.shows("1 unread") && probe.texts_of("badge").contains(&"2".to_owned())
        },
    },
    TrapCase {
        id: "chat.forward-plain",
        package: APP,
        steady: true,
        show: |probe| {
            probe.tap("Lena Fox").hold(BAG).tap("Star").hold(BAG).tap("Forward").tap("Ben Hale");
            probe.shows("Forwarded") && probe.shows(BAG) && !is_marked(probe, "starred")
        },
    },
    TrapCase {
        id: "chat.offline-waits",
        package: APP,
        steady: true,
        show: |probe| {
            probe.phone.set_airplane_mode(true);
            probe.tap("Ben Hale");
            send(probe, "Hello");
            let waits = is_marked(probe, "waiting");
            probe.phone.set_airplane_mode(false);
            waits && !is_marked(probe, "waiting")
        },
    },
    TrapCase {
        id: "chat.groups-alike",
        package: APP,
        steady: true,
        show: |probe| {
            for member in ["Ada Moss", "Ben Hale"] {
                menu(probe, "New group");
                probe.enter("group_name", "Trip").key("BACK").tap(member).tap("Create").key("BACK");
            }
            probe.count("Trip") == 2
        },
    },
    TrapCase {
        id: "chat.back-filter",
        package: APP,
        steady: true,
        show: |probe| {
            let filtered = !probe.tap("filter_groups").shows("Ben Hale");
            filtered && probe.key("BACK").shows("Ben Hale")
        },
    },
];

fn menu(probe: &mut Probe, item: &str) {
    probe.tap("More options").tap(item);
}

fn send(probe: &mut Probe, text: &str) {
    probe.enter("message_field", text).tap("Send").key("BACK");
}

/// Edits the first message of the conversation with Ben; the keyboard is closed afterwards.
fn edit_parcel(probe: &mut Probe, text: &str) {
    probe.hold(PARCEL).tap("Edit").enter("message_field", text).tap("Save").key("BACK");
}

/// Whether some message has this mark.
fn is_marked(probe: &Probe, mark: &str) -> bool {
    probe.texts_of("message_marks").iter().any(|marks| marks.split(" · ").any(|one| one == mark))
}
