//! What the prompts of the three agents have in common.

use super::chronicle::Chronicle;
use super::phrase::quoted;
use super::step::short_activity;
use droidmux_gui::Interaction;
use droidmux_record::{Agent, Part, Picture, Question};

/// Functions in a list of functions, the newest.
pub const MOST_FUNCTIONS: usize = 20;

/// A prompt being written: texts under headings, pictures among them.
#[derive(Debug, Default)]
pub struct Prompt {
    parts: Vec<Part>,
    text: String,
}

impl Prompt {
    /// A text under a heading; nothing where the text is empty.
    pub fn section(&mut self, heading: &str, text: &str) {
        if !text.trim().is_empty() {
            self.text(&format!("## {heading}\n{}", text.trim_end()));
        }
    }

    pub fn text(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.push_str(text);
    }

    /// Pictures, each after what it shows.
    pub fn pictures(&mut self, pictures: Vec<(String, Picture)>) {
        for (words, picture) in pictures {
            self.text(&words);
            self.parts.push(Part::Text(std::mem::take(&mut self.text)));
            self.parts.push(Part::Picture(picture));
        }
    }

    /// What was wrong with the last reply to this question.
    pub fn complaint(&mut self, complaint: Option<&str>) {
        if let Some(complaint) = complaint {
            self.section("Your last reply was of no use", complaint);
        }
    }

    /// The question, with the legend of the marks: it always goes with the pictures.
    pub fn question(mut self, agent: Agent, role: &str, schema: &str) -> Question {
        if !self.text.is_empty() {
            self.parts.push(Part::Text(self.text));
        }
        if self.parts.iter().any(|part| matches!(part, Part::Picture(_))) {
            let legend = format!("## Marks in the pictures\n{}", Interaction::legend());
            self.parts.insert(0, Part::Text(legend));
        }
        Question { agent, role: role.to_owned(), parts: self.parts, schema: schema.to_owned() }
    }
}

/// The app, and the page it shows.
pub fn place(chronicle: &Chronicle) -> String {
    let Some(here) = chronicle.here() else { return String::new() };
    let page = chronicle.pages.get(here.page);
    // Menus of two rows are called the same: what was said of one does not hold for the other.
    let described = page.filter(|page| !page.is_window && !page.description.is_empty());
    let described = described.map_or(String::new(), |page| format!(": {}", page.description));
    let activity = quoted(short_activity(&here.activity));
    let called = here.told.as_ref().map_or(activity, |told| told.page.clone());
    format!("app {}\nscreen now: {called}{described}", here.package)
}
