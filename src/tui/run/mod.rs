//! The event loop: waits for whatever comes first, updates, draws when there is time, writes as the link takes it.

mod editor;
mod effects;
mod signals;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossterm::event::Event;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tokio::runtime::Builder;
use tokio::sync::mpsc;

use super::app::{Effect, Msg, Screen, update};
use super::glass::{Glass, Next};
use super::host::{self, Ear, Host, News};
use super::terminal::{Answer, Guard, Heard, Input, Urgency, WHAT_CAN_YOU_SHOW};
use super::theme::FolderWatch;
use super::{TuiError, TuiOptions, picture, screen};
use editor::Edit;
use signals::{Caught, Signals};

use droidmux_proto::{Request, ViewerEnd};

/// Replies that take longer than this may have been dropped.
const LAPSE: Duration = Duration::from_secs(5);
/// How often the user's theme files are looked at.
const THEMES_EVERY: Duration = Duration::from_secs(1);
/// Pictures and alignments that may be on their way back.
const WORK: usize = 64;

/// Shows the labs at the other ends, the first one in front, until the person leaves, the terminal
/// goes away or a signal ends it (SIGHUP, SIGINT, SIGTERM). The terminal is restored in every case.
///
/// The cockpit has a thread and a runtime of its own. On the one that sessions share, its timers would be looked at
/// between their tasks: when other programs hold the processor, that is seconds too late for a key's echo.
///
/// # Errors
/// When standard output is not a terminal, the terminal cannot be set up or fails, or signals cannot be received.
pub async fn run(ends: Vec<ViewerEnd>, options: TuiOptions) -> Result<(), TuiError> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(TuiError::SetUp)?;
    let shown = tokio::task::spawn_blocking(move || {
        let shown = runtime.block_on(show(ends, options));
        // Pictures that nobody will see are not waited for.
        runtime.shutdown_background();
        shown
    });
    shown.await.unwrap_or_else(|failed| match failed.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        // The runtime around it ends, and with it the program.
        Err(_) => Ok(()),
    })
}

async fn show(ends: Vec<ViewerEnd>, options: TuiOptions) -> Result<(), TuiError> {
    if !std::io::stdout().is_terminal() {
        return Err(TuiError::NoTerminal);
    }
    let mut signals = Signals::new().map_err(TuiError::Signals)?;
    let guard = Guard::enter(options.mouse).map_err(TuiError::SetUp)?;
    let mut input = Input::open().map_err(TuiError::SetUp)?;
    let themes = options.theme_folder.clone();
    let mut cockpit = Cockpit::new(ends, options, guard).map_err(TuiError::SetUp)?;
    let watch = themes.map(|folder| tokio::spawn(watch_themes(folder, cockpit.work.0.clone())));
    let result = cockpit.live(&mut input, &mut signals).await;
    cockpit.glass.farewell(&mut input).await;
    if let Some(watch) = watch {
        watch.abort();
    }
    match result {
        // The terminal's window was closed: nobody is there to be told.
        Err(TuiError::Terminal(error)) if is_gone(&error) => Ok(()),
        result => result,
    }
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
    /// The number of the lab that is shown and gets the keys.
    front: usize,
    guard: Guard,
    glass: Glass,
    shows: picture::Shows,
    shower: picture::Shower,
    /// Pictures made so far.
    pictures: u32,
    work: (mpsc::Sender<(usize, Msg)>, mpsc::Receiver<(usize, Msg)>),
    /// Something moved since the last drawing.
    dirty: bool,
    /// A person did something since the last drawing.
    touched: bool,
    /// Every cell is to be painted.
    repaint: bool,
    quit: bool,
    suspend: bool,
    /// A question for the person's editor.
    edit: Option<Edit>,
    announced: Option<Instant>,
}

