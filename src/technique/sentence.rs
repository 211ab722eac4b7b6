//! Parts of the sentences that findings are told in: what was done, to what, in the words people see.
//!
//! Invariant: texts of apps stand in quotation marks and are cut where they are long; nothing is said of a
//! password, and no class name where a widget has a word.

use crate::gui::{DeviceSetting, Event, EventKind, Selector, printable, short_id};

/// Characters of a text of an app in a sentence.
const LONGEST: usize = 40;

/// A text of the app in quotation marks, on one line and cut where it is long: `'Save'`.
pub fn called(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut kept: String = line.chars().take(LONGEST).collect();
    if kept.len() < line.len() {
        kept.push('…');
    }
    format!("'{}'", printable(&kept))
}

/// What people see on a widget, in quotation marks: its text, else its description, else the words of its id.
/// `None` when it has nothing of the kind.
pub fn name_of(receiver: &Selector) -> Option<String> {
    let id = split_name(short_id(&receiver.resource_id));
    let names = [receiver.text.as_str(), receiver.description.as_str(), id.as_str()];
    names.into_iter().find(|name| !name.trim().is_empty()).map(called)
}

/// The words of an identifier: `HistoryDetailActivity` as `history detail activity`.
pub fn split_name(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        let breaks = c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if breaks || matches!(c, '_' | '.' | '$' | '-') {
            words.push(' ');
        }
        if !matches!(c, '_' | '.' | '$' | '-') {
            words.extend(c.to_lowercase());
        }
        before = c;
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What was done, as a part of a sentence: `clicking 'Save'`.
pub fn deed(event: &Event) -> String {
    let on = |verb: &str, preposition: &str| match event.receiver.as_ref().and_then(name_of) {
        Some(name) => format!("{verb}{preposition} {name}"),
        None => verb.to_owned(),
    };
    let words = match event.kind {
        EventKind::Click => return on("clicking", ""),
        EventKind::LongClick => return on("long-clicking", ""),
        EventKind::Edit => return on("typing", " into"),
        EventKind::Scroll(_) => return on("scrolling", ""),
        EventKind::Back => "going back",
        EventKind::Home => "leaving for the home screen",
        EventKind::Menu => "pressing the menu key",
        EventKind::Enter => "pressing enter",
        EventKind::Rotate => "turning the phone",
        EventKind::Launch => "coming back to the app",
        EventKind::Wait => "waiting",
        EventKind::Kill => "the system ending the app in the background",
        EventKind::Relaunch => "starting the app anew",
        EventKind::Sleep => "turning the screen off",
        EventKind::Wake => "turning the screen on",
        EventKind::Lock => "locking the phone",
        EventKind::Unlock => "unlocking the phone",
        EventKind::Set(DeviceSetting::Dark) => "changing the theme",
        EventKind::Set(DeviceSetting::Language) => "changing the language",
        EventKind::Set(DeviceSetting::FontSize) => "changing the font size",
        EventKind::Set(DeviceSetting::Network) => "changing the network",
    };
    words.to_owned()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A button with this text, description and id.
    pub fn selector(text: &str, description: &str, id: &str) -> Selector {
        Selector {
            class: "android.widget.Button".into(),
            resource_id: id.into(),
            description: description.into(),
            text: text.into(),
            children: String::new(),
            context: String::new(),
            position: 0,
        }
    }

    #[test]
    fn deeds_are_told_in_words_that_people_see() {
        for (kind, receiver, told) in [
            (EventKind::Click, Some(selector("Save", "x", "org.a:id/ok")), "clicking 'Save'"),
            (EventKind::Click, Some(selector("", "Attach picture", "")), "clicking 'Attach picture'"),
            (EventKind::LongClick, Some(selector("", "", "org.a:id/add_note")), "long-clicking 'add note'"),
            (EventKind::Edit, Some(selector("", "", "org.a:id/userName")), "typing into 'user name'"),
            (EventKind::Click, Some(selector(" ", "", "")), "clicking"),
            (EventKind::Click, Some(selector("two\nlines\u{202e}", "", "")), "clicking 'two lines\u{fffd}'"),
            (EventKind::Rotate, None, "turning the phone"),
        ] {
            let event = Event { kind, receiver, data: None };
            assert_eq!(deed(&event), told);
        }
        assert_eq!(called(&"a".repeat(50)), format!("'{}…'", "a".repeat(40)));
    }

    #[test]
    fn names_of_activities_are_split_at_capitals() {
        for (name, words) in [
            ("HistoryDetailActivity", "history detail activity"),
            ("main", "main"),
            ("Edit_Note2Page", "edit note2 page"),
            ("URLView", "urlview"),
            ("", ""),
        ] {
            assert_eq!(split_name(name), words);
        }
    }
}
