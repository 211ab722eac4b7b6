//! A cockpit in a terminal of its own.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::fixture::Site;

const ROWS: u16 = 40;
const COLUMNS: u16 = 160;
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Cockpit {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    output: Arc<Mutex<Vec<u8>>>,
    leave: Arc<AtomicBool>,
}

impl Cockpit {
    pub fn open(site: &Site, arguments: &[&str], more: &[(&str, &str)]) -> Self {
        let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(arguments);
        command.env("TERM", "tmux-256color");
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        for (name, value) in site.environment() {
            command.env(name, value);
        }
        for (name, value) in more {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the cockpit starts");
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
        Self { child, master: Some(pair.master), keys: Some(keys), output, leave }
    }

    pub fn press(&mut self, keys: &str) {
        let keyboard = self.keys.as_mut().expect("the terminal is there");
        keyboard.write_all(keys.as_bytes()).expect("typed");
        keyboard.flush().expect("typed");
    }

    pub fn screen(&self) -> String {
        let mut parser = vt100::Parser::new(ROWS, COLUMNS, 0);
        parser.process(&self.output.lock().expect("the output"));
        parser.screen().contents()
    }

    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, true);
    }

    /// Reads the digest and leaves it.
    pub fn leave_digest(&mut self) {
        self.wait_for("Since you left");
        self.press("\x1b");
        self.wait_until("Since you left", false);
    }

    fn wait_until(&self, text: &str, shown: bool) {
        let began = Instant::now();
        while self.screen().contains(text) != shown {
            assert!(began.elapsed() < PATIENCE, "`{text}` shown: {}\n{}", !shown, self.screen());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Closes the terminal as a window is closed; how long the cockpit lived on, and the processor
    /// time it used meanwhile.
    pub fn close(mut self) -> (Duration, Duration) {
        let process = self.child.process_id().expect("a process");
        self.leave.store(true, Ordering::SeqCst);
        let before = processor_time(process);
        drop(self.keys.take());
        drop(self.master.take());
        let began = Instant::now();
        let mut used = before;
        while self.child.try_wait().expect("known").is_none() {
            assert!(began.elapsed() < PATIENCE, "the cockpit outlives its terminal");
            used = processor_time(process).max(used);
            std::thread::sleep(Duration::from_millis(10));
        }
        (began.elapsed(), used.saturating_sub(before))
    }
}

impl Drop for Cockpit {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Of the process, from `/proc/PID/stat` (fields 14 and 15, hundredths of a second).
fn processor_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|n| n.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
