//! Running a parsed script.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use super::console::Console;
use super::parser::Parser;
use super::state::State;
use super::streams::{Captures, Source, Streams};
use super::syntax::{Command, Condition, Line, Pipeline, Script, SyntaxError, Word};
use super::trap::Signal;
use crate::SimDevice;
use crate::command;

/// Commands one script may run: a loop without end must end.
const MAX_STEPS: u32 = 100_000;
/// Scripts in scripts: `$(…)`, groups, functions.
const MAX_DEPTH: u32 = 120;
/// Nested scripts are polled one within the other; each gets this much stack, newly allocated if need be.
const STACK_LEFT: usize = 256 << 10;
const STACK_MORE: usize = 2 << 20;

pub(super) type Running<'a> = Pin<Box<dyn Future<Output = io::Result<()>> + Send + 'a>>;

/// Why execution leaves what is being run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// This many loops.
    Break(u32),
    /// All but one of this many loops.
    Continue(u32),
    Return,
    /// After an error: only a person at a terminal goes on.
    Abort,
    Exit,
}

/// A shell process.
pub(super) struct Shell<'a, 'c> {
    pub(super) device: &'a Arc<SimDevice>,
    pub(super) console: &'a mut Console<'c>,
    pub(super) state: State,
    pub(super) status: i32,
    /// While it is set nothing more is run.
    pub(super) left: Option<Leave>,
    /// What could not be done while words were expanded: it ends the shell.
    pub(super) fault: Option<String>,
    /// Whether the status is one that `set -e` ignores.
    pub(super) exempt: bool,
    /// How many conditions are being evaluated: `set -e` does not apply to them.
    pub(super) conditions: u32,
    /// The exit code of the last command whose output was put into a word.
    pub(super) substituted: Option<i32>,
    pub(super) captures: Captures,
    /// Runs for root.
    pub(super) root: bool,
    /// The exit codes of commands in the background, by process id.
    pub(super) ended: Vec<(u32, i32)>,
    steps: u32,
    depth: u32,
}

impl<'a, 'c> Shell<'a, 'c> {
    pub(super) fn new(device: &'a Arc<SimDevice>, console: &'a mut Console<'c>) -> Self {
        Shell {
            device,
            console,
            state: State::new(),
            status: 0,
            left: None,
            fault: None,
            exempt: false,
            conditions: 0,
            substituted: None,
            captures: Captures::default(),
            root: false,
            ended: Vec::new(),
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

    pub(super) async fn wait(&mut self, time: Duration) -> io::Result<()> {
        self.device.waits(time);
        self.console.sleep(time).await
    }

    /// Parses and runs a script.
    pub(super) async fn source(&mut self, script: &str) -> io::Result<()> {
        self.device.fetch(script);
        self.nested(script, &Streams::console()).await
    }

    /// Runs one command given as words.
    pub(super) async fn call(&mut self, words: Vec<String>) -> io::Result<()> {
        words.iter().for_each(|word| self.device.fetch(word));
        self.run_words(words, &Streams::console()).await
    }

    /// Parses and runs a script line by line.
    pub(super) fn nested<'s>(&'s mut self, script: &'s str, streams: &'s Streams) -> Running<'s> {
        Box::pin(async move {
            let mut parser = match Parser::new(script) {
                Ok(parser) => parser,
                Err(error) => return self.no_sentence(&error, script, streams).await,
            };
            loop {
                match parser.next_line() {
                    Ok(None) => return Ok(()),
                    Ok(Some(line)) => self.script(&line, streams).await?,
                    Err(error) => return self.no_sentence(&error, script, streams).await,
                }
                if self.left.is_some() {
                    return Ok(());
                }
            }
        })
    }

    /// Reports a script that cannot be run; it ends the shell.
    async fn no_sentence(&mut self, error: &SyntaxError, script: &str, streams: &Streams) -> io::Result<()> {
        self.device.note_unknown(&format!("{error} in: {script}"));
        self.left = Some(Leave::Abort);
        self.complain(streams, &error.to_string(), 1).await
    }

