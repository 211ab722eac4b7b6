//! Hashes as people read them: hex digits in text and in formats for people such as JSON, plain
//! bytes in binary ones. For `#[serde(with = "…::hex")]` on an array of bytes.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserializer, Serializer};

/// Writes two hex digits per byte.
///
/// # Errors
/// When the formatter's sink fails.
pub fn write(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// Reads exactly two hex digits per byte.
pub fn parse<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

/// Hex digits for text formats (JSON, TOML), the bare bytes for others (postcard). For `#[serde(with)]`.
///
/// # Errors
/// When the serializer fails.
pub fn serialize<S: Serializer, const N: usize>(bytes: &[u8; N], serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return serializer.collect_str(&Digits(bytes));
    }
    let mut tuple = serializer.serialize_tuple(N)?;
    bytes.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
    tuple.end()
}

/// What [`serialize`] writes.
///
/// # Errors
/// When the input is not hex digits, or does not have the number of digits that `N` bytes take.
pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(deserializer: D) -> Result<[u8; N], D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Hash)
    } else {
        deserializer.deserialize_tuple(N, Hash)
    }
}

struct Digits<'a>(&'a [u8]);

impl fmt::Display for Digits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0)
    }
}

/// Hex digits, or the list of bytes that an earlier JSON may hold.
struct Hash<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for Hash<N> {
    type Value = [u8; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a hash of {} hex digits", 2 * N)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<[u8; N], E> {
        parse(text).ok_or_else(|| E::custom(format!("`{text}` is no hash of {} hex digits", 2 * N)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<[u8; N], A::Error> {
        let mut bytes = [0; N];
        for (n, byte) in bytes.iter_mut().enumerate() {
            *byte = items.next_element()?.ok_or_else(|| A::Error::invalid_length(n, &self))?;
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_hex_is_read() {
        let cases: [(&str, Option<[u8; 2]>); 7] = [
            ("00ff", Some([0, 255])),
            ("A1b2", Some([0xa1, 0xb2])),
            ("00f", None),
            ("00ff0", None),
            ("+1+2", None),
            ("0\u{e9}f", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
    }
}
