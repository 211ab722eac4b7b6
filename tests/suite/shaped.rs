//! A program in a terminal at the end of a slow link with a given rate, delay and buffer, with a person at the far end
//! and a terminal there that parses the output and answers queries.
//!
//! ```text
//! program ─▶ pty ─▶ buffer ─▶ rate ─▶ delay ─▶ terminal (vt100, answers DSR)
//!              ◀──────────────────── delay ◀── keys, answers
//! ```
//!
//! When the buffer is full, nothing is read from the pty, and the program notices it as it does over SSH. The tests
//! inside the library use this module, too.

#![allow(dead_code, reason = "each of the two leaves something of it unused")]

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(120);
/// Bytes read at once: the grain of the rate.
const GRAIN: usize = 128;
/// The queries whether all input has been processed, and which attributes the terminal has.
const READY: &[u8] = b"\x1b[5n";
const ATTRIBUTES: &[u8] = b"\x1b[c";
/// As kitty answers queries for images, the size of a cell and the attributes.
pub const LIKE_KITTY: &[u8] = b"\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62c";
/// As a terminal that shows sixels does, and one that shows no images.
pub const LIKE_SIXEL: &[u8] = b"\x1b[6;20;10t\x1b[?62;4c";
pub const LIKE_XTERM: &[u8] = b"\x1b[6;20;10t\x1b[?62c";

/// The link between the program and the screen.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Bytes a second towards the terminal.
    pub rate: u32,
    /// One way.
    pub delay: Duration,
    /// Bytes that may wait for the rate before the program notices.
    pub buffer: usize,
    /// The terminal answers the query whether it has processed everything.
    pub answers: bool,
    /// Its answer to queries for images and attributes; none if empty.
    pub says: &'static [u8],
    /// Its name in the environment; none if empty.
    pub program: &'static str,
}

impl Way {
    /// 100 kbit/s, 300 ms round trip, 256 KiB of buffer.
    pub const SLOW: Self = Self {
        rate: 12_500,
        delay: Duration::from_millis(150),
        buffer: 256 << 10,
        answers: true,
        says: b"",
        program: "",
    };
    /// As fast as this machine allows.
    pub const LOCAL: Self = Self { rate: 100_000_000, delay: Duration::ZERO, ..Self::SLOW };

    /// The shortest time from a key to its echo.
    pub fn round_trip(&self) -> Duration {
        self.delay * 2
    }
}

/// Bytes with the moment at which they arrive.
type Due = (Instant, Vec<u8>);

/// The far end, as it looks now.
struct Glass {
    parser: vt100::Parser,
    /// Everything that has arrived.
    raw: Vec<u8>,
    /// How far queries have been searched for.
    looked: usize,
}

/// Bytes on their way.
#[derive(Default)]
struct Queue {
    bytes: VecDeque<Due>,
    closed: bool,
}

/// Ends its program when dropped.
pub struct Shaped {
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
    back: mpsc::Sender<Due>,
    glass: Arc<(Mutex<Glass>, Condvar)>,
    arrived: Arc<AtomicU64>,
    way: Way,
}

impl Shaped {
    /// Starts a program at the near end of a link.
    pub fn run(mut command: CommandBuilder, rows: u16, cols: u16, way: Way) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        for variable in ["NO_COLOR", "COLORTERM", "TMUX", "STY", "ZELLIJ", "TERM_PROGRAM"] {
            command.env_remove(variable);
        }
        if !way.program.is_empty() {
            command.env("TERM_PROGRAM", way.program);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let glass = Arc::new((
            Mutex::new(Glass { parser: vt100::Parser::new(rows, cols, 0), raw: Vec::new(), looked: 0 }),
            Condvar::new(),
        ));
        let queue = Arc::new((Mutex::new(Queue::default()), Condvar::new()));
        let arrived = Arc::new(AtomicU64::new(0));
        let (back, keys) = mpsc::channel::<Due>();
        let reader = pair.master.try_clone_reader().expect("its output");
        let mut keyboard = pair.master.take_writer().expect("its keyboard");
        let near = queue.clone();
        std::thread::spawn(move || carry(reader, &near, way));
        let (far, answers, count) = (glass.clone(), back.clone(), arrived.clone());
        std::thread::spawn(move || deliver(&queue, &far, &answers, &count, way));
        std::thread::spawn(move || {
            for (due, bytes) in keys {
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                if keyboard.write_all(&bytes).and_then(|()| keyboard.flush()).is_err() {
                    return;
                }
            }
        });
        Self { child, _master: pair.master, back, glass, arrived, way }
    }

    /// Presses keys at the far end; returns the time.
    pub fn press(&self, keys: &str) -> Instant {
        let now = Instant::now();
        let _ = self.back.send((now + self.way.delay, keys.as_bytes().to_vec()));
        now
    }

