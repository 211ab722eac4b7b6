//! `droidmux read`: what a session did, in words, and which of it a language model would read.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::caller::Caller;
use super::recording::FormatName;
use super::run::{RunOptions, TalkOptions};
use super::{Usage, exit};
use droidmux_account::{NoPixels, Pixels, Veil, tell};
use droidmux_gui::{Bounds, Layout, LayoutHash};
use droidmux_lab::StoredSession;
use droidmux_picture::{Source, difference};
use droidmux_record::{BlobHash, JobRun, Layouts, SessionId};
use droidmux_store::Store;
use droidmux_technique::reader::{Stretch, choose, questions, stretches};
use droidmux_words::figure::{count, thousands};
use droidmux_words::printable_lines;

#[derive(Debug, Args)]
#[group(skip)]
pub struct ReadArgs {
    /// The session, e.g. s3; with --format a folder that another tool recorded
    #[arg(value_name = "SESSION")]
    pub(super) recorded: PathBuf,
    /// The tool that made the recording
    #[arg(long, value_enum)]
    pub(super) format: Option<FormatName>,
    /// Print what was done and seen, all of it; no model is asked
    #[arg(long, conflicts_with = "plan")]
    print: bool,
    /// Say what a model would read, in which questions, and what it would cost; none is asked
    #[arg(long)]
    plan: bool,
    /// Tokens that may be read
    #[arg(long, value_name = "TOKENS", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(1_000..))]
    pub(super) budget: u32,
    /// Tokens of one question
    #[arg(long, value_name = "TOKENS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1_000..))]
    pub(super) question: u32,
    /// JSON Lines on standard output, while a model reads
    #[arg(long, conflicts_with_all = ["print", "plan"])]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) talk: TalkOptions,
    #[command(flatten)]
    pub(super) options: RunOptions,
}

impl ReadArgs {
    /// A model is to read it.
    pub(super) fn asks(&self) -> bool {
        !self.print && !self.plan
    }
}

/// Prints the account of a session, or what of it would be read.
///
/// # Errors
///
/// `Usage` for a session that is not in the store, and for a folder that cannot be read.
pub(super) fn run(args: ReadArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let mut telling = Telling { out: String::new(), stretches: Vec::new(), print: args.print };
    let mut veil = Veil::default();
    match args.format {
        Some(format) => {
            let recording = format.read(&caller.path(&args.recorded))?;
            for recorded in &recording.runs {
                telling.add(&recorded.run, &recording.layouts, &mut veil, &NoPixels);
            }
        }
        None => {
            let id: SessionId = args.recorded.to_string_lossy().parse().map_err(|error| {
                Usage::new(format!("{error}; a folder of another tool is read with --format"))
            })?;
            let store = caller.store(args.options.store(), false)?;
            let mut ignored = Vec::new();
            let session = StoredSession::read(&store, id, |definition| {
                ignored = std::mem::take(&mut definition.ignore)
            })?;
            let session = session.ok_or_else(|| Usage::no_session(id))?;
            veil.ignored = ignored;
            veil.volatile = Some(Arc::new(session.masks()));
            let pictures = Pictures(store.clone());
            for run in store.runs(id) {
                telling.add(&run?, &store, &mut veil, &pictures);
            }
        }
    }
    let nothing = if args.print { telling.out.is_empty() } else { telling.stretches.is_empty() };
    if nothing {
        return Err(Usage::new(format!("{}: no steps are recorded", args.recorded.display())).into());
    }
    if args.plan {
        telling.plan(args.budget, args.question);
    }
    caller.print(&telling.out)?;
    Ok(exit::OK)
}

/// What is told of a session so far.
struct Telling {
    out: String,
    stretches: Vec<Stretch>,
    print: bool,
}

impl Telling {
    fn add(&mut self, run: &JobRun, layouts: &dyn Layouts, veil: &mut Veil, pixels: &dyn Pixels) {
        let tests = tell(run, layouts, veil, pixels);
        if !self.print {
            self.stretches.extend(stretches(run.job.slot, &tests));
            return;
        }
        for test in &tests {
            for step in &test.steps {
                let told = format!("{}.{} {step}", run.job.slot.0, step.turn);
                // Writing to a string never fails.
                let _ = writeln!(self.out, "{}", printable_lines(&told));
            }
        }
    }

    fn plan(&mut self, budget: u32, question: u32) {
        let size = |tokens: u32| usize::try_from(tokens).unwrap_or(usize::MAX);
        let chosen = choose(&self.stretches, size(budget));
        let sum = |of: &mut dyn Iterator<Item = &Stretch>| {
            of.fold((0, 0), |(events, tokens), stretch| (events + stretch.events, tokens + stretch.tokens))
        };
        let all = sum(&mut self.stretches.iter());
        let read = sum(&mut chosen.iter().filter_map(|at| self.stretches.get(*at)));
        let figure = |number: usize| thousands(u64::try_from(number).unwrap_or(u64::MAX));
        let mut out = format!(
            "{} of {} in {} of {}: {} tokens of {}, a budget of {}\n",
            figure(read.0),
            count(all.0, "event"),
            figure(chosen.len()),
            count(self.stretches.len(), "stretch").replace("stretchs", "stretches"),
            figure(read.1),
            figure(all.1),
            thousands(budget.into())
        );
        for (number, question) in (1..).zip(questions(&self.stretches, &chosen, size(question))) {
            let parts: Vec<&Stretch> = question.iter().filter_map(|at| self.stretches.get(*at)).collect();
            let tokens: usize = parts.iter().map(|stretch| stretch.tokens).sum();
            let _ = writeln!(out, "question {number}, {} tokens", figure(tokens));
            for stretch in parts {
                let (from, to) = stretch.turns;
                let _ = writeln!(
                    out,
                    "  {}.{from} to {}.{to}  {}, {} tokens",
                    stretch.slot.0,
                    stretch.slot.0,
                    count(stretch.events, "event"),
                    figure(stretch.tokens)
                );
            }
        }
        self.out = out;
    }
}

/// The screenshots of a store.
struct Pictures(Store);

impl Layouts for Pictures {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.layout(hash)
    }
}

impl Source for Pictures {
    fn screenshot(&self, hash: BlobHash) -> Option<Vec<u8>> {
        self.0.screenshot(hash).ok().flatten()
    }
}

impl Pixels for Pictures {
    fn changed(&self, earlier: BlobHash, later: BlobHash) -> Option<Vec<Bounds>> {
        difference(earlier, later, self).ok()
    }
}
