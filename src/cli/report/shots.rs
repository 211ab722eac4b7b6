//! Screenshots from a store, as reports show them.

use std::io::Cursor;
use std::sync::Arc;

use image::ImageReader;

use droidmux_gui::{Layout, LayoutHash};
use droidmux_picture::{Darkroom, Source};
use droidmux_record::{BlobHash, Frame, Layouts, Picture, SessionId};
use droidmux_report::{Shot, Shots};
use droidmux_store::{Store, StoreError};

/// The longer side of a picture: text stays readable, and a page of fifty takes a few megabytes.
const LONGEST: u32 = 960;

/// The pictures of a store.
pub(crate) struct StoredShots {
    store: Store,
    /// All sessions, the last first: an earlier one may hold screenshots that a later one did not take again.
    sessions: Vec<SessionId>,
    darkroom: Darkroom,
}

impl StoredShots {
    pub(crate) fn new(store: &Store) -> Result<Self, StoreError> {
        let sessions = store.sessions()?.into_iter().rev().map(|(id, _)| id).collect();
        Ok(Self { store: store.clone(), sessions, darkroom: Darkroom::default() })
    }

    /// A screenshot of the layout: the one taken at that moment, else one from the session, else one from any session.
    fn taken(&self, session: SessionId, layout: LayoutHash, taken: Option<BlobHash>) -> Option<BlobHash> {
        let of = |session: SessionId| self.store.picture_of(session, layout).ok().flatten();
        taken.or_else(|| of(session)).or_else(|| self.sessions.iter().copied().find_map(of))
    }
}

impl Layouts for StoredShots {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.store.layout(hash)
    }
}

impl Source for StoredShots {
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>> {
        self.store.screenshot(hash).ok().flatten()
    }
}

impl Shots for StoredShots {
    fn shot(&self, session: SessionId, layout: LayoutHash, taken: Option<BlobHash>) -> Option<Shot> {
        let screenshot = self.taken(session, layout, taken)?;
        let bytes = self.screenshot(screenshot)?;
        let size =
            ImageReader::new(Cursor::new(&bytes)).with_guessed_format().ok()?.into_dimensions().ok()?;
        let picture =
            Picture::Screen(Frame { screenshot, layout, marks: Vec::new(), caption: String::new() });
        match self.darkroom.draw(&picture, self, LONGEST) {
            Ok(png) => Some(Shot { png: png.to_vec(), size }),
            Err(error) => {
                tracing::warn!("{error}");
                None
            }
        }
    }
}
