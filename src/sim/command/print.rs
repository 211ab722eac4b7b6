//! `echo`, `printf` and the commands that only have an exit code.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[
    light("echo", echo),
    light("printf", printf),
    light("true", |_| 0),
    light(":", |_| 0),
    light("false", |_| 1),
];

/// Most characters a `printf` prints, and its widest field.
const MAX_PRINTED: usize = 1 << 20;
const MAX_WIDTH: usize = 10_000;

/// mksh's own: escapes mean something unless `-E` says otherwise.
fn echo(call: &mut Call) -> i32 {
    let words = call.args(1);
    let is_option = |word: &&String| {
        word.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| "neE".contains(c)))
    };
    let options = words.iter().take_while(is_option).count();
    let (options, words) = words.split_at(options);
    let (mut escaped, mut line_end) = (true, true);
    for letter in options.iter().flat_map(|option| option.chars().skip(1)) {
        match letter {
            'n' => line_end = false,
            'E' => escaped = false,
            _ => escaped = true,
        }
    }
    let text = words.join(" ");
    if !escaped {
        call.print(&text);
    } else {
        let printed = escapes(&text, false);
        call.write(&printed.bytes);
        // mksh prints what follows `\c` all the same.
        line_end &= printed.cut.is_none();
    }
    if line_end {
        call.print("\n");
    }
    0
}

/// Text with its escapes undone.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Escaped {
    pub(crate) bytes: Vec<u8>,
    /// How much of it stands before the first `\c`.
    pub(crate) cut: Option<usize>,
}

/// Undoes the escapes of `echo`; with `octal` also `\123`, as formats and `$'…'` have them.
pub(crate) fn escapes(text: &str, octal: bool) -> Escaped {
    let mut out = Escaped::default();
    let mut rest = text;
    while let Some((plain, after)) = rest.split_once('\\') {
        out.bytes.extend_from_slice(plain.as_bytes());
        let Some(kind) = after.chars().next() else {
            out.bytes.push(b'\\');
            return out;
        };
        rest = after.get(kind.len_utf8()..).unwrap_or_default();
        let simple = match kind {
            'a' => Some(7),
            'b' => Some(8),
            'e' | 'E' => Some(27),
            'f' => Some(12),
            'n' => Some(b'\n'),
            'r' => Some(b'\r'),
            't' => Some(b'\t'),
            'v' => Some(11),
            '\\' => Some(b'\\'),
            _ => None,
        };
        let mut digits = |base: u32, most: usize| {
            let end = rest.bytes().take(most).take_while(|digit| char::from(*digit).is_digit(base)).count();
            let number = u32::from_str_radix(rest.get(..end).unwrap_or_default(), base).ok();
            rest = rest.get(end..).unwrap_or_default();
            number
        };
        match (simple, kind) {
            (Some(byte), _) => out.bytes.push(byte),
            (None, 'c') if !octal => {
                out.cut.get_or_insert(out.bytes.len());
            }
            (None, '0') => out.bytes.push(low(digits(8, 3).unwrap_or(0))),
            (None, '1'..='7') if octal => {
                let more = digits(8, 2);
                let first = kind.to_digit(8).unwrap_or(0);
                // Its digits were two, one or none.
                let used = after.len() - rest.len() - 1;
                let shift = u32::try_from(used).unwrap_or(0) * 3;
                out.bytes.push(low((first << shift) | more.unwrap_or(0)));
            }
            (None, 'x') => match digits(16, 2) {
                Some(number) => out.bytes.push(low(number)),
                None => out.bytes.extend_from_slice(b"\\x"),
            },
            (None, 'u' | 'U') => match digits(16, if kind == 'u' { 4 } else { 8 }) {
                Some(number) => {
                    let c = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
                    out.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                None => out.bytes.extend([b'\\', if kind == 'u' { b'u' } else { b'U' }]),
            },
            (None, other) => out.bytes.extend_from_slice(format!("\\{other}").as_bytes()),
        }
    }
    out.bytes.extend_from_slice(rest.as_bytes());
    out
}

fn low(number: u32) -> u8 {
    u8::try_from(number & 0xff).unwrap_or(0)
}

/// toybox's: the format is used again while there are arguments.
fn printf(call: &mut Call) -> i32 {
    let words = call.args(1);
    let words = if words.first().is_some_and(|word| word == "--") { words.get(1..) } else { words.get(..) };
    let Some((format, values)) = words.and_then(<[String]>::split_first) else {
        call.complain("printf: Needs 1 argument (see \"printf --help\")");
        return 1;
    };
    let mut printer = Printer { values, used: 0, out: Vec::new(), stopped: false };
    let ended = loop {
        let before = printer.used;
        if let Err(error) = printer.once(format) {
            break Err(error);
        }
        let done = printer.stopped || printer.used >= values.len() || printer.used == before;
        if done || printer.out.len() > MAX_PRINTED {
            break Ok(());
        }
    };
    let Printer { out, .. } = printer;
    call.write(&out);
    match ended {
        Ok(()) => 0,
        Err(error) => {
            call.complain(&format!("printf: {error}"));
            1
        }
    }
}

struct Printer<'a> {
    values: &'a [String],
    used: usize,
    out: Vec<u8>,
    stopped: bool,
}

/// What stands between `%` and its letter.
#[derive(Default)]
struct Form {
    left: bool,
    zero: bool,
    plus: bool,
    alternative: bool,
    width: usize,
    precision: Option<usize>,
}

