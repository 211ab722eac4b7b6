//! Builtins about variables: `export readonly local typeset unset set read`.

use std::io;
use std::sync::Arc;

use super::run::Shell;
use super::streams::Streams;
use super::syntax::is_variable;
use super::trap::quoted;

impl Shell<'_, '_> {
    pub(super) async fn variables(
        &mut self,
        name: &str,
        args: &[String],
        streams: &Streams,
    ) -> io::Result<()> {
        self.status = 0;
        let mut functions = false;
        let mut marks = (name == "export", name == "readonly");
        for arg in args {
            match arg.as_str() {
                "-f" if name == "unset" => functions = true,
                "-v" if name == "unset" => functions = false,
                "-x" if name == "typeset" => marks.0 = true,
                "-r" if name == "typeset" => marks.1 = true,
                "-p" if args.len() == 1 => break,
                "--" => {}
                option if option.starts_with('-') => {
                    return self.unsupported(streams, &format!("{name}: {option}")).await;
                }
                arg => match self.declare(name, arg, functions, marks) {
                    Ok(()) => {}
                    Err(error) if name == "unset" => self.complain(streams, &error, 1).await?,
                    Err(error) => return self.fatal(streams, &error).await,
                },
            }
        }
        let listed = args.is_empty() || args == ["-p"];
        if listed && matches!(name, "export" | "readonly") {
            let mut lines = String::new();
            for (known, variable) in self.state.variables() {
                if name == "export" && variable.exported || name == "readonly" && variable.readonly {
                    let value = variable.value.as_ref().map(|value| format!("={}", quoted(value)));
                    lines += &match args.is_empty() {
                        true => format!("{known}\n"),
                        false => format!("{name} {known}{}\n", value.unwrap_or_default()),
                    };
                }
            }
            self.emit(&streams.out, lines.as_bytes()).await?;
        }
        Ok(())
    }

