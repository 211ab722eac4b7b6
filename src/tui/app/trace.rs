//! What the trace shows: all steps of a session, or those of one test or one device; and the ways through it.
//!
//! In: a lens, something sought, a number to go to. Out: requests, and the cursor where the lab found it. Rows are
//! counted among the steps that the lens shows.

use super::App;
use crate::pages::{PAGE, Pages};
use crate::pane::Pane;
use crate::theme::Role;
use droidmux_proto::{Lens, Request, Sought};
use droidmux_record::SessionId;
use droidmux_words::figure::thousands;

/// Where a person wants to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Step(u64),
    /// To the row this many rows further on, or back.
    By(i64),
    /// To the row at this percentage of all rows.
    Percent(u64),
}

impl App {
    /// Shows only the steps of the test under the cursor, or all again.
    pub fn only_test(&mut self) {
        let Some(step) = self.session.step() else { return self.say("no step is selected", Role::Warn) };
        let (seq, lens) = (step.seq, Lens::Test { slot: step.slot, test: step.test });
        self.toggle_lens(lens, seq);
    }

    /// Shows only the steps of the device under the cursor, or all again.
    pub fn only_device(&mut self) {
        let Some(step) = self.session.step() else { return self.say("no step is selected", Role::Warn) };
        let (seq, lens) = (step.seq, Lens::Device(step.device.clone()));
        self.toggle_lens(lens, seq);
    }

    fn toggle_lens(&mut self, lens: Lens, seq: u64) {
        let shown = self.session.lens.clone();
        let lens = if *shown.base() == lens { Lens::All } else { lens };
        self.look_through(lens.holding(shown.words()), Some(seq));
    }

    /// Shows only those of the steps shown that hold all of these words; without words, all of them again.
    pub fn hold_words(&mut self, words: &str) {
        // A person who follows goes on following.
        let at = self.session.step().map(|step| step.seq).filter(|_| !self.session.follows);
        let lens = self.session.lens.clone().holding(words);
        self.look_through(lens, at);
        self.set_focus(Pane::Trace);
    }

    /// This many steps of the log were looked through for what the lens shows: the rest is asked for again.
    pub(super) fn looked_through(&mut self, looked: u64) {
        // A lab that gets no further is not asked endlessly.
        if !self.session.lens.words().is_empty() && looked > self.session.lens_looked {
            self.session.lens_looked = looked;
            self.session.lens_steps = Some(looked);
        }
    }

    /// Shows all steps of the open session.
    pub(super) fn look_at_all(&mut self) {
        let at = self.session.step().map(|step| step.seq);
        self.look_through(Lens::All, at);
    }

    /// Shows some of the steps, with the cursor at the step of this number.
    pub(super) fn look_through(&mut self, lens: Lens, at: Option<u64>) {
        if self.session.lens == lens {
            return;
        }
        let follows = self.session.follows && !matches!(lens.base(), Lens::Test { .. });
        let session = &mut self.session;
        (session.steps, session.lens_steps, session.lens_looked) = (Pages::default(), None, 0);
        (session.lens, session.follows) = (lens, follows);
        session.trace = Default::default();
        match (&self.session.lens, at) {
            (Lens::All, at) => {
                let view = self.view.clone();
                self.take_view(view);
                self.session.trace.cursor = at.unwrap_or(0);
            }
            (_, Some(seq)) => self.seek_from(0, false, Sought::Step(seq)),
            (_, None) => {}
        }
    }

    /// Asks for what was added to the steps that the lens shows.
    pub(super) fn fetch_lens(&mut self) {
        let Some(session) = self.current_session() else { return };
        let (id, steps) = (session.id, session.steps);
        if self.session.lens == Lens::All || self.session.lens_steps.is_some_and(|looked| looked >= steps) {
            return;
        }
        let lens = self.session.lens.clone();
        let limit = u32::try_from(PAGE).unwrap_or(u32::MAX);
        let request = Request::Trace { session: id, lens, from: self.session.steps.len(), limit };
        if self.asked.may_send(&request) {
            self.effect(super::Effect::Send(request));
            self.session.lens_steps = Some(steps);
        }
    }

    /// Whether the line of a search is about the trace.
    pub fn searches_trace(&self) -> bool {
        self.focus() == Pane::Trace
    }

