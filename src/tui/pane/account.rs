//! What a person should know before the next order: what comes next, what differs, the violation.

use ratatui::layout::Rect;

use super::{Pane, position};
use crate::proto::{StepperView, ViolationPart};
use crate::tui::app::App;
use crate::tui::paint::Painter;
use crate::tui::theme::Role;
use crate::tui::why::Words;
use crate::tui::{text, words};

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let focused = app.focus() == Pane::Account;
    let lines = &app.stepper.account_lines;
    let rows = Pane::Account.rows(frame);
    let offset = app.stepper.account.offset;
    let note = match lines.len() > usize::from(rows.height) {
        true => position(offset, lines.len() as u64),
        false => String::new(),
    };
    painter.pane(frame, "What is there", &note, focused);
    let from = usize::try_from(offset).unwrap_or(0);
    painter.lines(rows, lines.iter().skip(from).map(Vec::as_slice));
}

/// The account in lines of at most `width` cells; `ended` where the person has left the test.
pub fn lines(view: &StepperView, ended: bool, width: usize) -> Vec<Words> {
    let mut prose = Prose { width: width.max(20), lines: Vec::new() };
    match (&view.next, view.question) {
        _ if ended => {
            let kept = format!("The stepping has ended. What was done stays session {}.", view.session);
            prose.say(&kept, Role::Strong);
        }
        (_, None) => prose.say("Under way.", Role::Dim),
        (Some(next), Some(_)) => {
            let found = if next.found.is_empty() { String::new() } else { format!(" ({})", next.found) };
            prose.say(&format!("Next: {}{found}", next.event), Role::Strong);
        }
        (None, Some(_)) => prose.say("The test is at its end.", Role::Strong),
    }
    if !view.trouble.is_empty() {
        prose.say(&view.trouble, Role::Bad);
    }
    // There, it is what the person has come for.
    if view.violation.reached {
        prose.violation(view);
        prose.lines.push(Vec::new());
    }
    match (view.recorded, view.live) {
        (Some(recorded), Some(live)) if recorded == live => {
            prose.say("The screen is as recorded.", Role::Good)
        }
        (Some(_), Some(_)) => prose.list("The screen differs from the recorded one:", &view.differences),
        _ => {}
    }
    match &view.effect {
        Some(effect) if !effect.is_whole() => {
            prose.list("Of what the seed's event did is missing:", &effect.missing);
        }
        Some(effect) if effect.came > 0 => prose.say("The seed's effect came.", Role::Good),
        Some(_) | None => {}
    }
    let seconds = view.back_ms.div_ceil(1000);
    if !ended {
        prose.say(&format!("Back takes about {seconds} s."), Role::Dim);
    }
    if !view.violation.reached {
        prose.violation(view);
    }
    prose.lines
}

struct Prose {
    width: usize,
    lines: Vec<Words>,
}

impl Prose {
    fn say(&mut self, words: &str, role: Role) {
        self.lines.extend(text::wrap(words, self.width).into_iter().map(|line| vec![(line, role)]));
    }

    fn list(&mut self, head: &str, entries: &[String]) {
        self.say(head, Role::Warn);
        entries.iter().for_each(|entry| self.say(&format!("  {entry}"), Role::Text));
    }

    fn violation(&mut self, view: &StepperView) {
        let note = &view.violation;
        self.lines.push(Vec::new());
        let head = match note.reached {
            true => "The violation:".to_owned(),
            false => format!("The violation shows after event {}:", note.at),
        };
        self.say(&head, Role::Accent);
        self.say(&note.title, Role::Text);
        if !note.reached {
            return;
        }
        note.reasons.iter().for_each(|reason| self.say(reason, Role::Text));
        note.parts.iter().for_each(|part| self.part(part));
    }

    fn part(&mut self, part: &ViolationPart) {
        let widgets = match (&part.before, &part.after) {
            (Some(before), Some(after)) => format!("{} became {}", words::note(before), words::note(after)),
            (Some(before), None) => format!("{} went away", words::note(before)),
            (None, Some(after)) => format!("{} appeared", words::note(after)),
            (None, None) => return,
        };
        let (came, role) = match part.came {
            Some(true) => (": came this time", Role::Good),
            Some(false) => (": is missing again", Role::Bad),
            None => ("", Role::Text),
        };
        self.say(&format!("{widgets}{came}"), role);
        if !part.context.is_empty() {
            self.say(&format!("  in {}", part.context), Role::Dim);
        }
    }
}
