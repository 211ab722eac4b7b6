//! Character and entity references in attribute values.
//!
//! Parsed by hand rather than by quick-xml, because Android's older serialisers write characters beyond U+FFFF as two
//! references to surrogates (`&#55357;&#56832;`), which XML forbids.

use std::borrow::Cow;

/// The longest reference, `&` and `;` not counted.
const LONGEST: usize = 12;

/// The value with its references replaced. Anything that is not a valid reference stays as it is and is counted in
/// `bad`.
pub(super) fn resolve<'a>(value: Cow<'a, str>, bad: &mut u32) -> Cow<'a, str> {
    if !value.as_bytes().contains(&b'&') {
        return value;
    }
    let mut out = String::with_capacity(value.len());
    let mut rest: &str = &value;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        match reference(after) {
            Some((char, length)) => {
                out.push(char);
                rest = after.get(length..).unwrap_or("");
            }
            None => {
                out.push('&');
                *bad = bad.saturating_add(1);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of the reference that begins `text`, which follows an `&`, and the number of bytes it takes.
fn reference(text: &str) -> Option<(char, usize)> {
    let (name, length) = name(text)?;
    let char = match name {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let high = number(name)?;
            if !(0xd800..0xdc00).contains(&high) {
                return Some((char::from_u32(high).filter(|&c| c != '\0')?, length));
            }
            let after = text.get(length..)?.strip_prefix('&')?;
            let (name, more) = self::name(after)?;
            let low = number(name).filter(|low| (0xdc00..0xe000).contains(low))?;
            let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            return Some((char::from_u32(code)?, length + 1 + more));
        }
    };
    Some((char, length))
}

/// What comes before the `;`, and the number of bytes up to and including it.
fn name(text: &str) -> Option<(&str, usize)> {
    let end = text.bytes().take(LONGEST + 1).position(|b| b == b';')?;
    Some((text.get(..end)?, end + 1))
}

fn number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('#')?;
    match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let cases = [
            ("plain", "plain", 0),
            ("a &lt;b&gt; &amp;amp; &quot;&apos;", "a <b> &amp; \"'", 0),
            ("one&#10;two&#x41;", "one\ntwoA", 0),
            ("&#55357;&#56832;!", "\u{1f600}!", 0),
            ("&#128512;", "\u{1f600}", 0),
            ("&#0; &#55357; &nbsp; & &;", "&#0; &#55357; &nbsp; & &;", 5),
            ("&#55357;&#65;", "&#55357;A", 1),
            ("&", "&", 1),
        ];
        for (value, expected, errors) in cases {
            let mut bad = 0;
            assert_eq!(resolve(Cow::Borrowed(value), &mut bad), expected);
            assert_eq!(bad, errors, "{value}");
        }
    }
}
