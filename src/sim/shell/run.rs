//! Running a parsed script.

use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::console::{Console, Fd};
use super::lexer::Word;
use super::parser::parse;
use super::streams::{Captures, Source, Streams};
use super::syntax::{Body, Command, Condition, Line, Pipeline, Script};
use crate::sim::SimDevice;
use crate::sim::command::{self, Call};

/// Commands one script may run: a loop without end must end.
const MAX_STEPS: u32 = 200_000;
/// Scripts in scripts: `$(…)` and groups.
const MAX_DEPTH: u32 = 24;

pub(super) type Running<'a> = Pin<Box<dyn Future<Output = io::Result<()>> + Send + 'a>>;

/// A shell process.
pub(super) struct Shell<'a, 'c> {
    pub(super) device: &'a Arc<SimDevice>,
    pub(super) console: &'a mut Console<'c>,
    pub(super) variables: BTreeMap<String, String>,
    pub(super) status: i32,
    /// Set by `exit`: nothing more is run.
    pub(super) left: bool,
    pub(super) captures: Captures,
    steps: u32,
    depth: u32,
}

impl<'a, 'c> Shell<'a, 'c> {
    pub(super) fn new(device: &'a Arc<SimDevice>, console: &'a mut Console<'c>) -> Self {
        let set = [
            ("ANDROID_DATA", "/data"),
            ("ANDROID_ROOT", "/system"),
            ("EXTERNAL_STORAGE", "/sdcard"),
            ("HOME", "/"),
            ("HOSTNAME", "sim"),
            ("PATH", "/product/bin:/system/bin:/system/xbin:/vendor/bin"),
            ("PWD", "/"),
            ("SHELL", "/bin/sh"),
            ("TMPDIR", "/data/local/tmp"),
            ("USER", "shell"),
        ];
        Shell {
            device,
            console,
            variables: set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            status: 0,
            left: false,
            captures: Captures::default(),
            steps: 0,
            depth: 0,
        }
    }

    /// The exit code so far.
    pub(super) fn status(&self) -> i32 {
        self.status
    }

    /// The wait before a process does anything.
    pub(super) async fn begin(&mut self) -> io::Result<()> {
        self.wait(self.device.latency.command).await
    }

    async fn wait(&mut self, time: Duration) -> io::Result<()> {
        self.device.waits(time);
        self.console.sleep(time).await
    }

    /// Parses and runs a script.
    pub(super) async fn source(&mut self, script: &str) -> io::Result<()> {
        self.nested(script, &Streams::console()).await
    }

    /// Runs one command given as words.
    pub(super) async fn call(&mut self, words: Vec<String>) -> io::Result<()> {
        self.run_words(words, &Streams::console()).await
    }

    async fn nested(&mut self, script: &str, streams: &Streams) -> io::Result<()> {
        match parse(script) {
            Ok(parsed) => self.script(&parsed, streams).await,
            Err(error) => {
                self.device.note_unknown(&format!("{error} in: {script}"));
                self.status = 1;
                self.emit(&streams.err, format!("/system/bin/sh: {error}\n").as_bytes()).await
            }
        }
    }

