//! The device's clock: set for a session, or let go on by days.
//!
//! Before it is set for the first time, how far it was ahead of this computer's and whether it set itself are written to
//! a file on the device. Whoever restores the device, or prepares it next, puts both back and removes the file.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::device::AdbDevice;
use crate::DeviceErrorKind;
use droidmux_record::StartAt;

/// Where it is kept what the clock was like.
const FILE: &str = "/data/local/tmp/droidmux-clock";

/// First word of the file's only line; the last one shows that the line is complete.
const HEAD: &str = "droidmux-clock-1";
const TAIL: &str = "end";

/// A clock that is this far away, in seconds, was not set.
const FAR: i64 = 90;

/// What the clock was like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SavedClock {
    /// Seconds ahead of this computer's.
    ahead: i64,
    /// It set itself by the network.
    automatic: bool,
}

impl SavedClock {
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let mut value = |name: &str| words.next()?.strip_prefix(name).map(str::to_owned);
        value(HEAD)?;
        let ahead = value("ahead=")?.parse().ok()?;
        let automatic = value("automatic=")? == "1";
        value(TAIL)?;
        Some(Self { ahead, automatic })
    }

    fn line(self) -> String {
        format!("{HEAD} ahead={} automatic={} {TAIL}", self.ahead, u8::from(self.automatic))
    }
}

/// What the device says about its clock.
struct Shown {
    seconds: i64,
    /// Seconds that its zone is ahead of UTC.
    zone: i64,
}

impl Shown {
    /// Prints it.
    const COMMAND: &str = "date '+%s %z'";

    fn read(text: &str) -> Option<Self> {
        let (seconds, zone) = text.trim().lines().last()?.split_once(' ')?;
        Some(Self { seconds: seconds.parse().ok()?, zone: read_zone(zone)? })
    }
}

/// `+0530`, in seconds.
fn read_zone(text: &str) -> Option<i64> {
    let sign = match text.get(..1)? {
        "+" => 1,
        "-" => -1,
        _ => return None,
    };
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    (text.len() == 5).then_some(())?;
    Some(sign * (number(1..3)? * 3_600 + number(3..5)? * 60))
}

impl AdbDevice {
    /// Sets the clock, until it is put back.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Unsupported`] when this device lets nobody set it.
    pub(super) async fn set_clock_now(&self, at: StartAt) -> Result<(), DeviceErrorKind> {
        self.save_clock().await?;
        if let Err(error) = self.clock_to(at).await {
            let saved = self.run(&saved_command()).await?;
            self.put_clock_back(&saved.text()).await?;
            return Err(error);
        }
        // What the log has from before may seem to be later than now: it is read once, as from now on, and not told.
        self.signals_now().await?;
        self.signals_now().await.map(drop)
    }

    /// Puts the clock back when a session has set it, this one or an earlier one: `saved` is what [`saved_command`]
    /// printed.
    pub(super) async fn put_clock_back(&self, saved: &str) -> Result<(), DeviceErrorKind> {
        let Some(saved) = SavedClock::read(saved) else { return Ok(()) };
        self.clock_to_seconds(computer_seconds() + saved.ahead).await?;
        let automatic = if saved.automatic { "settings put global auto_time 1; " } else { "" };
        self.must(&format!("{automatic}rm -f {FILE}")).await.map(drop)
    }

    /// Lets days pass in which nobody touches the device: what is due in the meantime happens.
    ///
    /// # Errors
    /// [`DeviceErrorKind::Unsupported`] when this device has no such clock, as phones have not.
    pub(super) async fn let_days_pass(&self, days: u32) -> Result<(), DeviceErrorKind> {
        let millis = u64::from(days) * 86_400_000;
        let output = self.run(&format!("cmd alarm advance-time {millis} 2>&1")).await?;
        if output.exit != 0 || output.text().contains("nknown command") {
            return Err(DeviceErrorKind::Unsupported("its clock cannot be let go on by a day".into()));
        }
        Ok(())
    }

    async fn save_clock(&self) -> Result<(), DeviceErrorKind> {
        let mut script = self.marks().script();
        script.section("saved", &saved_command());
        script.section("automatic", "settings get global auto_time");
        script.section("now", Shown::COMMAND);
        let output = self.run(&script.line()).await?;
        let sections = script.split(&output.stdout)?;
        if SavedClock::read(&sections.text("saved")).is_some() {
            // An earlier session's, whose end did not come.
            return Ok(());
        }
        let said = sections.text("now");
        let shown = Shown::read(&said).ok_or_else(|| unread(&said))?;
        let automatic = sections.text("automatic").trim() == "1";
        let saved = SavedClock { ahead: shown.seconds - computer_seconds(), automatic };
        let command = format!("echo '{}' > {FILE} && settings put global auto_time 0", saved.line());
        self.must(&command).await.map(drop)
    }

    async fn clock_to(&self, at: StartAt) -> Result<(), DeviceErrorKind> {
        let shown = self.shown().await?;
        let after = self.clock_to_seconds(at.seconds() - shown.zone).await?;
        // Where the clock is not changed to summer time on the same day, the zone is another one there.
        if after.zone != shown.zone {
            self.clock_to_seconds(at.seconds() - after.zone).await?;
        }
        Ok(())
    }

    async fn shown(&self) -> Result<Shown, DeviceErrorKind> {
        let said = self.run(Shown::COMMAND).await?.text().into_owned();
        Shown::read(&said).ok_or_else(|| unread(&said))
    }

    /// As a shell may, or else as root may.
    async fn clock_to_seconds(&self, seconds: i64) -> Result<Shown, DeviceErrorKind> {
        let ways = [
            format!("cmd alarm set-time {seconds}000"),
            format!("date -u @{seconds}"),
            format!("su 0 date -u @{seconds}"),
        ];
        for way in ways {
            let output = self.run(&format!("{way} >/dev/null 2>&1; {}", Shown::COMMAND)).await?;
            let said = output.text();
            let shown = Shown::read(&said).ok_or_else(|| unread(&said))?;
            if (shown.seconds - seconds).abs() < FAR {
                return Ok(shown);
            }
        }
        Err(DeviceErrorKind::Unsupported(
            "neither `cmd alarm set-time` nor `date`, which needs root, sets its clock".into(),
        ))
    }
}

/// Prints what the clock was like, if a session has set it.
pub(super) fn saved_command() -> String {
    format!("cat {FILE} 2>/dev/null")
}

fn unread(said: &str) -> DeviceErrorKind {
    DeviceErrorKind::Answer(format!("date said `{}`", said.trim().chars().take(300).collect::<String>()))
}

/// This computer's clock.
fn computer_seconds() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_clock_was_like_is_read_back() {
        for saved in
            [SavedClock { ahead: -7, automatic: true }, SavedClock { ahead: 86_400, automatic: false }]
        {
            assert_eq!(SavedClock::read(&saved.line()), Some(saved));
        }
        for cut in [
            "",
            "droidmux-clock-1 ahead=1",
            "droidmux-clock-1 ahead=1 automatic=1",
            "x ahead=1 automatic=1 end",
        ] {
            assert_eq!(SavedClock::read(cut), None, "{cut}");
        }
    }

    #[test]
    fn zones_are_read() {
        for (text, zone) in [
            ("+0000", Some(0)),
            ("+0530", Some(19_800)),
            ("-0800", Some(-28_800)),
            ("", None),
            ("UTC", None),
            ("+05:30", None),
        ] {
            assert_eq!(read_zone(text), zone, "{text}");
        }
    }
}