    /// Says what is wrong, and sets the status.
    pub(super) async fn complain(&mut self, streams: &Streams, what: &str, status: i32) -> io::Result<()> {
        self.status = status;
        self.emit(&streams.err, format!("/system/bin/sh: {what}\n").as_bytes()).await
    }

    /// Whether words could not be expanded, which is reported here.
    pub(super) async fn faulty(&mut self, streams: &Streams) -> io::Result<bool> {
        let Some(fault) = self.fault.take() else { return Ok(false) };
        self.left = Some(Leave::Abort);
        self.complain(streams, &fault, 1).await?;
        Ok(true)
    }

    /// Runs a script and gives what it printed, without the line ends at its end.
    pub(super) fn output_of<'s>(
        &'s mut self,
        script: &'s Script,
    ) -> Pin<Box<dyn Future<Output = io::Result<String>> + Send + 's>> {
        Box::pin(async move {
            if let Some(target) = script.file_alone() {
                return self.content_of(target).await;
            }
            let mut streams = Streams::console();
            streams.out = self.captures.open();
            let (outside, before) = (self.enter(), self.status);
            self.script(script, &streams).await?;
            self.leave(outside, &streams).await?;
            // `$?` shows it only after the command that the words are for.
            self.substituted = Some(std::mem::replace(&mut self.status, before));
            let text = String::from_utf8_lossy(&self.captures.close()).into_owned();
            Ok(text.trim_end_matches('\n').replace('\0', ""))
        })
    }

    /// `$(<FILE)`.
    async fn content_of(&mut self, target: &Word) -> io::Result<String> {
        let path = self.expand_one(target).await?;
        let read = self.device.files().input(&command::absolute(self.state.cwd(), &path));
        self.substituted = Some(i32::from(read.is_err()));
        match read {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').replace('\0', "")),
            Err(error) => {
                let status = self.status;
                self.complain(&Streams::console(), &format!("can't open {path}: {error}"), status).await?;
                Ok(String::new())
            }
        }
    }

    /// Begins a sub-shell: what it sets, its `exit` and its traps stay inside.
    pub(super) fn enter(&mut self) -> State {
        let outside = self.state.clone();
        self.state.traps.retain(|_, action| action.is_empty());
        self.state.loops = 0;
        outside
    }

    /// Ends a sub-shell.
    pub(super) async fn leave(&mut self, outside: State, streams: &Streams) -> io::Result<()> {
        self.faulty(streams).await?;
        self.at_exit(streams).await?;
        self.state = outside;
        self.exempt = false;
        // A script that did too much ends as a whole.
        self.left = if self.is_spent() { Some(Leave::Exit) } else { None };
        Ok(())
    }

    fn is_spent(&self) -> bool {
        self.steps > MAX_STEPS
    }

    pub(super) fn script<'s>(&'s mut self, script: &'s Script, streams: &'s Streams) -> Running<'s> {
        let mut running: Running<'s> = Box::pin(async move {
            if self.depth >= MAX_DEPTH {
                self.left = Some(Leave::Exit);
                return self.complain(streams, "nested too deeply", 1).await;
            }
            self.depth += 1;
            let mut ran = Ok(());
            for line in &script.0 {
                ran = self.line(line, streams).await;
                if ran.is_err() || self.left.is_some() {
                    break;
                }
            }
            self.depth -= 1;
            ran
        });
        Box::pin(std::future::poll_fn(move |context| {
            let mut poll = || -> Poll<io::Result<()>> { running.as_mut().poll(context) };
            stacker::maybe_grow(STACK_LEFT, STACK_MORE, &mut poll)
        }))
    }

    async fn line(&mut self, line: &Line, streams: &Streams) -> io::Result<()> {
        if !line.background {
            return self.pipelines(line, streams).await;
        }
        // Nothing here runs concurrently: background work is done at once.
        let outside = self.enter();
        let mut apart = streams.clone();
        apart.input = Source::empty();
        self.pipelines(line, &apart).await?;
        self.leave(outside, streams).await?;
        let pid = self.state.background.unwrap_or(super::SHELL_PID) + 1;
        self.state.background = Some(pid);
        self.ended.push((pid, self.status));
        self.status = 0;
        Ok(())
    }

    async fn pipelines(&mut self, line: &Line, streams: &Streams) -> io::Result<()> {
        let last = line.rest.len();
        self.checked(&line.first, streams, last == 0).await?;
        for (n, (condition, pipeline)) in line.rest.iter().enumerate() {
            if self.left.is_some() {
                break;
            }
            if (self.status == 0) == (*condition == Condition::IfOk) {
                self.checked(pipeline, streams, n + 1 == last).await?;
            }
        }
        Ok(())
    }

    /// Runs a pipeline. `set -e` and `trap … ERR` apply to the last one of a line.
    async fn checked(&mut self, pipeline: &Pipeline, streams: &Streams, last: bool) -> io::Result<()> {
        let counts = last && !pipeline.negated;
        self.conditions += u32::from(!counts);
        let ran = self.pipeline(pipeline, streams).await;
        self.conditions -= u32::from(!counts);
        ran?;
        if !counts {
            self.exempt = true;
        }
        if self.status != 0 && !self.exempt && self.conditions == 0 && self.left.is_none() {
            self.caught(Signal::Error, streams).await?;
            if self.state.options.errexit && self.left.is_none() {
                self.left = Some(Leave::Exit);
            }
            // Reported once, not by every group around it.
            self.exempt = true;
        }
        Ok(())
    }

    /// Runs each command to its end and hands all of its output to the next.
    async fn pipeline(&mut self, pipeline: &Pipeline, streams: &Streams) -> io::Result<()> {
        if let [command] = pipeline.commands.as_slice() {
            self.command(command, streams).await?;
        } else if let Some((last, before)) = pipeline.commands.split_last() {
            let mut streams = streams.clone();
            let out = streams.out.clone();
            let mut failed = 0;
            for command in before {
                streams.out = self.captures.open();
                self.apart(command, &streams).await?;
                streams.input = Source::bytes(self.captures.close().into());
                failed = if self.status == 0 { failed } else { self.status };
                if self.is_spent() {
                    return Ok(());
                }
            }
            streams.out = out;
            self.apart(last, &streams).await?;
            if self.status == 0 && self.state.options.pipefail {
                self.status = failed;
            }
        }
        if pipeline.negated {
            self.status = i32::from(self.status == 0);
        }
        Ok(())
    }

    /// A command of a pipeline has a shell of its own.
    async fn apart(&mut self, command: &Command, streams: &Streams) -> io::Result<()> {
        let outside = self.enter();
        self.command(command, streams).await?;
        self.leave(outside, streams).await
    }

    async fn command(&mut self, command: &Command, streams: &Streams) -> io::Result<()> {
        if !self.step(streams).await? {
            return Ok(());
        }
        if command.redirects.is_empty() {
            return self.body(&command.body, streams).await;
        }
        let mut streams = streams.clone();
        for redirect in &command.redirects {
            if let Err(message) = self.redirect(redirect, &mut streams).await? {
                self.exempt = false;
                return self.complain(&streams, &message, 1).await;
            }
            if self.faulty(&streams).await? {
                return Ok(());
            }
        }
        self.body(&command.body, &streams).await
    }

    /// Counts a step; false when there were too many.
    pub(super) async fn step(&mut self, streams: &Streams) -> io::Result<bool> {
        self.steps += 1;
        if self.is_spent() {
            self.left = Some(Leave::Exit);
            self.complain(streams, "too many commands", 1).await?;
            return Ok(false);
        }
        if self.steps.is_multiple_of(64) {
            tokio::task::yield_now().await;
        }
        Ok(true)
    }
}
