//! Runs the defect bench on the apps of this crate.
//!
//! `cargo run --release --manifest-path tests/outside-app/Cargo.toml --example bench -- --seeds 2 --into DIR`
//!
//! Finished trials are kept in the folder and not run again. Tables go to standard output, what happens meanwhile to
//! standard error. Exit code 1 when a trial failed, 2 when the call was wrong.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use droidmux::bench::defects::{Apps, BenchError, Figures, Folder, Plan, PlanOptions, RunEvent, RunOptions};
use droidmux::bench::defects::{run, tables};
use droidmux::record::{LlmSettings, Provider};
use outside_app::benched;
use tokio::sync::mpsc;

/// Benches techniques on apps that they were not made with in view.
#[derive(Parser)]
struct Options {
    /// Contenders, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "genie,odin,neutral,monkey")]
    techniques: Vec<String>,
    /// Apps by the last parts of their packages, separated by commas; all unless told otherwise.
    #[arg(long, value_delimiter = ',')]
    apps: Vec<String>,
    /// Sessions with the RNG seeds 1 to this.
    #[arg(long, default_value_t = 2)]
    seeds: u64,
    /// Events of each session at most.
    #[arg(long, default_value_t = 20_000)]
    events: u64,
    /// Trials side by side.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// The folder that finished trials are kept in.
    #[arg(long)]
    into: Option<PathBuf>,
    /// Print what the folder holds, whichever version ran it, and run nothing.
    #[arg(long, requires = "into")]
    as_recorded: bool,
    /// What comes before `/chat/completions` at the server of the model that contenders ask.
    #[arg(long)]
    base_url: Option<String>,
    /// The folder for its replies, a file for each trial: what is there is not asked again.
    #[arg(long)]
    recordings: Option<PathBuf>,
    /// No trial with all defects off.
    #[arg(long)]
    planted_only: bool,
    /// Write the figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    match bench(Options::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the trials that the folder does not have; false when one failed.
async fn bench(options: Options) -> Result<bool, BenchError> {
    let Options {
        techniques,
        apps,
        seeds,
        events,
        jobs,
        into,
        json,
        base_url,
        recordings,
        planted_only,
        as_recorded,
    } = options;
    let llm = base_url.map(model_at).unwrap_or_default();
    let options = PlanOptions {
        techniques,
        apps,
        events,
        seeds,
        llm,
        recordings,
        planted_only,
        ..PlanOptions::default()
    };
    let plan = Plan::new(options, &Apps::of(benched()))?;
    let folder = into.map(|path| Folder::open(&path)).transpose()?;
    let folder = if as_recorded { folder.map(Folder::of_any_version) } else { folder };
    let (events, mut told) = mpsc::unbounded_channel();
    let telling = tokio::spawn(async move {
        while let Some(event) = told.recv().await {
            eprintln!("{}", text(&event));
        }
    });
    let done = run(&plan, RunOptions { jobs, folder, events, ..RunOptions::default() }).await?;
    // The channel is closed with the run, so all was told.
    let _ = telling.await;
    let figures = Figures::of(&plan, &done.records);
    if json {
        println!("{}", serde_json::to_string_pretty(&figures).unwrap_or_default());
    } else {
        print!("{}", tables(&figures));
    }
    Ok(done.failed.is_empty())
}

fn text(event: &RunEvent) -> String {
    match event {
        RunEvent::Found { found, of } => format!("{found} of {of} trials are there already"),
        RunEvent::Useless { path, why } => format!("{} is of no use: {why}", path.display()),
        RunEvent::Finished { trial, record } => format!("{trial}: {:.0} s", record.seconds()),
        RunEvent::Failed { trial, why } => format!("{trial} failed: {why}"),
    }
}

/// The only model of a server, with the patience that people who answer in its place need.
fn model_at(base_url: String) -> LlmSettings {
    LlmSettings {
        provider: Provider::Openai,
        base_url,
        model: "model".to_owned(),
        timeout: 3_600,
        ..LlmSettings::default()
    }
}
