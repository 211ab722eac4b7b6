//! `find`: the tests of names, kinds, depths and sizes, and what is done with what they find.

use crate::SimDevice;
use crate::files::Node;
use crate::pattern::Pattern;

/// Most files that are printed or given to commands.
const MAX_FOUND: usize = 20_000;
/// How deep expressions may be nested.
const MAX_DEPTH: u32 = 40;

/// The outcome of a search.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) printed: String,
    pub(crate) errors: String,
    /// Commands to be run, one after the other.
    pub(crate) runs: Vec<Vec<String>>,
    /// Whether each of them was given many files.
    pub(crate) together: bool,
    pub(crate) code: i32,
}

enum Test {
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Always,
    Name(Pattern, bool),
    Path(Pattern),
    Kind(char),
    Empty,
    /// More, less or exactly so many units.
    Size(char, u64, u64),
    Print(char),
    Delete,
    Run(usize),
}

struct Reader<'a> {
    words: &'a [String],
    least: usize,
    most: usize,
    acts: bool,
    /// Commands of `-exec`, and whether each takes many files.
    commands: Vec<(Vec<String>, bool)>,
    depth: u32,
}

/// Carries out `find` with these arguments.
pub(crate) fn find_files(device: &SimDevice, cwd: &str, args: &[String]) -> Found {
    let mut found = Found::default();
    let starts =
        args.iter().position(|word| word.starts_with('-') && word.len() > 1 || word == "(" || word == "!");
    let (places, words) = args.split_at(starts.unwrap_or(args.len()));
    let mut reader =
        Reader { words, least: 0, most: usize::MAX, acts: false, commands: Vec::new(), depth: 0 };
    let test = match reader.whole() {
        Ok(test) => test,
        Err(error) => {
            device.note_unknown(&format!("find {}", args.join(" ")));
            found.errors = format!("find: {error}\n");
            found.code = 1;
            return found;
        }
    };
    let here = [".".to_owned()];
    let places = if places.is_empty() { &here[..] } else { places };
    let mut search =
        Search { device, found, groups: vec![Vec::new(); reader.commands.len()], reader: &reader };
    for place in places {
        search.place(cwd, place, &test);
    }
    let Search { mut found, groups, .. } = search;
    for ((words, together), files) in reader.commands.iter().zip(groups) {
        if *together && !files.is_empty() {
            found.together = true;
            found.runs.push([words.as_slice(), &files].concat());
        }
    }
    found
}

impl Reader<'_> {
    fn whole(&mut self) -> Result<Test, String> {
        let mut test = if self.words.is_empty() { Test::Always } else { self.either()? };
        if let Some(word) = self.words.first() {
            return Err(format!("bad arg '{word}'"));
        }
        if !self.acts {
            test = Test::And(Box::new(test), Box::new(Test::Print('\n')));
        }
        Ok(test)
    }

    fn either(&mut self) -> Result<Test, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("nested too deeply".to_owned());
        }
        let mut test = self.both()?;
        while self.accept("-o") || self.accept("-or") {
            test = Test::Or(Box::new(test), Box::new(self.both()?));
        }
        self.depth -= 1;
        Ok(test)
    }

    fn both(&mut self) -> Result<Test, String> {
        let mut test = self.one()?;
        loop {
            let named = self.accept("-a") || self.accept("-and");
            let ends = self.words.first().is_none_or(|word| matches!(word.as_str(), "-o" | "-or" | ")"));
            if ends && !named {
                return Ok(test);
            }
            test = Test::And(Box::new(test), Box::new(self.one()?));
        }
    }

    fn one(&mut self) -> Result<Test, String> {
        let word = self.next("expression")?;
        Ok(match word.as_str() {
            "!" | "-not" => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err("nested too deeply".to_owned());
                }
                let test = Test::Not(Box::new(self.one()?));
                self.depth -= 1;
                test
            }
            "(" => {
                let test = self.either()?;
                if !self.accept(")") {
                    return Err("need )".to_owned());
                }
                test
            }
            "-name" => Test::Name(Pattern::new(&self.next(&word)?), false),
            "-iname" => Test::Name(Pattern::new(&self.next(&word)?.to_lowercase()), true),
            "-path" | "-wholename" => Test::Path(Pattern::new(&self.next(&word)?)),
            "-type" => match self.next(&word)?.as_str() {
                kind @ ("f" | "d" | "l" | "s") => Test::Kind(kind.chars().next().unwrap_or('f')),
                kind => return Err(format!("bad -type '{kind}'")),
            },
            "-maxdepth" => {
                self.most = self.number(&word)?;
                Test::Always
            }
            "-mindepth" => {
                self.least = self.number(&word)?;
                Test::Always
            }
            "-size" => size(&self.next(&word)?)?,
            "-empty" => Test::Empty,
            "-true" | "-xdev" | "-depth" => Test::Always,
            "-print" | "-print0" => {
                self.acts = true;
                Test::Print(if word == "-print" { '\n' } else { '\0' })
            }
            "-delete" => {
                self.acts = true;
                Test::Delete
            }
            "-exec" => self.command()?,
            other => return Err(format!("bad arg '{other}'")),
        })
    }

    /// `-exec COMMAND… {} ;` or `+`. The command's result is not a test here, so nothing may follow it.
    fn command(&mut self) -> Result<Test, String> {
        self.acts = true;
        let ends = |at: &usize| {
            let word = |n: usize| self.words.get(n).map_or("", String::as_str);
            word(*at) == ";" || word(*at) == "+" && *at > 0 && word(at - 1) == "{}"
        };
        let end = (1..self.words.len()).find(ends).ok_or("-exec needs ;")?;
        let together = self.words.get(end).is_some_and(|word| word == "+");
        let mut words = self.words.get(..end).unwrap_or_default().to_vec();
        self.words = self.words.get(end + 1..).unwrap_or_default();
        if !self.words.is_empty() || !self.commands.is_empty() {
            return Err("nothing is supported after -exec".to_owned());
        }
        if together {
            words.pop();
        }
        self.commands.push((words, together));
        Ok(Test::Run(self.commands.len() - 1))
    }

    fn number(&mut self, option: &str) -> Result<usize, String> {
        let text = self.next(option)?;
        text.parse().map_err(|_| format!("bad number '{text}'"))
    }

    fn next(&mut self, after: &str) -> Result<String, String> {
        let (first, rest) = self.words.split_first().ok_or_else(|| format!("{after} needs 1 arg"))?;
        self.words = rest;
        Ok(first.clone())
    }

    fn accept(&mut self, word: &str) -> bool {
        let is = self.words.first().is_some_and(|first| first == word);
        if is {
            self.words = self.words.get(1..).unwrap_or_default();
        }
        is
    }
}

