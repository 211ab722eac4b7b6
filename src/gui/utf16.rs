//! UTF-16 units as text: strings of Android and JavaScript may hold half a surrogate pair, which
//! no [`String`] can.

/// What is added to a lone surrogate, U+D800 to U+DFFF, to make it a character: U+10D800 to
/// U+10DFFF, private use in plane 16.
const LIFT: u32 = 0x10_0000;

/// The text of these units. Each surrogate without its other half becomes the private character U+10D800 to U+10DFFF
/// with the same last four digits; [`units_of_text`] reverses that.
pub fn text_of_units(units: &[u16]) -> String {
    let lifted = |lone: u16| char::from_u32(u32::from(lone) + LIFT).unwrap_or(char::REPLACEMENT_CHARACTER);
    char::decode_utf16(units.iter().copied())
        .map(|char| char.unwrap_or_else(|error| lifted(error.unpaired_surrogate())))
        .collect()
}

/// The units of a text, U+10D800 to U+10DFFF as the lone surrogates they stand for: a genuine
/// character of that private range is read as one, too, and two of them side by side may become a
/// pair.
pub fn units_of_text(text: &str) -> Vec<u16> {
    let mut units = Vec::with_capacity(text.len());
    for char in text.chars() {
        match lone_surrogate(char) {
            Some(lone) => units.push(lone),
            None => units.extend_from_slice(char.encode_utf16(&mut [0; 2])),
        }
    }
    units
}

/// The lone surrogate that a character of a text stands for, as [`text_of_units`] makes it; `None` for all others.
pub fn lone_surrogate(char: char) -> Option<u16> {
    let unit = u16::try_from(u32::from(char).checked_sub(LIFT)?).ok()?;
    (0xd800..=0xdfff).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lone_surrogates_have_a_place() {
        let cases: [(&[u16], &str); 6] = [
            (&[], ""),
            (&[0x61, 0xe9], "aé"),
            (&[0xd83d, 0xde00], "😀"),
            (&[0xd83d], "\u{10d83d}"),
            (&[0xde00, 0xd83d], "\u{10de00}\u{10d83d}"),
            (&[0x61, 0xdfff, 0x62], "a\u{10dfff}b"),
        ];
        for (units, text) in cases {
            assert_eq!(text_of_units(units), text);
            assert_eq!(units_of_text(text), units);
        }
    }

    /// Any unit, with surrogates as frequent as all others together.
    fn unit() -> impl Strategy<Value = u16> {
        prop_oneof![any::<u16>(), 0xd800..=0xdfff_u16]
    }

    proptest! {
        #[test]
        fn units_come_back(units in prop::collection::vec(unit(), 0..40)) {
            // Private characters are the one exception: U+10D800 is the pair DBF6 DC00.
            let genuine = |pair: &[u16]| matches!(pair, [0xdbf6..=0xdbf7, 0xdc00..=0xdfff]);
            prop_assume!(!units.windows(2).any(genuine));
            prop_assert_eq!(units_of_text(&text_of_units(&units)), units);
        }

        #[test]
        fn texts_come_back(text in "[^\u{10d800}-\u{10dfff}]*") {
            prop_assert_eq!(text_of_units(&units_of_text(&text)), text);
        }
    }
}
