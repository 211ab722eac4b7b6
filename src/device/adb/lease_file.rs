//! The lease file of a device: looked at, and exchanged by whoever saw it last.

use std::time::Duration;

use super::device::AdbDevice;
use super::shell::quoted;
use crate::device::DeviceErrorKind;
use crate::device::lease_note::{MOST_NOTE, Noted};

/// Where it lies: every user of ADB may write there, and nothing cleans it up.
const FILE: &str = "/data/local/tmp/droidmux.lease";

impl AdbDevice {
    /// What stands there now.
    pub(super) async fn noted_now(&self) -> Result<Noted, DeviceErrorKind> {
        self.read_note("").await
    }

    /// Puts `new` in the place of `seen`, or takes the file away when `new` is empty. Nothing is
    /// done when the file says something else by now; without `seen` it is done in any case.
    ///
    /// Two that saw the same text write within the moment it takes the device's shell to compare and
    /// write: what stands there after `settle` is the last word.
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
        // As the shell has it when it compares.
        Ok(Noted { clock, text: sections.text("note").trim_end_matches('\n').to_owned() })
    }
}

/// Whether the shell can tell that the file still says this. Some shells leave zero bytes out, bytes that
/// are no UTF-8 are no longer here, and a long text is no note and fits into no command.
fn is_comparable(seen: &str) -> bool {
    seen.len() <= MOST_NOTE && !seen.contains(['\0', char::REPLACEMENT_CHARACTER])
}

/// Prints the file, as far as a note can be long. Systems before Android 6 have no `head`.
fn show() -> String {
    format!("{{ head -c {} {FILE} || cat {FILE}; }} 2>/dev/null", MOST_NOTE + 1)
}
