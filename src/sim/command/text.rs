//! Filters: `head tail wc sort tr cut tee`, as far as scripts use them.

use super::{Call, Command, light};

pub(super) const COMMANDS: &[Command] = &[
    light("head", head),
    light("tail", tail),
    light("wc", wc),
    light("sort", sort),
    light("tr", tr),
    light("cut", cut),
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

fn sort(call: &mut Call) -> i32 {
    let (options, files): (Vec<String>, Vec<String>) =
        call.args(1).into_iter().partition(|word| word.starts_with('-'));
    let all = match content(call, "sort", &files) {
        Ok(all) => all,
        Err(code) => return code,
    };
    let text = String::from_utf8_lossy(&all).into_owned();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let letters = options.concat();
    if letters.contains('r') {
        lines.reverse();
    }
    if letters.contains('u') {
        lines.dedup();
    }
    for line in lines {
        call.line(line);
    }
    0
}

/// `tr -d SET` and `tr FROM TO`, sets being plain characters with `\n` and `\r`.
fn tr(call: &mut Call) -> i32 {
    let set = |word: &str| -> Vec<char> {
        word.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t").chars().collect()
    };
    let text = String::from_utf8_lossy(&call.input).into_owned();
    let out: String = if call.arg(1) == "-d" {
        let gone = set(call.arg(2));
        text.chars().filter(|c| !gone.contains(c)).collect()
    } else {
        let (from, to) = (set(call.arg(1)), set(call.arg(2)));
        let change = |c: char| match from.iter().position(|f| *f == c) {
            Some(at) => to.get(at).or(to.last()).copied().unwrap_or(c),
            None => c,
        };
        text.chars().map(change).collect()
    };
    call.print(&out);
    0
}

/// `cut -d C -f N`.
fn cut(call: &mut Call) -> i32 {
    let option = |name: &str| {
        let joined = call
            .words
            .iter()
            .skip(1)
            .find_map(|word| word.strip_prefix(name).filter(|rest| !rest.is_empty()));
        joined.or_else(|| call.option(name)).map(str::to_owned)
    };
    let by = option("-d").and_then(|text| text.chars().next()).unwrap_or('\t');
    let Some(field) = option("-f").and_then(|text| text.parse::<usize>().ok()).filter(|field| *field > 0)
    else {
        call.unknown();
        call.complain("cut: only -f with one number");
        return 1;
    };
    let text = String::from_utf8_lossy(&call.input).into_owned();
    for line in text.lines() {
        let piece = if line.contains(by) { line.split(by).nth(field - 1).unwrap_or_default() } else { line };
        call.line(piece);
    }
    0
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
