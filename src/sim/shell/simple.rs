//! Running simple commands: assignments, functions, builtins, programs.

use std::io;
use std::sync::Arc;

use super::console::Fd;
use super::run::{Leave, Shell};
use super::state::Variable;
use super::streams::Streams;
use super::syntax::Word;
use super::trap::quoted;
use crate::command::{self, Call};
use crate::render::{give_back, room};

/// Builtins for which the assignments before them persist.
const SPECIAL: [&str; 12] =
    [".", ":", "break", "continue", "eval", "exit", "export", "readonly", "return", "set", "shift", "trap"];

impl Shell<'_, '_> {
    pub(super) async fn simple(
        &mut self,
        assignments: &[(String, Word)],
        words: &[Word],
        streams: &Streams,
    ) -> io::Result<()> {
        (self.exempt, self.substituted) = (false, None);
        let mut all = Vec::new();
        for word in words {
            all.extend(self.expand(word).await?);
        }
        // Assignments before a command apply to that command only, as `CLASSPATH=… app_process` needs.
        let mut before: Vec<(&String, Option<Variable>)> = Vec::new();
        let stays = all.first().is_none_or(|name| SPECIAL.contains(&name.as_str()));
        for (name, word) in assignments {
            let value = self.expand_one(word).await?;
            if self.fault.is_some() {
                break;
            }
            if !stays {
                before.push((name, self.state.variable(name).cloned()));
            }
            if self.state.options.xtrace {
                self.trace(&[format!("{name}={value}")], all.is_empty()).await?;
            }
            let set = self.state.change(name, |variable| {
                variable.value = Some(value);
                variable.exported |= !stays;
            });
            if let Err(error) = set {
                self.left = Some(Leave::Abort);
                return self.complain(streams, &error, 2).await;
            }
        }
        if self.faulty(streams).await? {
            return Ok(());
        }
        if all.is_empty() {
            self.status = self.substituted.unwrap_or(0);
            return Ok(());
        }
        if self.state.options.xtrace {
            self.trace(&all, false).await?;
        }
        let ran = self.run_words(all, streams).await;
        for (name, value) in before.into_iter().rev() {
            let _ = self.state.restore(name, value);
        }
        self.exempt = false;
        ran
    }

    /// What `set -x` prints.
    async fn trace(&mut self, words: &[String], alone: bool) -> io::Result<()> {
        let mark = self.state.get("PS4").unwrap_or("+ ").to_owned();
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let end = if alone { " \n" } else { "\n" };
        let line = format!("{mark}{}{end}", words.join(" "));
        self.console.print(Fd::Err, line.as_bytes()).await
    }

    /// Runs one command whose words are expanded.
    pub(super) async fn run_words(&mut self, words: Vec<String>, streams: &Streams) -> io::Result<()> {
        if let Some(body) = words.first().and_then(|name| self.state.functions.get(name)).cloned() {
            return self.function(&body, words, streams).await;
        }
        self.run_program(words, streams).await
    }

    /// As [`Shell::run_words`], without the script's functions.
    pub(super) async fn run_program(&mut self, words: Vec<String>, streams: &Streams) -> io::Result<()> {
        let refusal = self.device.faults().refusal(&words);
        if let Some(refusal) = refusal {
            let target = if refusal.on_stdout { &streams.out } else { &streams.err };
            self.emit(target, refusal.words(&words).as_bytes()).await?;
            self.status = refusal.code.into();
            return Ok(());
        }
        if self.builtin(&words, streams).await? || self.streaming(&words, streams).await? {
            return Ok(());
        }
        let Some(command) = command::find(&words) else {
            return self.not_found(&words, streams).await;
        };
        self.wait(self.device.latency.of(&words)).await?;
        if let [tool, first, ..] = &words[..]
            && tool == "uiautomator"
            && first == "dump"
        {
            self.device.idle_for_dump().await;
        }
        let input = self.read_input(command::wants(&words), &streams.input).await?;
        let cwd = self.state.cwd().to_owned();
        let _room = if command.heavy { room().await } else { None };
        let mut call = Call::new(Arc::clone(self.device), words, cwd, input);
        if command.heavy || self.device.slow {
            let done = tokio::task::spawn_blocking(move || {
                let code = (command.run)(&mut call);
                (code, call)
            });
            (self.status, call) = done.await.map_err(io::Error::other)?;
        } else {
            self.status = (command.run)(&mut call);
        }
        for (fd, bytes) in call.into_output() {
            let target = if fd == Fd::Out { &streams.out } else { &streams.err };
            self.emit(target, &bytes).await?;
            give_back(bytes);
        }
        Ok(())
    }

    async fn not_found(&mut self, words: &[String], streams: &Streams) -> io::Result<()> {
        let name = words.first().map_or("", String::as_str);
        let (what, status) = {
            let path = command::absolute(self.state.cwd(), name);
            let files = self.device.files();
            match (name.contains('/'), files.list(&path).is_ok(), files.get(&path).is_ok()) {
                (true, true, _) => ("can't execute: Is a directory", 126),
                (true, _, true) => ("can't execute: Permission denied", 126),
                _ => ("inaccessible or not found", 127),
            }
        };
        self.device.note_unknown(&words.join(" "));
        self.complain(streams, &format!("{name}: {what}"), status).await
    }
}
