//! How long a simulated phone takes over things.

use std::str::FromStr;
use std::time::Duration;

use super::SimError;

/// How long a simulated phone takes over each kind of work; all zero for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// Starting any process by `shell:` or `exec:`.
    pub command: Duration,
    /// `input …`: the tool itself starts a virtual machine.
    pub input: Duration,
    /// `am start` and `monkey`: until the window is drawn.
    pub launch: Duration,
    /// `pm clear`.
    pub clear: Duration,
    /// `uiautomator dump`: start, idle wait of a second, writing.
    pub dump: Duration,
    /// `screencap -p`, encoding included.
    pub png: Duration,
    /// `screencap` without encoding.
    pub raw_screen: Duration,
    /// The quiet time after which the resident agent takes a window for idle.
    pub idle: Duration,
    /// A dump by the resident agent.
    pub resident: Duration,
    /// The longest that a screen takes to react. What is to be seen then, before a screen comes to rest, takes as much
    /// more or less time as this differs from a mid-range phone's 250 ms. Zero: screens change at once.
    pub reaction: Duration,
}

impl Latency {
    /// No waiting at all.
    pub const ZERO: Latency = Latency {
        command: Duration::ZERO,
        input: Duration::ZERO,
        launch: Duration::ZERO,
        clear: Duration::ZERO,
        dump: Duration::ZERO,
        png: Duration::ZERO,
        raw_screen: Duration::ZERO,
        idle: Duration::ZERO,
        resident: Duration::ZERO,
        reaction: Duration::ZERO,
    };

    /// What users report of a mid-range phone: a stock dump takes 2.1 s, a PNG 2 s.
    pub const TYPICAL: Latency = Latency {
        command: Duration::from_millis(20),
        input: Duration::from_millis(60),
        launch: Duration::from_millis(380),
        clear: Duration::from_millis(250),
        dump: Duration::from_millis(2_080),
        png: Duration::from_millis(1_980),
        raw_screen: Duration::from_millis(230),
        idle: Duration::from_millis(500),
        resident: Duration::from_millis(150),
        reaction: Duration::from_millis(250),
    };

    /// Every duration multiplied by `factor`, which is taken between 0 and 100.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Latency {
        let factor = if factor.is_finite() { factor.clamp(0.0, 100.0) } else { 1.0 };
        let scale = |time: Duration| time.mul_f64(factor);
        Latency {
            command: scale(self.command),
            input: scale(self.input),
            launch: scale(self.launch),
            clear: scale(self.clear),
            dump: scale(self.dump),
            png: scale(self.png),
            raw_screen: scale(self.raw_screen),
            idle: scale(self.idle),
            resident: scale(self.resident),
            reaction: scale(self.reaction),
        }
    }

    /// How long a command with these words takes on top of [`Latency::command`].
    pub(super) fn of(&self, words: &[String]) -> Duration {
        let has = |wanted: &str| words.iter().skip(1).any(|word| word == wanted);
        match words.first().map_or("", String::as_str) {
            "input" => self.input,
            "uiautomator" if has("dump") => self.dump,
            "am" if has("start") || has("start-activity") => self.launch,
            "monkey" | "app_process" => self.launch,
            "pm" if has("clear") => self.clear,
            "cmd" if has("clear") => self.clear,
            "screencap" if has("-p") || words.iter().any(|word| word.ends_with(".png")) => self.png,
            "screencap" => self.raw_screen,
            _ => Duration::ZERO,
        }
    }
}

/// `none`, `typical`, a share of typical such as `0.1`, or milliseconds by kind of work such as
/// `input=50,dump=200`, the rest being none.
impl FromStr for Latency {
    type Err = SimError;

    fn from_str(text: &str) -> Result<Self, SimError> {
        match text {
            "none" | "0" => Ok(Latency::ZERO),
            "typical" => Ok(Latency::TYPICAL),
            kinds if kinds.contains('=') => by_kind(kinds),
            share => match share.parse::<f64>() {
                Ok(factor) if (0.0..=100.0).contains(&factor) => Ok(Latency::TYPICAL.scaled(factor)),
                _ => Err(SimError::Option(format!(
                    "latency {text:?}: say none, typical, or a share of typical between 0 and 100"
                ))),
            },
        }
    }
}

fn by_kind(text: &str) -> Result<Latency, SimError> {
    let mut latency = Latency::ZERO;
    for part in text.split(',') {
        let wrong = || {
            SimError::Option(format!(
                "latency {part:?}: say KIND=MILLISECONDS, up to 100000, of command, input, launch, clear, dump, png, raw, idle, resident, reaction"
            ))
        };
        let (kind, time) = part.split_once('=').ok_or_else(wrong)?;
        let time: u64 = time.parse().ok().filter(|time| *time <= 100_000).ok_or_else(wrong)?;
        let place = match kind {
            "command" => &mut latency.command,
            "input" => &mut latency.input,
            "launch" => &mut latency.launch,
            "clear" => &mut latency.clear,
            "dump" => &mut latency.dump,
            "png" => &mut latency.png,
            "raw" => &mut latency.raw_screen,
            "idle" => &mut latency.idle,
            "resident" => &mut latency.resident,
            "reaction" => &mut latency.reaction,
            _ => return Err(wrong()),
        };
        *place = Duration::from_millis(time);
    }
    Ok(latency)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_command_line_says() {
        assert_eq!("none".parse::<Latency>().ok(), Some(Latency::ZERO));
        assert_eq!("typical".parse::<Latency>().ok(), Some(Latency::TYPICAL));
        let half = "0.5".parse::<Latency>().ok().map(|l| l.dump);
        assert_eq!(half, Some(Duration::from_millis(1_040)));
        let soak = "input=50,dump=200".parse::<Latency>().ok().map(|l| (l.input, l.dump, l.png));
        let ms = Duration::from_millis;
        assert_eq!(soak, Some((ms(50), ms(200), ms(0))));
        let moving =
            "reaction=100,idle=500".parse::<Latency>().ok().map(|l| (l.reaction, l.idle, l.resident));
        assert_eq!(moving, Some((ms(100), ms(500), ms(0))));
        for bad in
            ["input=", "input=-1", "dumps=5", "dump=200,", "dump=1e9", "", "fast", "-1", "NaN", "101", "inf"]
        {
            assert!(bad.parse::<Latency>().is_err(), "{bad}");
        }
    }

    #[test]
    fn each_command_has_its_own_latency() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let typical = Latency::TYPICAL;
        for (line, expected) in [
            ("input tap 1 2", typical.input),
            ("uiautomator dump", typical.dump),
            ("am start -W -n a/.B", typical.launch),
            ("am force-stop a", Duration::ZERO),
            ("screencap -p", typical.png),
            ("screencap", typical.raw_screen),
            ("pm clear a", typical.clear),
            ("echo hi", Duration::ZERO),
        ] {
            assert_eq!(typical.of(&words(line)), expected, "{line}");
        }
    }
}
