//! The lease file of a device: read, and replaced only by the lab that saw it last.

use std::time::Duration;

use super::device::AdbDevice;
use super::shell::quoted;
use crate::DeviceErrorKind;
use crate::lease_note::{MOST_NOTE, Noted};

/// Where it lies: every user of ADB may write there, and nothing cleans it up.
const FILE: &str = "/data/local/tmp/droidmux.lease";

impl AdbDevice {
    /// What it contains now.
    pub(super) async fn noted_now(&self) -> Result<Noted, DeviceErrorKind> {
        self.read_note("").await
    }

    /// Replaces `seen` with `new`, or removes the file when `new` is empty. Nothing is done when the file has changed
    /// in the meantime; without `seen` it is done in any case.
    ///
    /// Two labs that saw the same text may both write within the moment that the device's shell takes to compare and
    /// write: what the file contains after `settle` is decisive.
    pub(super) async fn exchange_note_now(
        &self,
        seen: Option<&str>,
        new: &str,
        settle: Duration,
    ) -> Result<Noted, DeviceErrorKind> {
        let change = match new {
            "" => format!("rm -f {FILE}"),
            new => format!("echo {} > {FILE}", quoted(new)),
        };
        let change = match seen.filter(|seen| is_comparable(seen)) {
            Some(seen) => format!("[ \"$({})\" = {} ] && {change}", show(), quoted(seen)),
            None => change,
        };
        let settle = match settle {
            Duration::ZERO => String::new(),
            settle => format!("; sleep {:.2}", settle.as_secs_f64()),
        };
        self.read_note(&format!("{change}{settle}; ")).await
    }

    async fn read_note(&self, before: &str) -> Result<Noted, DeviceErrorKind> {
        let mut script = self.marks().script();
        script.section("before", &format!("{before}:"));
        script.section("clock", "date +%s");
        script.section("note", &show());
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        let clock = sections.text("clock");
        let clock = clock.trim().parse().map_err(|_| {
            let said: String = clock.trim().chars().take(100).collect();
            DeviceErrorKind::Answer(format!("`date +%s` said `{said}`"))
        })?;
        // As the shell sees it when it compares.
        Ok(Noted { clock, text: sections.text("note").trim_end_matches('\n').to_owned() })
    }
}

/// Whether the shell can tell that the file still contains this. Some shells drop zero bytes, bytes that are not UTF-8
/// have already been lost here, and a long text is not a note and does not fit into a command.
fn is_comparable(seen: &str) -> bool {
    seen.len() <= MOST_NOTE && !seen.contains(['\0', char::REPLACEMENT_CHARACTER])
}

/// Prints the file, as far as a note can be long. Systems before Android 6 have no `head`.
fn show() -> String {
    format!("{{ head -c {} {FILE} || cat {FILE}; }} 2>/dev/null", MOST_NOTE + 1)
}
