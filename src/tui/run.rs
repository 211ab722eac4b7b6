//! The event loop: waits for whatever comes first, updates, draws when there is time.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::Event;
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui_image::picker::Picker;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{self, error::TrySendError};

use super::alignment::Aligned;
use super::app::{Arrangement, Effect, Msg, update};
use super::host::{self, Ear, Host, News};
use super::terminal::{FrameBytes, Guard, Input, Pace, Writer};
use super::theme::{FolderWatch, ThemeChoice};
use super::{TuiError, TuiOptions, picture, screen, text};
use crate::gui::edit_mapping;
use crate::proto::{Request, ViewerEnd};

const FRAMES: u32 = 30;
const FRAMES_OVER_SSH: u32 = 12;
/// Replies that stay out this long may have been dropped.
const LAPSE: Duration = Duration::from_secs(5);
/// Two announcements are at least this far apart.
const ANNOUNCE_GAP: Duration = Duration::from_secs(10);
/// How long the last frame may take to be written when the cockpit ends.
const FAREWELL: Duration = Duration::from_millis(500);
/// How often the user's theme files are looked at.
const THEMES_EVERY: Duration = Duration::from_secs(1);
/// Pictures and alignments that may be on their way back.
const WORK: usize = 64;

/// Shows the labs at the other ends, the first one in front, until the person leaves, the terminal
/// goes away or a signal ends it (SIGHUP, SIGINT, SIGTERM). The terminal is restored in every case.
///
/// # Errors
/// When standard output is no terminal, the terminal cannot be set up or fails, or signals cannot be
/// received.
pub async fn run(ends: Vec<ViewerEnd>, options: TuiOptions) -> Result<(), TuiError> {
    if !std::io::stdout().is_terminal() {
        return Err(TuiError::NoTerminal);
    }
    let mut signals = Signals::new().map_err(TuiError::Signals)?;
    let guard = Guard::enter(options.mouse).map_err(TuiError::SetUp)?;
    // Asked before anything else reads from the terminal.
    let picker = if options.images { picture::picker() } else { picture::halfblocks() };
    let mut input = Input::open().map_err(TuiError::SetUp)?;
    let themes = options.theme_folder.clone();
    let mut cockpit = Cockpit::new(ends, options, guard, picker).map_err(TuiError::SetUp)?;
    let watch = themes.map(|folder| tokio::spawn(watch_themes(folder, cockpit.work.0.clone())));
    let result = cockpit.live(&mut input, &mut signals).await;
    cockpit.farewell().await;
    if let Some(watch) = watch {
        watch.abort();
    }
    result
}

/// Tells the first lab's cockpit when a theme file came, went or changed.
async fn watch_themes(folder: PathBuf, tell: mpsc::Sender<(usize, Msg)>) {
    let mut watch = FolderWatch::new(folder);
    loop {
        tokio::time::sleep(THEMES_EVERY).await;
        // The folder may be on a slow disk.
        let looked = tokio::task::spawn_blocking(move || {
            let changed = watch.has_changed();
            (watch, changed)
        });
        let Ok((back, changed)) = looked.await else { return };
        watch = back;
        if changed && tell.send((0, Msg::ThemesChanged)).await.is_err() {
            return;
        }
    }
}

/// Everything the loop holds besides the input.
struct Cockpit {
    hosts: Vec<Host>,
    /// What they say.
    news: Ear,
    /// The one that is shown and has the keys.
    front: usize,
    guard: Guard,
    terminal: Terminal<CrosstermBackend<FrameBytes>>,
    frame: FrameBytes,
    writer: Writer,
    pace: Pace,
    picker: Arc<Picker>,
    work: (mpsc::Sender<(usize, Msg)>, mpsc::Receiver<(usize, Msg)>),
    /// Something changed since the last frame.
    dirty: bool,
    /// Every cell is to be painted.
    repaint: bool,
    quit: bool,
    suspend: bool,
    /// What goes out before the next frame: clipboard, bell.
    extra: Vec<u8>,
    announced: Option<Instant>,
}

/// The signals the loop listens to.
struct Signals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
    resize: Signal,
    resume: Signal,
}

/// What a signal means to the loop.
enum Caught {
    End,
    Resize,
    Resume,
}

impl Signals {
    fn new() -> std::io::Result<Self> {
        let resume = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
        Ok(Self {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            resize: signal(SignalKind::window_change())?,
            resume: signal(resume)?,
        })
    }

