//! Faults a test gives a simulated device: what goes wrong on real phones.

use std::time::Duration;

/// Something that goes wrong on a simulated device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No two dumps are equal.
    DumpNeverSettles,
    /// `uiautomator dump` prints its success line and writes nothing.
    DumpWithoutFile,
    /// `ERROR: null root node returned by UiTestAutomationBridge.`, exit code 0.
    DumpNullRoot,
    /// `ERROR: could not get idle state.`, exit code 0.
    DumpNoIdle,
    /// The dump process is killed: `Killed`, exit code 137.
    DumpKilled,
    /// Only this many bytes of the dump reach the file.
    DumpCut(usize),
    /// Nothing can be written any more: `No space left on device`.
    DiskFull,
    /// This package is not installed.
    AppMissing(String),
    /// The device is unplugged after this many more bytes of shell or file output.
    LoseAfter(usize),
    /// Every command first takes this long.
    Slow(Duration),
}

/// The faults of one device, each with how often it still strikes.
#[derive(Debug, Default)]
pub(super) struct Faults {
    active: Vec<(Fault, Option<u32>)>,
}

impl Faults {
    pub(super) fn add(&mut self, fault: Fault, times: Option<u32>) {
        if times != Some(0) {
            self.active.push((fault, times));
        }
    }

    pub(super) fn clear(&mut self) {
        self.active.clear();
    }

    /// The first active fault that `matches`, counted as having struck once.
    pub(super) fn strike(&mut self, matches: impl Fn(&Fault) -> bool) -> Option<Fault> {
        let at = self.active.iter().position(|(fault, _)| matches(fault))?;
        let (fault, times) = self.active.get_mut(at)?;
        let struck = fault.clone();
        if let Some(left) = times {
            *left -= 1;
            if *left == 0 {
                self.active.remove(at);
            }
        }
        Some(struck)
    }

    /// Whether a fault is active, without counting.
    pub(super) fn has(&self, fault: &Fault) -> bool {
        self.active.iter().any(|(active, _)| active == fault)
    }

    /// How many of `wanted` bytes may still be sent before the device is lost; the rest of the
    /// allowance stays for the next call.
    pub(super) fn allowance(&mut self, wanted: usize) -> Option<usize> {
        let lose = self.active.iter_mut().find_map(|(fault, _)| match fault {
            Fault::LoseAfter(left) => Some(left),
            _ => None,
        })?;
        if wanted < *lose {
            *lose -= wanted;
            return None;
        }
        let left = *lose;
        self.active.retain(|(fault, _)| !matches!(fault, Fault::LoseAfter(_)));
        Some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_strikes_as_often_as_asked() {
        let mut faults = Faults::default();
        faults.add(Fault::DumpKilled, Some(2));
        faults.add(Fault::DumpNullRoot, None);
        let killed = |fault: &Fault| *fault == Fault::DumpKilled;
        assert!(faults.strike(killed).is_some());
        assert!(faults.strike(killed).is_some());
        assert!(faults.strike(killed).is_none());
        for _ in 0..5 {
            assert!(faults.strike(|fault| *fault == Fault::DumpNullRoot).is_some());
        }
    }

    #[test]
    fn the_allowance_is_used_up_across_writes() {
        let mut faults = Faults::default();
        assert_eq!(faults.allowance(10), None);
        faults.add(Fault::LoseAfter(15), None);
        assert_eq!(faults.allowance(10), None);
        assert_eq!(faults.allowance(10), Some(5));
        assert_eq!(faults.allowance(10), None);
    }
}
