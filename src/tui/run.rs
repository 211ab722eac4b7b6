//! The event loop: waits for whatever comes first, updates, draws when there is time.

use std::io::IsTerminal;
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
use super::app::{App, Effect, Msg, update};
use super::terminal::{FrameBytes, Guard, Input, Pace, Writer};
use super::{TuiError, TuiOptions, picture, screen, text};
use crate::gui::edit_mapping;
use crate::proto::ViewerEnd;

const FRAMES: u32 = 30;
const FRAMES_OVER_SSH: u32 = 12;
/// Replies that stay out this long may have been dropped.
const LAPSE: Duration = Duration::from_secs(5);
/// Two announcements are at least this far apart.
const ANNOUNCE_GAP: Duration = Duration::from_secs(10);
/// How long the last frame may take to be written when the cockpit ends.
const FAREWELL: Duration = Duration::from_millis(500);
/// Pictures and alignments that may be on their way back.
const WORK: usize = 64;

/// Shows the lab at the other end until the person leaves, the terminal goes away or a signal
/// ends it (SIGHUP, SIGINT, SIGTERM). The terminal is restored in every case.
pub async fn run(end: ViewerEnd, options: TuiOptions) -> Result<(), TuiError> {
    if !std::io::stdout().is_terminal() {
        return Err(TuiError::NoTerminal);
    }
    let mut signals = Signals::new().map_err(TuiError::Signals)?;
    let guard = Guard::enter(options.mouse).map_err(TuiError::SetUp)?;
    // Asked before anything else reads from the terminal.
    let picker = if options.images { picture::picker() } else { picture::halfblocks() };
    let mut input = Input::open().map_err(TuiError::SetUp)?;
    let mut cockpit = Cockpit::new(end, options, guard, picker).map_err(TuiError::SetUp)?;
    let result = cockpit.live(&mut input, &mut signals).await;
    cockpit.farewell().await;
    result
}

/// Everything the loop holds besides the input.
struct Cockpit {
    app: App,
    end: ViewerEnd,
    guard: Guard,
    terminal: Terminal<CrosstermBackend<FrameBytes>>,
    frame: FrameBytes,
    writer: Writer,
    pace: Pace,
    picker: Arc<Picker>,
    work: (mpsc::Sender<Msg>, mpsc::Receiver<Msg>),
    /// Something changed since the last frame.
    dirty: bool,
    /// Every cell is to be painted.
    repaint: bool,
    quit: bool,
    suspend: bool,
    /// What goes out before the next frame: clipboard, bell.
    extra: Vec<u8>,
    announced: Option<Instant>,
    /// When the oldest requests under way count as lost.
    lapses: Option<Instant>,
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
    fn new(end: ViewerEnd, options: TuiOptions, guard: Guard, picker: Picker) -> std::io::Result<Self> {
        let frame = FrameBytes::default();
        let terminal = Terminal::new(CrosstermBackend::new(frame.clone()))?;
        let size = terminal.size()?;
        let pace = Pace::new(if options.ssh { FRAMES_OVER_SSH } else { FRAMES });
        let mut cockpit = Self {
            app: App::new(options),
            end,
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
            lapses: None,
        };
        cockpit.handle(Msg::Resize(size.width, size.height));
        let view = cockpit.end.view.borrow_and_update().clone();
        cockpit.handle(Msg::View(view));
        Ok(cockpit)
    }

