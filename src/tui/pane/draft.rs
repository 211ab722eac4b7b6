//! The specification as it grows: what it lacks, what its rehearsal showed, then its text.

use ratatui::layout::Rect;

use super::{Pane, TextPane};
use crate::app::App;
use crate::paint::{Painter, Words};
use crate::prose::Prose;
use crate::theme::Role;
use droidmux_proto::{RecorderPhase, RecorderView, RehearsalView};

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let screen = &app.recorder;
    let text = TextPane {
        pane: Pane::Draft,
        title: "Specification",
        list: &screen.draft,
        lines: &screen.draft_lines,
        nothing: "Nothing is recorded yet.",
    };
    text.draw(app, painter, frame);
}

/// The state of the recording and its text, in lines of at most `width` cells; lines of the text are cut.
pub fn lines(view: &RecorderView, width: usize) -> Vec<Words> {
    let mut prose = Prose::new(width);
    prose.phase(view);
    prose.say_if(&view.trouble, Role::Bad);
    for (text, words) in [(&view.before, "takes away"), (&view.after, data_words(view))] {
        if !text.is_empty() {
            prose.say(&format!("data: {words} {} {text:?}", view.datatype), Role::Text);
        }
    }
    if !view.lacks.is_empty() {
        prose.say(&format!("Not whole: {}", view.lacks), Role::Warn);
    }
    view.remarks.iter().for_each(|remark| prose.say(remark, Role::Warn));
    if let Some(rehearsal) = &view.rehearsal {
        prose.rehearsal(rehearsal);
    }
    if !view.saved.is_empty() {
        prose.say(&format!("Written to {}", view.saved), Role::Good);
    }
    if !view.text.is_empty() {
        prose.gap();
        prose.lines.extend(view.text.lines().map(|line| vec![(line.to_owned(), Role::Text)]));
    }
    prose.lines
}

fn data_words(view: &RecorderView) -> &'static str {
    match view.operation {
        droidmux_record::Operation::View | droidmux_record::Operation::Search => "shows",
        _ => "adds",
    }
}

impl Prose {
    fn phase(&mut self, view: &RecorderView) {
        match &view.phase {
            RecorderPhase::Ready => {}
            RecorderPhase::Opening => self.say("The device is made ready.", Role::Dim),
            RecorderPhase::Acting => self.say("Under way.", Role::Dim),
            RecorderPhase::Rehearsing => self.say("Rehearsing.", Role::Dim),
            RecorderPhase::Lost(why) => {
                self.say(&format!("No device: {why}"), Role::Bad);
                let words = match view.events.is_empty() {
                    true => "Nothing was recorded: n begins anew.",
                    false => "What was recorded is kept: R goes on on a device, w writes it, X leaves.",
                };
                self.say(words, Role::Dim);
            }
        }
    }

    fn rehearsal(&mut self, rehearsal: &RehearsalView) {
        match rehearsal.good {
            true => self.say("Rehearsed: it works.", Role::Good),
            false => self.say("Rehearsed: it does not work as it is written.", Role::Bad),
        }
        rehearsal.lines.iter().for_each(|line| self.say(&format!("  {line}"), Role::Text));
    }
}
