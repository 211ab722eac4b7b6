//! The event loop: waits for whatever comes first, updates, draws when there is time, writes as the link takes it.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use crossterm::event::Event;
use crossterm::queue;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui_image::picker::Picker;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc::{self, error::TrySendError};

use super::alignment::Aligned;
use super::app::{Effect, Msg, Screen, update};
use super::host::{self, Ear, Host, News};
use super::terminal::{
    ARE_YOU_READY, Answer, Canvas, Guard, Heard, Input, Link, Pace, Room, Urgency, WHAT_CAN_YOU_SHOW, Writer,
};
use super::{TuiError, TuiOptions, picture, screen, text};
use crate::gui::edit_mapping;
use crate::proto::{Request, ViewerEnd};

const FRAMES: u32 = 30;
const FRAMES_OVER_SSH: u32 = 12;
/// Replies that stay out this long may have been dropped.
const LAPSE: Duration = Duration::from_secs(5);
/// Two announcements are at least this far apart.
const ANNOUNCE_GAP: Duration = Duration::from_secs(10);
/// How long the last bytes may take to be written when the cockpit ends.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long the terminal may take to answer the last questions: the shell would take the answers for keys.
const LAST_ANSWERS: Duration = Duration::from_millis(1_500);
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
    let mut input = Input::open().map_err(TuiError::SetUp)?;
    let mut cockpit = Cockpit::new(ends, options, guard).map_err(TuiError::SetUp)?;
    let result = cockpit.live(&mut input, &mut signals).await;
    cockpit.farewell(&mut input).await;
    match result {
        // Its window was closed, and nobody is there to be told.
        Err(TuiError::Terminal(error)) if is_gone(&error) => Ok(()),
        result => result,
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
    canvas: Canvas,
    writer: Writer,
    link: Link,
    pace: Pace,
    picker: Arc<Picker>,
    shows: picture::Shows,
    work: (mpsc::Sender<(usize, Msg)>, mpsc::Receiver<(usize, Msg)>),
    /// Something moved since the last drawing.
    dirty: bool,
    /// A person did something since the last drawing.
    touched: bool,
    /// Every cell is to be painted.
    repaint: bool,
    quit: bool,
    suspend: bool,
    /// What goes out before anything else: questions, clipboard, bell.
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
    fn new(ends: Vec<ViewerEnd>, options: TuiOptions, guard: Guard) -> std::io::Result<Self> {
        let (width, height) = crossterm::terminal::size()?;
        let link = Link::new(options.budget, Instant::now());
        let asks = options.images && picture::may_ask();
        let pace = Pace::new(if options.ssh { FRAMES_OVER_SSH } else { FRAMES });
        let views: Vec<_> = ends.iter().map(|end| end.view.borrow().clone()).collect();
        let (hosts, news) = host::gather(ends, &options);
        let mut cockpit = Self {
            hosts,
            news,
            front: 0,
            guard,
            canvas: Canvas::new(Rect { width, height, ..Rect::default() }),
            writer: Writer::stdout()?,
            link,
            pace,
            picker: Arc::new(picture::halfblocks()),
            shows: picture::Shows::default(),
            work: mpsc::channel(WORK),
            dirty: true,
            touched: true,
            repaint: true,
            quit: false,
            suspend: false,
            extra: if asks { WHAT_CAN_YOU_SHOW.to_vec() } else { Vec::new() },
            announced: None,
        };
        cockpit.handle_all(|| Msg::Resize(width, height));
        for (number, view) in views.into_iter().enumerate() {
            cockpit.handle(number, Msg::View(view));
            cockpit.perform(number, Effect::Send(Request::Digest));
        }
        Ok(cockpit)
    }

    async fn live(&mut self, input: &mut Input, signals: &mut Signals) -> Result<(), TuiError> {
        while !self.quit && !self.hosts.is_empty() {
            if self.suspend {
                self.suspend(input).await.map_err(TuiError::Terminal)?;
            }
            let wait = self.advance(Instant::now()).map_err(TuiError::Terminal)?;
            let lapses = self.hosts.iter().filter_map(|host| host.lapses).min();
            let lapses = lapses.map(tokio::time::Instant::from_std);
            tokio::select! {
                biased;
                caught = signals.next() => match caught {
                    Caught::End => return Ok(()),
                    Caught::Resize => self.resized().map_err(TuiError::Terminal)?,
                    Caught::Resume => self.resume().map_err(TuiError::Terminal)?,
                },
                heard = input.next() => match heard {
                    Some(Ok(heard)) => self.take(heard),
                    Some(Err(error)) => return Err(TuiError::Terminal(error)),
                    None => return Ok(()),
                },
                written = self.writer.written() => written.map_err(TuiError::Terminal)?,
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {}
                Some((number, msg)) = self.work.1.recv() => self.handle(number, msg),
                Some((number, news)) = self.news.recv() => self.hear(number, news),
                () = sleep_until(lapses), if lapses.is_some() => self.lapse(),
            }
        }
        Ok(())
    }

    /// Draws what is due, and writes what the link takes. Gives how long until more can be done; `None` when
    /// only news can change that.
    fn advance(&mut self, now: Instant) -> std::io::Result<Option<Duration>> {
        // What moves is drawn when the drawing before is out: a slow link gets fewer drawings, each whole.
        let is_calm = self.hosts.get(self.front).is_some_and(|host| host.app.screen == Screen::Lab);
        let due = self.pace.wait(now, is_calm);
        if std::mem::take(&mut self.touched) {
            self.draw(Urgency::Echo)?;
        } else if self.dirty && due.is_zero() && self.canvas.urgency().is_none() {
            self.draw(Urgency::Moves)?;
            self.pace.drawn(now);
        }
        if self.writer.is_busy() {
            return Ok(None);
        }
        let Some(urgency) = self.canvas.urgency() else {
            if !self.extra.is_empty() {
                let extra = std::mem::take(&mut self.extra);
                self.writer.write(extra);
            }
            return Ok(self.dirty.then_some(due));
        };
        match self.link.room(urgency, now) {
            Room::After(wait) => Ok(Some(wait)),
            Room::Bytes(most) => {
                let mut bytes = std::mem::take(&mut self.extra);
                bytes.extend(self.canvas.take(most, urgency));
                if urgency == Urgency::Moves {
                    self.pace.spent(bytes.len());
                }
                if self.link.wrote(bytes.len() + ARE_YOU_READY.len(), now) {
                    bytes.extend_from_slice(ARE_YOU_READY);
                }
                self.writer.write(bytes);
                Ok(None)
            }
        }
    }

    fn take(&mut self, heard: Heard) {
        let event = match heard {
            Heard::Event(event) => event,
            Heard::Answer(Answer::Ready) => return self.link.answered(Instant::now()),
            Heard::Answer(answer) => return self.learn(answer),
        };
        let msg = match event {
            Event::Key(key) => Msg::Key(key),
            Event::Mouse(mouse) => Msg::Mouse(mouse),
            Event::Paste(text) => Msg::Paste(text),
            Event::Resize(..) | Event::FocusGained | Event::FocusLost => return,
        };
        // What moved before the key is no echo of it.
        if self.dirty && !self.touched {
            // Drawing fails only when the terminal is taken anew, which the next one tries again.
            let _ = self.draw(Urgency::Moves);
        }
        self.handle(self.front, msg);
        self.touched = true;
    }

    /// What the terminal says of itself decides how pictures are shown.
    fn learn(&mut self, answer: Answer) {
        if let Some(picker) = self.shows.learn(answer) {
            self.picker = Arc::new(picker);
            self.handle_all(|| Msg::PicturesAnew);
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
            Effect::Announce(text) => self.announce(&text),
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

    /// Draws the cockpit as it is; what differs from the drawing before is this urgent.
    fn draw(&mut self, urgency: Urgency) -> std::io::Result<()> {
        if !self.guard.is_held() {
            self.guard.take()?;
            self.repaint = true;
        }
        if self.hosts.len() > 1 {
            let tabs: Vec<_> =
                self.hosts.iter().enumerate().map(|(n, host)| host.app.tab(n == self.front)).collect();
            self.hosts[self.front].app.hosts = tabs;
        }
        let app = &self.hosts[self.front].app;
        let mut drawn = Buffer::empty(app.area);
        let cursor = screen::view(app, &mut drawn);
        self.canvas.show(drawn, cursor, urgency);
        if std::mem::take(&mut self.repaint) {
            self.canvas.repaint();
        }
        self.dirty = false;
        Ok(())
    }

    fn resized(&mut self) -> std::io::Result<()> {
        let (width, height) = crossterm::terminal::size()?;
        self.handle_all(|| Msg::Resize(width, height));
        self.touched = true;
        Ok(())
    }

    /// Stops this process group as the shell expects of Ctrl-Z, and goes on when resumed.
    async fn suspend(&mut self, input: &mut Input) -> std::io::Result<()> {
        self.suspend = false;
        // A terminal that takes no more is given back all the same.
        self.farewell(input).await;
        self.guard.release();
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.resume()
    }

    /// The terminal may have been anything meanwhile.
    fn resume(&mut self) -> std::io::Result<()> {
        self.guard.take()?;
        self.repaint = true;
        self.link.forget(Instant::now());
        self.resized()
    }

    /// Lets the last bytes out and the last answers in, within a deadline.
    async fn farewell(&mut self, input: &mut Input) {
        let flushed = async { while self.writer.is_busy() && self.writer.written().await.is_ok() {} };
        if tokio::time::timeout(FAREWELL, flushed).await.is_err() {
            return;
        }
        let answered = async {
            while self.link.waits() {
                match input.next().await {
                    Some(Ok(Heard::Answer(Answer::Ready))) => self.link.answered(Instant::now()),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return,
                }
            }
        };
        let _ = tokio::time::timeout(LAST_ANSWERS, answered).await;
    }
}

/// Whether an error says that the terminal was hung up.
fn is_gone(error: &std::io::Error) -> bool {
    let gone = [rustix::io::Errno::IO, rustix::io::Errno::PIPE, rustix::io::Errno::NXIO];
    error.raw_os_error().is_some_and(|code| gone.iter().any(|errno| errno.raw_os_error() == code))
        || error.kind() == std::io::ErrorKind::BrokenPipe
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
