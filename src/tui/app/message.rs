//! What happens to the cockpit, and what it wants done.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};
use thiserror::Error;

use super::Arrangement;
use crate::alignment::{Aligned, LayoutPair};
use crate::picture::{Picture, PictureJob, PictureKey};
use crate::theme::{Theme, ThemeChoice, ThemeError};
use droidmux_proto::{Connection, LabView, Reply, Request};

/// Why a file that a person asked for was not written.
#[derive(Debug, Error)]
#[error("{name} cannot be written: {error}")]
pub struct SaveError {
    pub name: String,
    pub error: io::Error,
}

/// Something that happened.
pub enum Msg {
    Key(KeyEvent),
    Paste(String),
    Mouse(MouseEvent),
    Resize(u16, u16),
    /// The lab's latest state.
    View(Arc<LabView>),
    Reply(Reply),
    /// The queue to the lab was full.
    NotSent(Request),
    /// Requests have been unanswered for a long time: their replies may have been dropped.
    Lapsed,
    /// The lab ended.
    LabGone,
    /// The connection to the lab broke, or is back.
    Connection(Connection),
    /// A screenshot made ready for the terminal; `None` if it is not a readable image.
    Picture(PictureKey, Option<Arc<Picture>>),
    /// The terminal said how it shows images: pictures made before are half blocks.
    PicturesAnew,
    Aligned(LayoutPair, Arc<Aligned>),
    /// A file was written, or why not.
    Saved(Result<String, SaveError>),
    /// What a person made of the text of this question in their editor, or why there is none.
    Edited(u64, Result<String, String>),
    /// The user's theme files have changed.
    ThemesChanged,
    /// A theme that was asked for, with what was wrong with its files; or why there is none.
    Theme(ThemeChoice, Result<(Box<Theme>, Vec<String>), ThemeError>),
}

/// Something to be done outside of [`super::update`].
#[derive(Debug)]
pub enum Effect {
    Send(Request),
    Quit,
    /// Bring to the front the lab that is this many places further on.
    Host(i8),
    /// Give the terminal back to the shell until resumed.
    Suspend,
    /// Paint every cell again.
    Redraw,
    /// Put text on the clipboard (OSC 52).
    Copy(String),
    /// Write a text into a file of this name in the folder that the cockpit was started in.
    Save {
        name: String,
        text: String,
    },
    /// Have the person edit the text of the question of this number, with its pictures in these files.
    Edit {
        number: u64,
        text: String,
        pictures: Vec<(PathBuf, Arc<Vec<u8>>)>,
    },
    /// Tell the person even when the cockpit is out of sight: bell and OSC 9.
    Announce(String),
    Picture(PictureJob),
    /// Keep the arrangement for the next cockpit.
    Keep(Arrangement),
    /// Read a theme.
    Theme(ThemeChoice),
    Align(LayoutPair, Arc<droidmux_gui::Layout>, Arc<droidmux_gui::Layout>),
}
