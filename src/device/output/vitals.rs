//! Battery, heat, screen and space: `dumpsys battery`, `dumpsys thermalservice`, `dumpsys power`,
//! `df /data`.

/// Temperatures outside this range come from sensors that do not exist (tenths of °C): a phone whose battery or skin is at
/// 95 °C has switched itself off.
const SENSIBLE: std::ops::Range<i32> = 1..950;

/// Kinds of `thermalservice` readings that reflect what a hand would feel: battery and skin (AOSP
/// `android.os.Temperature`). Chips are far hotter and cool down within seconds.
const FELT: [&str; 2] = [CELL, "3"];
const CELL: &str = "2";

/// What `dumpsys battery` says of the charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    /// Percent, 0 to 100.
    Percent(u8),
    /// There is no battery, or nobody knows of one: says why.
    Unwatched(String),
}

/// The charge. Boxes, cars and boards without a battery report `present: false`, or a level of 0 without a voltage; AOSP
/// `BatteryManager`: status and health of 1 are unknown.
pub(crate) fn read_battery(text: &str) -> Charge {
    let unwatched = |why: &str| Charge::Unwatched(why.to_owned());
    let number = |key| field::<i64>(text, key);
    if field::<bool>(text, "present") == Some(false) {
        return unwatched("there is none (`present: false`)");
    }
    let Some(level) = number("level") else { return unwatched("the device does not tell its charge") };
    let scale = number("scale").filter(|scale| *scale > 0).unwrap_or(100);
    let unknown = number("status") == Some(1) || number("health") == Some(1);
    if level == 0 && (unknown || number("voltage").is_some_and(|voltage| voltage <= 0)) {
        return unwatched("there is none (a level of 0 without a voltage)");
    }
    let percent = level.checked_mul(100).map(|hundredfold| hundredfold / scale);
    match percent.and_then(|percent| u8::try_from(percent).ok()).filter(|percent| *percent <= 100) {
        Some(percent) => Charge::Percent(percent),
        None => Charge::Unwatched(format!("its level is {level} of {scale}")),
    }
}

/// The highest felt temperature in tenths of °C, by `dumpsys battery` and `dumpsys thermalservice`; that of a battery only
/// where there is one.
pub(crate) fn read_heat(battery: &str, thermal: &str) -> Option<i32> {
    let has_cell = field::<bool>(battery, "present") != Some(false);
    let cell = field::<i32>(battery, "temperature").filter(|_| has_cell);
    let sensors = thermal.lines().filter_map(|line| {
        let inside = line.trim().strip_prefix("Temperature{")?.split('}').next()?;
        let value = |key: &str| inside.split(',').find_map(|pair| pair.trim().strip_prefix(key));
        let kind = value("mType=")?;
        (FELT.contains(&kind) && (has_cell || kind != CELL)).then_some(())?;
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
        let none = "there is none";
        let cases = [
            (BATTERY, Ok(19)),
            ("  level: 40\n  scale: 200\n", Ok(20)),
            ("  level: 7\n", Ok(7)),
            ("  present: true\n  status: 2\n  health: 2\n  level: 0\n  voltage: 3300\n", Ok(0)),
            ("  present: true\n  level: 55\n  status: 1\n", Ok(55)),
            ("  level: x\n  scale: 0\n", Err("does not tell")),
            ("Can't find service: battery\n", Err("does not tell")),
            ("  present: false\n  level: 0\n  scale: 100\n", Err(none)),
            ("  present: false\n  level: 50\n  scale: 100\n", Err(none)),
            ("  present: true\n  status: 1\n  level: 0\n  voltage: 0\n", Err(none)),
            ("  level: 0\n  voltage: 0\n", Err(none)),
            ("  level: 900\n  scale: 100\n", Err("its level is 900 of 100")),
            ("  level: -1\n  scale: 100\n", Err("its level is -1 of 100")),
            ("  level: 9223372036854775807\n", Err("its level is")),
        ];
        for (text, expected) in cases {
            match (read_battery(text), expected) {
                (Charge::Percent(charge), Ok(expected)) => assert_eq!(charge, expected, "{text}"),
                (Charge::Unwatched(why), Err(words)) => assert!(why.contains(words), "{text}: {why}"),
                (charge, _) => panic!("{text}: {charge:?}"),
            }
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
            ("temperature: 1000\n", String::new(), None),
            ("temperature: -2147483648\n", String::new(), None),
            (
                "present: false\n  temperature: 600\n",
                format!("{}{}", sensor("60.0", 2), sensor("31.0", 3)),
                Some(310),
            ),
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
