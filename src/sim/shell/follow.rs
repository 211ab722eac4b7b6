//! Commands that print until they are stopped.

use std::io;
use std::time::Duration;

use super::run::Shell;
use super::streams::{Streams, Target};
use crate::sim::command::logcat;

/// How often a following command looks for more.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Shell<'_, '_> {
    /// Runs `logcat` without `-d`; false for every other command.
    ///
    /// In a pipe or into a file it prints what there is and ends: a pipeline's commands run one
    /// after the other here.
    pub(super) async fn streaming(&mut self, words: &[String], streams: &Streams) -> io::Result<bool> {
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
}