    /// Runs a script and gives what it printed, without the line ends at its end.
    pub(super) fn output_of<'s>(
        &'s mut self,
        script: &'s str,
    ) -> Pin<Box<dyn Future<Output = io::Result<String>> + Send + 's>> {
        Box::pin(async move {
            let mut streams = Streams::console();
            streams.out = self.captures.open();
            self.nested(script, &streams).await?;
            let text = String::from_utf8_lossy(&self.captures.close()).into_owned();
            // `exit` leaves only the sub-shell.
            self.left = false;
            Ok(text.trim_end_matches('\n').to_owned())
        })
    }

    fn script<'s>(&'s mut self, script: &'s Script, streams: &'s Streams) -> Running<'s> {
        Box::pin(async move {
            if self.depth >= MAX_DEPTH {
                self.status = 1;
                self.left = true;
                return self.emit(&streams.err, b"/system/bin/sh: nested too deeply\n").await;
            }
            self.depth += 1;
            for line in &script.0 {
                self.line(line, streams).await?;
                if self.left {
                    break;
                }
            }
            self.depth -= 1;
            Ok(())
        })
    }

    async fn line(&mut self, line: &Line, streams: &Streams) -> io::Result<()> {
        self.pipeline(&line.first, streams).await?;
        for (condition, pipeline) in &line.rest {
            if self.left {
                break;
            }
            if (self.status == 0) == (*condition == Condition::IfOk) {
                self.pipeline(pipeline, streams).await?;
            }
        }
        Ok(())
    }

    /// Runs each command to its end and hands all of its output to the next.
    async fn pipeline(&mut self, pipeline: &Pipeline, streams: &Streams) -> io::Result<()> {
        let mut streams = streams.clone();
        if let Some((last, before)) = pipeline.commands.split_last() {
            let out = streams.out.clone();
            for command in before {
                streams.out = self.captures.open();
                self.command(command, &streams).await?;
                streams.input = Source::Bytes(self.captures.close().into());
                self.left = false;
            }
            streams.out = out;
            self.command(last, &streams).await?;
        }
        if pipeline.negated {
            self.status = i32::from(self.status == 0);
        }
        Ok(())
    }

    async fn command(&mut self, command: &Command, streams: &Streams) -> io::Result<()> {
        let mut streams = streams.clone();
        for redirect in &command.redirects {
            if let Err(message) = self.redirect(redirect, &mut streams).await? {
                self.status = 1;
                return self.emit(&streams.err, message.as_bytes()).await;
            }
        }
        match &command.body {
            Body::Simple { assignments, words } => self.simple(assignments, words, &streams).await,
            Body::Group(script) => self.script(script, &streams).await,
            Body::Subshell(script) => {
                let outside = self.variables.clone();
                self.script(script, &streams).await?;
                self.variables = outside;
                self.left = false;
                Ok(())
            }
            Body::If { branches, otherwise } => {
                for (condition, then) in branches {
                    self.script(condition, &streams).await?;
                    if self.left || self.status == 0 {
                        return if self.left { Ok(()) } else { self.script(then, &streams).await };
                    }
                }
                self.status = 0;
                self.script(otherwise, &streams).await
            }
            Body::Loop { until, condition, body } => loop {
                self.script(condition, &streams).await?;
                if self.left || (self.status == 0) == *until {
                    self.status = if self.left { self.status } else { 0 };
                    return Ok(());
                }
                self.script(body, &streams).await?;
                if self.left {
                    return Ok(());
                }
            },
            Body::For { name, words, body } => {
                let mut values = Vec::new();
                for word in words {
                    values.extend(self.expand(word).await?);
                }
                self.status = 0;
                for value in values {
                    self.variables.insert(name.clone(), value);
                    self.script(body, &streams).await?;
                    if self.left {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    async fn simple(
        &mut self,
        assignments: &[(String, Word)],
        words: &[Word],
        streams: &Streams,
    ) -> io::Result<()> {
        let mut all = Vec::new();
        for word in words {
            all.extend(self.expand(word).await?);
        }
        let mut set = Vec::new();
        for (name, word) in assignments {
            set.push((name.clone(), self.expand_one(word).await?));
        }
        if all.is_empty() {
            self.variables.extend(set);
            self.status = if words.is_empty() { 0 } else { self.status };
            return Ok(());
        }
        // Set for this one command only, as `CLASSPATH=… app_process` wants it.
        let before = if set.is_empty() { None } else { Some(self.variables.clone()) };
        self.variables.extend(set);
        let ran = self.run_words(all, streams).await;
        if let Some(before) = before {
            self.variables = before;
        }
        ran
    }

    /// Runs one command whose words are expanded.
    pub(super) async fn run_words(&mut self, words: Vec<String>, streams: &Streams) -> io::Result<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            self.left = true;
            self.status = 1;
            return self.emit(&streams.err, b"/system/bin/sh: too many commands\n").await;
        }
        if self.steps.is_multiple_of(64) {
            tokio::task::yield_now().await;
        }
        if self.builtin(&words, streams).await? || self.streaming(&words, streams).await? {
            return Ok(());
        }
        let Some(command) = command::find(&words) else {
            self.device.note_unknown(&words.join(" "));
            self.status = 127;
            let name = words.first().map_or("", String::as_str);
            let text = format!("/system/bin/sh: {name}: inaccessible or not found\n");
            return self.emit(&streams.err, text.as_bytes()).await;
        };
        self.wait(self.device.latency.of(&words)).await?;
        let input = self.read_input(command::wants(&words), &streams.input).await?;
        let cwd = self.variables.get("PWD").cloned().unwrap_or_default();
        let mut call = Call::new(Arc::clone(self.device), words, cwd, input);
        if command.heavy {
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
        }
        Ok(())
    }
}