/// `[+-]N[ckMG]`, by default in blocks of 512 bytes.
fn size(text: &str) -> Result<Test, String> {
    let sign = text.chars().next().filter(|c| "+-".contains(*c)).unwrap_or('=');
    let rest = text.trim_start_matches(['+', '-']);
    let (digits, unit) = match rest.chars().last() {
        Some('c') => (rest.trim_end_matches('c'), 1),
        Some('k') => (rest.trim_end_matches('k'), 1 << 10),
        Some('M') => (rest.trim_end_matches('M'), 1 << 20),
        Some('G') => (rest.trim_end_matches('G'), 1 << 30),
        _ => (rest, 512),
    };
    let count = digits.parse().map_err(|_| format!("bad number '{text}'"))?;
    Ok(Test::Size(sign, count, unit))
}

struct Search<'a> {
    device: &'a SimDevice,
    found: Found,
    groups: Vec<Vec<String>>,
    reader: &'a Reader<'a>,
}

/// A file or folder that is looked at.
struct Candidate<'a> {
    /// As it is printed.
    shown: &'a str,
    path: &'a str,
    kind: char,
    size: u64,
    empty: bool,
}

impl Search<'_> {
    fn place(&mut self, cwd: &str, place: &str, test: &Test) {
        let root = super::absolute(cwd, place);
        let mut all: Vec<(String, char, u64, bool)> = Vec::new();
        {
            let files = self.device.files();
            match files.below(&root) {
                Ok(below) => {
                    // The normal form of the root comes first.
                    let prefix = below.first().map_or(0, |(at, _)| if *at == "/" { 0 } else { at.len() });
                    for (path, node) in below.into_iter().take(MAX_FOUND) {
                        let relative = path.get(prefix..).unwrap_or_default();
                        let (kind, empty) = match node {
                            Node::Directory => ('d', files.list(path).is_ok_and(|inside| inside.is_empty())),
                            Node::File { bytes, .. } => ('f', bytes.is_empty()),
                        };
                        all.push((relative.to_owned(), kind, node.size(), empty));
                    }
                }
                Err(error) => {
                    self.found.errors += &format!("find: {place}: {error}\n");
                    self.found.code = 1;
                }
            }
        }
        for (relative, kind, size, empty) in &all {
            let depth = if relative == "/" { 0 } else { relative.matches('/').count() };
            let shown = match relative.as_str() {
                "" | "/" => place.to_owned(),
                relative => format!("{}{relative}", place.trim_end_matches('/')),
            };
            if depth < self.reader.least || depth > self.reader.most {
                continue;
            }
            let path = format!("{root}{relative}");
            let candidate = Candidate { shown: &shown, path: &path, kind: *kind, size: *size, empty: *empty };
            self.test(test, &candidate);
        }
    }

    fn test(&mut self, test: &Test, at: &Candidate<'_>) -> bool {
        match test {
            Test::Not(inner) => !self.test(inner, at),
            Test::And(a, b) => self.test(a, at) && self.test(b, at),
            Test::Or(a, b) => self.test(a, at) || self.test(b, at),
            Test::Always => true,
            Test::Name(pattern, any_case) => {
                let trimmed = at.shown.trim_end_matches('/');
                let name = trimmed.rsplit('/').next().unwrap_or_default();
                let name = if *any_case { name.to_lowercase() } else { name.to_owned() };
                pattern.fits(&name.chars().collect::<Vec<_>>())
            }
            Test::Path(pattern) => pattern.fits(&at.shown.chars().collect::<Vec<_>>()),
            Test::Kind(kind) => at.kind == *kind,
            Test::Empty => at.empty,
            Test::Size(sign, count, unit) => {
                let units = at.size.div_ceil(*unit);
                match sign {
                    '+' => units > *count,
                    '-' => units < *count,
                    _ => units == *count,
                }
            }
            Test::Print(end) => {
                self.found.printed += at.shown;
                self.found.printed.push(*end);
                true
            }
            Test::Delete => {
                let removed = self.device.files().remove(at.path, false);
                if let Err(error) = &removed {
                    self.found.errors += &format!("find: '{}': {error}\n", at.shown);
                    self.found.code = 1;
                }
                removed.is_ok()
            }
            Test::Run(number) => {
                let Some((words, together)) = self.reader.commands.get(*number) else { return false };
                if *together {
                    if let Some(group) = self.groups.get_mut(*number) {
                        group.push(at.shown.to_owned());
                    }
                } else if self.found.runs.len() <= MAX_FOUND {
                    self.found.runs.push(words.iter().map(|word| word.replace("{}", at.shown)).collect());
                }
                true
            }
        }
    }
}