    /// Waits until the far end shows something; returns the time at which it does.
    pub fn wait_for(&self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) -> Instant {
        let (glass, changed) = &*self.glass;
        let began = Instant::now();
        let mut seen = glass.lock().unwrap_or_else(PoisonError::into_inner);
        while !holds(seen.parser.screen()) {
            let waited = began.elapsed();
            assert!(waited < PATIENCE, "{what} does not come:\n{}", seen.parser.screen().contents());
            seen = changed.wait_timeout(seen, PATIENCE - waited).unwrap_or_else(PoisonError::into_inner).0;
        }
        Instant::now()
    }

    pub fn wait_for_text(&self, text: &str) -> Instant {
        self.wait_for(text, |screen| screen.contents().contains(text))
    }

    /// The text at the far end.
    pub fn screen(&self) -> String {
        self.glass.0.lock().unwrap_or_else(PoisonError::into_inner).parser.screen().contents()
    }

    /// What can be read on the screen at the far end.
    pub fn read_off<T>(&self, read: impl Fn(&vt100::Screen) -> T) -> T {
        read(self.glass.0.lock().unwrap_or_else(PoisonError::into_inner).parser.screen())
    }

    /// All bytes that came to the far end so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.glass.0.lock().unwrap_or_else(PoisonError::into_inner).raw.clone()
    }

    /// Whether these bytes came to the far end.
    pub fn came(&self, bytes: &str) -> bool {
        self.bytes().windows(bytes.len()).any(|window| window == bytes.as_bytes())
    }

    /// Bytes that came to the far end so far.
    pub fn arrived(&self) -> u64 {
        self.arrived.load(Ordering::SeqCst)
    }

    /// Bytes per second that arrived while a period passed.
    pub fn rate_over(&self, time: Duration) -> f64 {
        let (before, began) = (self.arrived(), Instant::now());
        std::thread::sleep(time);
        let bytes = u32::try_from(self.arrived() - before).unwrap_or(u32::MAX);
        f64::from(bytes) / began.elapsed().as_secs_f64()
    }
}

impl Drop for Shaped {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads from the program as fast as the buffer and the rate allow.
fn carry(mut reader: Box<dyn Read + Send>, queue: &(Mutex<Queue>, Condvar), way: Way) {
    let mut bytes = [0; GRAIN];
    let mut free = Instant::now();
    while let Ok(read @ 1..) = reader.read(&mut bytes) {
        let now = Instant::now();
        let length = u32::try_from(read).unwrap_or(u32::MAX);
        free = free.max(now) + Duration::from_secs_f64(f64::from(length) / f64::from(way.rate));
        let mut waiting = queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.bytes.push_back((free + way.delay, bytes[..read].to_vec()));
        drop(waiting);
        queue.1.notify_all();
        // What is in the buffer has not left yet; a full one admits nothing more.
        let full = Duration::from_secs_f64(way.buffer as f64 / f64::from(way.rate));
        std::thread::sleep(free.saturating_duration_since(now).saturating_sub(full));
    }
    queue.0.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
    queue.1.notify_all();
}

/// Shows what arrives, when it arrives.
fn deliver(
    queue: &(Mutex<Queue>, Condvar),
    glass: &(Mutex<Glass>, Condvar),
    back: &mpsc::Sender<Due>,
    arrived: &AtomicU64,
    way: Way,
) {
    loop {
        let mut waiting = queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        while waiting.bytes.is_empty() {
            if waiting.closed {
                return;
            }
            waiting = queue.1.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let Some((due, bytes)) = waiting.bytes.pop_front() else { continue };
        drop(waiting);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let mut shown = glass.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.parser.process(&bytes);
        shown.raw.extend_from_slice(&bytes);
        let answers = shown.answers(way);
        drop(shown);
        arrived.fetch_add(bytes.len() as u64, Ordering::SeqCst);
        glass.1.notify_all();
        for answer in answers {
            let _ = back.send((Instant::now() + way.delay, answer.to_vec()));
        }
    }
}

impl Glass {
    /// The answers to the queries that arrived since the last time.
    fn answers(&mut self, way: Way) -> Vec<&'static [u8]> {
        let mut answers = Vec::new();
        while self.looked < self.raw.len() {
            let rest = &self.raw[self.looked..];
            if rest.starts_with(READY) && way.answers {
                answers.push(b"\x1b[0n".as_slice());
            } else if rest.starts_with(ATTRIBUTES) && !way.says.is_empty() {
                answers.push(way.says);
            } else if [READY, ATTRIBUTES].iter().any(|question| question.starts_with(rest)) {
                // It may go on.
                break;
            }
            self.looked += 1;
        }
        answers
    }
}
