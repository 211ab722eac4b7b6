//! Which clusters are anomalous by their size (Odin).

use crate::OdinSettings;
use droidmux_words::number::real;

/// What the sizes of clusters are measured against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// How many of the largest clusters are the majority.
    pub majority: usize,
    /// μ, their mean size.
    pub mean: f64,
    /// s, their population standard deviation, with the floor applied.
    pub deviation: f64,
    least_z: f64,
}

impl Measure {
    /// Measures clusters by their sizes, largest first; `None` when there are none.
    ///
    /// The majority is the fewest largest clusters that together hold the given share of all. s is
    /// never taken lower than max(1, √μ) unless the settings say so: a majority of one cluster has
    /// a deviation of 0, and then everything smaller would be anomalous.
    pub fn of(sizes: &[u32], settings: &OdinSettings) -> Option<Self> {
        let total: f64 = sizes.iter().copied().map(f64::from).sum();
        let mut held = 0.0;
        let mut majority = 0;
        for &size in sizes {
            if majority > 0 && held >= settings.majority * total {
                break;
            }
            held += f64::from(size);
            majority += 1;
        }
        let largest: Vec<f64> = sizes.iter().take(majority).copied().map(f64::from).collect();
        if largest.is_empty() {
            return None;
        }
        let count = real(largest.len());
        let mean = largest.iter().sum::<f64>() / count;
        let variance = largest.iter().map(|size| (size - mean).powi(2)).sum::<f64>() / count;
        let floor = if settings.deviation_floor { mean.sqrt().max(1.0) } else { 0.0 };
        Some(Self { majority, mean, deviation: variance.sqrt().max(floor), least_z: settings.z })
    }

    /// (size − μ) / s; `None` when s is 0.
    pub fn z(&self, size: u32) -> Option<f64> {
        (self.deviation > 0.0).then(|| (f64::from(size) - self.mean) / self.deviation)
    }

    /// Far smaller than the majority's mean.
    pub fn is_anomalous(&self, size: u32) -> bool {
        f64::from(size) < self.mean && self.z(size).is_none_or(|z| z.abs() >= self.least_z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes that are anomalous, with and without the floor.
    fn anomalous(sizes: &[u32]) -> [Vec<u32>; 2] {
        [true, false].map(|deviation_floor| {
            let settings = OdinSettings { deviation_floor, ..OdinSettings::default() };
            let measure = Measure::of(sizes, &settings).expect("clusters");
            sizes.iter().copied().filter(|&size| measure.is_anomalous(size)).collect()
        })
    }

    #[test]
    fn far_below_the_majority() {
        let none = || Vec::<u32>::new();
        for (sizes, with_floor, without) in [
            // The seed's two cases: without a floor they get opposite answers.
            (&[12, 11, 4][..], none(), vec![4]),
            (&[12, 12, 4], none(), vec![4]),
            (&[29, 1], vec![1], vec![1]),
            (&[11, 1], vec![1], vec![1]),
            (&[10, 2], none(), vec![2]),
            (&[20, 20, 20, 2, 1], vec![2, 1], vec![2, 1]),
            (&[30], none(), none()),
            // A tail of singles is the majority itself.
            (&[5, 1, 1, 1, 1, 1, 1, 1], none(), none()),
        ] {
            assert_eq!(anomalous(sizes), [with_floor, without], "{sizes:?}");
        }
    }

    #[test]
    fn the_majority_is_as_small_as_it_can_be() {
        let settings = OdinSettings::default();
        for (sizes, majority, mean, deviation) in [
            (&[30, 10][..], 1, 30.0, 30.0_f64.sqrt()),
            (&[29, 11], 2, 20.0, 9.0),
            (&[1], 1, 1.0, 1.0),
            (&[4, 4, 4], 3, 4.0, 2.0),
        ] {
            let measure = Measure::of(sizes, &settings).expect("clusters");
            let found = (measure.majority, measure.mean, measure.deviation);
            assert_eq!(found, (majority, mean, deviation), "{sizes:?}");
        }
        assert_eq!(Measure::of(&[], &settings), None);
    }
}
