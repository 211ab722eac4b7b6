//! Units of length and the cards about them.

/// A unit: name, sign, how many metres.
pub(super) const UNITS: [(&str, &str, f64); 4] =
    [("Metre", "m", 1.0), ("Kilometre", "km", 1000.0), ("Mile", "mi", 1609.344), ("Foot", "ft", 0.3048)];

/// Question and answer.
pub(super) const CARDS: [(&str, &str); 4] = [
    ("Metres in a mile", "1609.344"),
    ("Feet in a metre", "3.28084"),
    ("Metres in a kilometre", "1000"),
    ("Inches in a foot", "12"),
];

/// `3 km = 1.8641 mi`; `None` when the value is no number.
pub(super) fn convert(value: &str, from: usize, to: usize) -> Option<String> {
    let value: f64 = value.trim().replace(',', ".").parse().ok()?;
    let (_, from_sign, from_size) = UNITS.get(from)?;
    let (_, to_sign, to_size) = UNITS.get(to)?;
    value.is_finite().then(|| {
        let result = (value * from_size / to_size * 1e4).round() / 1e4;
        format!("{value} {from_sign} = {result} {to_sign}")
    })
}

/// The card after this one: the next, a later one in random order, or the same while repeating;
/// with both, one and the next in turn.
pub(super) fn next_card(card: usize, random: bool, repeat: bool) -> usize {
    let step = match (random, repeat) {
        (false, false) => 1,
        (true, false) => 3,
        (false, true) => 0,
        (true, true) if card.is_multiple_of(2) => 1,
        (true, true) => CARDS.len() - 1,
    };
    (card + step) % CARDS.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts() {
        let cases = [
            ("1", 1, 0, Some("1 km = 1000 m")),
            ("3", 1, 2, Some("3 km = 1.8641 mi")),
            (" 2,5 ", 0, 0, Some("2.5 m = 2.5 m")),
            ("", 0, 1, None),
            ("many", 0, 1, None),
            ("inf", 0, 1, None),
        ];
        for (value, from, to, expected) in cases {
            assert_eq!(convert(value, from, to).as_deref(), expected, "{value:?}");
        }
    }
}