    async fn next(&mut self) -> Caught {
        tokio::select! {
            _ = self.hangup.recv() => Caught::End,
            _ = self.terminate.recv() => Caught::End,
            _ = self.interrupt.recv() => Caught::End,
            _ = self.resize.recv() => Caught::Resize,
            _ = self.resume.recv() => Caught::Resume,
        }
    }
}

impl Cockpit {
    fn new(ends: Vec<ViewerEnd>, options: TuiOptions, guard: Guard, picker: Picker) -> std::io::Result<Self> {
        let frame = FrameBytes::default();
        let terminal = Terminal::new(CrosstermBackend::new(frame.clone()))?;
        let size = terminal.size()?;
        let pace = Pace::new(if options.ssh { FRAMES_OVER_SSH } else { FRAMES });
        let views: Vec<_> = ends.iter().map(|end| end.view.borrow().clone()).collect();
        let (hosts, news) = host::gather(ends, &options);
        let mut cockpit = Self {
            hosts,
            news,
            front: 0,
            guard,
            terminal,
            frame,
            writer: Writer::stdout()?,
            pace,
            picker: Arc::new(picker),
            work: mpsc::channel(WORK),
            dirty: true,
            repaint: true,
            quit: false,
            suspend: false,
            extra: Vec::new(),
            announced: None,
        };
        cockpit.handle_all(|| Msg::Resize(size.width, size.height));
        for (number, view) in views.into_iter().enumerate() {
            cockpit.handle(number, Msg::View(view));
            cockpit.perform(number, Effect::Send(Request::Digest));
        }
        Ok(cockpit)
    }

