//! Text in lines of a given width: what panes have to say in sentences.
//!
//! In: sentences with their roles, one after the other. Out: lines that fit, which can be drawn from any line on. What
//! a pane says in the terms of its own subject is added to [`Prose`] in its own module: `why`, `pane::account`,
//! `pane::draft`.

use super::paint::Words;
use super::text;
use super::theme::Role;

/// Narrower lines are not made.
const LEAST_WIDTH: usize = 20;

/// Lines so far.
pub struct Prose {
    /// The most cells of a line.
    pub width: usize,
    pub lines: Vec<Words>,
}

impl Prose {
    /// No line yet.
    pub fn new(width: usize) -> Self {
        Self { width: width.max(LEAST_WIDTH), lines: Vec::new() }
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.lines.push(Vec::new());
    }

    /// A line in the accent's colour, below an empty one.
    pub fn heading(&mut self, text: &str) {
        self.gap();
        self.lines.push(vec![(text.into(), Role::Accent)]);
    }

    /// A wrapped sentence.
    pub fn say(&mut self, words: &str, role: Role) {
        self.lines.extend(text::wrap(words, self.width).into_iter().map(|line| vec![(line, role)]));
    }

    /// Adds the words, unless they are empty.
    pub fn say_if(&mut self, words: &str, role: Role) {
        if !words.is_empty() {
            self.say(words, role);
        }
    }

    /// A warning, and below it what it is about.
    pub fn list(&mut self, head: &str, entries: &[String]) {
        self.say(head, Role::Warn);
        entries.iter().for_each(|entry| self.say(&format!("  {entry}"), Role::Text));
    }

    /// Wrapped text, later lines indented as far as the lead reaches.
    pub fn paragraph(&mut self, lead: &str, text: &str, role: Role) {
        self.led(lead, role, text, role);
    }

    /// Adds a paragraph whose lead has another role.
    pub fn led(&mut self, lead: &str, lead_role: Role, text: &str, role: Role) {
        let indent = text::width(lead);
        for (n, line) in text::wrap(text, self.width.saturating_sub(indent)).into_iter().enumerate() {
            let lead = if n == 0 { lead.to_string() } else { " ".repeat(indent) };
            self.lines.push(vec![(lead, lead_role), (line, role)]);
        }
    }
}
