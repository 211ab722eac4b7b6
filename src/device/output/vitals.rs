//! Battery, heat, screen and space: `dumpsys battery`, `dumpsys thermalservice`, `dumpsys power`,
//! `df /data`.

/// Temperatures outside this range come from sensors that do not exist (tenths of °C).
const SENSIBLE: std::ops::Range<i32> = 1..1_500;

/// Kinds of `thermalservice` readings that reflect what a hand would feel: battery and skin (AOSP
/// `android.os.Temperature`). Chips are far hotter and cool down within seconds.
const FELT: [&str; 2] = ["2", "3"];

/// Charge in percent by `dumpsys battery`.
pub(crate) fn read_battery(text: &str) -> Option<u8> {
    let level: u32 = field(text, "level")?;
    let scale: u32 = field(text, "scale").filter(|scale| *scale > 0).unwrap_or(100);
    let percent = u64::from(level) * 100 / u64::from(scale);
    u8::try_from(percent).ok().filter(|percent| *percent <= 100)
}

/// The highest felt temperature in tenths of °C, by `dumpsys battery` and `dumpsys thermalservice`.
pub(crate) fn read_heat(battery: &str, thermal: &str) -> Option<i32> {
    let cell = field::<i32>(battery, "temperature");
    let sensors = thermal.lines().filter_map(|line| {
        let inside = line.trim().strip_prefix("Temperature{")?.split('}').next()?;
        let value = |key: &str| inside.split(',').find_map(|pair| pair.trim().strip_prefix(key));
        FELT.contains(&value("mType=")?).then_some(())?;
        tenths(value("mValue=")?)
    });
    sensors.chain(cell).filter(|heat| SENSIBLE.contains(heat)).max()
}

/// The throttling status of `dumpsys thermalservice`, 0 to 6.
pub(crate) fn read_throttling(thermal: &str) -> Option<u8> {
    field(thermal, "Thermal Status").filter(|status| *status <= 6)
}

/// Whether the screen is on, according to `dumpsys power`. Old systems say `mScreenOn`; `Dozing` is the picture of an
/// always-on display.
pub(crate) fn read_awake(text: &str) -> Option<bool> {
    let mut lines = text.lines().map(str::trim);
    lines.find_map(|line| {
        let (key, value) = line.split_once('=')?;
        match (key, value) {
            ("mScreenOn", value) => Some(value == "true"),
            (key, value) if key.to_ascii_lowercase().contains("wakefulness") => match value {
                "Awake" => Some(true),
                "Asleep" | "Dozing" | "Dreaming" => Some(false),
                _ => None,
            },
            _ => None,
        }
    })
}

/// Free MiB by `df /data`, in the forms of toybox (1K blocks, `Available`) and of toolbox before it
/// (`Free`, with a unit).
pub(crate) fn read_space(text: &str) -> Option<u64> {
    let mut lines = text.lines();
    let heading = lines.find(|line| line.starts_with("Filesystem"))?;
    let row = lines.find(|line| !line.trim().is_empty())?;
    // From the end: only there do the columns of heading and row line up, whatever the names contain.
    let row: Vec<&str> = row.split_whitespace().collect();
    let column =
        |name: &str| heading.replace("Mounted on", "Mounted").split_whitespace().position(|w| w == name);
    let from_end = |at: usize| {
        let columns = heading.replace("Mounted on", "Mounted").split_whitespace().count();
        row.len().checked_sub(columns.checked_sub(at)?).and_then(|at| row.get(at)).copied()
    };
    if let Some(free) = column("Available").and_then(from_end) {
        return Some(in_kib(free)? / 1024);
    }
    Some(in_kib(from_end(column("Free")?)?)? / 1024)
}

