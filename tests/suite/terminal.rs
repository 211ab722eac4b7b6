//! A program in a terminal of its own: what it draws, and the keys pressed.
//!
//! The tests inside the library use this module, too.

#![allow(dead_code, reason = "each of the two leaves something of it unused")]

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(120);
/// The interval between two checks for what is waited for.
const PAUSE: Duration = Duration::from_millis(20);

/// Ends its program when dropped.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    /// `None` once the terminal is closed.
    open: Option<Open>,
    output: Arc<Mutex<Vec<u8>>>,
    /// The reader releases the terminal at the next output.
    leave: Arc<AtomicBool>,
    rows: u16,
    columns: u16,
}

/// This side's handles of a terminal.
struct Open {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
}

impl Terminal {
    /// Starts a program in a terminal of this size, with the environment of such terminals.
    pub fn run(command: CommandBuilder, rows: u16, columns: u16) -> Self {
        Self::run_as("tmux-256color", command, rows, columns)
    }

    /// The same in a terminal with this name, which nevertheless answers no queries.
    pub fn run_as(name: &str, mut command: CommandBuilder, rows: u16, columns: u16) -> Self {
        let pair = native_pty_system().openpty(size(rows, columns)).expect("a terminal");
        command.env("TERM", name);
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let output = Arc::new(Mutex::new(Vec::new()));
        let leave = Arc::new(AtomicBool::new(false));
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let (sink, leaves) = (output.clone(), leave.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                sink.lock().expect("the output").extend_from_slice(&bytes[..read]);
                if leaves.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().expect("its keyboard");
        Self { child, open: Some(Open { master: pair.master, keys }), output, leave, rows, columns }
    }

    pub fn press(&mut self, keys: &str) {
        let keyboard = &mut self.open.as_mut().expect("the terminal is there").keys;
        keyboard.write_all(keys.as_bytes()).expect("typed");
        keyboard.flush().expect("typed");
    }

    /// Everything that was written so far.
    pub fn output(&self) -> Vec<u8> {
        self.output.lock().expect("the output").clone()
    }

    /// The text on the screen now.
    pub fn screen(&self) -> String {
        self.parsed().screen().contents()
    }

    /// Whether the screen is the alternate one.
    pub fn is_alternate(&self) -> bool {
        self.parsed().screen().alternate_screen()
    }

    fn parsed(&self) -> vt100::Parser {
        let mut parser = vt100::Parser::new(self.rows, self.columns, 0);
        parser.process(&self.output());
        parser
    }

    pub fn wait_for(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !holds(self) {
            assert!(began.elapsed() < PATIENCE, "{what} does not come:\n{}", self.screen());
            std::thread::sleep(PAUSE);
        }
    }

    pub fn wait_for_text(&self, text: &str) {
        self.wait_for(text, |terminal| terminal.screen().contains(text));
    }

    /// Waits for the end; returns how it came about.
    pub fn wait_for_end(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("its state") {
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "the program does not end");
            std::thread::sleep(PAUSE);
        }
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("its state").is_some()
    }

    /// Makes the terminal larger or smaller.
    pub fn resize(&self, rows: u16, columns: u16) {
        self.open
            .as_ref()
            .expect("the terminal is there")
            .master
            .resize(size(rows, columns))
            .expect("resized");
    }

    /// Lets the reader exit at the program's next output, so that [`Terminal::close`] leaves no handle.
    pub fn stop_reading(&self) {
        self.leave.store(true, Ordering::SeqCst);
    }

    /// Closes the terminal the way a window is closed.
    pub fn close(&mut self) {
        self.open = None;
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.process()).ok().and_then(rustix::process::Pid::from_raw);
        rustix::process::kill_process(pid.expect("it runs"), signal).expect("signalled");
    }

    pub fn process(&self) -> u32 {
        self.child.process_id().expect("it runs")
    }

    /// Processor time so far: fields 14 and 15 of `/proc/PID/stat`, hundredths of a second. None when
    /// the program has ended.
    pub fn processor_time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process())).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let fields = after_name.split_whitespace().skip(11).take(2);
        Duration::from_millis(fields.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() * 10)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}
