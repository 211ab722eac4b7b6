//! Conversions between whole numbers and reals, for shares, rates, prices and pixels.
//!
//! In: a count or a float. Out: the other. No function panics or wraps: a value that does not fit becomes the nearest
//! one that does, and NaN becomes 0.

// Inline, so that loops over widgets and pixels in other packages need no call.

/// A count as a float: exact up to 2⁵³, above that the nearest one.
#[expect(clippy::cast_precision_loss, reason = "figures that are shown or compared need no 54th bit")]
pub fn real(count: impl TryInto<u64>) -> f64 {
    count.try_into().unwrap_or(u64::MAX) as f64
}

/// What fraction of `whole` this is, 0.0 when that is 0; above 1.0 when the part is larger.
pub fn share(part: impl TryInto<u64>, whole: impl TryInto<u64>) -> f64 {
    let whole = real(whole);
    if whole > 0.0 { real(part) / whole } else { 0.0 }
}

/// The count in 32 bits; the maximum when it does not fit.
#[inline]
pub fn count(things: usize) -> u32 {
    u32::try_from(things).unwrap_or(u32::MAX)
}

/// With the precision that a stored ratio has.
#[expect(clippy::cast_possible_truncation, reason = "seven digits of a ratio are enough")]
#[inline]
pub fn short(ratio: f64) -> f32 {
    ratio as f32
}

/// The nearest count; negative values and NaN become 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts of floats saturate")]
#[inline]
pub fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// The nearest pixel, on either side of 0.
#[expect(clippy::cast_possible_truncation, reason = "casts of floats saturate")]
#[inline]
pub fn pixel(number: f64) -> i32 {
    number.round() as i32
}

/// A length in pixels times this factor, at least 1.
#[inline]
pub fn scaled(length: u32, factor: f64) -> u32 {
    u32::try_from(whole(f64::from(length) * factor)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_become_floats() {
        for (count, expected) in [(0_u64, 0.0), (3, 3.0), (1 << 53, 9_007_199_254_740_992.0)] {
            assert_eq!(real(count), expected);
        }
        assert_eq!(real(7_usize), 7.0);
        assert_eq!(real(u64::MAX), 2_f64.powi(64));
    }

    #[test]
    fn shares_of_nothing_are_nothing() {
        for (part, of, expected) in [(0_u64, 0_u64, 0.0), (3, 0, 0.0), (0, 4, 0.0), (1, 4, 0.25), (6, 4, 1.5)]
        {
            assert_eq!(share(part, of), expected, "{part} of {of}");
        }
    }

    #[test]
    fn what_has_too_many_bits_is_cut_to_the_most() {
        for (things, expected) in [(0, 0), (20_000, 20_000), (usize::MAX, u32::MAX)] {
            assert_eq!(count(things), expected);
        }
        for (ratio, expected) in [(0.0, 0.0), (0.875, 0.875), (1.0 - 1e-12, 1.0)] {
            assert_eq!(short(ratio), expected);
        }
    }

    #[test]
    fn floats_become_the_nearest_that_fits() {
        for (number, count, at) in [
            (0.4, 0, 0),
            (0.5, 1, 1),
            (-0.6, 0, -1),
            (-7.2, 0, -7),
            (f64::NAN, 0, 0),
            (f64::INFINITY, u64::MAX, i32::MAX),
            (f64::NEG_INFINITY, 0, i32::MIN),
            (3e9, 3_000_000_000, i32::MAX),
        ] {
            assert_eq!((whole(number), pixel(number)), (count, at), "{number}");
        }
    }

    #[test]
    fn lengths_never_vanish() {
        for (length, factor, expected) in [
            (100, 0.5, 50),
            (100, 0.001, 1),
            (0, 2.0, 1),
            (3, 0.5, 2),
            (u32::MAX, 2.0, u32::MAX),
            (5, f64::NAN, 1),
        ] {
            assert_eq!(scaled(length, factor), expected, "{length} × {factor}");
        }
    }
}
