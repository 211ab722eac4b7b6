//! Forms in which a server may write a key: escaped as in JSON, in addresses and in HTML, several
//! times over, or as base64 or hexadecimal digits.
//!
//! In: a key, and texts from outside. Out: where the key occurs in a text, in whatever form.
//!
//! Invariants: matches begin and end at character boundaries; the time is proportional to the length of the text.

use std::fmt;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// How often a text is unescaped at most: once for each program it went through.
const MOST_LAYERS: usize = 4;
/// In a text that is still coming, a shorter beginning of an encoded key does not count as a sign of one.
const SHORTEST_BEGUN: usize = 6;
/// The longest escape, `&#x10ffff;`.
const LONGEST_ESCAPE: usize = 10;

/// Names of characters in HTML that keys are made of or escaped with.
const NAMED: [(&str, u8); 16] = [
    ("amp", b'&'),
    ("lt", b'<'),
    ("gt", b'>'),
    ("quot", b'"'),
    ("apos", b'\''),
    ("sol", b'/'),
    ("bsol", b'\\'),
    ("plus", b'+'),
    ("equals", b'='),
    ("period", b'.'),
    ("lowbar", b'_'),
    ("hyphen", b'-'),
    ("percnt", b'%'),
    ("num", b'#'),
    ("colon", b':'),
    ("comma", b','),
];

/// A key in all the forms in which it may be written.
pub(super) struct Disguises {
    key: Vec<u8>,
    /// In base64, the part that does not depend on the characters around it.
    base64: Vec<Vec<u8>>,
    digits: [Vec<u8>; 2],
}

/// A text after some unescaping: its bytes, and where each came from.
struct Layer {
    bytes: Vec<u8>,
    /// Empty where it is the text itself.
    from: Vec<Range<usize>>,
}

impl Disguises {
    pub(super) fn of(key: &str) -> Self {
        let hex = |digit: fn(u8) -> String| key.bytes().map(digit).collect::<String>().into_bytes();
        Self {
            key: key.as_bytes().to_vec(),
            base64: (0..3).flat_map(|offset| base64_cores(key.as_bytes(), offset)).collect(),
            digits: [hex(|byte| format!("{byte:02x}")), hex(|byte| format!("{byte:02X}"))],
        }
    }

    /// The places where the key occurs, in order and without overlaps.
    pub(super) fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        for layer in layers(text) {
            for needle in [&self.key].into_iter().chain(&self.digits) {
                places.extend(layer.find(needle).map(|found| layer.origin(&found)));
            }
            for core in &self.base64 {
                places.extend(layer.find(core).map(|found| layer.origin(&layer.base64_around(&found))));
            }
        }
        places.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
        let mut apart: Vec<Range<usize>> = Vec::new();
        for place in places {
            match apart.last_mut() {
                Some(last) if place.start < last.end => last.end = last.end.max(place.end),
                _ => apart.push(place),
            }
        }
        apart
    }

    /// The place at the end of a text that is still coming where the key may have begun.
    pub(super) fn begun(&self, text: &str) -> Option<usize> {
        let in_layer = |layer: &Layer| {
            let whole = layer.bytes.as_slice();
            let cut = unfinished_escape(whole).and_then(|at| whole.get(..at));
            let begun = [Some(whole), cut].into_iter().flatten().filter_map(|bytes| self.begun_in(bytes));
            begun.map(|at| layer.origin(&(at..at + 1)).start).min()
        };
        layers(text).iter().filter_map(in_layer).min()
    }

    fn begun_in(&self, bytes: &[u8]) -> Option<usize> {
        let encoded = self.base64.iter().chain(&self.digits).map(|needle| (needle, SHORTEST_BEGUN));
        let lengths = [(&self.key, 1)].into_iter().chain(encoded).filter_map(|(needle, least)| {
            let mut begun = (least..needle.len()).rev().filter_map(|end| needle.get(..end));
            begun.find(|begun| bytes.ends_with(begun)).map(<[u8]>::len)
        });
        lengths.max().map(|length| bytes.len() - length)
    }
}

