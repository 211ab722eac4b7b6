//! What a person should know before the next order: what comes next, what differs, the violation.

use ratatui::layout::Rect;

use super::{Pane, TextPane};
use crate::app::App;
use crate::paint::{Painter, Words};
use crate::prose::Prose;
use crate::theme::Role;
use crate::words;
use droidmux_proto::{Shows, StepperView, ViolationPart};

pub fn draw(app: &App, painter: &mut Painter<'_>, frame: Rect) {
    let screen = &app.stepper;
    let title = "What is there";
    let nothing = "Nothing was told yet.";
    let text =
        TextPane { pane: Pane::Account, title, list: &screen.account, lines: &screen.account_lines, nothing };
    text.draw(app, painter, frame);
}

/// The account in lines of at most `width` cells; `ended` if the person has left the test.
pub fn lines(view: &StepperView, ended: bool, width: usize) -> Vec<Words> {
    let mut account = Prose::new(width);
    match (&view.next, view.question) {
        _ if ended => {
            let kept = format!("The stepping has ended. What was done stays session {}.", view.session);
            account.say(&kept, Role::Strong);
        }
        (_, None) if view.device.is_empty() => account.say("Waiting for a device.", Role::Dim),
        (_, None) => account.say("Under way.", Role::Dim),
        (Some(next), Some(_)) => {
            let found = if next.found.is_empty() { String::new() } else { format!(" ({})", next.found) };
            account.say(&format!("Next: {}{found}", next.event), Role::Strong);
        }
        (None, Some(_)) => account.say("The test is at its end.", Role::Strong),
    }
    account.say_if(&view.trouble, Role::Bad);
    // What the test is led to find out comes before anything that may fill the pane.
    if let Some(shows) = &view.violation.shows {
        let role = match shows {
            Shows::Again => Role::Bad,
            Shows::Not => Role::Good,
            Shows::Unknown(_) => Role::Warn,
        };
        account.say(&shows.sentence(), role);
    }
    // There, it is what the person has come for.
    if view.violation.reached {
        account.violation(view);
        account.gap();
    }
    match (view.recorded, view.live) {
        (Some(recorded), Some(live)) if recorded == live => {
            account.say("The screen is as recorded.", Role::Good)
        }
        (Some(_), Some(_)) if view.differences.is_empty() => {
            account.say("The screen reads as the recorded one.", Role::Good);
        }
        (Some(_), Some(_)) => account.list("The screen differs from the recorded one:", &view.differences),
        _ => {}
    }
    match &view.effect {
        Some(effect) if !effect.is_whole() => {
            account.list("Of what the seed's event did is missing:", &effect.missing);
        }
        Some(effect) if effect.came > 0 => account.say("The seed's effect came.", Role::Good),
        Some(_) | None => {}
    }
    let seconds = view.back_ms.div_ceil(1000);
    if !ended {
        account.say(&format!("Back takes about {seconds} s."), Role::Dim);
    }
    if !view.violation.reached {
        account.violation(view);
    }
    account.lines
}

impl Prose {
    fn violation(&mut self, view: &StepperView) {
        let note = &view.violation;
        self.gap();
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
        if !note.parts.is_empty() {
            self.say("Of what the seed did this was missing:", Role::Dim);
        }
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
