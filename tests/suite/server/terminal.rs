//! A cockpit in a terminal of its own.

use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use super::fixture::Site;
use crate::terminal::Terminal;

const PATIENCE: Duration = Duration::from_secs(30);

pub struct Cockpit(Terminal);

impl Cockpit {
    pub fn open(site: &Site, arguments: &[&str], more: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_droidmux"));
        command.args(arguments);
        for (name, value) in site.environment() {
            command.env(name, value);
        }
        for (name, value) in more {
            command.env(name, value);
        }
        Self(Terminal::run(command, 40, 160))
    }

    /// Reads the digest and leaves it.
    pub fn leave_digest(&mut self) {
        self.wait_for_text("Since you left");
        self.press("\x1b");
        self.wait_for("the digest's end", |cockpit| !cockpit.screen().contains("Since you left"));
    }

    /// Closes the terminal as a window is closed; the processor time that the cockpit used until it ended.
    pub fn close(mut self) -> Duration {
        self.stop_reading();
        let before = self.processor_time();
        self.0.close();
        let began = Instant::now();
        let mut used = before;
        while !self.has_ended() {
            assert!(began.elapsed() < PATIENCE, "the cockpit outlives its terminal");
            used = self.processor_time().max(used);
            std::thread::sleep(Duration::from_millis(10));
        }
        used.saturating_sub(before)
    }
}

impl Deref for Cockpit {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.0
    }
}

impl DerefMut for Cockpit {
    fn deref_mut(&mut self) -> &mut Terminal {
        &mut self.0
    }
}
