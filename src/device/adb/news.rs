//! What happened to apps since the last look: the log put together with what else tells it.
//!
//! In: the log from the mark on, and which processes the app under test has. Out: crashes, hangs and ends, each once.
//!
//! Invariants: nothing here runs while all is well; where something happened, what is logged late is waited for a
//! moment, so that the same bug is told in the same words each time.

use std::time::Duration;

use super::device::AdbDevice;
use super::log_reading::NOW;
use crate::{DeviceErrorKind, Foreground};
use droidmux_record::Signal;

/// How often the log is read again for more about a crash, and the pause before each time.
const AGAIN: u32 = 3;
const PAUSE: Duration = Duration::from_millis(500);

impl AdbDevice {
    /// The signals of a log; `alive` is what the app's processes are, with what was in front then.
    pub(super) async fn news(
        &self,
        now: &str,
        log: &str,
        alive: Option<(&str, &Foreground)>,
    ) -> Result<Vec<Signal>, DeviceErrorKind> {
        let app = self.life().app().map(str::to_owned);
        let Some(app) = app else { return self.absorb_log(now, log, None).await };
        let gone = alive.and_then(|(printed, front)| {
            let mut life = self.life();
            let gone = life.look(printed, front);
            life.pids().iter().for_each(|pid| self.log().name(*pid, &app));
            gone
        });
        let mut signals = self.absorb_log(now, log, Some(&app)).await?;
        for _ in 0..AGAIN {
            if !self.log().holds() {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            signals.extend(self.read_log_again().await?);
        }
        signals.extend(self.log().release());
        if let Some(gone) = gone.filter(|_| !signals.iter().any(|signal| signal.is_of(&app))) {
            signals.extend(self.mourn(gone).await?);
        }
        self.add_main_threads(&mut signals, &app).await?;
        Ok(signals)
    }

    /// What the log has more by now.
    pub(super) async fn read_log_again(&self) -> Result<Vec<Signal>, DeviceErrorKind> {
        let api = self.profile().await?.api;
        let app = self.life().app().map(str::to_owned);
        let mut script = self.marks().script();
        script.section("now", NOW);
        let command = self.log().command(api);
        if let Some(command) = command {
            script.section("log", &command);
        }
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        self.absorb_log(&sections.text("now"), &sections.text("log"), app.as_deref()).await
    }
}
