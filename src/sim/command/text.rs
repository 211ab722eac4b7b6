//! Filters: `head tail wc sort uniq tee`, as far as scripts use them.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[
    light("head", head),
    light("tail", tail),
    light("wc", wc),
    light("sort", sort),
    light("uniq", uniq),
    light("tee", tee),
];

/// The bytes of the files named, or of the input.
pub(super) fn content(call: &mut Call, name: &str, files: &[String]) -> Result<Vec<u8>, i32> {
    if files.is_empty() {
        return Ok(call.input.to_vec());
    }
    let mut all = Vec::new();
    for file in files {
        if file == "-" {
            all.extend_from_slice(&call.input);
            continue;
        }
        let path = call.path(file);
        let read = call.device.files().read(&path);
        match read {
            Ok(bytes) => all.extend_from_slice(&bytes),
            Err(error) => {
                call.complain(&format!("{name}: {file}: {error}"));
                return Err(1);
            }
        }
    }
    Ok(all)
}

/// How many lines or bytes, and the files: `-n 5`, `-n5`, `-5`, `-c 3`.
fn counted(call: &Call) -> (u64, bool, bool, Vec<String>) {
    let (mut count, mut bytes, mut from_start) = (10, false, false);
    let mut files = Vec::new();
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        let number = match word.strip_prefix('-') {
            Some(option @ ("n" | "c")) => {
                bytes = option == "c";
                words.next().map_or("", String::as_str)
            }
            Some(rest) if !rest.is_empty() => {
                bytes = rest.starts_with('c');
                rest.trim_start_matches(['n', 'c'])
            }
            _ => {
                files.push(word.clone());
                continue;
            }
        };
        from_start = number.starts_with('+');
        count = number.trim_start_matches('+').parse().unwrap_or(count);
    }
    (count, bytes, from_start, files)
}

fn head(call: &mut Call) -> i32 {
    let (count, bytes, _, files) = counted(call);
    let all = match content(call, "head", &files) {
        Ok(all) => all,
        Err(code) => return code,
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let end = if bytes {
        count.min(all.len())
    } else {
        all.split_inclusive(|b| *b == b'\n').take(count).map(<[u8]>::len).sum()
    };
    call.write(all.get(..end).unwrap_or_default());
    0
}

fn tail(call: &mut Call) -> i32 {
    let (count, bytes, from_start, files) = counted(call);
    let all = match content(call, "tail", &files) {
        Ok(all) => all,
        Err(code) => return code,
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let pieces: Vec<&[u8]> =
        if bytes { all.chunks(1).collect() } else { all.split_inclusive(|b| *b == b'\n').collect() };
    let skip = if from_start { count.saturating_sub(1) } else { pieces.len().saturating_sub(count) };
    let text: Vec<u8> = pieces.into_iter().skip(skip).flatten().copied().collect();
    call.write(&text);
    0
}

fn wc(call: &mut Call) -> i32 {
    let (options, files): (Vec<String>, Vec<String>) =
        call.args(1).into_iter().partition(|word| word.starts_with('-'));
    let all = match content(call, "wc", &files) {
        Ok(all) => all,
        Err(code) => return code,
    };
    let lines = all.iter().filter(|byte| **byte == b'\n').count();
    let words = String::from_utf8_lossy(&all).split_whitespace().count();
    let letters: String = options.concat();
    let mut numbers = Vec::new();
    for (letter, number) in [('l', lines), ('w', words), ('c', all.len())] {
        if letters.is_empty() || letters.contains(letter) {
            numbers.push(number.to_string());
        }
    }
    let name = files.first().map(|file| format!(" {file}")).unwrap_or_default();
    call.line(&format!("{}{name}", numbers.join(" ")));
    0
}

/// `sort [-nru] [FILE…]`.
fn sort(call: &mut Call) -> i32 {
    let (options, files): (Vec<String>, Vec<String>) =
        call.args(1).into_iter().partition(|word| word.len() > 1 && word.starts_with('-'));
    let letters: String = options.iter().map(|option| option.trim_start_matches('-')).collect();
    if let Some(unknown) = letters.chars().find(|letter| !"nru".contains(*letter)) {
        return refuse(call, "sort", unknown);
    }
    let all = match content(call, "sort", &files) {
        Ok(all) => all,
        Err(code) => return code,
    };
    let text = String::from_utf8_lossy(&all).into_owned();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    if letters.contains('n') {
        lines.sort_by(|a, b| number(a).total_cmp(&number(b)));
    }
    if letters.contains('u') && letters.contains('n') {
        lines.dedup_by(|a, b| number(a).total_cmp(&number(b)).is_eq());
    } else if letters.contains('u') {
        lines.dedup();
    }
    if letters.contains('r') {
        lines.reverse();
    }
    for line in lines {
        call.line(line);
    }
    0
}

/// The number a line begins with; 0 without one.
fn number(line: &str) -> f64 {
    let line = line.trim_start();
    let end = line.char_indices().find(|(n, c)| !(c.is_ascii_digit() || *c == '.' || *n == 0 && *c == '-'));
    line.get(..end.map_or(line.len(), |(at, _)| at)).and_then(|digits| digits.parse().ok()).unwrap_or(0.0)
}

/// `uniq [-cdu] [FILE]`.
fn uniq(call: &mut Call) -> i32 {
    let (options, files): (Vec<String>, Vec<String>) =
        call.args(1).into_iter().partition(|word| word.len() > 1 && word.starts_with('-'));
    let letters: String = options.iter().map(|option| option.trim_start_matches('-')).collect();
    if let Some(unknown) = letters.chars().find(|letter| !"cdu".contains(*letter)) {
        return refuse(call, "uniq", unknown);
    }
    let all = match content(call, "uniq", &files) {
        Ok(all) => all,
        Err(code) => return code,
    };
    let text = String::from_utf8_lossy(&all).into_owned();
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for line in text.lines() {
        match groups.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => groups.push((line, 1)),
        }
    }
    for (line, count) in groups {
        if letters.contains('d') && count < 2 || letters.contains('u') && count > 1 {
            continue;
        }
        let counted = if letters.contains('c') { format!("{count:>7} {line}") } else { line.to_owned() };
        call.line(&counted);
    }
    0
}

fn refuse(call: &mut Call, name: &str, option: char) -> i32 {
    call.unknown();
    call.complain(&format!("{name}: Unknown option '{option}' (see \"{name} --help\")"));
    1
}

fn tee(call: &mut Call) -> i32 {
    let input = call.input.clone();
    let mut code = 0;
    for file in call.args(1).into_iter().filter(|word| !word.starts_with('-')) {
        let path = call.path(&file);
        let written = call.device.files().write(&path, input.clone(), 0o644, false);
        if let Err(error) = written {
            call.complain(&format!("tee: {file}: {error}"));
            code = 1;
        }
    }
    call.write(&input);
    code
}
