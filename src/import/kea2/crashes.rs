//! `crash-dump.log`: crashes and ANRs as Fastbot wrote them down.
//!
//! Each begins with the time as fourteen digits, before it perhaps the event (`StepsCount: 12`), and ends at
//! `// crash end` or `anr end`.

use droidmux_record::{Signal, SignalKind};

/// The most lines of a stack.
const STACK: usize = 64;
/// The most crashes of a log.
const CRASHES: usize = 10_000;

/// A crash or an ANR.
#[derive(Debug, PartialEq)]
pub(super) struct Crash {
    pub signal: Signal,
    /// Which of the monkey's events it came with, from 1; older versions do not tell.
    pub step: Option<u64>,
}

impl Crash {
    /// The app of the process.
    pub(super) fn package(&self) -> String {
        self.signal.process.split(':').next().unwrap_or("").to_owned()
    }
}

/// The crashes of a log in their order. Lines that belong to none are passed over.
pub(super) fn read(text: &str) -> Vec<Crash> {
    let mut crashes = Vec::new();
    let mut step = None;
    let mut open: Option<(SignalKind, Vec<&str>)> = None;
    for line in text.lines() {
        let said = line.trim();
        let ends = matches!(said, "// crash end" | "crash end" | "// anr end" | "anr end");
        match &mut open {
            Some(_) if ends => {
                let (kind, lines) = open.take().unwrap_or((SignalKind::Crash, Vec::new()));
                crashes.push(Crash { signal: signal(kind, &lines), step: step.take() });
            }
            Some((_, lines)) => lines.push(said),
            None if crashes.len() >= CRASHES => break,
            None => match said {
                "crash:" => open = Some((SignalKind::Crash, Vec::new())),
                "anr:" => open = Some((SignalKind::Anr, Vec::new())),
                _ => {
                    if let Some(number) = said.strip_prefix("StepsCount:") {
                        step = number.trim().parse().ok();
                    }
                }
            },
        }
    }
    // A log that breaks off in one tells of it all the same.
    crashes.extend(open.map(|(kind, lines)| Crash { signal: signal(kind, &lines), step }));
    crashes
}

fn signal(kind: SignalKind, lines: &[&str]) -> Signal {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_start_matches('/').trim()).collect();
    let after = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let heading = after("CRASH:").or_else(|| after("ANR:")).unwrap_or("");
    let process = heading.split_whitespace().next().unwrap_or("").to_owned();
    let headline = match kind {
        SignalKind::Crash | SignalKind::Ended => after("Long Msg:").or_else(|| after("Short Msg:")),
        SignalKind::Anr => after("Reason:"),
    };
    let of_stack = |line: &&&str| ["at ", "Caused by", "... ", "#"].iter().any(|head| line.starts_with(head));
    let stack = lines.iter().filter(of_stack).take(STACK).map(|line| (*line).to_owned()).collect();
    Signal { kind, process, headline: headline.unwrap_or(heading).to_owned(), stack }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crashes_and_anrs() {
        let text = "noise\nStepsCount: 12\nCrashScreen: screenshot-12-1.png\n20260101000000\ncrash:\n\
                    // CRASH: org.tea:sync (pid 4) (dump time: x)\n// Short Msg: E\n// Long Msg: a.E: no cup\n\
                    // Build Label: b\n// a.E: no cup\n// \tat org.tea.Pot.pour(Pot.java:3)\n// Caused by: b.F\n// crash end\n\
                    20260101000001\nanr:\n// ANR: org.tea (pid 5) (dump time: x)\nReason: Input dispatching timed out (w)\n\
                    anr end\ncrash:\n// CRASH: org.cup (pid 6)";
        let read = read(text);
        let said: Vec<_> = read
            .iter()
            .map(|c| (c.step, c.signal.kind, c.package(), c.signal.headline.as_str(), c.signal.stack.len()))
            .collect();
        let expected = [
            (Some(12), SignalKind::Crash, "org.tea".to_owned(), "a.E: no cup", 2),
            (None, SignalKind::Anr, "org.tea".to_owned(), "Input dispatching timed out (w)", 0),
            (None, SignalKind::Crash, "org.cup".to_owned(), "org.cup (pid 6)", 0),
        ];
        assert_eq!(said, expected);
        assert_eq!(read[0].signal.stack[0], "at org.tea.Pot.pour(Pot.java:3)");
    }
}
