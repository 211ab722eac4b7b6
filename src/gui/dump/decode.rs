//! From bytes to text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memmem};

use super::Note;

/// How far into the bytes the encoding is searched for.
const PROBE: usize = 512;

/// The text of a dump in whatever encoding it came, without a byte order mark. Valid UTF-8 is borrowed.
pub(super) fn decode<'a>(bytes: &'a [u8], notes: &mut Vec<Note>) -> Cow<'a, str> {
    let encoding = match Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding,
        None => match utf16_without_mark(bytes) {
            Some(encoding) => encoding,
            None => match std::str::from_utf8(bytes) {
                Ok(text) => return Cow::Borrowed(text),
                Err(_) => declared(bytes).unwrap_or(UTF_8),
            },
        },
    };
    let (text, broken) = encoding.decode_with_bom_removal(bytes);
    if encoding != UTF_8 {
        notes.push(Note::Reencoded { encoding: encoding.name().to_owned() });
    }
    if broken {
        notes.push(Note::BadBytes);
    }
    text
}

/// UTF-16 is recognised by zero bytes: ASCII, which a dump mostly is, has one in every pair.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let probe = bytes.get(..bytes.len().min(PROBE))?;
    let zeros = |odd: usize| probe.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let enough = (probe.len() / 4).max(1);
    match (even > enough, odd > enough) {
        (true, false) => Some(UTF_16BE),
        (false, true) => Some(UTF_16LE),
        _ => None,
    }
}

/// The encoding named in the XML declaration. UTF-16 is left out: text in which the name can be
/// read byte by byte is not UTF-16.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let probe = bytes.get(..bytes.len().min(PROBE))?;
    let at = memmem::find(probe, b"encoding=")? + 9;
    let quote = *probe.get(at)?;
    let rest = probe.get(at + 1..)?;
    let end = memchr(quote, rest)?;
    let encoding = Encoding::for_label(rest.get(..end)?)?;
    (encoding != UTF_16LE && encoding != UTF_16BE).then_some(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, little: bool, mark: bool) -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        let units = mark.encode_utf16().chain(text.encode_utf16());
        units.flat_map(|u| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
    }

    #[test]
    fn encodings() {
        let text = "<hierarchy>\u{1f600} Größe 한</hierarchy>";
        let latin = [b"<?xml encoding='ISO-8859-1'?><a>".as_slice(), &[0xe9], b"</a>"].concat();
        let cases: [(Vec<u8>, &str, &str); 8] = [
            (text.into(), text, ""),
            (["\u{feff}", text].concat().into(), text, ""),
            (utf16(text, true, true), text, "read as UTF-16LE"),
            (utf16(text, false, true), text, "read as UTF-16BE"),
            (utf16(text, true, false), text, "read as UTF-16LE"),
            (utf16(text, false, false), text, "read as UTF-16BE"),
            (latin, "<?xml encoding='ISO-8859-1'?><a>é</a>", "read as windows-1252"),
            (b"a\xffb".to_vec(), "a\u{fffd}b", "bytes that are not valid text were replaced by U+FFFD"),
        ];
        for (bytes, expected, note) in cases {
            let mut notes = Vec::new();
            assert_eq!(decode(&bytes, &mut notes), expected);
            let said: Vec<String> = notes.iter().map(Note::to_string).collect();
            assert_eq!(said.join("; "), note, "{expected}");
        }
    }
}
