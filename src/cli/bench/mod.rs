//! `droidmux bench`: what the techniques are worth, measured on the simulated lab and on real apps.

mod apps;
mod running;
mod soak;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};

use running::{cores, exit_code, run_plan};

use crate::config::Config;
use crate::output::{json_line, print};
use crate::runtime::runtime;
use crate::signals::stop_on_signals;
use crate::{Usage, logging, ranges};
use droidmux_bench::defects::{
    self, Apps, BenchError, DefectSet, Figures, Folder, Plan, PlanOptions, RunOptions,
};
use droidmux_record::SettlingChoice;
use droidmux_sim::Latency;

#[derive(Debug, Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// Run techniques over simulated apps with known defects, and judge every finding by experiment
    Defects(DefectsArgs),
    /// Run techniques over real APKs in the framework lab with defects that a machine put in, and judge what they report
    Apps(apps::AppsArgs),
    /// Run sessions on many slow simulated devices and measure what the tool itself costs
    Soak(soak::SoakArgs),
}

#[derive(Debug, Args)]
struct DefectsArgs {
    /// Techniques, with commas between [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    techniques: Vec<String>,
    /// Simulated apps, with commas between [default: all but those with forms]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    apps: Vec<String>,
    /// Events of each session [default: 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(50..=*ranges::EVENTS.end()))]
    events: Option<u64>,
    /// RNG seeds 1 to this [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Sessions side by side [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Small defaults, for a first look and for CI: three apps, 1500 events, one seed
    #[arg(long)]
    quick: bool,
    /// JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Keep each finished session's record in this folder, and run only what is not there yet
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Keep the store of each session that is run in this folder, with the replays by which its findings are judged:
    /// `droidmux findings --store DIR/NAME` shows them
    #[arg(long, value_name = "DIR")]
    stores: Option<PathBuf>,
    /// Print the tables of what this folder holds, whichever version ran it: nothing is run
    #[arg(long, requires = "into")]
    as_recorded: bool,
    /// Ask the model of the configuration, keep its replies in this folder, a file for each session, and take what is
    /// there from it instead of asking. Without this only readers ask; fixed rules answer the others
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// Leave out the sessions on apps with all defects off
    #[arg(long)]
    planted_only: bool,
    /// How slow the phones are, as `droidmux sim --latency` takes it
    #[arg(long, value_name = "HOW", default_value = "none")]
    latency: Latency,
    /// When sessions take a screen for settled, as `[run] settling` says
    #[arg(long, value_name = "HOW", default_value = "swift")]
    settling: Settling,
    /// The resident agent, as `[lab] agent` names it
    #[arg(long, value_name = "FILE")]
    agent: Option<PathBuf>,
    /// Tell what each technique, and all together, find of these defects: ids with commas between, `notes.*` for all that
    /// begin so; may be repeated
    #[arg(long, value_name = "IDS")]
    of: Vec<String>,
}

/// See [`SettlingChoice`].
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Settling {
    Swift,
    Strict,
}

impl From<Settling> for SettlingChoice {
    fn from(settling: Settling) -> Self {
        match settling {
            Settling::Swift => Self::Swift,
            Settling::Strict => Self::Strict,
        }
    }
}

/// The defaults of `--quick`.
const QUICK_APPS: [&str; 3] = ["diary", "notes", "todo"];
const QUICK_EVENTS: u64 = 1_500;

pub fn run(args: BenchArgs) -> color_eyre::Result<ExitCode> {
    logging::start();
    match args.bench {
        Bench::Defects(args) => bench_defects(args),
        Bench::Apps(args) => apps::run(&args),
        Bench::Soak(args) => soak::run(&args),
    }
}

fn bench_defects(args: DefectsArgs) -> color_eyre::Result<ExitCode> {
    let unknown = |error| match error {
        BenchError::Unknown { .. } => color_eyre::Report::new(Usage::new(error.to_string())),
        error => error.into(),
    };
    let plan = Plan::new(args.plan()?, &Apps::shipped()).map_err(unknown)?;
    let sets: Result<Vec<_>, _> = args.of.iter().map(|text| DefectSet::read(text, &plan)).collect();
    let sets = sets.map_err(unknown)?;
    let folder = args.into.as_deref().map(Folder::open).transpose()?;
    let folder = if args.as_recorded { folder.map(Folder::of_any_version) } else { folder };
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let runtime = runtime()?;
    let stop = runtime.block_on(async { stop_on_signals() });
    let done = run_plan(
        &runtime,
        &plan,
        RunOptions { jobs, folder, stores: args.stores.clone(), stop, ..RunOptions::default() },
    )?;
    let figures = Figures::with_sets(&plan, &done.records, &sets);
    print(&if args.json { json_line(&serde_json::to_value(&figures)?) } else { defects::tables(&figures) })?;
    Ok(exit_code(&done))
}

impl DefectsArgs {
    fn plan(&self) -> color_eyre::Result<PlanOptions> {
        let quick_apps = || QUICK_APPS.map(str::to_owned).to_vec();
        if let Some(folder) = &self.recordings {
            std::fs::create_dir_all(folder)?;
        }
        Ok(PlanOptions {
            techniques: self.techniques.clone(),
            apps: if self.quick && self.apps.is_empty() { quick_apps() } else { self.apps.clone() },
            events: self.events.unwrap_or(if self.quick { QUICK_EVENTS } else { 20_000 }),
            seeds: self.seeds.unwrap_or(if self.quick { 1 } else { 10 }),
            llm: Config::read()?.llm.settings(),
            recordings: self.recordings.clone(),
            planted_only: self.planted_only,
            latency: self.latency,
            settling: self.settling.into(),
            agent: self.agent.clone(),
        })
    }
}
