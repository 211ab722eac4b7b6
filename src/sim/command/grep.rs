//! `grep`.

use std::sync::Arc;

use super::regular::{Dialect, Regular};
use super::{Call, Command, heavy};
use crate::files::Node;

pub(super) const COMMANDS: &[Command] = &[heavy("grep", grep), heavy("egrep", grep), heavy("fgrep", grep)];

#[derive(Default)]
struct Options {
    dialect: Dialect,
    patterns: Vec<String>,
    most: Option<usize>,
    before: usize,
    after: usize,
    invert: bool,
    count: bool,
    quiet: bool,
    only: bool,
    number: bool,
    word: bool,
    line: bool,
    names: bool,
    recursive: bool,
    silent: bool,
    /// Whether lines are printed with their file's name.
    with_name: Option<bool>,
    files: Vec<String>,
}

fn grep(call: &mut Call) -> i32 {
    let options = match Options::read(&call.words) {
        Ok(options) => options,
        Err(error) => {
            call.unknown();
            call.complain(&format!("grep: {error}"));
            return 2;
        }
    };
    let compiled = options.patterns.iter().flat_map(|pattern| pattern.split('\n'));
    let compiled: Result<Vec<Arc<Regular>>, String> =
        compiled.map(|pattern| options.compile(pattern)).collect();
    let regulars = match compiled {
        Ok(regulars) => regulars,
        Err(error) => {
            call.unknown();
            call.complain(&format!("grep: {error}"));
            return 2;
        }
    };
    let (sources, mut failed) = sources(call, &options);
    let with_name = options.with_name.unwrap_or(options.recursive || sources.len() > 1);
    let mut found = false;
    for (name, bytes) in sources {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let count = search(call, &text, &regulars, &options, with_name.then_some(name.as_str()));
        found |= count > 0;
        if options.names && count > 0 {
            call.line(&name);
        } else if options.count && !options.quiet {
            let text = if with_name { format!("{name}:{count}") } else { count.to_string() };
            call.line(&text);
        }
    }
    if options.quiet && found {
        failed = false;
    }
    if failed { 2 } else { i32::from(!found) }
}

/// Whether these words make `grep` read its input.
pub(super) fn reads_input(words: &[String]) -> bool {
    let options = Options::read(words).ok();
    options.is_some_and(|o| o.files.iter().any(|file| file == "-") || o.files.is_empty() && !o.recursive)
}

impl Options {
    fn read(words: &[String]) -> Result<Options, String> {
        let mut options = Options::default();
        let mut words = words.iter();
        let name = words.next().map_or("", String::as_str);
        options.dialect.extended = name.ends_with("egrep");
        options.dialect.fixed = name.ends_with("fgrep");
        let mut operands: Vec<String> = Vec::new();
        while let Some(word) = words.next() {
            let word = match word.as_str() {
                "--" => {
                    operands.extend(words.by_ref().cloned());
                    break;
                }
                "--color" | "--color=auto" | "--color=never" | "--line-buffered" => continue,
                "--ignore-case" => "-i",
                "--invert-match" => "-v",
                "--count" => "-c",
                "--quiet" | "--silent" => "-q",
                "--only-matching" => "-o",
                "--extended-regexp" => "-E",
                "--fixed-strings" => "-F",
                "--recursive" => "-r",
                word => word,
            };
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                operands.push(word.to_owned());
                continue;
            };
            if letters.starts_with('-') {
                return Err(format!("Unknown option '{word}'"));
            }
            let mut rest = letters;
            while let Some(letter) = rest.chars().next() {
                rest = rest.get(letter.len_utf8()..).unwrap_or_default();
                if "emABC".contains(letter) {
                    let value = match std::mem::take(&mut rest) {
                        "" => {
                            words.next().cloned().ok_or_else(|| format!("Missing argument to -{letter}"))?
                        }
                        inline => inline.to_owned(),
                    };
                    options.value(letter, value)?;
                } else {
                    options.flag(letter)?;
                }
            }
        }
        if options.patterns.is_empty() {
            if operands.is_empty() {
                return Err("no REGEX".to_owned());
            }
            options.patterns.push(operands.remove(0));
        }
        options.files = operands;
        Ok(options)
    }

    fn value(&mut self, letter: char, value: String) -> Result<(), String> {
        if letter == 'e' {
            self.patterns.push(value);
            return Ok(());
        }
        let number = value.parse().map_err(|_| format!("not a number '{value}'"))?;
        match letter {
            'm' => self.most = Some(number),
            'A' => self.after = number,
            'B' => self.before = number,
            _ => (self.before, self.after) = (number, number),
        }
        Ok(())
    }

    fn flag(&mut self, letter: char) -> Result<(), String> {
        match letter {
            'i' => self.dialect.ignore_case = true,
            'E' => self.dialect.extended = true,
            'F' => self.dialect.fixed = true,
            'v' => self.invert = true,
            'c' => self.count = true,
            'q' => self.quiet = true,
            'o' => self.only = true,
            'n' => self.number = true,
            'w' => self.word = true,
            'x' => self.line = true,
            'l' => self.names = true,
            'r' | 'R' => self.recursive = true,
            's' => self.silent = true,
            'h' => self.with_name = Some(false),
            'H' => self.with_name = Some(true),
            'a' => {}
            other => return Err(format!("Unknown option '-{other}'")),
        }
        Ok(())
    }

    fn compile(&self, pattern: &str) -> Result<Arc<Regular>, String> {
        Regular::kept(pattern, self.dialect)
    }
}