impl Printer<'_> {
    fn once(&mut self, format: &str) -> Result<(), String> {
        let mut rest = format;
        while let Some((plain, after)) = rest.split_once('%') {
            self.out.extend(escapes(plain, true).bytes);
            let (form, letter, after) = self.form(after)?;
            rest = after;
            match letter {
                '%' => self.out.push(b'%'),
                's' => {
                    let text = self.value().to_owned();
                    let text = form.precision.map_or(text.as_str(), |most| head(&text, most)).to_owned();
                    self.field(&form, text.as_bytes());
                }
                'c' => {
                    let text: String = self.value().chars().take(1).collect();
                    self.field(&form, text.as_bytes());
                }
                'b' => {
                    let text = escapes(self.value(), false);
                    let end = text.cut.unwrap_or(text.bytes.len());
                    self.field(&form, text.bytes.get(..end).unwrap_or_default());
                    if text.cut.is_some() {
                        self.stopped = true;
                        return Ok(());
                    }
                }
                'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                    let text = self.number(letter, &form)?;
                    self.field(&form, text.as_bytes());
                }
                other => return Err(format!("bad format '%{other}'")),
            }
        }
        self.out.extend(escapes(rest, true).bytes);
        Ok(())
    }

    fn form<'f>(&mut self, text: &'f str) -> Result<(Form, char, &'f str), String> {
        let mut form = Form::default();
        let mut rest = text;
        while let Some(flag) = rest.chars().next().filter(|c| "-0+#".contains(*c)) {
            match flag {
                '-' => form.left = true,
                '0' => form.zero = true,
                '+' => form.plus = true,
                _ => form.alternative = true,
            }
            rest = rest.get(1..).unwrap_or_default();
        }
        let mut count = |rest: &mut &str| -> Option<usize> {
            if let Some(after) = rest.strip_prefix('*') {
                *rest = after;
                return self.value().parse().ok();
            }
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest.get(..end).and_then(|digits| digits.parse().ok());
            *rest = rest.get(end..).unwrap_or_default();
            number
        };
        form.width = count(&mut rest).unwrap_or(0).min(MAX_WIDTH);
        if let Some(after) = rest.strip_prefix('.') {
            rest = after;
            form.precision = Some(count(&mut rest).unwrap_or(0).min(MAX_WIDTH));
        }
        let letter = rest.chars().next().ok_or("bad format '%'")?;
        Ok((form, letter, rest.get(letter.len_utf8()..).unwrap_or_default()))
    }

    fn value(&mut self) -> &str {
        let value = self.values.get(self.used).map_or("", String::as_str);
        self.used += 1;
        value
    }

    fn number(&mut self, letter: char, form: &Form) -> Result<String, String> {
        let text = self.value().to_owned();
        let number = whole(&text).ok_or_else(|| format!("bad number '{text}'"))?;
        let digits = match letter {
            'd' | 'i' => number.unsigned_abs().to_string(),
            // The bits are what counts: -1 is the greatest number.
            'u' => i128::from(number).rem_euclid(1 << 64).to_string(),
            'x' => format!("{:x}", number),
            'X' => format!("{:X}", number),
            _ => format!("{:o}", number),
        };
        let sign = match letter {
            'd' | 'i' if number < 0 => "-",
            'd' | 'i' if form.plus => "+",
            'x' if form.alternative && number != 0 => "0x",
            'X' if form.alternative && number != 0 => "0X",
            'o' if form.alternative => "0",
            _ => "",
        };
        let least = match form.precision {
            Some(precision) => precision,
            None if form.zero && !form.left => form.width.saturating_sub(sign.len()),
            None => 0,
        };
        Ok(format!("{sign}{}{digits}", "0".repeat(least.saturating_sub(digits.len()))))
    }

    fn field(&mut self, form: &Form, text: &[u8]) {
        let space = form.width.saturating_sub(String::from_utf8_lossy(text).chars().count());
        let space = vec![b' '; space];
        if form.left {
            self.out.extend_from_slice(text);
            self.out.extend(space);
        } else {
            self.out.extend(space);
            self.out.extend_from_slice(text);
        }
    }
}

fn head(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// A number as C reads it: `12`, `0x1f`, `017`, `'a`; nothing is 0.
fn whole(text: &str) -> Option<i64> {
    if text.is_empty() {
        return Some(0);
    }
    if let Some(quoted) = text.strip_prefix(['\'', '"']) {
        return Some(quoted.chars().next().map_or(0, |c| i64::from(u32::from(c))));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        i64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    number
        .ok()
        .filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()))
        .map(|n| if negative { -n } else { n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_the_shell() {
        for (text, octal, expected, cut) in [
            ("a\\nb\\t", false, "a\nb\t", None),
            ("ab\\cd\\ce", false, "abde", Some(2)),
            ("\\x41\\u00e9\\0101\\101", false, "Aé\u{41}\\101", None),
            ("\\101\\7", true, "A\u{7}", None),
            ("\\z\\", false, "\\z\\", None),
            ("\\e[0m", false, "\u{1b}[0m", None),
        ] {
            let printed = escapes(text, octal);
            assert_eq!(String::from_utf8_lossy(&printed.bytes), expected, "{text}");
            assert_eq!(printed.cut, cut, "{text}");
        }
        assert_eq!(escapes("\\xff", false).bytes, [255]);
    }
}
