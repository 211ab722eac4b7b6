//! A cockpit in a terminal of its own.

use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use super::fixture::Site;
use crate::terminal::Terminal;

const PATIENCE: Duration = Duration::from_secs(30);

/// The beginning of the digest.
const DIGEST: &str = "Since you left";

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

    /// Reads the digest and leaves it, as well as that of a second absence that may follow it.
    pub fn leave_digest(&mut self) {
        self.wait_for_text(DIGEST);
        let began = Instant::now();
        while self.screen().contains(DIGEST) {
            assert!(began.elapsed() < PATIENCE, "the digest does not end:\n{}", self.screen());
            self.press("\x1b");
            std::thread::sleep(Duration::from_millis(500));
        }
    }

    /// Presses a key and waits for its effect: the digest may appear at any moment before, and swallows the key.
    pub fn press_past_digest(&mut self, key: &str, brings: &str) {
        loop {
            self.press(key);
            self.wait_for(brings, |cockpit| {
                [DIGEST, brings].iter().any(|text| cockpit.screen().contains(text))
            });
            if !self.screen().contains(DIGEST) {
                return;
            }
            self.leave_digest();
            if self.screen().contains(brings) {
                return;
            }
        }
    }

    /// Closes the terminal the way a window is closed; returns the processor time that the cockpit used until it ended.
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
