//! Commands that run other commands: `eval . sh exec command env xargs find -exec timeout nohup`.

use std::io;
use std::sync::Arc;

use super::builtin;
use super::parser::{MAX_SCRIPT, Parser, RESERVED};
use super::run::{Leave, Shell};
use super::state::State;
use super::streams::{Source, Streams};
use super::syntax::{SyntaxError, is_variable};
use super::trap::Signal;
use crate::command::{self, Wants};

/// Most commands that one `xargs` or `find` runs.
const MAX_RUNS: usize = 1_000;
/// Most words that `xargs` gives to one command.
const MAX_WORDS: usize = 1_000;

impl Shell<'_, '_> {
    /// Runs a command that leads to others; false when it is none.
    pub(super) async fn leading(
        &mut self,
        name: &str,
        args: &[String],
        streams: &Streams,
    ) -> io::Result<bool> {
        let name = name.strip_prefix("/system/bin/").unwrap_or(name);
        match name {
            "eval" => {
                if args.is_empty() {
                    self.status = 0;
                }
                let script = args.join(" ");
                self.nested(&script, streams).await?;
            }
            "." | "source" => self.file(args, streams).await?,
            "sh" | "mksh" => self.sh(args, streams).await?,
            "command" | "builtin" | "type" | "whence" => self.which(name, args, streams).await?,
            "exec" if args.is_empty() => {
                self.unsupported(streams, "exec with redirections alone").await?;
            }
            "exec" => {
                Box::pin(self.run_program(args.to_vec(), streams)).await?;
                // What takes the shell's place knows nothing of its traps.
                self.state.traps.remove(&Signal::Exit);
                self.left = Some(Leave::Exit);
            }
            "nohup" | "toybox" if !args.is_empty() => self.rest(args, streams).await?,
            "timeout" if args.len() > 1 => {
                // Nothing simulated takes long except what follows for ever or sleeps.
                let rest = args.get(1..).unwrap_or_default();
                if matches!(rest.first().map(String::as_str), Some("sleep" | "logcat" | "getevent")) {
                    self.unsupported(streams, "timeout for this command").await?;
                } else {
                    self.rest(rest, streams).await?;
                }
            }
            "env" | "printenv" => self.env(args, streams).await?,
            "xargs" => self.xargs(args, streams).await?,
            "find" => self.find(args, streams).await?,
            "su" => self.su(args, streams).await?,
            "id" if self.root && args == ["-u"] => self.emit(&streams.out, b"0\n").await?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Runs words as a command that is no function of the script.
    async fn rest(&mut self, words: &[String], streams: &Streams) -> io::Result<()> {
        // A boxed future: this is how a command can lead back to a command.
        Box::pin(self.run_program(words.to_vec(), streams)).await
    }

    /// `. FILE`.
    async fn file(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let Some(file) = args.first() else { return self.fatal(streams, ".: missing argument").await };
        let read = self.device.files().input(&command::absolute(self.state.cwd(), file));
        match read {
            Ok(bytes) => {
                self.status = 0;
                let given = args.get(1..).filter(|given| !given.is_empty());
                let outside =
                    given.map(|given| std::mem::replace(&mut self.state.arguments, Arc::new(given.to_vec())));
                self.nested(&String::from_utf8_lossy(&bytes), streams).await?;
                if let Some(outside) = outside {
                    self.state.arguments = outside;
                }
                if self.left == Some(Leave::Return) {
                    self.left = None;
                }
                Ok(())
            }
            Err(error) => self.fatal(streams, &format!(".: {file}: {error}")).await,
        }
    }

    /// `sh [-aefux] [-c SCRIPT [NAME [ARGUMENT…]] | FILE [ARGUMENT…]]`: another shell, which gets
    /// only what this one exports.
    async fn sh(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let child = self.state.child();
        let outside = std::mem::replace(&mut self.state, child);
        let conditions = std::mem::take(&mut self.conditions);
        (self.status, self.exempt) = (0, false);
        let ran = self.child(args, streams).await;
        if ran.is_ok() {
            self.leave(outside, streams).await?;
        }
        self.conditions = conditions;
        ran
    }

    async fn child(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let mut options = Vec::new();
        let mut script = None;
        let mut words = args.iter();
        let mut rest = Vec::new();
        let mut from_input = false;
        while let Some(word) = words.next() {
            match word.as_str() {
                "-" | "--" => {
                    rest.extend(words.by_ref().cloned());
                }
                "-o" => options.extend([word.clone(), words.next().cloned().unwrap_or_default()]),
                letters if letters.starts_with('-') => {
                    let others: String =
                        letters.chars().filter(|letter| !"-csil".contains(*letter)).collect();
                    from_input |= letters.contains('s');
                    if !others.is_empty() {
                        options.push(format!("-{others}"));
                    }
                    if letters.contains('c') {
                        let Some(text) = words.next() else {
                            return self.complain(streams, "-c requires an argument", 1).await;
                        };
                        script = Some(text.clone());
                        rest.extend(words.by_ref().cloned());
                    }
                }
                _ => {
                    rest.push(word.clone());
                    rest.extend(words.by_ref().cloned());
                }
            }
        }
        if let Err(error) = self.switch(&options) {
            return self.complain(streams, &error, 1).await;
        }
        if let Some(script) = script {
            self.name(rest);
            return self.nested(&script, streams).await;
        }
        if rest.is_empty() || from_input {
            self.state.arguments = Arc::new(rest);
            return self.lines(streams).await;
        }
        let path = command::absolute(self.state.cwd(), rest.first().map_or("", String::as_str));
        let read = self.device.files().read(&path);
        match read {
            Ok(bytes) => {
                self.name(rest);
                self.nested(&String::from_utf8_lossy(&bytes), streams).await
            }
            Err(error) => {
                let file = rest.first().cloned().unwrap_or_default();
                self.complain(streams, &format!("can't open {file}: {error}"), 127).await
            }
        }
    }

    /// The name and the arguments of a script.
    fn name(&mut self, words: Vec<String>) {
        let mut words = words.into_iter();
        if let Some(name) = words.next() {
            self.state.name = name;
        }
        self.state.arguments = Arc::new(words.collect());
    }

    /// Runs the input as it comes: what the script's commands read is not part of the script.
    async fn lines(&mut self, streams: &Streams) -> io::Result<()> {
        let mut script = String::new();
        loop {
            let (line, more) = self.read_line(&streams.input).await?;
            script.push_str(&line);
            script.push('\n');
            let unfinished = script.len() < MAX_SCRIPT && is_unfinished(&script);
            if !unfinished || !more {
                self.nested(&script, streams).await?;
                script.clear();
            }
            if self.left.is_some() || !more {
                return Ok(());
            }
        }
    }

    /// `command [-v] …`, `type …` and their kin.
    async fn which(&mut self, name: &str, args: &[String], streams: &Streams) -> io::Result<()> {
        let asks =
            name == "type" || name == "whence" || args.first().is_some_and(|arg| arg == "-v" || arg == "-V");
        if !asks {
            if args.is_empty() {
                self.status = 0;
                return Ok(());
            }
            return self.rest(args, streams).await;
        }
        self.status = 0;
        let told = name == "type" || args.first().is_some_and(|arg| arg == "-V");
        let names = if args.first().is_some_and(|arg| arg.starts_with('-')) { 1 } else { 0 };
        for wanted in args.iter().skip(names) {
            let (short, long) = if self.state.functions.contains_key(wanted) {
                (wanted.clone(), "is a function".to_owned())
            } else if RESERVED.contains(&wanted.as_str()) {
                (wanted.clone(), "is a reserved word".to_owned())
            } else if builtin::NAMES.contains(&wanted.as_str()) {
                (wanted.clone(), "is a shell builtin".to_owned())
            } else if command::is_known(wanted) {
                let path =
                    if wanted.contains('/') { wanted.clone() } else { format!("/system/bin/{wanted}") };
                (path.clone(), format!("is {path}"))
            } else {
                self.status = 1;
                if told {
                    self.emit(&streams.out, format!("{wanted} not found\n").as_bytes()).await?;
                }
                continue;
            };
            let line = if told { format!("{wanted} {long}\n") } else { format!("{short}\n") };
            self.emit(&streams.out, line.as_bytes()).await?;
        }
        Ok(())
    }

    /// `env [NAME=VALUE…] [COMMAND…]`.
    async fn env(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let outside: State = self.enter();
        let mut rest = args;
        self.status = 0;
        while let Some((first, after)) = rest.split_first() {
            match first.split_once('=') {
                Some((name, value)) if is_variable(name) => {
                    let _ = self.state.change(name, |variable| {
                        variable.value = Some(value.to_owned());
                        variable.exported = true;
                    });
                    rest = after;
                }
                _ => break,
            }
        }
        match rest.first() {
            Some(option) if option.starts_with('-') => {
                self.status = 125;
                self.emit(&streams.err, format!("env: Unknown option '{option}'\n").as_bytes()).await?;
            }
            Some(_) => self.rest(rest, streams).await?,
            None => {
                let all = self.state.exported();
                let lines: String = all.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
                self.emit(&streams.out, lines.as_bytes()).await?;
            }
        }
        self.leave(outside, streams).await
    }

    /// `xargs [-0] [-n COUNT] [-I TEXT] [COMMAND…]`.
    async fn xargs(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let input = self.read_input(Wants::All, &streams.input).await?;
        let text = String::from_utf8_lossy(&input).into_owned();
        let (mut most, mut replaced, mut zero) = (MAX_WORDS, None, false);
        let mut words = args.iter();
        let mut command: Vec<String> = Vec::new();
        while let Some(word) = words.next() {
            // `-n1` and `-n 1` are the same.
            let (option, inline) = match word.get(..2).filter(|option| matches!(*option, "-n" | "-I")) {
                Some(option) => {
                    (option, word.get(2..).filter(|inline| !inline.is_empty()).map(str::to_owned))
                }
                None => (word.as_str(), None),
            };
            let mut value = || inline.clone().or_else(|| words.next().cloned());
            match option {
                "-0" => zero = true,
                "-r" => {}
                "-n" => most = value().and_then(|n| n.parse().ok()).filter(|n| *n > 0).unwrap_or(most),
                "-I" => replaced = value(),
                option if option.starts_with('-') => {
                    self.status = 1;
                    let text = format!("xargs: Unknown option '{option}'\n");
                    return self.emit(&streams.err, text.as_bytes()).await;
                }
                _ => {
                    command.push(word.clone());
                    command.extend(words.by_ref().cloned());
                }
            }
        }
        if command.is_empty() {
            command.push("echo".to_owned());
        }
        let items: Vec<String> = match (&replaced, zero) {
            (_, true) => text.split('\0').filter(|item| !item.is_empty()).map(str::to_owned).collect(),
            (Some(_), _) => text.lines().map(|line| line.trim_start().to_owned()).collect(),
            _ => text.split_whitespace().map(str::to_owned).collect(),
        };
        let runs: Vec<Vec<String>> = match &replaced {
            Some(mark) => items
                .iter()
                .map(|item| command.iter().map(|word| word.replace(mark, item)).collect())
                .collect(),
            None if items.is_empty() => vec![command],
            None => items.chunks(most).map(|chunk| [command.as_slice(), chunk].concat()).collect(),
        };
        self.several(runs, streams).await
    }

    /// Runs commands one after the other; 123 when one of them failed.
    async fn several(&mut self, runs: Vec<Vec<String>>, streams: &Streams) -> io::Result<()> {
        let mut streams = streams.clone();
        streams.input = Source::empty();
        if runs.len() > MAX_RUNS {
            return self.complain(&streams, "too many commands", 1).await;
        }
        let mut status = 0;
        for words in runs {
            self.rest(&words, &streams).await?;
            if self.left.is_some() {
                return Ok(());
            }
            status = match self.status {
                0 => status,
                127 => 127,
                _ => 123,
            };
        }
        self.status = status;
        Ok(())
    }

    /// `find`: finds, prints, and runs what `-exec` names.
    async fn find(&mut self, args: &[String], streams: &Streams) -> io::Result<()> {
        let found = command::find_files(self.device, self.state.cwd(), args);
        self.status = found.code;
        self.emit(&streams.out, found.printed.as_bytes()).await?;
        self.emit(&streams.err, found.errors.as_bytes()).await?;
        if !found.runs.is_empty() {
            self.several(found.runs, streams).await?;
            if self.left.is_none() {
                // It reports a failure only for commands that take many files each.
                self.status = if found.together && self.status != 0 { 1 } else { found.code };
            }
        }
        Ok(())
    }
}

/// Whether more lines could turn this into a script.
pub(super) fn is_unfinished(script: &str) -> bool {
    let Ok(mut parser) = Parser::new(script) else { return false };
    loop {
        match parser.next_line() {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(error) => return matches!(error, SyntaxError::Unfinished(_)),
        }
    }
}