    async fn live(&mut self, input: &mut Input, signals: &mut Signals) -> Result<(), TuiError> {
        while !self.quit {
            if self.suspend {
                self.suspend().await.map_err(TuiError::Terminal)?;
            }
            let may_draw = self.dirty && !self.writer.is_busy();
            let wait = self.pace.wait(Instant::now());
            if may_draw && wait.is_zero() {
                self.draw().map_err(TuiError::Terminal)?;
                continue;
            }
            let lapses = self.lapses.map(tokio::time::Instant::from_std);
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
                Some(msg) = self.work.1.recv() => self.handle(msg),
                reply = self.end.replies.recv(), if !self.app.lab_gone => match reply {
                    Some(reply) => self.handle(Msg::Reply(reply)),
                    None => self.handle(Msg::LabGone),
                },
                changed = self.end.view.changed(), if !self.app.lab_gone => match changed {
                    Ok(()) => self.viewed(),
                    Err(_) => self.handle(Msg::LabGone),
                },
                () = sleep_until(lapses), if lapses.is_some() => {
                    self.lapses = None;
                    self.handle(Msg::Lapsed);
                }
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Key(key) => self.handle(Msg::Key(key)),
            Event::Mouse(mouse) => self.handle(Msg::Mouse(mouse)),
            Event::Paste(text) => self.handle(Msg::Paste(text)),
            Event::Resize(width, height) => self.handle(Msg::Resize(width, height)),
            Event::FocusGained | Event::FocusLost => {}
        }
    }

    fn viewed(&mut self) {
        let view = self.end.view.borrow_and_update().clone();
        if view != self.app.view {
            self.handle(Msg::View(view));
        }
    }

    fn handle(&mut self, msg: Msg) {
        self.dirty = true;
        let mut effects = update(&mut self.app, msg);
        let mut n = 0;
        // Requests that do not fit into the queue come back as messages, which may have effects.
        while n < effects.len() {
            let effect = std::mem::replace(&mut effects[n], Effect::Redraw);
            if let Some(request) = self.perform(effect) {
                effects.extend(update(&mut self.app, Msg::NotSent(request)).into_iter().filter(is_local));
            }
            n += 1;
        }
        self.lapses = match (self.app.asked.is_waiting(), self.lapses) {
            (false, _) => None,
            (true, None) => Some(Instant::now() + LAPSE),
            (true, lapses) => lapses,
        };
    }

    /// Does what an effect says; gives back a request that could not be sent.
    fn perform(&mut self, effect: Effect) -> Option<crate::proto::Request> {
        match effect {
            Effect::Send(request) => match self.end.requests.try_send(request) {
                Ok(()) | Err(TrySendError::Closed(_)) => {}
                Err(TrySendError::Full(request)) => return Some(request),
            },
            Effect::Quit => self.quit = true,
            Effect::Suspend => self.suspend = true,
            Effect::Redraw => self.repaint = true,
            Effect::Copy(text) => {
                // Into a vector: this cannot fail.
                let _ = queue!(self.extra, CopyToClipboard::to_clipboard_from(text));
            }
            Effect::Announce(text) => self.announce(&text),
            Effect::Picture(job) => {
                let picker = self.picker.clone();
                self.work(move || {
                    let picture = picture::make(&picker, &job).map(Arc::new);
                    Msg::Picture(job.key, picture)
                });
            }
            Effect::Align(pair, left, right) => self.work(move || {
                let mapping = edit_mapping(&left, &right);
                Msg::Aligned(pair, Arc::new(Aligned::new(&left, &right, &mapping)))
            }),
        }
        None
    }

    /// Runs something heavy off the loop; its result comes back as a message.
    fn work(&self, job: impl FnOnce() -> Msg + Send + 'static) {
        let back = self.work.0.clone();
        tokio::task::spawn_blocking(move || {
            // The loop has ended when nobody takes the result.
            let _ = back.blocking_send(job());
        });
    }

    fn announce(&mut self, words: &str) {
        let now = Instant::now();
        let recent = self.announced.is_some_and(|last| now.duration_since(last) < ANNOUNCE_GAP);
        if self.app.options.announce && !recent {
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
        if std::mem::take(&mut self.repaint) {
            let area = self.app.area;
            self.terminal.resize(Rect { width: area.width, height: area.height, ..Rect::default() })?;
        }
        let app = &self.app;
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
        self.handle(Msg::Resize(width, height));
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
