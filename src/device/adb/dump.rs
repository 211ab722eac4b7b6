//! Dumps by `uiautomator dump`, and when a screen counts as settled.

use std::sync::Arc;

use super::fault::DumpFault;
use super::readings::{Reading, ReadingKey};
use super::sections::{Script, Sections};
use crate::{DeviceErrorKind, Settled};

/// Where a dump is written. `/dev/tty` is unreliable, and the default path on the shared storage does not exist on
/// every device.
const FILE: &str = "/data/local/tmp/droidmux-dump.xml";

/// Which tool made the dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Dumper {
    #[default]
    Uiautomator,
    Agent,
}

/// Adds one dump. The old file is removed first and the new one is read only after a success, so a dump that failed in
/// any way leaves an empty section, never an old screen.
pub(super) fn add_dump(script: &mut Script) {
    script.section("said", &format!("rm -f {FILE} && uiautomator dump {FILE} 2>&1"));
    script.section("dump", &format!("cat {FILE} 2>/dev/null"));
}

/// The dumps of a script's output, each the XML or what went wrong.
pub(super) fn read_dumps<'a>(sections: &Sections<'a>, stderr: &[u8]) -> Vec<Result<&'a [u8], DumpFault>> {
    let pair = |(said, dump): (&'a [u8], &'a [u8])| {
        if dump.is_empty() {
            Err(fault(&String::from_utf8_lossy(said), &String::from_utf8_lossy(stderr)))
        } else {
            Ok(dump)
        }
    };
    sections.all("said").zip(sections.all("dump")).map(pair).collect()
}

/// Why there is no dump: the tool's own words, or the shell's (`Killed`), or that it claimed to
/// have written a file that is not there.
fn fault(said: &str, stderr: &str) -> DumpFault {
    let lines = || said.lines().chain(stderr.lines()).map(str::trim);
    let telling =
        lines().find(|line| line.contains("ERROR") || line.contains("Killed") || line.contains("Exception"));
    let line = telling.or_else(|| lines().find(|line| !line.is_empty() && !line.contains(" dumped to")));
    line.map_or(DumpFault::NoFile, |line| DumpFault::Uiautomator(line.chars().take(300).collect()))
}

/// Dumps on their way to two equal ones in a row.
#[derive(Debug, Default)]
pub(super) struct Settling {
    last: Option<Arc<Reading>>,
    /// The last dump could be read.
    unbroken: bool,
    settled: bool,
    /// Why the last failed dump failed.
    fault: Option<DumpFault>,
}

impl Settling {
    /// True when the bytes are identical to the last dump: then the screen has settled and nothing needs to be read.
    pub(super) fn repeats(&mut self, key: &ReadingKey) -> bool {
        self.settled |= self.unbroken && self.last.as_ref().is_some_and(|last| last.key.has_bytes(key));
        self.settled
    }

    pub(super) fn take(&mut self, reading: Arc<Reading>) {
        // Equal layouts have equal content hashes; comparing is cheaper than hashing.
        self.settled = self.unbroken && self.last.as_ref().is_some_and(|last| last.layout == reading.layout);
        self.last = Some(reading);
        self.unbroken = true;
    }

    /// A failed dump counts as a position between its neighbours.
    pub(super) fn fail(&mut self, fault: DumpFault) {
        self.unbroken = false;
        self.fault = Some(fault);
    }

    pub(super) fn is_settled(&self) -> bool {
        self.settled
    }

    pub(super) fn failed_last(&self) -> bool {
        !self.unbroken
    }

    /// The last layout.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Answer`] with the last fault when no dump could be read.
    pub(super) fn finish(self) -> Result<Settled, DeviceErrorKind> {
        match self.last {
            Some(last) => {
                let (layout, notes) = (Arc::clone(&last.layout), last.notes.clone());
                Ok(Settled { layout, notes, settled: self.settled })
            }
            None => {
                Err(DeviceErrorKind::Answer(self.fault.map(|fault| fault.to_string()).unwrap_or_default()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Dump, LayoutBuilder, NewWidget};

    #[test]
    fn faults_are_named() {
        let cases = [
            ("ERROR: could not get idle state.", "", "uiautomator: ERROR: could not get idle state."),
            (
                "",
                "ERROR: null root node returned by UiTestAutomationBridge.",
                "uiautomator: ERROR: null root node returned by UiTestAutomationBridge.",
            ),
            ("", "Killed \n", "uiautomator: Killed"),
            ("UI hierchary dumped to: /x\n", "", "uiautomator: it said it was done, but wrote no file"),
            (
                "/system/bin/sh: uiautomator: not found",
                "",
                "uiautomator: /system/bin/sh: uiautomator: not found",
            ),
            (
                "java.lang.IllegalStateException: UiAutomationService already registered!\n\tat x",
                "",
                "uiautomator: java.lang.IllegalStateException: UiAutomationService already registered!",
            ),
        ];
        for (said, stderr, expected) in cases {
            assert_eq!(fault(said, stderr).to_string(), expected, "{said} {stderr}");
        }
    }

    #[test]
    fn two_in_a_row_settle() {
        // Letters are layouts, `!` is a dump that failed.
        let cases = [
            ("a", Ok((false, "a"))),
            ("aa", Ok((true, "a"))),
            ("ab", Ok((false, "b"))),
            ("abb", Ok((true, "b"))),
            ("aba", Ok((false, "a"))),
            ("a!a", Ok((false, "a"))),
            ("!aa", Ok((true, "a"))),
            ("a!", Ok((false, "a"))),
            ("!!", Err(())),
        ];
        for (dumps, expected) in cases {
            let mut settling = Settling::default();
            for dump in dumps.chars() {
                let text = dump.to_string();
                if dump == '!' {
                    settling.fail(DumpFault::NoFile);
                    continue;
                }
                let key = ReadingKey::new(text.as_bytes(), Dumper::Uiautomator, 34);
                if !settling.repeats(&key) {
                    let mut builder = LayoutBuilder::new();
                    builder.open(NewWidget { text: &text, ..NewWidget::default() });
                    let dump = Dump { layout: builder.finish(), notes: Vec::new() };
                    settling.take(Arc::new(Reading::new(key, dump)));
                }
            }
            let got = settling
                .finish()
                .map(|s| (s.settled, s.layout.widgets().next().map(|w| w.text().to_owned())));
            let expected = expected.map(|(settled, text)| (settled, Some(text.to_owned())));
            assert_eq!(got.map_err(drop), expected, "{dumps}");
        }
    }
}
