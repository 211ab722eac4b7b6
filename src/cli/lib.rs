//! The command line: one file or folder per subcommand.
//!
//! In: arguments, the environment, session files. Out: text or JSON on standard output, messages
//! on standard error, an exit code: 0 ran and found nothing, 1 ran and found something, 2 wrong
//! usage or configuration, 3 the environment failed (no device, ADB, store) or a session was in vain,
//! 4 came to no answer, 130 interrupted.
//!
//! Invariants: every error ends here, is reported in words, and has one of these codes; standard output holds only what
//! was asked for, so that it can be piped.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod allocator;
mod apk;
mod attach;
mod bench;
mod bring_up;
mod caller;
mod check;
mod cockpit;
mod completions;
mod config;
mod demo;
mod devices;
mod dialogue;
mod dmf;
mod doctor;
#[cfg(test)]
mod documents;
mod dump;
mod events_json;
mod examples;
mod exchange_json;
mod exit;
mod export;
mod fault_file;
mod fields;
mod finding_json;
mod findings;
mod folders;
mod forward;
mod framework_checks;
mod framework_lab;
mod headless;
mod hosts;
mod init;
mod java;
mod keys;
mod lab;
mod logging;
mod mark;
mod masks;
mod mcp;
mod model;
mod one_device;
mod output;
mod questions;
mod ranges;
mod read;
mod reading;
mod ready;
mod recheck;
mod recording;
mod relations;
mod replay;
mod report;
mod resume;
mod run;
mod runtime;
#[cfg(test)]
mod schemas;
mod servers;
mod session;
mod session_file;
mod shrink;
mod signals;
mod sim;
mod sizes;
mod source;
mod specification_file;
mod starter;
mod step;
mod step_json;
mod store;
mod theme;
mod without_device;

use std::process::ExitCode;
use std::sync::OnceLock;

use clap::{CommandFactory, Parser, Subcommand};

use caller::Caller;

pub use exit::Usage;
#[cfg(any(test, fuzzing))]
pub use session_file::hostile;
pub use session_file::{SessionFileError, UsualLlm, read_session, settings_table};

/// Version and build, e.g. `0.1.0 (d7ee686a5d9e of 2026-11-23)`; the binary knows it.
static BUILD: OnceLock<&str> = OnceLock::new();

/// Finds functional, non-crashing bugs in Android apps.
#[derive(Debug, Parser)]
#[command(name = "droidmux", version, long_version = build(), about, long_about = None)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the cockpit on a lab server
    Attach(attach::AttachArgs),
    /// Start, stop and look at the lab server of this host
    Lab(lab::LabArgs),
    /// Pause, resume, step or stop a session of the lab server; check the rules of a session file
    Session(session::SessionArgs),
    /// Show a simulated lab being fuzzed: nothing else is needed
    Demo(demo::DemoArgs),
    /// Write a first session file, by asking
    Init(init::InitArgs),
    /// Run one session
    Run(run::RunArgs),
    /// Run a finding again
    Replay(replay::ReplayArgs),
    /// Lead a finding's test over a device, event by event
    Step(step::StepArgs),
    /// Leave out of a finding's tests what is not needed to show it
    Shrink(shrink::ShrinkArgs),
    /// List findings, show one, or say what became of it
    Findings(findings::FindingsArgs),
    /// Write reports of what sessions found: HTML, Markdown, JUnit, SARIF, JSON
    Report(report::ReportArgs),
    /// Write a finding as a script for people without droidmux, or as an archive for another one
    Export(export::ExportArgs),
    /// List what a session leaves out as volatile, or change it
    Masks(masks::MasksArgs),
    /// Print what a session has mined of an app, or its graph
    Model(model::ModelArgs),
    /// Put another oracle on what a session recorded
    Recheck(recheck::RecheckArgs),
    /// Say in words what a session did, and which of it a language model would read
    Read(read::ReadArgs),
    /// What sessions ask of people in place of a model: list it, print it, answer it
    Questions(questions::QuestionsArgs),
    /// Serve sessions, findings and questions to agents, over the Model Context Protocol on standard input and output
    Mcp(mcp::McpArgs),
    /// The examples that language models are shown: list, add, change, exchange them
    Examples(examples::ExamplesArgs),
    /// List the devices the ADB server knows
    Devices(devices::DevicesArgs),
    /// Offer this host's phones to labs elsewhere, through a NATS server
    Host(hosts::offer::HostArgs),
    /// Say whether everything is there that a night's run needs, and what to do where it is not
    Doctor(doctor::DoctorArgs),
    /// Put the oracles on traces that another tool recorded
    Check(check::CheckArgs),
    /// Check specifications of data manipulation functions, or record one
    Dmf(dmf::DmfArgs),
    /// Print the widget tree of a UI dump
    Dump(dump::DumpArgs),
    /// Draw numbered marks on a screenshot, as models are shown it
    Mark(mark::MarkArgs),
    /// Figures of the store, checks, archives, removal of sessions
    Store(store::StoreArgs),
    /// Run prebuilt apps without a phone: set up what that needs, say beforehand what an app would lack
    Apk(apk::ApkArgs),
    /// Serve a simulated lab over ADB
    Sim(sim::SimArgs),
    /// Measure the techniques on simulated apps with known defects, or the tool on many slow devices
    Bench(bench::BenchArgs),
    /// List the cockpit's commands with their keys, as the configuration has them
    Keys(keys::KeysArgs),
    /// List the cockpit's themes, check or print them
    Theme(theme::ThemeArgs),
    /// Print a completion script for a shell, or the man page
    Completions(completions::CompletionsArgs),
}

