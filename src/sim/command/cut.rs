//! `cut` and `tr`: pieces of lines, and characters replaced by others.

use super::text::content;
use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[light("cut", cut), light("tr", tr)];

/// What `cut` was asked for.
struct Cut {
    /// First and last place of each range, from 1.
    ranges: Vec<(usize, usize)>,
    /// Fields instead of characters.
    fields: bool,
    by: char,
    /// `-s`: lines without a separator are left out.
    only_separated: bool,
    files: Vec<String>,
}

impl Cut {
    fn read(words: &[String]) -> Result<Cut, String> {
        let mut cut =
            Cut { ranges: Vec::new(), fields: false, by: '\t', only_separated: false, files: Vec::new() };
        let mut words = words.iter().skip(1);
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) else {
                cut.files.push(word.clone());
                continue;
            };
            let (letter, inline) = option.split_at(option.chars().next().map_or(0, char::len_utf8));
            if letter == "s" && inline.is_empty() {
                cut.only_separated = true;
                continue;
            }
            let value = if inline.is_empty() { words.next().cloned() } else { Some(inline.to_owned()) };
            let value = value.ok_or_else(|| format!("Missing argument to -{letter}"))?;
            match letter {
                "d" => cut.by = value.chars().next().ok_or("bad -d")?,
                "f" | "c" => {
                    cut.fields = letter == "f";
                    cut.ranges = ranges(&value)?;
                }
                _ => return Err(format!("Unknown option '{word}' (see \"cut --help\")")),
            }
        }
        if cut.ranges.is_empty() { Err("no -cf".to_owned()) } else { Ok(cut) }
    }

    fn takes(&self, place: usize) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&place))
    }
}

/// `1,3-5,7-`.
fn ranges(text: &str) -> Result<Vec<(usize, usize)>, String> {
    let bad = || format!("bad list '{text}'");
    let place = |text: &str| text.parse::<usize>().ok().filter(|place| *place > 0).ok_or_else(bad);
    text.split(',')
        .map(|piece| match piece.split_once('-') {
            None => place(piece).map(|place| (place, place)),
            Some(("", "")) => Err(bad()),
            Some((from, to)) => Ok((
                if from.is_empty() { 1 } else { place(from)? },
                if to.is_empty() { usize::MAX } else { place(to)? },
            )),
        })
        .collect()
}

/// Whether these words make `cut` read its input.
pub(super) fn reads_input(words: &[String]) -> bool {
    Cut::read(words).is_ok_and(|cut| cut.files.is_empty() || cut.files.iter().any(|file| file == "-"))
}

fn cut(call: &mut Call) -> i32 {
    let cut = match Cut::read(&call.words) {
        Ok(cut) => cut,
        Err(error) => {
            call.unknown();
            call.complain(&format!("cut: {error}"));
            return 1;
        }
    };
    let all = match content(call, "cut", &cut.files) {
        Ok(all) => all,
        Err(code) => return code,
    };
    for line in String::from_utf8_lossy(&all).lines() {
        if !cut.fields {
            let piece: String =
                line.chars().enumerate().filter(|(n, _)| cut.takes(n + 1)).map(|(_, c)| c).collect();
            call.line(&piece);
        } else if line.contains(cut.by) {
            let fields =
                line.split(cut.by).enumerate().filter(|(n, _)| cut.takes(n + 1)).map(|(_, field)| field);
            call.line(&fields.collect::<Vec<_>>().join(cut.by.encode_utf8(&mut [0; 4])));
        } else if !cut.only_separated {
            call.line(line);
        }
    }
    0
}

/// `tr [-cds] SET [SET]`.
fn tr(call: &mut Call) -> i32 {
    let translated = translate(call);
    match translated {
        Ok(out) => {
            call.print(&out);
            0
        }
        Err(error) => {
            call.unknown();
            call.complain(&format!("tr: {error}"));
            1
        }
    }
}

fn translate(call: &Call) -> Result<String, String> {
    let (mut delete, mut squeeze, mut others) = (false, false, false);
    let mut sets = Vec::new();
    for word in call.args(1) {
        match word.strip_prefix('-').filter(|letters| !letters.is_empty() && sets.is_empty()) {
            Some(letters) => {
                for letter in letters.chars() {
                    match letter {
                        'd' => delete = true,
                        's' => squeeze = true,
                        'c' | 'C' => others = true,
                        _ => return Err(format!("Unknown option '{word}' (see \"tr --help\")")),
                    }
                }
            }
            None => sets.push(set(&word)?),
        }
    }
    let (Some(from), to) = (sets.first(), sets.get(1)) else { return Err("Needs 1 argument".to_owned()) };
    let fits = match to {
        Some(_) => !delete,
        None => delete != squeeze,
    };
    if !fits || sets.len() > 2 {
        return Err("these options with so many sets are not supported".to_owned());
    }
    let is_in = |c: char| from.contains(&c) != others;
    let mut out = String::new();
    for c in String::from_utf8_lossy(&call.input).chars() {
        let (changed, counts) = match to {
            _ if delete && is_in(c) => continue,
            Some(to) if is_in(c) => {
                let at = if others { usize::MAX } else { from.iter().rposition(|f| *f == c).unwrap_or(0) };
                (to.get(at).or(to.last()).copied().unwrap_or(c), true)
            }
            Some(_) => (c, false),
            None => (c, is_in(c)),
        };
        if !(squeeze && counts && out.ends_with(changed)) {
            out.push(changed);
        }
    }
    Ok(out)
}

/// The characters of a set: plain ones, escapes, ranges, classes.
fn set(text: &str) -> Result<Vec<char>, String> {
    let unescaped =
        String::from_utf8(super::escapes(text, true).bytes).map_err(|_| format!("bad set '{text}'"))?;
    let mut rest = unescaped.as_str();
    let mut set = Vec::new();
    while let Some(c) = rest.chars().next() {
        if let Some((class, after)) = rest.strip_prefix("[:").and_then(|inside| inside.split_once(":]")) {
            set.extend(members(class).ok_or_else(|| format!("bad class '{class}'"))?);
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let mut ahead = rest.chars();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to >= c => {
                set.extend(c..=to);
                rest = ahead.as_str();
            }
            _ => set.push(c),
        }
        if set.len() > 10_000 {
            return Err(format!("bad set '{text}'"));
        }
    }
    Ok(set)
}

fn members(class: &str) -> Option<Vec<char>> {
    let is: fn(&char) -> bool = match class {
        "alpha" => char::is_ascii_alphabetic,
        "digit" => char::is_ascii_digit,
        "alnum" => char::is_ascii_alphanumeric,
        "upper" => char::is_ascii_uppercase,
        "lower" => char::is_ascii_lowercase,
        "punct" => char::is_ascii_punctuation,
        "cntrl" => char::is_ascii_control,
        "blank" => |c| matches!(c, ' ' | '\t'),
        "space" => |c| matches!(c, ' ' | '\t'..='\r'),
        _ => return None,
    };
    Some(('\0'..='\u{7f}').filter(is).collect())
}
