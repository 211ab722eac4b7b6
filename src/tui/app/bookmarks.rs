//! Steps that a person wants to find again, of whatever session.
//!
//! They are the cockpit's own: the lab knows nothing of them, and they go with it.

use super::{App, Dialog};
use crate::record::SessionId;
use crate::tui::list::List;
use crate::tui::text;
use crate::tui::theme::Role;

/// Bookmarks kept.
const MOST: usize = 200;

/// A step, with what was done there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    pub session: SessionId,
    /// Its number in the log of all steps.
    pub seq: u64,
    pub words: String,
}

impl App {
    /// Marks the step under the cursor, or takes its mark away.
    pub fn toggle_bookmark(&mut self) {
        let (Some(session), Some(step)) = (self.session.id, self.session.step()) else {
            return self.say("no step is selected", Role::Warn);
        };
        let seq = step.seq;
        let words = format!("{}/{} {} {}", step.slot, step.test, step.event, step.receiver);
        let known = self.bookmarks.iter().position(|mark| (mark.session, mark.seq) == (session, seq));
        match known {
            Some(at) => drop(self.bookmarks.remove(at)),
            None if self.bookmarks.len() >= MOST => {
                self.say(format!("there are {MOST} bookmarks already"), Role::Warn);
            }
            None => {
                self.bookmarks.push(Bookmark { session, seq, words });
                let told = format!("step {} is marked; ' shows the bookmarks", text::thousands(seq));
                self.say(told, Role::Good);
            }
        }
    }

    /// Whether a step of the open session is marked.
    pub fn is_bookmarked(&self, seq: u64) -> bool {
        self.bookmarks.iter().any(|mark| Some(mark.session) == self.session.id && mark.seq == seq)
    }

    /// Shows the bookmarks.
    pub fn show_bookmarks(&mut self) {
        match self.bookmarks.is_empty() {
            true => self.say("no step is marked; B marks one", Role::Dim),
            false => self.dialog = Some(Dialog::Bookmarks(List::default())),
        }
    }

    /// Goes to the bookmark in this row of the list.
    pub(super) fn go_to_bookmark(&mut self, row: u64) {
        let mark = usize::try_from(row).ok().and_then(|row| self.bookmarks.get(row));
        if let Some(Bookmark { session, seq, .. }) = mark.cloned() {
            self.go_to_step_of(session, seq);
        }
    }
}
