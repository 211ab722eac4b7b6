//! Steps that people want to find again, whatever their session. The lab keeps them; this is what it said last.

use super::{App, Dialog, Effect};
use crate::list::List;
use crate::theme::Role;
use droidmux_proto::Request;
use droidmux_record::Bookmark;
use droidmux_words::figure;

/// The marked steps of a lab.
#[derive(Debug, Default)]
pub struct Bookmarks {
    /// By session and step.
    pub rows: Vec<Bookmark>,
    /// The version that was last asked for.
    asked: Option<u64>,
}

impl Bookmarks {
    /// What was asked for may never come.
    pub(super) fn ask_again(&mut self) {
        self.asked = None;
    }
}

impl App {
    /// Marks the step under the cursor, or removes its mark.
    pub fn toggle_bookmark(&mut self) {
        let (Some(session), Some(seq)) = (self.session.id, self.session.step().map(|step| step.seq)) else {
            return self.say("no step is selected", Role::Warn);
        };
        let marked = !self.is_bookmarked(seq);
        let number = figure::thousands(seq);
        self.say(
            match marked {
                true => format!("step {number} is marked; ' shows the bookmarks"),
                false => format!("step {number} is no longer marked"),
            },
            Role::Good,
        );
        self.effect(Effect::Send(Request::Bookmark { session, seq, marked }));
    }

    /// Whether a step of the open session is marked.
    pub fn is_bookmarked(&self, seq: u64) -> bool {
        self.bookmarks.rows.iter().any(|mark| Some(mark.session) == self.session.id && mark.seq == seq)
    }

    /// Shows the bookmarks.
    pub fn show_bookmarks(&mut self) {
        match self.bookmarks.rows.is_empty() {
            true => self.say("no step is marked; B marks one", Role::Dim),
            false => self.dialog = Some(Dialog::Bookmarks(List::default())),
        }
    }

    /// Goes to the bookmark in this row of the list.
    pub(super) fn go_to_bookmark(&mut self, row: u64) {
        let mark = usize::try_from(row).ok().and_then(|row| self.bookmarks.rows.get(row));
        if let Some(Bookmark { session, seq, .. }) = mark.cloned() {
            self.go_to_step_of(session, seq);
        }
    }

    /// Asks for the bookmarks when they have changed.
    pub(super) fn fetch_bookmarks(&mut self) {
        let version = Some(self.view.bookmarks_version);
        if self.bookmarks.asked != version && self.asked.may_send(&Request::Bookmarks) {
            self.bookmarks.asked = version;
            self.effect(Effect::Send(Request::Bookmarks));
        }
    }
}
