//! What relations ask of a layout, worked out once for each distinct layout of a job.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::look::Look;
use super::row::{List, lists};
use super::snackbar::{Snackbar, snackbar};
use crate::gui::{Layout, LayoutHash};
use crate::record::Layouts;

/// A layout and what was asked of it so far.
pub struct Facts {
    layout: Arc<Layout>,
    lists: OnceCell<Vec<List>>,
    look: OnceCell<Look>,
    snackbar: OnceCell<Option<Snackbar>>,
}

impl Facts {
    pub fn of(layout: Arc<Layout>) -> Self {
        Self { layout, lists: OnceCell::new(), look: OnceCell::new(), snackbar: OnceCell::new() }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn lists(&self) -> &[List] {
        self.lists.get_or_init(|| lists(&self.layout))
    }

    pub fn look(&self) -> &Look {
        self.look.get_or_init(|| Look::of(&self.layout, self.lists()))
    }

    pub fn snackbar(&self) -> Option<&Snackbar> {
        self.snackbar.get_or_init(|| snackbar(&self.layout)).as_ref()
    }
}

/// The facts of the layouts of a job: its traces share them.
#[derive(Default)]
pub struct Album(HashMap<LayoutHash, Option<Rc<Facts>>>);

impl Album {
    /// `None` when the layout is unknown or unreadable.
    pub fn get(&mut self, hash: LayoutHash, layouts: &dyn Layouts) -> Option<Rc<Facts>> {
        let read = || layouts.layout(hash).map(|layout| Rc::new(Facts::of(layout)));
        self.0.entry(hash).or_insert_with(read).clone()
    }
}