/// KiB of `261120`, `8.4G`, `512M`, `900K`.
fn in_kib(size: &str) -> Option<u64> {
    let (number, unit) = match size.find(|c: char| c.is_ascii_alphabetic()) {
        Some(at) => size.split_at_checked(at)?,
        None => return size.parse().ok(),
    };
    let shift = match unit {
        "K" => 0,
        "M" => 10,
        "G" => 20,
        "T" => 30,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let tenth: u64 = part.get(..1).map_or(Some(0), |digit| digit.parse().ok())?;
    let tenths = whole.parse::<u64>().ok()?.checked_mul(10)?.checked_add(tenth)?;
    Some(tenths.checked_mul(1 << shift)? / 10)
}

/// The number behind `KEY:` at the beginning of a line.
fn field<T: std::str::FromStr>(text: &str, key: &str) -> Option<T> {
    text.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':')?.trim().parse().ok())
}

/// Tenths of `36.549`; `None` below zero, where no phone works.
fn tenths(number: &str) -> Option<i32> {
    if number.starts_with('-') {
        return None;
    }
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let tenth: i32 = part.get(..1)?.parse().ok()?;
    whole.parse::<i32>().ok()?.checked_mul(10)?.checked_add(tenth)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BATTERY: &str = "Current Battery Service state:\n  AC powered: true\n  Max charging current: 3000000\n  \
        status: 2\n  level: 19\n  scale: 100\n  voltage: 3972\n  temperature: 357\n  technology: Li-ion\n";

    #[test]
    fn batteries() {
        let cases = [
            (BATTERY, Some(19)),
            ("  level: 40\n  scale: 200\n", Some(20)),
            ("  level: 7\n", Some(7)),
            ("  level: 900\n  scale: 100\n", None),
            ("  level: x\n  scale: 0\n", None),
            ("Can't find service: battery\n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_battery(text), expected, "{text}");
        }
    }

    #[test]
    fn heat_is_what_a_hand_would_feel() {
        let sensor = |value: &str, kind: u8| {
            format!("\tTemperature{{mValue={value}, mType={kind}, mName=x, mStatus=0}}\n")
        };
        let cases = [
            (BATTERY, String::new(), Some(357)),
            (BATTERY, format!("Thermal Status: 0\n{}{}", sensor("81.2", 0), sensor("41.25", 3)), Some(412)),
            ("", sensor("0.0", 2), None),
            ("", sensor("-0.5", 3), None),
            ("temperature: 99999999999\n", sensor("NaN", 3), None),
            ("temperature: 2400\n", String::new(), None),
        ];
        for (battery, thermal, expected) in cases {
            assert_eq!(read_heat(battery, &thermal), expected, "{battery} {thermal}");
        }
        assert_eq!(read_throttling("IsStatusOverride: false\nThermal Status: 3\nHAL Ready: true\n"), Some(3));
        assert_eq!(read_throttling("Thermal Status: 300\n"), None);
    }

    #[test]
    fn screens() {
        let cases = [
            ("  mWakefulness=Awake\n  mWakefulnessChanging=false\n", Some(true)),
            ("  mWakefulness=Asleep\nDisplay Power: state=OFF\n", Some(false)),
            ("  getWakefulnessLocked()=Dozing\n", Some(false)),
            ("  mWakefulnessRaw=Awake\n", Some(true)),
            ("  mScreenOn=false\n", Some(false)),
            ("  mWakefulness=3\n", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_awake(text), expected, "{text}");
        }
    }

    #[test]
    fn space() {
        let toybox = "Filesystem     1K-blocks    Used Available Use% Mounted on\n";
        let cases = [
            (format!("{toybox}/dev/block/dm-5  112345678 9876543 102400  9% /data\n"), Some(100)),
            (format!("{toybox}/a name with blanks  2048 1024 1024  50% /data\n"), Some(1)),
            ("Filesystem Size Used Free Blksize\n/data 12.6G 4.2G 1.5G 4096\n".into(), Some(1536)),
            ("Filesystem Size Used Free Blksize\n/data 12.6G 4.2G 900K 4096\n".into(), Some(0)),
            (format!("{toybox}/data 1 2\n"), None),
            (format!("{toybox}df: /data: No such file or directory\n"), None),
            ("df: not found".into(), None),
            ("Filesystem Size Used Free Blksize\n/data 1 1 99999999999999999999G 1\n".into(), None),
        ];
        for (text, expected) in cases {
            assert_eq!(read_space(&text), expected, "{text}");
        }
    }
}
