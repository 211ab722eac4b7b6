//! Dumps by `uiautomator dump`.

use super::fault::DumpFault;
use super::sections::{Script, Sections};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
