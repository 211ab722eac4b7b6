//! From words as written to words as commands get them.

use std::future::Future;
use std::io;
use std::pin::Pin;

use super::arith::evaluate;
use super::brace::alternatives;
use super::fields::Fields;
use super::run::Shell;
use super::syntax::{Change, Part, Word};

type Gathering<'a> = Pin<Box<dyn Future<Output = io::Result<()>> + Send + 'a>>;

impl Shell<'_, '_> {
    /// Braces, variables, outputs, numbers, splitting, file names. What cannot be done is left in
    /// [`Shell::fault`].
    pub(super) async fn expand(&mut self, word: &Word) -> io::Result<Vec<String>> {
        let mut words = Vec::new();
        let all = alternatives(word);
        for word in all.as_deref().unwrap_or(std::slice::from_ref(word)) {
            let mut fields = Fields::new(self.state.get("IFS").unwrap_or(" \t\n"));
            self.gather(word, &mut fields, false).await?;
            let Some(done) = fields.finish() else {
                self.fail("word too long");
                return Ok(Vec::new());
            };
            for field in done {
                let matching = match field.is_pattern && !self.state.options.noglob {
                    true => self.matching(&field.pattern),
                    false => Vec::new(),
                };
                if matching.is_empty() {
                    words.push(field.text);
                } else {
                    words.extend(matching);
                }
            }
        }
        Ok(words)
    }

    /// As [`Shell::expand`], for an assignment or a redirection: one word whatever it holds.
    pub(super) async fn expand_one(&mut self, word: &Word) -> io::Result<String> {
        Ok(self.whole(word).await?.0)
    }

    /// A pattern in which what was quoted is escaped.
    pub(super) async fn expand_pattern(&mut self, word: &Word) -> io::Result<String> {
        Ok(self.whole(word).await?.1)
    }

    async fn whole(&mut self, word: &Word) -> io::Result<(String, String)> {
        let mut fields = Fields::unsplit();
        self.gather(word, &mut fields, false).await?;
        let Some(done) = fields.finish() else {
            self.fail("word too long");
            return Ok((String::new(), String::new()));
        };
        let mut both = (String::new(), String::new());
        for (n, field) in done.into_iter().enumerate() {
            if n > 0 {
                both.0.push(' ');
                both.1.push(' ');
            }
            both.0 += &field.text;
            both.1 += &field.pattern;
        }
        Ok(both)
    }

    /// Adds the parts of a word. With `inner` the word stands within `${…}`, and its bare text is split
    /// as a value is.
    pub(super) fn gather<'s>(
        &'s mut self,
        word: &'s Word,
        fields: &'s mut Fields,
        inner: bool,
    ) -> Gathering<'s> {
        Box::pin(async move {
            for (n, part) in word.iter().enumerate() {
                if self.fault.is_some() {
                    return Ok(());
                }
                match part {
                    Part::Quoted(text) => fields.push(text, true),
                    Part::Bare(text) => {
                        let (home, rest) = self.home(text, n == 0, word.len() == 1);
                        fields.push(&home, true);
                        if inner { fields.value(rest) } else { fields.push(rest, false) }
                    }
                    Part::Parameter { name, change, quoted } => {
                        self.parameter(name, change, *quoted, fields).await?;
                    }
                    Part::Output { script, quoted } => {
                        let output = self.output_of(script).await?;
                        if *quoted { fields.push(&output, true) } else { fields.value(&output) }
                    }
                    Part::Number { expression, quoted } => {
                        let number = self.number(expression).await?.to_string();
                        if *quoted { fields.push(&number, true) } else { fields.value(&number) }
                    }
                }
            }
            Ok(())
        })
    }

    /// The value of an expression; 0 with a fault when it has none.
    pub(super) async fn number(&mut self, expression: &Word) -> io::Result<i32> {
        let text = self.expand_one(expression).await?;
        if self.fault.is_some() {
            return Ok(0);
        }
        Ok(evaluate(&text, &mut self.state).unwrap_or_else(|error| {
            self.fail(&error);
            0
        }))
    }

    /// The value of a parameter: `None` when it is not set. `$@` and `$*` are not values.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        match name {
            "?" => Some(self.status.to_string()),
            "$" => Some(super::SHELL_PID.to_string()),
            "#" => Some(self.state.arguments.len().to_string()),
            "!" => self.state.background.map(|pid| pid.to_string()),
            "-" => Some(self.state.options.letters()),
            "0" => Some(self.state.name.clone()),
            "@" | "*" => (!self.state.arguments.is_empty()).then(|| self.joined()),
            digits if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                let number = digits.parse::<usize>().ok()?;
                self.state.arguments.get(number.checked_sub(1)?).cloned()
            }
            _ => self.state.get(name).map(str::to_owned),
        }
    }

    /// The arguments as `"$*"` is: with the first separator between them.
    pub(super) fn joined(&self) -> String {
        let by = self.state.get("IFS").map_or(Some(' '), |separators| separators.chars().next());
        self.state.arguments.join(&by.map(String::from).unwrap_or_default())
    }

    /// `$@` and `$*` as they are.
    pub(super) fn arguments(&self, all: bool, quoted: bool, fields: &mut Fields) {
        if quoted && !all {
            fields.push(&self.joined(), true);
            return;
        }
        if quoted && self.state.arguments.is_empty() {
            fields.vanish();
        }
        for (n, argument) in self.state.arguments.iter().enumerate() {
            if n > 0 {
                fields.next();
            }
            if quoted { fields.push(argument, true) } else { fields.value(argument) }
        }
    }

    /// `~` at the start of a word: the folder it means, and what follows.
    fn home<'t>(&self, text: &'t str, first: bool, only: bool) -> (String, &'t str) {
        let Some(rest) = text.strip_prefix('~').filter(|_| first) else { return (String::new(), text) };
        let end = rest.find('/').unwrap_or(rest.len());
        if end == rest.len() && !only {
            return (String::new(), text);
        }
        let (name, rest) = rest.split_at(end);
        let folder = match name {
            "" => self.state.get("HOME").unwrap_or("/"),
            "+" => self.state.cwd(),
            "-" => self.state.get("OLDPWD").unwrap_or("~-"),
            // Every user of a phone has this one.
            "root" | "shell" | "system" => "/",
            _ => return (String::new(), text),
        };
        (if folder == "/" && rest.starts_with('/') { String::new() } else { folder.to_owned() }, rest)
    }

    /// Existing paths, in order, that match a pattern.
    fn matching(&self, pattern: &str) -> Vec<String> {
        let cwd = self.state.cwd();
        if pattern.starts_with('/') {
            return self.device.files().matching(pattern);
        }
        let prefix = if cwd == "/" { cwd.to_owned() } else { format!("{cwd}/") };
        let escaped: String =
            prefix.chars().flat_map(|c| if c == '/' { vec![c] } else { vec!['\\', c] }).collect();
        let found = self.device.files().matching(&format!("{escaped}{pattern}"));
        found.iter().filter_map(|path| path.strip_prefix(&prefix)).map(str::to_owned).collect()
    }

    /// Notes what cannot be done: the shell ends with it.
    pub(super) fn fail(&mut self, what: &str) {
        self.fault.get_or_insert_with(|| what.to_owned());
    }

    /// Whether the value stays unchanged.
    pub(super) fn is_plain(change: &Change) -> bool {
        *change == Change::Nothing
    }
}
