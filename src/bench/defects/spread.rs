//! Figures of several seeds summarised as one: median and spread.

use serde::Serialize;

use droidmux_words::number;

/// The median of some figures, and the smallest and the largest of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "spread"))]
pub struct Spread {
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub median: f64,
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub least: f64,
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub most: f64,
}

impl Spread {
    /// `None` for no figures. The median of an even number of them lies between the middle two.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let (least, most) = (*sorted.first()?, *sorted.last()?);
        let upper = *sorted.get(sorted.len() / 2)?;
        let lower = *sorted.get((sorted.len() - 1) / 2)?;
        Some(Self { median: f64::midpoint(lower, upper), least, most })
    }

    /// Of counts.
    pub fn of_counts(counts: impl IntoIterator<Item = u64>) -> Option<Self> {
        Self::of(counts.into_iter().map(number::real))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_lie_in_the_middle() {
        let cases: [(&[f64], Option<(f64, f64, f64)>); 5] = [
            (&[], None),
            (&[3.0], Some((3.0, 3.0, 3.0))),
            (&[9.0, 1.0], Some((5.0, 1.0, 9.0))),
            (&[5.0, 1.0, 2.0], Some((2.0, 1.0, 5.0))),
            (&[4.0, 1.0, 2.0, 9.0], Some((3.0, 1.0, 9.0))),
        ];
        for (figures, expected) in cases {
            let spread = Spread::of(figures.iter().copied());
            assert_eq!(spread.map(|s| (s.median, s.least, s.most)), expected, "{figures:?}");
        }
    }
}
