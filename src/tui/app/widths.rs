//! The widths of columns that a person chose, in the table of sessions and in that of findings.

use super::{App, Screen};
use crate::columns::Widths;
use crate::pane::{self, Pane};
use crate::screen;
use crate::theme::Role;

impl App {
    /// The columns of the table on screen by their titles, each with its width if it is shown.
    fn columns(&self) -> Vec<(&'static str, Option<u16>)> {
        let panes = screen::panes(self);
        let width = |wanted: Pane| panes.iter().find(|(pane, _)| *pane == wanted).map(|(_, rows)| rows.width);
        match self.screen {
            Screen::Lab => width(Pane::Sessions).map(|width| pane::sessions::columns(self, width)),
            Screen::Findings => width(Pane::Table).map(|width| pane::table::columns(self, width)),
            _ => None,
        }
        .unwrap_or_default()
    }

    fn chosen_column(&mut self) -> &mut Option<&'static str> {
        match self.screen {
            Screen::Findings => &mut self.findings.column,
            _ => &mut self.lab.column,
        }
    }

    fn chosen_widths(&mut self) -> &mut Widths {
        match self.screen {
            Screen::Findings => &mut self.findings.widths,
            _ => &mut self.lab.arrangement.widths,
        }
    }

    fn no_table(&mut self) {
        let words = match self.screen {
            Screen::Lab => "the sessions are tiles: `table` shows them as a table",
            _ => "the table is not on screen",
        };
        self.say(words, Role::Warn);
    }

    /// Chooses the next of the columns that are shown; after the last one none.
    pub fn next_column(&mut self) {
        let shown: Vec<_> = self.columns().into_iter().filter(|(_, width)| width.is_some()).collect();
        let Some((first, _)) = shown.first() else { return self.no_table() };
        let now = *self.chosen_column();
        let place = now.and_then(|now| shown.iter().position(|(title, _)| *title == now));
        let next = match place {
            None => Some(*first),
            Some(place) => shown.get(place + 1).map(|(title, _)| *title),
        };
        *self.chosen_column() = next;
        match next {
            Some(title) => self.say(format!("column {title}"), Role::Dim),
            None => self.say("no column is chosen", Role::Dim),
        }
    }

    /// Makes the chosen column wider or narrower.
    pub fn resize_column(&mut self, cells: i16) {
        let columns = self.columns();
        if columns.is_empty() {
            return self.no_table();
        }
        let chosen = *self.chosen_column();
        let width = columns.iter().find(|(title, _)| Some(*title) == chosen).and_then(|(_, width)| *width);
        let (Some(title), Some(width)) = (chosen, width) else {
            return self.say("choose a column first: `next-column` leads through them", Role::Warn);
        };
        self.give_width(title, Some(width.saturating_add_signed(cells)));
    }

    fn give_width(&mut self, title: &'static str, width: Option<u16>) {
        let widths = self.chosen_widths();
        *widths = std::mem::take(widths).with(title, width);
        let words = match widths.of(title) {
            Some(width) => format!("column {title}: {width} cells"),
            None => format!("column {title}: as wide as usual"),
        };
        self.say(words, Role::Dim);
    }

    /// What the palette offers after `width`: the columns as they are.
    pub fn widths(&self) -> Vec<String> {
        let words = |(title, width): (&str, Option<u16>)| match width {
            Some(width) => format!("{title} {width}"),
            None => format!("{title} usual"),
        };
        self.columns().into_iter().map(words).collect()
    }

    /// Gives a column the width that was typed: `app 30`, `app usual`.
    pub fn set_width(&mut self, typed: &str) {
        let columns = self.columns();
        if columns.is_empty() {
            return self.no_table();
        }
        let (name, cells) = typed.trim().rsplit_once(' ').unwrap_or((typed, ""));
        let title = columns.iter().map(|(title, _)| *title).find(|title| *title == name.trim());
        match (title, cells, cells.parse()) {
            (Some(title), _, Ok(cells)) => self.give_width(title, Some(cells)),
            (Some(title), "usual", _) => self.give_width(title, None),
            _ => self.say(format!("`{typed}` is no column and number: app 30, app usual"), Role::Warn),
        }
    }
}
