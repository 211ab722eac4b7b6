//! What a cockpit does besides drawing: [`Effect`]s in; requests, files, announcements and work off the loop out.
//!
//! Nothing here waits: what takes time runs on a thread of its own and comes back as a message.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::queue;
use tokio::sync::mpsc::error::TrySendError;

use super::Cockpit;
use super::editor::Edit;
use crate::alignment::Aligned;
use crate::app::{Arrangement, Effect, Msg, SaveError};
use crate::theme::ThemeChoice;
use crate::{picture, text};
use droidmux_gui::edit_mapping;
use droidmux_proto::Request;

/// Two announcements are at least this far apart.
const ANNOUNCE_GAP: Duration = Duration::from_secs(10);

impl Cockpit {
    /// Does what an effect says; gives back a request that could not be sent.
    pub(super) fn perform(&mut self, number: usize, effect: Effect) -> Option<Request> {
        match effect {
            Effect::Send(request) => match self.hosts[number].requests.try_send(request) {
                Ok(()) | Err(TrySendError::Closed(_)) => {}
                Err(TrySendError::Full(request)) => return Some(request),
            },
            Effect::Quit => self.quit = true,
            Effect::Host(places) => self.turn(places),
            Effect::Suspend => self.suspend = true,
            Effect::Redraw => self.repaint = true,
            Effect::Copy(text) => {
                // Into a vector: this cannot fail.
                let _ = queue!(self.glass.extra(), CopyToClipboard::to_clipboard_from(text));
            }
            Effect::Save { name, text } => self.work(number, move || {
                Msg::Saved(match std::fs::write(&name, text) {
                    Ok(()) => Ok(name),
                    Err(error) => Err(SaveError { name, error }),
                })
            }),
            Effect::Edit { number: question, text, pictures } => {
                self.edit = Some(Edit { host: number, question, text, pictures });
            }
            Effect::Announce(text) => self.announce(&text),
            Effect::Theme(choice) => self.theme(choice),
            Effect::Keep(arrangement) => self.keep(number, arrangement),
            Effect::Picture(job) => {
                let (shower, count) = (self.shower, self.pictures);
                self.pictures = self.pictures.wrapping_add(1);
                self.work(number, move || {
                    let picture = picture::make(shower, &job, count).map(Arc::new);
                    Msg::Picture(job.key, picture)
                });
            }
            Effect::Align(pair, left, right) => self.work(number, move || {
                let mapping = edit_mapping(&left, &right);
                Msg::Aligned(pair, Arc::new(Aligned::new(&left, &right, &mapping)))
            }),
        }
        None
    }

    /// Keeps an arrangement for the next cockpit. One that cannot be kept is lost.
    fn keep(&self, number: usize, arrangement: Arrangement) {
        let Some(path) = self.hosts.get(number).and_then(|host| host.app.options.arrangement_file.clone())
        else {
            return;
        };
        tokio::task::spawn_blocking(move || {
            if let Err(error) = arrangement.write(&path) {
                tracing::warn!("{}: the arrangement cannot be kept: {error}", path.display());
            }
        });
    }

    /// Reads a theme, for all labs.
    fn theme(&mut self, choice: ThemeChoice) {
        let Some(app) = self.hosts.get(self.front).map(|host| &host.app) else { return };
        let folder = app.options.theme_folder.as_deref();
        let read = choice.read(&app.theme.name, folder, app.options.colours);
        let read = read.map(|(theme, warnings)| (Box::new(theme), warnings));
        self.handle_all(|| Msg::Theme(choice.clone(), read.clone()));
    }

    /// Brings another lab to the front.
    fn turn(&mut self, places: i8) {
        let count = self.hosts.len();
        let step = isize::from(places).rem_euclid(isize::try_from(count.max(1)).unwrap_or(1));
        self.front = (self.front + step.unsigned_abs()) % count.max(1);
        self.repaint = true;
    }

    /// Runs something heavy off the loop; its result comes back as a message.
    fn work(&self, number: usize, job: impl FnOnce() -> Msg + Send + 'static) {
        let back = self.work.0.clone();
        tokio::task::spawn_blocking(move || {
            // The loop has ended when nobody takes the result.
            let _ = back.blocking_send((number, job()));
        });
    }

    fn announce(&mut self, words: &str) {
        let now = Instant::now();
        let recent = self.announced.is_some_and(|last| now.duration_since(last) < ANNOUNCE_GAP);
        let wanted = self.hosts.first().is_some_and(|host| host.app.options.announce);
        if wanted && !recent {
            self.announced = Some(now);
            let words = text::fit(words, 200, "…");
            self.glass.extra().extend_from_slice(format!("\x07\x1b]9;droidmux: {words}\x07").as_bytes());
        }
    }
}
