//! What is asked of a layout, worked out once for each distinct layout of a job; twice for one that was a page and a
//! window above a page.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::look::{Look, Window};
use super::place::Place;
use super::row::{List, lists};
use super::snackbar::{Snackbar, snackbar};
use droidmux_gui::{Layout, LayoutHash, lies_over};
use droidmux_record::{Layouts, Screen};

/// A layout and what was asked of it so far.
pub struct Facts {
    layout: Arc<Layout>,
    is_window: bool,
    lists: OnceLock<Vec<List>>,
    look: OnceLock<Look>,
    place: OnceLock<Place>,
    snackbar: OnceLock<Option<Snackbar>>,
}

impl Facts {
    /// `is_window`: it came up over a page.
    fn new(layout: Arc<Layout>, is_window: bool) -> Self {
        let (lists, look, place, snackbar) = Default::default();
        Self { layout, is_window, lists, look, place, snackbar }
    }

    /// Of a layout by itself.
    pub fn alone(layout: Arc<Layout>) -> Self {
        Self::new(layout, false)
    }

    /// The layout itself.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Its lists, in document order.
    pub fn lists(&self) -> &[List] {
        self.lists.get_or_init(|| lists(&self.layout))
    }

    /// What it shows besides its rows.
    pub fn look(&self) -> &Look {
        let of = if self.is_window { Look::of_window } else { Look::of };
        self.look.get_or_init(|| of(&self.layout, self.lists()))
    }

    /// What page it is, in which mode.
    pub fn place(&self) -> &Place {
        self.place.get_or_init(|| Place::of(&self.layout, self.look(), self.lists()))
    }

    /// Its snackbar, if it has one with an action.
    pub fn snackbar(&self) -> Option<&Snackbar> {
        self.snackbar.get_or_init(|| snackbar(&self.layout)).as_ref()
    }
}

/// The facts of the layouts of a job: its traces share them.
#[derive(Clone, Default)]
pub struct Album {
    by_itself: HashMap<LayoutHash, Option<Arc<Facts>>>,
    windows: HashMap<LayoutHash, Arc<Facts>>,
}

impl Album {
    /// Of a layout that came up over `page`, if there was one in the same place. `None` when the layout is unknown or
    /// unreadable.
    pub fn get(
        &mut self,
        hash: LayoutHash,
        page: Option<&Layout>,
        layouts: &dyn Layouts,
    ) -> Option<Arc<Facts>> {
        let read = || layouts.layout(hash).map(|layout| Arc::new(Facts::new(layout, false)));
        let by_itself = self.by_itself.entry(hash).or_insert_with(read).clone()?;
        if !page.is_some_and(|page| lies_over(by_itself.layout(), page)) {
            return Some(by_itself);
        }
        let window = || Arc::new(Facts::new(Arc::clone(&by_itself.layout), true));
        Some(Arc::clone(self.windows.entry(hash).or_insert_with(window)))
    }
}

/// The pages of one trace, for the windows above them.
#[derive(Clone, Default)]
pub struct Pages(Vec<(Screen, Arc<Facts>)>);

impl Pages {
    /// The page that a window on this screen lies above: the last one of this activity, held the same way.
    pub fn below(&self, screen: &Screen) -> Option<&Arc<Facts>> {
        self.0.iter().find(|(page, _)| is_of(page, screen)).map(|(_, facts)| facts)
    }

    /// Takes down what a screen shows, if that is a page.
    pub fn pass(&mut self, screen: &Screen, facts: &Arc<Facts>) {
        if facts.look().window != Window::Full {
            return;
        }
        match self.0.iter_mut().find(|(page, _)| is_of(page, screen)) {
            Some((_, page)) => *page = Arc::clone(facts),
            None => self.0.push((screen.clone(), Arc::clone(facts))),
        }
    }
}

fn is_of(page: &Screen, screen: &Screen) -> bool {
    page.activity == screen.activity && (page.in_app, page.rotation) == (screen.in_app, screen.rotation)
}