    async fn live(&mut self, input: &mut Input, signals: &mut Signals) -> Result<(), TuiError> {
        while !self.quit && !self.hosts.is_empty() {
            if self.suspend {
                self.suspend().await.map_err(TuiError::Terminal)?;
            }
            let may_draw = self.dirty && !self.writer.is_busy();
            let wait = self.pace.wait(Instant::now());
            if may_draw && wait.is_zero() {
                self.draw().map_err(TuiError::Terminal)?;
                continue;
            }
            let lapses = self.hosts.iter().filter_map(|host| host.lapses).min();
            let lapses = lapses.map(tokio::time::Instant::from_std);
            tokio::select! {
                biased;
                caught = signals.next() => match caught {
                    Caught::End => return Ok(()),
                    Caught::Resize => self.resized().map_err(TuiError::Terminal)?,
                    Caught::Resume => self.resume().map_err(TuiError::Terminal)?,
                },
                event = input.next() => match event {
                    Some(Ok(event)) => self.event(event),
                    Some(Err(error)) => return Err(TuiError::Terminal(error)),
                    None => return Ok(()),
                },
                written = self.writer.written() => written.map_err(TuiError::Terminal)?,
                () = tokio::time::sleep(wait), if may_draw => {}
                Some((number, msg)) = self.work.1.recv() => self.handle(number, msg),
                Some((number, news)) = self.news.recv() => self.hear(number, news),
                () = sleep_until(lapses), if lapses.is_some() => self.lapse(),
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Key(key) => self.handle(self.front, Msg::Key(key)),
            Event::Mouse(mouse) => self.handle(self.front, Msg::Mouse(mouse)),
            Event::Paste(text) => self.handle(self.front, Msg::Paste(text)),
            Event::Resize(width, height) => self.handle_all(|| Msg::Resize(width, height)),
            Event::FocusGained | Event::FocusLost => {}
        }
    }

    fn hear(&mut self, number: usize, news: News) {
        match news {
            News::View(view) if self.hosts.get(number).is_some_and(|host| host.app.view == view) => {}
            News::View(view) => self.handle(number, Msg::View(view)),
            News::Reply(reply) => self.handle(number, Msg::Reply(reply)),
            News::Connection(connection) => self.handle(number, Msg::Connection(connection)),
            News::Gone => self.handle(number, Msg::LabGone),
        }
    }

    /// Gives up what the labs did not answer in time.
    fn lapse(&mut self) {
        let now = Instant::now();
        for number in 0..self.hosts.len() {
            let host = &mut self.hosts[number];
            if host.lapses.is_some_and(|lapses| lapses <= now) {
                host.lapses = None;
                self.handle(number, Msg::Lapsed);
            }
        }
    }

    fn handle_all(&mut self, msg: impl Fn() -> Msg) {
        for number in 0..self.hosts.len() {
            self.handle(number, msg());
        }
    }

    fn handle(&mut self, number: usize, msg: Msg) {
        let Some(host) = self.hosts.get_mut(number) else { return };
        self.dirty = true;
        let mut effects = update(&mut host.app, msg);
        let mut n = 0;
        // Requests that do not fit into the queue come back as messages, which may have effects.
        while n < effects.len() {
            let effect = std::mem::replace(&mut effects[n], Effect::Redraw);
            if let Some(request) = self.perform(number, effect) {
                let app = &mut self.hosts[number].app;
                effects.extend(update(app, Msg::NotSent(request)).into_iter().filter(is_local));
            }
            n += 1;
        }
        let host = &mut self.hosts[number];
        host.lapses = match (host.app.asked.is_waiting(), host.lapses) {
            (false, _) => None,
            (true, None) => Some(Instant::now() + LAPSE),
            (true, lapses) => lapses,
        };
    }

    /// Does what an effect says; gives back a request that could not be sent.
    fn perform(&mut self, number: usize, effect: Effect) -> Option<Request> {
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
                let _ = queue!(self.extra, CopyToClipboard::to_clipboard_from(text));
            }
            Effect::Save { name, text } => self.work(number, move || {
                let saved = std::fs::write(&name, text);
                Msg::Saved(
                    saved
                        .map(|()| name.clone())
                        .map_err(|error| format!("{name} cannot be written: {error}")),
                )
            }),
            Effect::Announce(text) => self.announce(&text),
            Effect::Theme(choice) => self.theme(choice),
            Effect::Keep(arrangement) => self.keep(number, arrangement),
            Effect::Picture(job) => {
                let picker = self.picker.clone();
                self.work(number, move || {
                    let picture = picture::make(&picker, &job).map(Arc::new);
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
            self.extra.extend_from_slice(format!("\x07\x1b]9;droidmux: {words}\x07").as_bytes());
        }
    }

    fn draw(&mut self) -> std::io::Result<()> {
        if !self.guard.is_held() {
            self.guard.take()?;
            self.repaint = true;
        }
        queue!(self.frame, BeginSynchronizedUpdate)?;
        if self.hosts.len() > 1 {
            let tabs: Vec<_> =
                self.hosts.iter().enumerate().map(|(n, host)| host.app.tab(n == self.front)).collect();
            self.hosts[self.front].app.hosts = tabs;
        }
        let app = &self.hosts[self.front].app;
        if std::mem::take(&mut self.repaint) {
            let area = app.area;
            self.terminal.resize(Rect { width: area.width, height: area.height, ..Rect::default() })?;
        }
        self.terminal.draw(|frame| screen::view(app, frame))?;
        queue!(self.frame, EndSynchronizedUpdate)?;
        let mut bytes = std::mem::take(&mut self.extra);
        bytes.extend(self.frame.take());
        self.writer.write(bytes);
        self.pace.drawn(Instant::now());
        self.dirty = false;
        Ok(())
    }

    fn resized(&mut self) -> std::io::Result<()> {
        let (width, height) = crossterm::terminal::size()?;
        self.handle_all(|| Msg::Resize(width, height));
        Ok(())
    }

    /// Stops this process group as the shell expects of Ctrl-Z, and goes on when resumed.
    async fn suspend(&mut self) -> std::io::Result<()> {
        self.suspend = false;
        // A terminal that takes no more is given back all the same.
        let _ = tokio::time::timeout(FAREWELL, async {
            while self.writer.is_busy() && self.writer.written().await.is_ok() {}
        })
        .await;
        self.guard.release();
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.resume()
    }

    /// The terminal may have been anything meanwhile.
    fn resume(&mut self) -> std::io::Result<()> {
        self.guard.take()?;
        self.repaint = true;
        self.resized()
    }

    /// Lets the last frame out, within a deadline.
    async fn farewell(&mut self) {
        let flushed = async { while self.writer.is_busy() && self.writer.written().await.is_ok() {} };
        let _ = tokio::time::timeout(FAREWELL, flushed).await;
    }
}

fn is_local(effect: &Effect) -> bool {
    !matches!(effect, Effect::Send(_))
}

async fn sleep_until(at: Option<tokio::time::Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