impl Cockpit {
    fn new(ends: Vec<ViewerEnd>, options: TuiOptions, guard: Guard) -> std::io::Result<Self> {
        let (width, height) = crossterm::terminal::size()?;
        let mut glass = Glass::new(Rect { width, height, ..Rect::default() }, &options)?;
        let shows = picture::Shows::new(options.budget.is_some());
        if options.images && picture::may_ask() {
            glass.extra().extend_from_slice(WHAT_CAN_YOU_SHOW);
        }
        let views: Vec<_> = ends.iter().map(|end| end.view.borrow().clone()).collect();
        let (hosts, news) = host::gather(ends, &options);
        let mut cockpit = Self {
            hosts,
            news,
            front: 0,
            guard,
            glass,
            shows,
            shower: picture::HALF_BLOCKS,
            pictures: 0,
            work: mpsc::channel(WORK),
            dirty: true,
            touched: true,
            repaint: true,
            quit: false,
            suspend: false,
            edit: None,
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
            if let Some(edit) = self.edit.take() {
                let edited = match edit.write_pictures() {
                    Ok(()) => self.lend(input, &edit.text).await.map_err(TuiError::Terminal)?,
                    Err(why) => Err(why),
                };
                self.handle(edit.host, Msg::Edited(edit.question, edited));
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
                written = self.glass.written() => written.map_err(TuiError::Terminal)?,
                () = tokio::time::sleep(wait.unwrap_or_default()), if wait.is_some() => {}
                Some((number, msg)) = self.work.1.recv() => self.work_done(number, msg),
                Some((number, news)) = self.news.recv() => self.hear(number, news),
                () = sleep_until(lapses), if lapses.is_some() => self.lapse(),
            }
        }
        Ok(())
    }

    /// Draws what is due, and writes what the link takes. Gives how long until more can be done; `None` when
    /// only news can change that.
    fn advance(&mut self, now: Instant) -> std::io::Result<Option<Duration>> {
        // What moves is drawn once the previous drawing is out: a slow link gets fewer drawings.
        let is_calm = self.hosts.get(self.front).is_some_and(|host| host.app.screen == Screen::Lab);
        if std::mem::take(&mut self.touched) {
            self.draw(Urgency::Echo)?;
        } else if self.dirty && self.glass.due(now, is_calm).is_zero() && !self.glass.is_drawing() {
            self.draw(Urgency::Moves)?;
            self.glass.drawn(now);
        }
        let next = self.glass.write(now);
        while let Some((number, msg)) = self.glass.done() {
            self.handle(number, msg);
        }
        Ok(match next {
            Next::Busy => None,
            Next::After(wait) => Some(wait),
            Next::Rest => self.dirty.then(|| self.glass.due(now, is_calm)),
        })
    }

    /// Takes in what was made off the loop; an image only when the terminal has it.
    fn work_done(&mut self, number: usize, msg: Msg) {
        match &msg {
            Msg::Picture(_, Some(picture)) => {
                let pieces = picture.upload();
                self.glass.upload(pieces, number, msg);
            }
            _ => self.handle(number, msg),
        }
    }

    fn take(&mut self, heard: Heard) {
        let event = match heard {
            Heard::Event(event) => event,
            Heard::Answer(Answer::Ready) => return self.glass.answered(Instant::now()),
            Heard::Answer(answer) => return self.learn(answer),
        };
        let msg = match event {
            Event::Key(key) => Msg::Key(key),
            Event::Mouse(mouse) => Msg::Mouse(mouse),
            Event::Paste(text) => Msg::Paste(text),
            Event::Resize(..) | Event::FocusGained | Event::FocusLost => return,
        };
        // What moved before the key is not its echo.
        if self.dirty && !self.touched {
            // Drawing fails only when the terminal is taken again, which the next drawing will retry.
            let _ = self.draw(Urgency::Moves);
        }
        self.handle(self.front, msg);
        self.touched = true;
    }

    /// What the terminal says of itself decides how pictures are shown.
    fn learn(&mut self, answer: Answer) {
        let var = |name: &str| std::env::var(name).unwrap_or_default();
        if let Some(shower) = self.shows.learn(answer, &var) {
            self.shower = shower;
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

    /// Gives up on what the labs did not answer in time.
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

    /// Draws the cockpit as it is; what differs from the previous drawing is this urgent.
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
        self.glass.show(drawn, cursor, urgency);
        if std::mem::take(&mut self.repaint) {
            self.glass.repaint();
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
        self.glass.farewell(input).await;
        self.guard.release();
        rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?;
        self.resume()
    }

    /// Lends the terminal to the person's editor, and goes on when that has ended.
    async fn lend(&mut self, input: &mut Input, text: &str) -> std::io::Result<Result<String, String>> {
        self.glass.farewell(input).await;
        input.pause()?;
        self.guard.release();
        let edited = editor::edit("droidmux-question-", text).await;
        *input = Input::open()?;
        self.resume()?;
        Ok(edited)
    }

    /// The terminal may have been used for anything meanwhile.
    fn resume(&mut self) -> std::io::Result<()> {
        self.guard.take()?;
        self.repaint = true;
        self.glass.forget(Instant::now());
        // The terminal may have forgotten its images.
        self.handle_all(|| Msg::PicturesAnew);
        self.resized()
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
