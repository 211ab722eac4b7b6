//! The limits of a session: how well charged and how cool a device must be, and how much free space it needs, to work
//! for it.

use droidmux_device::Vitals;
use droidmux_record::LabChoice;

/// How much better than a limit things must be before work goes on: percent, tenths of °C, MiB.
const CHARGED_BY: u8 = 5;
const COOLED_BY: i32 = 30;
const FREED_BY: u64 = 20;

/// From this status on the system itself speaks of an emergency (`THERMAL_STATUS_CRITICAL`).
const CRITICAL: u8 = 4;

/// Limits of one session; 0 means none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    battery: u8,
    /// Tenths of °C.
    heat: i32,
    /// MiB.
    space: u64,
}

/// Why a device is not working now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rest {
    pub(crate) why: String,
    /// It passes by itself: anyone who waits for nothing else waits as long as it takes.
    pub(crate) passes: bool,
}

impl Limits {
    pub(crate) fn of(lab: &LabChoice) -> Self {
        Self {
            battery: u8::try_from(lab.min_battery).unwrap_or(100),
            heat: i32::try_from(lab.max_temperature).unwrap_or(0).saturating_mul(10),
            space: lab.min_space.into(),
        }
    }

    /// The limit that a device breaks.
    pub(crate) fn broken(&self, vitals: &Vitals) -> Option<Rest> {
        self.beyond(vitals, Self { battery: 0, heat: 0, space: 0 })
    }

    /// The same, for a device that rests already: it must be clearly better than the limit.
    pub(crate) fn still_broken(&self, vitals: &Vitals) -> Option<Rest> {
        self.beyond(vitals, Self { battery: CHARGED_BY, heat: COOLED_BY, space: FREED_BY })
    }

    fn beyond(&self, vitals: &Vitals, margin: Self) -> Option<Rest> {
        let passing = |why: String| Some(Rest { why, passes: true });
        let enough = self.battery.saturating_add(CHARGED_BY).min(100);
        let needed = self.battery.saturating_add(margin.battery).min(100);
        if let Some(charge) = vitals.battery.filter(|charge| self.battery > 0 && *charge < needed) {
            return passing(format!("battery {charge} %, charging to {enough} %"));
        }
        let cool = (self.heat - COOLED_BY) / 10;
        if let Some(heat) = vitals.heat.filter(|heat| self.heat > 0 && *heat > self.heat - margin.heat) {
            return passing(format!("{}.{} °C, cooling to {cool} °C", heat / 10, heat % 10));
        }
        if self.heat > 0 && vitals.throttling.is_some_and(|status| status >= CRITICAL) {
            return passing("the system throttles for heat".into());
        }
        let short = self.space > 0 && vitals.space.is_some_and(|free| free < self.space + margin.space);
        let free = vitals.space.filter(|_| short)?;
        let why = format!("{free} MiB free on /data, {} MiB wanted; free some there", self.space + FREED_BY);
        Some(Rest { why, passes: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_left_with_a_margin() {
        let limits = Limits { battery: 15, heat: 450, space: 100 };
        let well = Vitals { battery: Some(80), heat: Some(310), space: Some(9_000), ..Vitals::default() };
        // Vitals, what breaks a limit at work, what keeps a device at rest.
        let cases = [
            (well.clone(), None, None),
            (Vitals::default(), None, None),
            (Vitals { battery: Some(14), ..well.clone() }, Some("battery 14 %"), Some("battery 14 %")),
            (Vitals { battery: Some(15), ..well.clone() }, None, Some("charging to 20 %")),
            (Vitals { battery: Some(20), ..well.clone() }, None, None),
            (Vitals { heat: Some(451), ..well.clone() }, Some("45.1 °C"), Some("cooling to 42 °C")),
            (Vitals { heat: Some(450), ..well.clone() }, None, Some("45.0 °C")),
            (Vitals { heat: Some(420), ..well.clone() }, None, None),
            (Vitals { throttling: Some(4), ..well.clone() }, Some("throttles"), Some("throttles")),
            (Vitals { throttling: Some(3), ..well.clone() }, None, None),
            (Vitals { space: Some(99), ..well.clone() }, Some("99 MiB free"), Some("120 MiB wanted")),
            (Vitals { space: Some(100), ..well.clone() }, None, Some("100 MiB free")),
            (Vitals { space: Some(120), ..well.clone() }, None, None),
        ];
        for (vitals, at_work, at_rest) in cases {
            for (got, expected) in
                [(limits.broken(&vitals), at_work), (limits.still_broken(&vitals), at_rest)]
            {
                let matches = match (&got, expected) {
                    (Some(rest), Some(words)) => rest.why.contains(words),
                    (got, expected) => got.is_none() && expected.is_none(),
                };
                assert!(matches, "{vitals:?}: {got:?}, not {expected:?}");
            }
        }
        let none = Limits { battery: 0, heat: 0, space: 0 };
        let dying = Vitals { battery: Some(1), heat: Some(900), throttling: Some(6), space: Some(0), ..well };
        assert_eq!(none.broken(&dying), None);
        assert!(!limits.broken(&Vitals { space: Some(0), ..Vitals::default() }).expect("full").passes);
    }
}