    /// The next step that holds the words searched for.
    pub fn search_trace(&mut self, forwards: bool) {
        if !self.session.sought.is_empty() {
            self.seek(!forwards, Sought::Words(self.session.sought.clone()));
        }
    }

    /// Goes to the next row with something, or to the one before.
    pub fn seek(&mut self, backwards: bool, sought: Sought) {
        let cursor = self.session.trace.cursor;
        match if backwards { cursor.checked_sub(1) } else { cursor.checked_add(1) } {
            Some(from) => self.seek_from(from, backwards, sought),
            None => self.say(format!("{} before this one", absent(&sought)), Role::Dim),
        }
    }

    fn seek_from(&mut self, from: u64, backwards: bool, sought: Sought) {
        let Some(session) = self.session.id else { return };
        let lens = self.session.lens.clone();
        self.ask_once(Request::SeekStep { session, lens, from, backwards, sought });
    }

    /// The answer to [`Request::SeekStep`].
    pub(super) fn take_sought(
        &mut self,
        (session, lens): (SessionId, &Lens),
        sought: &Sought,
        (row, gave_up): (Option<u64>, bool),
    ) {
        if self.session.id != Some(session) || self.session.lens != *lens {
            return;
        }
        match row {
            Some(row) => {
                self.session.steps.grow(row.saturating_add(1));
                self.session.trace.cursor = row;
                if !matches!(sought, Sought::Step(_)) {
                    self.session.follows = false;
                }
            }
            // The step that the cursor was on does not hold the words, nor does a later one.
            None if matches!(sought, Sought::Step(_)) && !lens.words().is_empty() => {
                self.session.trace.cursor = self.session.steps.len().saturating_sub(1);
            }
            None if gave_up => self.say(
                format!("{} in the next steps; once more to look further from a later one", absent(sought)),
                Role::Warn,
            ),
            None => self.say(format!("{} there", absent(sought)), Role::Dim),
        }
    }

    /// Goes to the step that a person typed: `1234`, `+20`, `-20`, `50%`.
    pub(super) fn go_to_step(&mut self, typed: &str) {
        let Some(goal) = goal(typed) else {
            return self.say(format!("`{}` is no step: 1234, +20, -20 or 50%", typed.trim()), Role::Warn);
        };
        let len = self.session.steps.len();
        let cursor = self.session.trace.cursor;
        self.session.follows = false;
        match goal {
            Goal::Step(seq) if self.session.lens == Lens::All => {
                self.session.trace.move_to(seq, len);
                if seq >= len {
                    self.say(format!("the last step is {}", thousands(len.saturating_sub(1))), Role::Dim);
                }
            }
            Goal::Step(seq) => self.seek_from(0, false, Sought::Step(seq)),
            Goal::By(rows) => self.session.trace.move_to(cursor.saturating_add_signed(rows), len),
            Goal::Percent(part) => self.session.trace.move_to(len.saturating_mul(part) / 100, len),
        }
    }
}

fn goal(typed: &str) -> Option<Goal> {
    let typed: String = typed.chars().filter(|c| !c.is_whitespace() && *c != ',').collect();
    if let Some(part) = typed.strip_suffix('%') {
        return part.parse().ok().filter(|part| *part <= 100).map(Goal::Percent);
    }
    if typed.starts_with(['+', '-']) {
        return typed.parse().ok().map(Goal::By);
    }
    typed.parse().ok().map(Goal::Step)
}

/// Says that something is not there.
fn absent(sought: &Sought) -> String {
    match sought {
        Sought::Words(words) => format!("no step has `{words}`"),
        Sought::Inserted => "no inserted event".into(),
        Sought::Violation => "no violation".into(),
        Sought::Step(seq) => format!("no step {}", thousands(*seq)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_gone_to_by_number_distance_and_part() {
        let cases = [
            ("1234", Some(Goal::Step(1_234))),
            (" 1,234 ", Some(Goal::Step(1_234))),
            ("+20", Some(Goal::By(20))),
            ("-3", Some(Goal::By(-3))),
            ("50%", Some(Goal::Percent(50))),
            ("101%", None),
            ("", None),
            ("twelve", None),
            ("99999999999999999999999", None),
        ];
        for (typed, expected) in cases {
            assert_eq!(goal(typed), expected, "{typed}");
        }
    }
}