/// The version alone where no binary said more, as in tests.
fn build() -> &'static str {
    BUILD.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
}

/// Runs the program with the arguments of this process. `build` is what `--version` prints.
pub fn main(build: &'static str) -> ExitCode {
    allocator::set();
    BUILD.get_or_init(|| build);
    if let Err(error) = color_eyre::install() {
        eprintln!("droidmux: {error}");
    }
    let done = match Cli::parse().command {
        None => attach::open(),
        Some(Command::Attach(args)) => attach::run(args),
        Some(Command::Lab(args)) => lab::run(args, carry_out),
        Some(Command::Session(args)) if !args.checks() => session::run(args),
        Some(Command::Questions(args)) => questions::run(args),
        Some(Command::Mcp(args)) => mcp::run(args),
        Some(Command::Init(args)) => init::run(args),
        Some(Command::Demo(args)) => demo::run(args),
        Some(Command::Devices(args)) => devices::run(args),
        Some(Command::Host(args)) => hosts::offer::run(&args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Check(args)) => check::run(args),
        Some(Command::Dmf(args)) => dmf::run(args),
        Some(Command::Dump(args)) => dump::run(args),
        Some(Command::Mark(args)) => mark::run(args),
        Some(Command::Apk(args)) => apk::run(args),
        Some(Command::Sim(args)) => sim::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Keys(args)) => keys::run(args),
        Some(Command::Theme(args)) => theme::run(args),
        Some(Command::Completions(args)) => completions::run(args, Cli::command()),
        Some(command) => on_store(command),
    };
    done.unwrap_or_else(|error| exit::explain(&error))
}

/// A command on a store: carried out here, or by the lab server that holds the store.
fn on_store(command: Command) -> color_eyre::Result<ExitCode> {
    let caller = Caller::at_terminal();
    let watched = match &command {
        Command::Run(args) => args.is_watched(&caller),
        Command::Replay(args) => args.showing.is_watched(&caller),
        Command::Shrink(args) => args.showing.is_watched(&caller),
        _ => false,
    };
    match perform(command, &caller) {
        Ok(code) => Ok(ExitCode::from(code)),
        Err(error) => match forward::held(&error).and_then(|store| forward::forward(store, watched)) {
            Some(forwarded) => forwarded,
            None => Err(error),
        },
    }
}

/// Carries out a client's command line in this process, a lab server. An error is its exit code and message.
fn carry_out(args: Vec<String>, caller: &Caller) -> Result<u8, (u8, String)> {
    let words = std::iter::once("droidmux".to_owned()).chain(args);
    let cli = Cli::try_parse_from(words).map_err(|error| (exit::USAGE, error.to_string()))?;
    let Some(command) = cli.command else { return Ok(exit::OK) };
    perform(command, caller).map_err(|error| {
        let (words, code) = exit::in_words(&error);
        (code, format!("{words}\n"))
    })
}

/// Carries out a command on a store for its caller and gives the exit code.
fn perform(command: Command, caller: &Caller) -> color_eyre::Result<u8> {
    match command {
        Command::Run(args) => match args.resumed() {
            Some(session) => resume::run(session, &args, caller),
            None => run::run(args, caller),
        },
        Command::Session(args) => session::check(args, caller),
        Command::Replay(args) => replay::run(args, caller),
        Command::Shrink(args) => shrink::run(args, caller),
        Command::Step(args) => step::run(args, caller),
        Command::Findings(args) => findings::run(args, caller),
        Command::Report(args) => report::run(args, caller),
        Command::Export(args) => export::run(args, caller),
        Command::Masks(args) => masks::run(args, caller),
        Command::Model(args) => model::run(args, caller),
        Command::Recheck(args) => recheck::run(args, caller),
        Command::Read(args) if args.asks() => reading::run(&args, caller),
        Command::Read(args) => read::run(args, caller),
        Command::Examples(args) => examples::run(args, caller),
        Command::Store(args) => store::run(args, caller),
        _ => Err(Usage::new("a lab server carries out only commands on its store").into()),
    }
}