impl fmt::Debug for Disguises {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

impl Layer {
    fn find<'a>(&'a self, needle: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
        let mut from = 0;
        std::iter::from_fn(move || {
            let first = needle.first()?;
            loop {
                let rest = self.bytes.get(from..)?;
                let at = from + rest.iter().position(|byte| byte == first)?;
                from = at + 1;
                if self.bytes.get(at..)?.starts_with(needle) {
                    from = at + needle.len();
                    return Some(at..from);
                }
            }
        })
    }

    /// The original bytes that these bytes were made of.
    fn origin(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = self.from.get(bytes.start);
        let last = bytes.end.checked_sub(1).and_then(|last| self.from.get(last));
        match (first, last) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => bytes.clone(),
        }
    }

    /// All of the base64 around a part of it, since its ends contain the ends of the key.
    fn base64_around(&self, part: &Range<usize>) -> Range<usize> {
        let (before, behind) = (self.bytes.get(..part.start), self.bytes.get(part.end..));
        let more = before.into_iter().flatten().rev().take_while(|byte| is_base64(**byte)).count();
        let rest = behind.into_iter().flatten().take_while(|byte| is_base64(**byte)).count();
        part.start - more..part.end + rest
    }

    /// The same with every escape replaced by what it stands for; `None` where there is none.
    fn unescaped(&self) -> Option<Self> {
        let (mut bytes, mut from) = (Vec::new(), Vec::new());
        let (mut at, mut changed) = (0, false);
        while let Some(&byte) = self.bytes.get(at) {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let found = if matches!(byte, b'\\' | b'%' | b'&') { escape(rest) } else { None };
            let (char, length) = match &found {
                Some((char, length)) => (char.as_slice(), *length),
                None => (std::slice::from_ref(&byte), 1),
            };
            changed |= found.is_some();
            let origin = self.origin(&(at..at + length));
            from.extend(char.iter().map(|_| origin.clone()));
            bytes.extend_from_slice(char);
            at += length;
        }
        changed.then_some(Self { bytes, from })
    }
}

/// The text, and the text unescaped once, twice, …
fn layers(text: &str) -> Vec<Layer> {
    let mut layers = vec![Layer { bytes: text.as_bytes().to_vec(), from: Vec::new() }];
    while let Some(next) = layers.last().filter(|_| layers.len() < MOST_LAYERS).and_then(Layer::unescaped) {
        layers.push(next);
    }
    layers
}

/// The escape that begins a text: the bytes it stands for, and its own length.
fn escape(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    match text {
        [b'\\', b'u', rest @ ..] => {
            let char = char::from_u32(hex(rest.get(..4)?)?)?;
            Some((char.encode_utf8(&mut [0; 4]).as_bytes().to_vec(), 6))
        }
        [b'\\', b'x', rest @ ..] => Some((vec![u8::try_from(hex(rest.get(..2)?)?).ok()?], 4)),
        [b'\\', char, ..] if char.is_ascii_punctuation() => Some((vec![*char], 2)),
        [b'%', rest @ ..] => Some((vec![u8::try_from(hex(rest.get(..2)?)?).ok()?], 3)),
        [b'&', rest @ ..] => {
            let end = rest.iter().take(LONGEST_ESCAPE - 1).position(|byte| *byte == b';')?;
            Some((reference(str::from_utf8(rest.get(..end)?).ok()?)?, end + 2))
        }
        _ => None,
    }
}

/// The text between `&` and `;`.
fn reference(name: &str) -> Option<Vec<u8>> {
    let Some(number) = name.strip_prefix('#') else {
        return NAMED.iter().find(|(known, _)| *known == name).map(|(_, byte)| vec![*byte]);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => hex(digits.as_bytes())?,
        None => number.parse().ok()?,
    };
    Some(char::from_u32(code)?.encode_utf8(&mut [0; 4]).as_bytes().to_vec())
}

fn hex(digits: &[u8]) -> Option<u32> {
    let all = digits.iter().all(u8::is_ascii_hexdigit);
    u32::from_str_radix(str::from_utf8(digits).ok().filter(|_| all)?, 16).ok()
}

