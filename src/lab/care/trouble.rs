//! Trouble with one device, counted: when it is kept out, and for how long.

use std::time::Duration;

use super::Terms;

/// Troubles in a row after which a device is kept out.
const LIMIT: u32 = 3;

/// How a device's jobs and probes went lately.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trouble {
    in_a_row: u32,
    /// Quarantines since a job went well.
    quarantines: u32,
}

impl Trouble {
    /// Counts one more; returns how long the device is kept out for it, if it is.
    pub(crate) fn add(&mut self, terms: &Terms) -> Option<Duration> {
        self.in_a_row += 1;
        if self.in_a_row < LIMIT {
            return None;
        }
        let doubled = 1_u32.checked_shl(self.quarantines.min(20)).unwrap_or(u32::MAX);
        self.quarantines += 1;
        Some(terms.quarantine.saturating_mul(doubled).min(terms.longest_quarantine))
    }

    /// A probe went well: the device gets its chances again, but a further quarantine is longer.
    pub(crate) fn released(&mut self) {
        if self.in_a_row >= LIMIT {
            self.in_a_row = 0;
        }
    }

    /// A job went well: all is forgotten.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarantines_grow_until_a_job_goes_well() {
        let terms = Terms {
            quarantine: Duration::from_secs(15),
            longest_quarantine: Duration::from_secs(100),
            ..Terms::default()
        };
        // t: trouble, p: a probe that went well, j: a job that went well.
        let cases = [
            ("tt", vec![]),
            ("ttt", vec![15]),
            ("ttpt", vec![15]),
            ("ttjt", vec![]),
            ("tttptttpttt", vec![15, 30, 60]),
            ("tttt", vec![15, 30]),
            ("ttttttt", vec![15, 30, 60, 100, 100]),
            ("tttpjttt", vec![15, 15]),
        ];
        for (story, expected) in cases {
            let mut trouble = Trouble::default();
            let mut kept_out = Vec::new();
            for event in story.chars() {
                match event {
                    't' => kept_out.extend(trouble.add(&terms).map(|time| time.as_secs())),
                    'p' => trouble.released(),
                    _ => trouble.forget(),
                }
            }
            assert_eq!(kept_out, expected, "{story}");
        }
    }
}