    fn declare(
        &mut self,
        builtin: &str,
        arg: &str,
        functions: bool,
        marks: (bool, bool),
    ) -> Result<(), String> {
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (arg, None),
        };
        if builtin == "unset" {
            if functions {
                Arc::make_mut(&mut self.state.functions).remove(arg);
                return Ok(());
            }
            return if is_variable(arg) {
                self.state.unset(arg)
            } else {
                Err(format!("unset: {arg}: bad name"))
            };
        }
        if !is_variable(name) {
            return Err(format!("{builtin}: {name}: bad name"));
        }
        let local = matches!(builtin, "local" | "typeset");
        let before = self.state.variable(name).cloned();
        if let (true, Some(hidden)) = (local, self.state.hidden.last_mut())
            && hidden.iter().all(|(known, _)| known != name)
        {
            hidden.push((name.to_owned(), before));
            if value.is_none() {
                self.state.unset(name)?;
            }
        }
        if let Some(value) = value {
            self.state.set(name, value)?;
        }
        self.state.mark(name, marks.0, marks.1)
    }

    /// `set [-aefux] [-o NAME] [--] [ARGUMENT…]`.
    pub(super) async fn set(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        self.status = 0;
        if args.is_empty() {
            let mut lines = String::new();
            for (name, variable) in self.state.variables() {
                if let Some(value) = &variable.value {
                    lines += &format!("{name}={}\n", quoted(value));
                }
            }
            return self.emit(&streams.out, lines.as_bytes()).await;
        }
        match self.switch(args) {
            Ok(rest) => {
                if let Some(rest) = rest {
                    self.state.arguments = Arc::new(rest);
                }
                Ok(())
            }
            Err(error) => self.fatal(streams, &format!("set: {error}")).await,
        }
    }

    /// Applies options, also those of `sh`; gives the words after them, when they are to replace the
    /// arguments.
    pub(super) fn switch(&mut self, args: &[String]) -> Result<Option<Vec<String>>, String> {
        let mut words = args.iter();
        let mut left = args.len();
        while let Some(word) = words.next() {
            let on = word.starts_with('-');
            if word == "--" {
                return Ok(Some(words.cloned().collect()));
            }
            let Some(letters) = word.strip_prefix(['-', '+']).filter(|letters| !letters.is_empty()) else {
                return Ok(Some(args.get(args.len() - left..).unwrap_or_default().to_vec()));
            };
            left -= 1;
            for letter in letters.chars() {
                let option = if letter == 'o' {
                    left = left.saturating_sub(1);
                    let name = words.next().ok_or("-o: not supported without a name")?;
                    self.state.options.named(name).ok_or_else(|| format!("{name}: bad option"))?
                } else {
                    self.state.options.letter(letter).ok_or_else(|| format!("-{letter}: unknown option"))?
                };
                *option = on;
            }
        }
        Ok(None)
    }

    /// `read [-r] [NAME…]`: a line of the input, split among the names.
    pub(super) async fn read(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let mut raw = false;
        let mut names: Vec<&str> = Vec::new();
        for arg in args {
            match arg.as_str() {
                "-r" => raw = true,
                option if option.starts_with('-') => {
                    return self.unsupported(streams, &format!("read: {option}")).await;
                }
                name if is_variable(name) => names.push(name),
                name => return self.complain(streams, &format!("read: {name}: bad name"), 2).await,
            }
        }
        if names.is_empty() {
            names.push("REPLY");
        }
        // Characters, and whether each was escaped.
        let mut line: Vec<(char, bool)> = Vec::new();
        let mut ended = false;
        while !ended {
            let (text, whole) = self.read_line(&streams.input).await?;
            ended = true;
            let mut chars = text.chars();
            while let Some(c) = chars.next() {
                if c != '\\' || raw {
                    line.push((c, false));
                } else if let Some(escaped) = chars.next() {
                    line.push((escaped, true));
                } else {
                    // A backslash at the line's end: it goes on in the next one.
                    ended = !whole;
                }
            }
            self.status = i32::from(!whole);
        }
        let separators = self.state.get("IFS").unwrap_or(" \t\n").to_owned();
        for (name, value) in names.iter().zip(split(&line, &separators, names.len())) {
            if let Err(error) = self.state.set(name, value) {
                return self.complain(streams, &error, 2).await;
            }
        }
        Ok(())
    }
}

/// The pieces of a line for this many names; the last one gets the rest.
fn split(line: &[(char, bool)], separators: &str, count: usize) -> Vec<String> {
    let separates = |(c, escaped): &(char, bool)| !escaped && separators.contains(*c);
    let blank = |pair: &(char, bool)| separates(pair) && matches!(pair.0, ' ' | '\t' | '\n');
    let mut rest = line;
    let mut pieces = Vec::new();
    let skip = |rest: &mut &[(char, bool)]| {
        while let Some((first, after)) = rest.split_first()
            && blank(first)
        {
            *rest = after;
        }
    };
    while pieces.len() + 1 < count {
        skip(&mut rest);
        let end = rest.iter().position(separates).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        pieces.push(piece.iter().map(|(c, _)| c).collect());
        rest = after;
        skip(&mut rest);
        if let Some((first, after)) = rest.split_first()
            && separates(first)
        {
            rest = after;
        }
    }
    skip(&mut rest);
    while let Some((last, before)) = rest.split_last()
        && blank(last)
    {
        rest = before;
    }
    pieces.push(rest.iter().map(|(c, _)| c).collect());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_among_names() {
        for (line, separators, count, expected) in [
            ("a b c", " ", 2, "a|b c"),
            ("  a  ", " ", 1, "a"),
            ("  a  ", "", 1, "  a  "),
            ("a:b::c", ":", 4, "a|b||c"),
            ("a", " ", 3, "a||"),
            ("a : b", " :", 2, "a|b"),
        ] {
            let line: Vec<(char, bool)> = line.chars().map(|c| (c, false)).collect();
            assert_eq!(split(&line, separators, count).join("|"), expected, "{line:?}");
        }
    }
}