/// What is searched, by name; true when something could not be read.
fn sources(call: &mut Call, options: &Options) -> (Vec<(String, bytes::Bytes)>, bool) {
    let mut sources = Vec::new();
    let mut failed = false;
    let mut files = options.files.clone();
    if files.is_empty() && options.recursive {
        files.push(".".to_owned());
    }
    if files.is_empty() {
        sources.push(("(standard input)".to_owned(), call.input.clone()));
    }
    for file in files {
        if file == "-" {
            sources.push(("(standard input)".to_owned(), call.input.clone()));
            continue;
        }
        let path = call.path(&file);
        let directory = call.device.files().list(&path).is_ok();
        if directory && options.recursive {
            let files = call.device.files();
            let below = files.below(&path).unwrap_or_default();
            let root = below.first().map_or(0, |(at, _)| at.len());
            for (at, node) in below {
                if let Node::File { bytes, .. } = node {
                    let relative = at.get(root..).unwrap_or_default();
                    sources.push((format!("{}{relative}", file.trim_end_matches('/')), bytes.clone()));
                }
            }
            continue;
        }
        let read = call.device.files().input(&path);
        match read {
            Ok(bytes) => sources.push((file, bytes)),
            Err(error) => {
                failed = true;
                if !options.silent {
                    call.complain(&format!("grep: {file}: {error}"));
                }
            }
        }
    }
    (sources, failed)
}

/// Prints the lines that match, and counts them.
fn search(
    call: &mut Call,
    text: &str,
    regulars: &[Arc<Regular>],
    options: &Options,
    name: Option<&str>,
) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let silent = options.quiet || options.count || options.names;
    let mut count = 0;
    // The first line that was not printed, and how far lines are printed because one matched.
    let (mut printed, mut due) = (0, 0);
    for (n, line) in lines.iter().enumerate() {
        let found = first(line, regulars, options, 0);
        if found.is_some() == options.invert {
            if !silent && n < due {
                put(call, line, n, options, name, '-');
                printed = n + 1;
            }
            continue;
        }
        if options.most.is_some_and(|most| count >= most) {
            break;
        }
        count += 1;
        if silent {
            if options.quiet || options.names {
                return count;
            }
            continue;
        }
        let from = n.saturating_sub(options.before).max(printed);
        if (options.before > 0 || options.after > 0) && from > printed && printed > 0 {
            call.line("--");
        }
        for (n, line) in lines.iter().enumerate().take(n).skip(from) {
            put(call, line, n, options, name, '-');
        }
        if options.only && !options.invert {
            let mut next = found;
            while let Some((from, to)) = next {
                let piece = line.get(from..to).unwrap_or_default();
                if !piece.is_empty() {
                    put(call, piece, n, options, name, ':');
                }
                let step = line.get(to..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                let from = if to == from { to + step } else { to };
                next = if from <= line.len() { first(line, regulars, options, from) } else { None };
            }
        } else {
            put(call, line, n, options, name, ':');
        }
        printed = n + 1;
        due = n + 1 + options.after;
    }
    count
}

fn put(call: &mut Call, line: &str, n: usize, options: &Options, name: Option<&str>, sign: char) {
    let name = name.map(|name| format!("{name}{sign}")).unwrap_or_default();
    let number = if options.number { format!("{}{sign}", n + 1) } else { String::new() };
    call.line(&format!("{name}{number}{line}"));
}

/// The first match of any pattern from this place on.
fn first(line: &str, regulars: &[Arc<Regular>], options: &Options, from: usize) -> Option<(usize, usize)> {
    regulars
        .iter()
        .filter_map(|regular| one(line, regular, options, from))
        .min_by_key(|(at, to)| (*at, usize::MAX - to))
}

fn one(line: &str, regular: &Regular, options: &Options, mut from: usize) -> Option<(usize, usize)> {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    loop {
        let (start, end) = regular.find(line, from)?;
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        let after = line.get(end..).and_then(|text| text.chars().next());
        let whole = start == 0 && end == line.len();
        if (!options.line || whole) && (!options.word || !is_word(before) && !is_word(after)) {
            return Some((start, end));
        }
        from = start + line.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        if from > line.len() {
            return None;
        }
    }
}