/// The start of an escape that more bytes may complete.
fn unfinished_escape(text: &[u8]) -> Option<usize> {
    let near = text.len().saturating_sub(LONGEST_ESCAPE);
    let at = near + text.get(near..)?.iter().rposition(|byte| matches!(*byte, b'\\' | b'%' | b'&'))?;
    escape(text.get(at..)?).is_none().then_some(at)
}

/// The middle of the base64 of a key that stands behind `offset` other bytes, in both alphabets.
fn base64_cores(key: &[u8], offset: usize) -> [Vec<u8>; 2] {
    let padded = [vec![0; offset], key.to_vec()].concat();
    let inner = (offset * 8).div_ceil(6)..padded.len() * 8 / 6;
    let core = |encoded: String| encoded.as_bytes().get(inner.clone()).unwrap_or_default().to_vec();
    [core(STANDARD_NO_PAD.encode(&padded)), core(URL_SAFE_NO_PAD.encode(&padded))]
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "sk-01/23+45=67&89_ab";

    fn found(text: &str) -> Vec<&str> {
        Disguises::of(KEY).places(text).into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn a_key_is_found_in_any_clothes() {
        let json: String = KEY.chars().map(|char| format!("\\u{:04X}", u32::from(char))).collect();
        let percent: String = KEY.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let html: String = KEY.chars().map(|char| format!("&#{};", u32::from(char))).collect();
        let digits: String = KEY.bytes().map(|byte| format!("{byte:02X}")).collect();
        let cases = [
            KEY.to_owned(),
            KEY.replace('/', "\\/"),
            KEY.replace('/', "\\\\\\/"),
            KEY.replacen('s', "\\u0073", 1),
            KEY.replacen('s', "\\\\u0073", 1),
            KEY.replace('/', "%2F").replace('+', "%2b").replace('&', "%26").replace('=', "%3D"),
            KEY.replace('/', "%252F"),
            KEY.replace('&', "&amp;"),
            KEY.replace('&', "&amp;amp;").replace('/', "&#x2f;"),
            KEY.replace('s', "\\x73"),
            json,
            percent,
            html,
            digits,
        ];
        for written in cases {
            let text = format!("é \"{written}\" ü");
            assert_eq!(found(&text), [written.as_str()], "{text}");
        }
        assert_eq!(found(&format!("{KEY}{KEY}")), [KEY, KEY]);
        assert!(found("sk-01/23+45=67&89_a %41 &amp; \\u0041 &#999999999; %zz \\").is_empty());
    }

    proptest! {
        #[test]
        fn base64_is_found_whatever_is_around(before in "[ -~]{0,9}", behind in "[ -~]{0,9}") {
            let plain = format!("{before}{KEY}{behind}");
            for encoded in [STANDARD_NO_PAD.encode(&plain), URL_SAFE_NO_PAD.encode(&plain)] {
                let text = format!("<{}> {encoded}!", encoded.replace('/', "\\/"));
                let places = Disguises::of(KEY).places(&text);
                prop_assert_eq!(places.len(), 2, "{}", text);
                prop_assert_eq!(&text[places[1].clone()], encoded);
            }
        }

        #[test]
        fn any_text_is_searched(text in any::<String>(), noise in "[%\\\\&#;xu0-9a-fA-F]{0,60}") {
            for text in [text, noise] {
                for place in Disguises::of(KEY).places(&text) {
                    prop_assert!(text.get(place).is_some());
                }
                prop_assert!(Disguises::of(KEY).begun(&text).is_none_or(|at| text.is_char_boundary(at)));
            }
        }
    }

    #[test]
    fn a_key_that_is_still_coming_is_seen_in_any_clothes() {
        let cases = [
            ("so: sk-01", Some(4)),
            ("so: \\u0073k-01", Some(4)),
            ("so: \\u0073k-01\\u00", Some(4)),
            ("so: sk-01%2", Some(4)),
            ("so: sk-01%", Some(4)),
            ("so: sk-01\\/2", Some(4)),
            ("so: sky", None),
            ("100 %", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Disguises::of(KEY).begun(text), expected, "{text}");
        }
    }

    #[test]
    fn nothing_prints_it() {
        assert_eq!(format!("{:?}", Disguises::of(KEY)), "[key]");
    }
}
