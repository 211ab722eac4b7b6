//! The panes: each draws one thing into its frame, reading the cockpit's state.

pub mod account;
pub mod asking;
pub mod beside;
pub mod compare;
pub mod devices;
pub mod difference;
pub mod doctor;
pub mod draft;
pub mod exchange;
pub mod exchanges;
pub mod growth;
pub mod hosts;
pub mod lanes;
pub mod live;
pub mod log;
pub mod performed;
pub mod picture;
pub mod sent;
pub mod sessions;
pub mod stages;
pub mod states;
pub mod table;
pub mod talk;
pub mod tile;
pub mod trace;
pub mod tree;
pub mod verdicts;
pub mod way;
pub mod why;
pub mod widgets;
pub mod wireframe;

use ratatui::layout::Rect;

use super::app::App;
use super::list::List;
use super::paint::{Painter, Words};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    Devices,
    Tiles,
    /// The sessions as a table.
    Sessions,
    Tree,
    Picture,
    Trace,
    Verdicts,
    Difference,
    Talk,
    Table,
    Why,
    Compare,
    Lanes,
    Account,
    Widgets,
    /// The screen on the device beside the recorded one.
    Beside,
    Exchanges,
    Asking,
    Exchange,
    Sent,
    States,
    Growth,
    Way,
    Live,
    /// What is on the device, drawn.
    Screen,
    Performed,
    Draft,
    Log,
    Doctor,
}

impl Pane {
    /// Panes of text: moving scrolls, no row is selected.
    pub fn is_text(self) -> bool {
        matches!(
            self,
            Self::Why
                | Self::Compare
                | Self::Account
                | Self::Beside
                | Self::Exchange
                | Self::Way
                | Self::Difference
                | Self::Draft
        )
    }

    /// The part of the frame that holds the rows.
    pub fn rows(self, frame: Rect) -> Rect {
        if self == Self::Tiles {
            return frame;
        }
        let inner = inner(frame);
        let (above, below) = match self {
            Self::Devices
            | Self::Sessions
            | Self::Trace
            | Self::Verdicts
            | Self::Table
            | Self::Lanes
            | Self::Exchanges
            | Self::States => (1, 0),
            Self::Compare | Self::Difference | Self::Beside => (compare::HEAD.min(inner.height), 0),
            Self::Tree | Self::Live => (0, tree::detail_height(inner)),
            Self::Talk => (talk::heading_height(inner), talk::open_height(inner)),
            Self::Tiles
            | Self::Picture
            | Self::Why
            | Self::Account
            | Self::Widgets
            | Self::Asking
            | Self::Exchange
            | Self::Sent
            | Self::Growth
            | Self::Way
            | Self::Screen
            | Self::Performed
            | Self::Draft
            | Self::Doctor => (0, 0),
            Self::Log => (0, log::whole_height(inner)),
        };
        let height = inner.height.saturating_sub(above + below);
        let rows = Rect { y: inner.y + above.min(inner.height), height, ..inner };
        match self {
            Self::Why | Self::Account | Self::Exchange | Self::Way | Self::Draft => {
                Rect { x: rows.x + 1, width: rows.width.saturating_sub(2), ..rows }
            }
            _ => rows,
        }
    }

    pub fn draw(self, app: &App, painter: &mut Painter<'_>, frame: Rect) {
        match self {
            Self::Devices => devices::draw(app, painter, frame),
            Self::Tiles => tile::draw_all(app, painter, frame),
            Self::Sessions => sessions::draw(app, painter, frame),
            Self::Tree => tree::draw(app, painter, frame),
            Self::Picture => picture::draw(app, painter, frame),
            Self::Trace => trace::draw(app, painter, frame),
            Self::Verdicts => verdicts::draw(app, painter, frame),
            Self::Difference => difference::draw(app, painter, frame),
            Self::Talk => talk::draw(app, painter, frame),
            Self::Table => table::draw(app, painter, frame),
            Self::Why => why::draw(app, painter, frame),
            Self::Compare => compare::draw(app, painter, frame),
            Self::Lanes => lanes::draw(app, painter, frame),
            Self::Account => account::draw(app, painter, frame),
            Self::Widgets => widgets::draw(app, painter, frame),
            Self::Beside => beside::draw(app, painter, frame),
            Self::Exchanges => exchanges::draw(app, painter, frame),
            Self::Asking => asking::draw(app, painter, frame),
            Self::Exchange => exchange::draw(app, painter, frame),
            Self::Sent => sent::draw(app, painter, frame),
            Self::States => states::draw(app, painter, frame),
            Self::Growth => growth::draw(app, painter, frame),
            Self::Way => way::draw(app, painter, frame),
            Self::Live => live::draw(app, painter, frame),
            Self::Screen => live::draw_screen(app, painter, frame),
            Self::Performed => performed::draw(app, painter, frame),
            Self::Draft => draft::draw(app, painter, frame),
            Self::Log => log::draw(app, painter, frame),
            Self::Doctor => doctor::draw(app, painter, frame),
        }
    }
}

/// Inside the border.
fn inner(frame: Rect) -> Rect {
    Rect {
        x: frame.x.saturating_add(1),
        y: frame.y.saturating_add(1),
        width: frame.width.saturating_sub(2),
        height: frame.height.saturating_sub(2),
    }
}

/// The row of a list's rectangle, `n` rows down.
fn row(rows: Rect, n: u64) -> Rect {
    let down = u16::try_from(n).unwrap_or(u16::MAX);
    Rect { y: rows.y.saturating_add(down), height: 1, ..rows }
}

/// `12/34`: where the cursor is in a list.
fn position(cursor: u64, len: u64) -> String {
    use droidmux_words::figure::thousands;
    if len == 0 { String::new() } else { format!("{}/{}", thousands(cursor + 1), thousands(len)) }
}

/// A pane of text that scrolls: its lines from `list`'s offset on, or `nothing` if there are none.
struct TextPane<'t> {
    pane: Pane,
    title: &'t str,
    list: &'t List,
    lines: &'t [Words],
    nothing: &'t str,
}

impl TextPane<'_> {
    fn draw(&self, app: &App, painter: &mut Painter<'_>, frame: Rect) {
        let rows = self.pane.rows(frame);
        let is_longer = self.lines.len() > usize::from(rows.height);
        let note =
            if is_longer { position(self.list.offset, self.lines.len() as u64) } else { String::new() };
        let inside = painter.pane(frame, self.title, &note, app.focus() == self.pane);
        if self.lines.is_empty() {
            return painter.notice(inside, self.nothing);
        }
        let from = usize::try_from(self.list.offset).unwrap_or(0);
        painter.lines(rows, self.lines.iter().skip(from).map(Vec::as_slice));
    }
}

/// Which column is made wider or narrower.
fn resized(column: Option<&str>) -> String {
    column.map_or_else(String::new, |title| format!("column {title}  "))
}
