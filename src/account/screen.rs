//! A screen in words: what page it is, and its lines.

use std::fmt;
use std::sync::Arc;

use super::facts::Facts;
use super::line::{Line, lines};
use super::look::Window;
use super::quote::quoted;
use super::row::List;
use super::sentence::split_name;
use super::veil::Veil;
use droidmux_gui::{Bounds, Flags, short_class};
use droidmux_record::Screen;

/// A screen in words. Shown, it is the page on a line of its own and then its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What page, dialog or menu it is: equal for the same page, whatever it holds.
    pub page: String,
    /// What kind of page it is, by what an app has for it and nothing that it holds: equal for the pages of two notes.
    pub kind: String,
    /// What else holds for all of it: ` (keyboard up)`.
    pub state: String,
    /// In reading order; none where another app is in front.
    pub lines: Vec<Line>,
    /// Lists of which more could be seen by scrolling, by name: above, below.
    pub folds: Vec<(String, bool, bool)>,
}

impl Told {
    /// A screen and what its layout shows. `below`: the page that it lies above, where it is a window.
    pub fn new(screen: &Screen, facts: &Facts, below: Option<&Arc<Facts>>, veil: &Veil) -> Self {
        if !screen.in_app {
            let page = format!("Another app is in front: {}", quoted(&screen.package));
            return Self {
                page,
                kind: "away".into(),
                state: String::new(),
                lines: Vec::new(),
                folds: Vec::new(),
            };
        }
        let page = page(screen, facts, below);
        let mut lines = lines(facts, &screen.activity, veil);
        let look = facts.look();
        let title = if look.window == Window::Full { &look.title } else { &look.dialog };
        // It stands in the page's name.
        if let Some(at) = lines.iter().position(|line| line.list.is_none() && line.text == *title) {
            lines.remove(at);
        }
        let mut state = String::new();
        if screen.keyboard {
            state.push_str(" (keyboard up)");
        }
        if screen.rotation % 2 == 1 {
            state.push_str(" (turned)");
        }
        if facts.look().loading {
            state.push_str(" (loading)");
        }
        let kind = kind(screen, facts, &lines);
        Self {
            page,
            kind,
            state,
            lines,
            folds: facts.lists().iter().filter_map(|list| fold(facts, list)).collect(),
        }
    }

    /// Whether both are the same page, not only of one kind: the pages of two notes have different titles.
    pub fn is_page_of(&self, other: &Self) -> bool {
        (&self.kind, &self.page) == (&other.kind, &other.page)
    }

    /// It as it is shown, with its lines below something that stands further left.
    pub fn indented(&self) -> String {
        self.to_string().replace('\n', "\n  ")
    }

    /// The lines as they are told, marks and folds among them.
    pub fn told(&self) -> Vec<String> {
        let mut told: Vec<(usize, String, bool)> = Vec::new();
        let mut open: Option<&str> = None;
        let fold = |told: &mut Vec<(usize, String, bool)>, list: Option<&str>, side: Side| {
            told.extend(self.more(list, side).map(|fold| (1, fold, true)));
        };
        for line in &self.lines {
            if open.is_some() && open != line.list.as_deref() {
                fold(&mut told, open.take(), Side::Below);
            }
            if line.list.as_deref().is_some_and(|list| open != Some(list)) {
                fold(&mut told, line.list.as_deref(), Side::Above);
            }
            open = line.list.as_deref();
            let (text, is_row) = (format!("{}{}", line.text, line.hidden), line.list.is_some());
            match told.last_mut() {
                // Each row stands for itself; icons without a name say nothing apart.
                Some((times, last, false)) if *last == text && !is_row => *times += 1,
                _ => told.push((1, text, is_row)),
            }
        }
        fold(&mut told, open, Side::Below);
        told.into_iter().map(|(times, text, _)| counted(text, times)).collect()
    }

    fn more(&self, list: Option<&str>, side: Side) -> Option<String> {
        let (_, above, below) = self.folds.iter().find(|(name, ..)| Some(name.as_str()) == list)?;
        match side {
            Side::Above => above.then(|| "  (more above)".to_owned()),
            Side::Below => below.then(|| "  (more below)".to_owned()),
        }
    }
}

/// A line that stands there so many times.
pub(super) fn counted(line: String, times: usize) -> String {
    if times == 1 { line } else { format!("{line} ({times} of these)") }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.page, self.state)?;
        self.told().iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

#[derive(Clone, Copy)]
enum Side {
    Above,
    Below,
}

/// `Page "Notes", tab "All"`, `Dialog "Delete?" over page "Notes"`.
fn page(screen: &Screen, facts: &Facts, below: Option<&Arc<Facts>>) -> String {
    let look = facts.look();
    let base = match look.window {
        Window::Full => full(screen, facts),
        window => {
            let what = if window == Window::Dialog { "Dialog" } else { "Menu" };
            let title =
                if look.dialog.is_empty() { String::new() } else { format!(" {}", quoted(&look.dialog)) };
            let over =
                below.map(|below| format!(" over {}", lower(&full(screen, below)))).unwrap_or_default();
            format!("{what}{title}{over}")
        }
    };
    if look.drawer_open { format!("Drawer over {}", lower(&base)) } else { base }
}

fn full(screen: &Screen, facts: &Facts) -> String {
    let look = facts.look();
    let title = if look.title.is_empty() {
        // A page without a title goes by its activity's name, which no person reads.
        format!("({})", split_name(short_class(&screen.activity)))
    } else {
        quoted(&look.title)
    };
    let tab = if look.tab.is_empty() { String::new() } else { format!(", {} chosen", quoted(&look.tab)) };
    format!("Page {title}{tab}")
}

/// Pages by activity and tab; windows above them by what can be done there.
fn kind(screen: &Screen, facts: &Facts, lines: &[Line]) -> String {
    let look = facts.look();
    let activity = short_class(&screen.activity);
    let drawer = if look.drawer_open { " drawer" } else { "" };
    if look.window == Window::Full {
        return format!("{activity} {}{drawer}", look.tab);
    }
    let controls: Vec<&str> =
        lines.iter().filter(|line| line.list.is_none()).map(|line| line.key.as_str()).collect();
    format!("{activity} window {}", controls.join(" "))
}

fn lower(page: &str) -> String {
    let mut chars = page.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// Whether rows of a list are out of sight.
fn fold(facts: &Facts, list: &List) -> Option<(String, bool, bool)> {
    let layout = facts.layout();
    let node = layout.get(list.node)?;
    let scrolling =
        std::iter::once(node).chain(node.ancestors()).find(|above| above.has(Flags::SCROLLABLE))?;
    let edge: Bounds = scrolling.bounds();
    let bounds =
        |row: Option<&super::row::Row>| row.and_then(|row| layout.get(row.node)).map(|row| row.bounds());
    let (first, last) = (bounds(list.rows.first())?, bounds(list.rows.last())?);
    let below = last.bottom >= edge.bottom;
    // A list that scrolls has more on one side at least.
    let above = !below || list.rows.first().is_some_and(|row| !row.whole) && first.top <= edge.top;
    Some((list.id.clone(), above, below))
}
