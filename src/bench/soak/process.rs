//! What processes and folders use, according to the kernel.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use droidmux_words::number::real;

/// Ticks per second in `/proc/PID/stat`; fixed by Linux for user space.
const TICKS: u64 = 100;
const PAGE: u64 = 4096;

/// One moment of a soak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    /// Milliseconds since the Unix epoch.
    pub(super) at_ms: u64,
    pub(super) steps: u64,
    /// How long the devices have made commands wait so far, all together.
    pub(super) waited: Duration,
    /// Processor time so far.
    pub(super) own: Duration,
    pub(super) simulator: Duration,
    /// Bytes.
    pub(super) memory: u64,
    pub(super) disk: u64,
    /// Open file descriptors.
    pub(super) descriptors: u64,
}

impl Reading {
    pub(super) fn take(steps: u64, waited: Duration, simulator: u32, folder: &Path) -> io::Result<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self {
            at_ms: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
            steps,
            waited,
            own: processor_time("self")?,
            simulator: processor_time(&simulator.to_string())?,
            memory: memory()?,
            disk: disk(folder)?,
            descriptors: fs::read_dir("/proc/self/fd")?.count() as u64,
        })
    }
}

/// The readings of a soak, oldest first.
#[derive(Debug, Default)]
pub(super) struct Samples(Vec<Reading>);

impl Samples {
    pub(super) fn push(&mut self, reading: Reading) {
        self.0.push(reading);
    }

    /// The first and the last one; `None` when fewer than two were taken.
    pub(super) fn ends(&self) -> Option<(&Reading, &Reading)> {
        match self.0.as_slice() {
            [first, .., last] => Some((first, last)),
            _ => None,
        }
    }

    /// When measuring began and ended.
    pub(super) fn window_ms(&self) -> (u64, u64) {
        self.ends().map_or((0, 0), |(first, last)| (first.at_ms, last.at_ms))
    }

    pub(super) fn most(&self, of: impl Fn(&Reading) -> u64) -> u64 {
        self.0.iter().map(of).max().unwrap_or(0)
    }

    /// Growth per 1,000 steps: the slope of the least-squares line over the second half, when caches are full.
    pub(super) fn growth(&self, of: impl Fn(&Reading) -> u64) -> f64 {
        let half = self.0.get(self.0.len() / 2..).unwrap_or_default();
        let count = real(half.len().max(1));
        let x = |reading: &Reading| real(reading.steps) / 1_000.0;
        let y = |reading: &Reading| real(of(reading));
        let (mean_x, mean_y) =
            (half.iter().map(x).sum::<f64>() / count, half.iter().map(y).sum::<f64>() / count);
        let spread: f64 = half.iter().map(|r| (x(r) - mean_x).powi(2)).sum();
        let together: f64 = half.iter().map(|r| (x(r) - mean_x) * (y(r) - mean_y)).sum();
        if spread > 0.0 { together / spread } else { 0.0 }
    }
}

/// User and system time, fields 14 and 15 of `/proc/PID/stat` (proc(5)).
fn processor_time(process: &str) -> io::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name, in brackets, may contain anything.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 1_000 / TICKS))
}

/// Resident bytes, field 2 of `/proc/self/statm`.
fn memory() -> io::Result<u64> {
    let statm = fs::read_to_string("/proc/self/statm")?;
    let pages = statm.split_whitespace().nth(1).and_then(|field| field.parse::<u64>().ok());
    Ok(pages.unwrap_or(0) * PAGE)
}

/// Bytes of the files below a folder; files that vanish meanwhile count as nothing.
fn disk(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)?.flatten() {
        match entry.metadata() {
            Ok(about) if about.is_dir() => bytes += disk(&entry.path()).unwrap_or(0),
            Ok(about) => bytes += about.len(),
            Err(_) => {}
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_that_of_the_second_half() {
        let zero = Duration::ZERO;
        let reading = |steps, memory| Reading {
            at_ms: 0,
            steps,
            waited: zero,
            own: zero,
            simulator: zero,
            memory,
            disk: 0,
            descriptors: 0,
        };
        let mut samples = Samples::default();
        for step in 0..10 {
            // Fast at first, then 300 bytes every 1,000 steps.
            let memory = if step < 5 { step * 100_000 } else { 400_000 + step * 300 };
            samples.push(reading(step * 1_000, memory));
        }
        assert!((samples.growth(|r| r.memory) - 300.0).abs() < 1e-6);
        assert_eq!(samples.most(|r| r.memory), 402_700);
        assert_eq!(Samples::default().growth(|r| r.memory), 0.0);
    }

    #[test]
    fn the_kernel_tells_what_this_process_uses() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("in")).expect("made");
        fs::write(folder.path().join("in/file"), [0; 1_234]).expect("written");
        let reading = Reading::take(5, Duration::ZERO, std::process::id(), folder.path()).expect("read");
        assert_eq!((reading.disk, reading.steps), (1_234, 5));
        assert!(reading.memory > 1 << 20 && reading.descriptors > 2, "{reading:?}");
    }
}
