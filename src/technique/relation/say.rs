//! What was done, in words for sentences: `deleting`, never the name of a class.

use super::deed::Deed;
use super::quoted;
use super::trail::{Shot, Trail};
use droidmux_gui::{DeviceSetting, Event, EventKind};

impl Deed {
    /// What was done, as it follows `after`: `'Delete' on 'bread'`, `turning the phone`.
    pub fn words(&self, trail: &Trail<'_>) -> String {
        let row = self.row(trail).map(|(_, row)| quoted(&row.label));
        let last = self.events(trail).filter(|(_, event, _)| event.receiver.is_some()).last();
        let Some((before, event, after)) = last else {
            let last = self.events(trail).last();
            return last.map_or_else(|| "nothing".into(), |(_, event, _)| event_words(event));
        };
        let touched = after.receiver.map(|receiver| before.word(receiver)).filter(|word| !word.is_empty());
        match (touched.map(|word| quoted(&word)), row) {
            (Some(word), Some(row)) if word != row => format!("{word} on {row}"),
            (Some(word), _) => touch_words(event, &word),
            (None, Some(row)) => format!("touching a button of {row}"),
            (None, None) => event_words(event),
        }
    }
}

fn touch_words(event: &Event, word: &str) -> String {
    match event.kind {
        EventKind::LongClick => format!("a long touch of {word}"),
        EventKind::Edit => format!("typing into {word}"),
        EventKind::Scroll(_) => format!("scrolling {word}"),
        _ => format!("touching {word}"),
    }
}

/// An event on no widget that has a word, as it follows `after`.
pub fn event_words(event: &Event) -> String {
    match event.kind {
        EventKind::Click => "a touch",
        EventKind::LongClick => "a long touch",
        EventKind::Edit => "typing",
        EventKind::Scroll(_) => "scrolling",
        EventKind::Back => "going back",
        EventKind::Home => "going to the home screen",
        EventKind::Menu => "the menu key",
        EventKind::Enter => "the enter key",
        EventKind::Rotate => "turning the phone",
        EventKind::Launch => "coming back to the app",
        EventKind::Wait => "waiting",
        EventKind::Kill => "the system ended the app",
        EventKind::Relaunch => "starting the app again",
        EventKind::Sleep => "turning the screen off",
        EventKind::Wake => "turning the screen on",
        EventKind::Lock => "locking the phone",
        EventKind::Unlock => "unlocking the phone",
        EventKind::Set(DeviceSetting::Dark) => "changing the dark theme",
        EventKind::Set(DeviceSetting::Language) => "changing the language",
        EventKind::Set(DeviceSetting::FontSize) => "changing the font size",
        EventKind::Set(DeviceSetting::Network) => "changing the network",
        EventKind::Set(DeviceSetting::Clock) => "letting a day pass",
    }
    .to_owned()
}

impl Shot<'_> {
    /// What a person calls the page: its title; empty where it has none.
    pub fn page_words(&self) -> String {
        let title = &self.look().title;
        if title.is_empty() { "the page".into() } else { format!("the page {}", quoted(title)) }
    }
}
