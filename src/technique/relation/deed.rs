//! Deeds: what a person does in one go, a touch on a page and what is then chosen in the windows it opens.
//!
//! The deeds of a trail follow one another without a gap: each begins on a page and ends on the next screen that is
//! no window above it.

use super::row::{List, Row};
use super::trail::{Shot, Trail};
use super::words::{Meaning, says};
use droidmux_gui::{Event, EventKind};

/// Some events of a trail that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// The shot it begins on: a page, or what is in front in its place.
    pub from: usize,
    /// The first shot after it that is no window; all shots between are windows.
    pub to: usize,
    /// The row that its first event acted on or in.
    pub object: Option<Object>,
}

/// A row of the shot on which a deed begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    pub list: usize,
    pub row: usize,
}

impl Object {
    /// The list and the row on its shot.
    pub fn on<'t>(self, shot: &'t Shot<'_>) -> Option<(&'t List, &'t Row)> {
        let list = shot.lists().get(self.list)?;
        Some((list, list.rows.get(self.row)?))
    }
}

/// The deeds of a trail, in order. One that ends in a window is left out.
pub fn deeds(trail: &Trail<'_>) -> Vec<Deed> {
    let mut deeds = Vec::new();
    let mut from = 0;
    for (to, shot) in trail.shots().iter().enumerate().skip(1) {
        if shot.is_covered() {
            continue;
        }
        deeds.push(Deed { from, to, object: object(trail, from) });
        from = to;
    }
    deeds
}

/// The row of a shot that the event from there acted on or in.
pub fn object(trail: &Trail<'_>, from: usize) -> Option<Object> {
    let receiver = trail.shot(from + 1)?.receiver?;
    let shot = trail.shot(from)?;
    let (list, row) = shot.row_with(receiver)?;
    Some(Object { list, row })
}

impl Deed {
    /// The list and the row it is about.
    pub fn row<'t>(&self, trail: &'t Trail<'_>) -> Option<(&'t List, &'t Row)> {
        self.object?.on(trail.shot(self.from)?)
    }

    /// Its events with the shots they were done on.
    pub fn events<'t, 'a>(
        &self,
        trail: &'t Trail<'a>,
    ) -> impl Iterator<Item = (&'t Shot<'a>, &'a Event, &'t Shot<'a>)> {
        (self.from..self.to).filter_map(move |number| {
            let after = trail.shot(number + 1)?;
            Some((trail.shot(number)?, after.event?, after))
        })
    }

    /// The last event, by its kind.
    pub fn kind(&self, trail: &Trail<'_>) -> EventKind {
        trail.shot(self.to).map_or(EventKind::Back, Shot::kind)
    }

    /// The windows it went through.
    pub fn windows<'t, 'a>(&self, trail: &'t Trail<'a>) -> &'t [Shot<'a>] {
        trail.shots().get(self.from + 1..self.to).unwrap_or_default()
    }

    /// Only moves about: none of it acts on a widget except by scrolling.
    pub fn is_navigation(&self, trail: &Trail<'_>) -> bool {
        self.events(trail).all(|(_, event, _)| {
            event.kind.is_navigation() || matches!(event.kind, EventKind::Scroll(_) | EventKind::Wait)
        })
    }

    /// Says that it means all there is, in a dialog on the way or by a widget it touched.
    pub fn names_all(&self, trail: &Trail<'_>) -> bool {
        let asked = self.windows(trail).iter().any(|shot| says(&shot.look().message, Meaning::All));
        asked
            || self.events(trail).any(|(before, _, after)| {
                after.receiver.is_some_and(|receiver| says(&before.word(receiver), Meaning::All))
            })
    }

    /// Toggles something that belongs to no row: a filter, a setting.
    pub fn toggles(&self, trail: &Trail<'_>) -> bool {
        let (Some(before), Some(after)) = (trail.shot(self.from), trail.shot(self.to)) else { return false };
        before.is_same_page(after) && before.look().toggles != after.look().toggles
    }

    /// Whether this is said by what it touched or by a window it went through.
    pub fn mentions(&self, trail: &Trail<'_>, text: &str) -> bool {
        let row = self.row(trail).is_some_and(|(_, row)| row.mentions(text));
        row || self.windows(trail).iter().any(|shot| {
            let look = shot.look();
            look.message.contains(text) || look.fields.iter().any(|field| field.text.contains(text))
        })
    }
}
