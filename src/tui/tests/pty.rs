//! The cockpit in a real terminal: drawn, left, hung up, suspended.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const ROWS: u16 = 40;
const COLUMNS: u16 = 120;
const PATIENCE: Duration = Duration::from_secs(30);

/// The preview of this test program, run in a terminal of its own.
struct Run {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    keys: Option<Box<dyn Write + Send>>,
    output: Arc<Mutex<Vec<u8>>>,
    /// The reader lets go of the terminal at the next output.
    leave: Arc<AtomicBool>,
}

impl Run {
    fn start(quiet: bool) -> Self {
        Self::start_with(quiet, true)
    }

    /// With or without job control: a terminal that controls nothing sends no SIGHUP.
    fn start_with(quiet: bool, controlling: bool) -> Self {
        let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(std::env::current_exe().expect("this program"));
        command.args(["--ignored", "--exact", "--nocapture", "tui::tests::preview::preview"]);
        command.env("TERM", "tmux-256color");
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        command.set_controlling_tty(controlling);
        if quiet {
            command.env("PREVIEW_QUIET", "1");
        }
        let child = pair.slave.spawn_command(command).expect("the preview starts");
        let output = Arc::new(Mutex::new(Vec::new()));
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let leave = Arc::new(AtomicBool::new(false));
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

    fn press(&mut self, keys: &str) {
        let keyboard = self.keys.as_mut().expect("the terminal is there");
        keyboard.write_all(keys.as_bytes()).expect("typed");
        keyboard.flush().expect("typed");
    }

    fn output(&self) -> Vec<u8> {
        self.output.lock().expect("the output").clone()
    }

    /// The screen now, and whether it is the alternate one.
    fn screen(&self) -> (String, bool) {
        let mut parser = vt100::Parser::new(ROWS, COLUMNS, 0);
        parser.process(&self.output());
        (parser.screen().contents(), parser.screen().alternate_screen())
    }

    fn wait_for(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(start.elapsed() < PATIENCE, "{what} does not come:\n{}", self.screen().0);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn wait_for_text(&self, text: &str) {
        self.wait_for(text, |run| run.screen().0.contains(text));
    }

    fn wait_for_end(&mut self) {
        let start = Instant::now();
        while self.child.try_wait().expect("its state").is_none() {
            assert!(start.elapsed() < PATIENCE, "the cockpit does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let pid = self.child.process_id().and_then(|pid| rustix::process::Pid::from_raw(pid as i32));
        rustix::process::kill_process(pid.expect("it runs"), signal).expect("signalled");
    }

    /// Ticks of processor time so far, in hundredths of a second.
    fn ticks(&self) -> u64 {
        let pid = self.child.process_id().expect("it runs");
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("its statistics");
        let after_name = stat.rsplit_once(')').expect("a name in brackets").1;
        let fields: Vec<u64> =
            after_name.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
        fields[11] + fields[12]
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

#[test]
fn it_shows_the_lab_and_gives_the_terminal_back() {
    let mut run = Run::start(false);
    run.wait_for_text("emulator-5554");
    assert!(run.screen().1, "drawn on the alternate screen");
    run.press("3");
    run.wait_for_text("Deleting the picture");
    run.press("q");
    run.wait_for_end();
    run.wait_for("the shell's screen", |run| !run.screen().1);
    let output = String::from_utf8_lossy(&run.output()).into_owned();
    assert!(output.contains("\u{1b}[?25h") && output.contains("\u{1b}[?2004l"), "cursor and paste restored");
}

#[test]
fn frames_are_written_whole_and_synchronised() {
    let mut run = Run::start(true);
    run.wait_for_text("emulator-5554");
    run.press("2");
    run.wait_for_text("Trace");
    // The reader may be in the middle of a frame; when all is quiet every one has its end.
    run.wait_for("the end of every frame", |run| {
        let output = String::from_utf8_lossy(&run.output()).into_owned();
        let begins = output.matches("\u{1b}[?2026h").count();
        begins > 1 && begins == output.matches("\u{1b}[?2026l").count()
    });
}

#[test]
fn an_idle_cockpit_takes_no_time() {
    let run = Run::start(true);
    run.wait_for_text("emulator-5554");
    std::thread::sleep(Duration::from_millis(700));
    let (before, written) = (run.ticks(), run.output().len());
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(run.output().len(), written, "nothing is drawn when nothing happens");
    assert!(run.ticks() - before <= 2, "{} hundredths of a second in two", run.ticks() - before);
}

#[test]
fn signals_end_it_with_the_terminal_restored() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::HUP] {
        let mut run = Run::start(false);
        run.wait_for_text("emulator-5554");
        run.signal(signal);
        run.wait_for_end();
        run.wait_for("the shell's screen", |run| !run.screen().1);
    }
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    for controlling in [true, false] {
        let mut run = Run::start_with(true, controlling);
        run.wait_for_text("emulator-5554");
        // Every handle of this side must be closed, the reader's too.
        run.leave.store(true, Ordering::SeqCst);
        run.press("2");
        std::thread::sleep(Duration::from_millis(300));
        run.keys = None;
        run.master = None;
        run.wait_for_end();
    }
}

#[test]
fn it_is_suspended_and_comes_back() {
    let mut run = Run::start(true);
    run.wait_for_text("emulator-5554");
    run.signal(rustix::process::Signal::STOP);
    std::thread::sleep(Duration::from_millis(100));
    let written = run.output().len();
    run.signal(rustix::process::Signal::CONT);
    run.wait_for("a frame painted anew", |run| run.output().len() > written + 2_000);
    run.press("q");
    run.wait_for_end();
}

#[test]
fn another_size_is_another_layout() {
    let run = Run::start(true);
    run.wait_for_text("emulator-5554");
    let small = PtySize { rows: 12, cols: 50, pixel_width: 0, pixel_height: 0 };
    run.master.as_ref().expect("a terminal").resize(small).expect("resized");
    run.wait_for_text("too small");
}
