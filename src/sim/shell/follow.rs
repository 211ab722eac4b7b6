//! Commands that print until they are stopped.

use std::io;
use std::time::Duration;

use super::run::Shell;
use super::streams::{Streams, Target};
use crate::agent;
use crate::command::{self, logcat};

/// How often a following command looks for more.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Shell<'_, '_> {
    /// Runs `logcat` without `-d`, `getevent` without `-p`, or the resident agent; false for every other
    /// command.
    ///
    /// In a pipe or into a file it prints what there is and ends: a pipeline's commands run one
    /// after the other here.
    pub(super) async fn streaming(&mut self, words: &[String], streams: &Streams) -> io::Result<bool> {
        if let Some(start) = agent::Start::read(words, &self.state.exported()) {
            self.resident(start, streams).await?;
            return Ok(true);
        }
        if let Some(greeting) = command::awaits_events(words) {
            self.emit(&streams.out, greeting.as_bytes()).await?;
            while !self.console.is_interrupted() {
                self.console.sleep(LOOK_EVERY).await?;
            }
            self.status = 130;
            return Ok(true);
        }
        let Some(mut follower) = logcat::Follower::new(words) else { return Ok(false) };
        loop {
            let more = follower.more(self.device);
            self.emit(&streams.out, &more).await?;
            if !matches!(streams.out, Target::Console(_)) {
                self.status = 0;
                return Ok(true);
            }
            self.console.sleep(LOOK_EVERY).await?;
            if self.console.is_interrupted() {
                self.status = 130;
                return Ok(true);
            }
        }
    }

    /// Runs the agent until it is killed or the shell's peer goes away.
    async fn resident(&mut self, start: agent::Start, streams: &Streams) -> io::Result<()> {
        self.console.sleep(self.device.latency.launch).await?;
        let process = match start.run(self.device) {
            Ok(process) => process,
            Err(text) => {
                self.status = 1;
                return self.emit(&streams.err, text.as_bytes()).await;
            }
        };
        let greeting = agent::Start::greeting(self.device);
        self.emit(&streams.out, greeting.as_bytes()).await?;
        self.console.flush().await?;
        while !self.console.is_interrupted() {
            tokio::select! {
                () = process.ended.cancelled() => {
                    self.status = 137;
                    return Ok(());
                }
                slept = self.console.sleep(LOOK_EVERY) => slept?,
            }
        }
        self.status = 130;
        Ok(())
    }
}
