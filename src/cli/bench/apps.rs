//! `droidmux bench apps`: techniques on real APKs in the framework lab, with defects that a machine wove in.
//!
//! In: a folder of APKs, a folder of records. Out: tables. Invariant: with all records there, nothing is run and no APK, no
//! Java and no framework lab is needed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use tokio_util::sync::CancellationToken;

use super::running::{cores, exit_code, run_plan};
use crate::config::Config;
use crate::framework_lab::FrameworkLab;
use crate::output::{json_line, print};
use crate::runtime::{Runtime, runtime};
use crate::signals::stop_on_signals;
use crate::{Usage, ranges};
use droidmux_bench::apps::{Choice, ChoiceOptions, RealApp, Woven, choose, show};
use droidmux_bench::defects::{
    self, Apps, BenchError, Figures, Folder, Judgements, Plan, PlanOptions, RunOptions, Scope, Subject,
};
use droidmux_words::printable;

/// What runs when no technique is named: those that know nothing of an app.
const TECHNIQUES: [&str; 4] = ["genie", "odin", "neutral", "monkey"];
/// Judgements of a person's own are no longer than this.
const MOST_JUDGEMENTS: u64 = 16 << 20;

#[derive(Debug, Args)]
pub(super) struct AppsArgs {
    /// The folder with the APKs, each called as its app in the list of groups; without it, nothing is run, and what is in
    /// --into is told, whichever version ran it
    #[arg(long, value_name = "DIR")]
    apks: Option<PathBuf>,
    /// Keep each choice of mutants and each finished session's record in this folder, and run only what is not there yet
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Keep the store of each session that is run in this folder, as `bench defects` does
    #[arg(long, value_name = "DIR")]
    stores: Option<PathBuf>,
    /// Apps, with commas between [default: those of the group]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    apps: Vec<String>,
    /// The group of apps
    #[arg(long, value_enum, default_value = "a")]
    group: GroupArg,
    /// Techniques, with commas between [default: genie, odin, neutral, monkey]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    techniques: Vec<String>,
    /// Events of each session
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(50..=*ranges::EVENTS.end()))]
    events: u64,
    /// RNG seeds 1 to this
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Mutants that are on together in a session, at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    at_once: u16,
    /// Mutants of an app, at most
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    mutants: u16,
    /// Random events that have to set a mutant off before it can be chosen
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(10..=100_000))]
    choice_events: u64,
    /// The seed by which mutants are chosen
    #[arg(long, value_name = "N", default_value_t = 1)]
    choice_seed: u64,
    /// Choose mutants, and run no session with them
    #[arg(long)]
    choose_only: bool,
    /// Look which of the chosen mutants show: on which screen of the random events by which they were chosen, and after how
    /// many of them
    #[arg(long, requires = "apks")]
    shown: bool,
    /// Sessions side by side; each has a host of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: u16,
    /// More judgements on what the apps show by themselves, in the form of src/bench/apps/judgements.toml, instead of those
    /// that come with droidmux
    #[arg(long, value_name = "FILE")]
    judgements: Option<PathBuf>,
    /// The resident agent, as `[lab] agent` names it: with it, toasts are told
    #[arg(long, value_name = "FILE")]
    agent: Option<PathBuf>,
    /// Leave out the sessions on the apps as they are
    #[arg(long)]
    planted_only: bool,
    /// The folder of the framework lab [default: ./framework, or what `droidmux apk setup` built]
    #[arg(long, value_name = "FOLDER", env = "DROIDMUX_FRAMEWORK")]
    framework_host: Option<PathBuf>,
    /// JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The apps that rules are made on, those that they are tried on, or both.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum GroupArg {
    A,
    B,
    All,
}

pub(super) fn run(args: &AppsArgs) -> color_eyre::Result<ExitCode> {
    let runtime = runtime()?;
    let stop = runtime.block_on(async { stop_on_signals() });
    let mut subjects = Vec::new();
    for app in args.apps()? {
        match args.subject(app, &runtime, &stop) {
            Ok(subject) => subjects.push(subject),
            // One app that cannot be run is told, and does not end the others.
            Err(error) if !stop.is_cancelled() => {
                eprintln!("droidmux: {} is left out: {}", app.name, printable(&format!("{error:#}")));
            }
            Err(error) => return Err(error),
        }
    }
    if args.choose_only {
        return Ok(ExitCode::SUCCESS);
    }
    let unknown = |error| match error {
        BenchError::Unknown { .. } => color_eyre::Report::new(Usage::new(error.to_string())),
        error => error.into(),
    };
    let mut plan = Plan::new(args.plan()?, &Apps::real(subjects)).map_err(unknown)?;
    plan.judgements = args.judgements()?;
    let jobs = usize::from(args.jobs).min(cores().max(1) * 4);
    let folder = Folder::open(&args.into)?;
    let folder = Some(if args.apks.is_some() { folder } else { folder.of_any_version() });
    let done = run_plan(
        &runtime,
        &plan,
        RunOptions { jobs, folder, stores: args.stores.clone(), stop, ..RunOptions::default() },
    )?;
    let figures = Figures::of(&plan, &done.records);
    print(&if args.json { json_line(&serde_json::to_value(&figures)?) } else { defects::tables(&figures) })?;
    Ok(exit_code(&done))
}

impl AppsArgs {
    /// The apps that were asked for.
    fn apps(&self) -> Result<Vec<RealApp>, Usage> {
        if self.apps.is_empty() {
            let scope = match self.group {
                GroupArg::A => Scope::A,
                GroupArg::B => Scope::B,
                GroupArg::All => Scope::All,
            };
            return Ok(RealApp::of_group(scope).collect());
        }
        let known: Vec<RealApp> = RealApp::all().collect();
        let named = |name: &String| {
            known.iter().find(|app| app.name == name || app.package == name).copied().ok_or_else(|| {
                let names: Vec<&str> = known.iter().map(|app| app.name).collect();
                Usage::new(format!("no app {name:?}; there are {}", names.join(", ")))
            })
        };
        self.apps.iter().map(named).collect()
    }

    /// An app with its mutants: those that were chosen before, or now.
    fn subject(
        &self,
        app: RealApp,
        runtime: &Runtime,
        stop: &CancellationToken,
    ) -> color_eyre::Result<Subject> {
        let at_once = usize::from(self.at_once);
        let kept = Choice::read(&self.into, app.name)?;
        let Some(apks) = &self.apks else {
            let kept = kept.ok_or_else(|| {
                Usage::new(format!("{}: no mutants were chosen", self.into.display()))
                    .hint("--apks names the folder with the APKs")
            })?;
            return Ok(kept.subject(at_once, None));
        };
        let woven = self.woven(app, apks, stop)?;
        let options = ChoiceOptions {
            seed: self.choice_seed,
            events: self.choice_events,
            most: usize::from(self.mutants),
            ..ChoiceOptions::default()
        };
        let mut choice = match kept.filter(|choice| woven.is_of(choice, options)) {
            Some(choice) => choice,
            None => {
                eprintln!("droidmux: mutants of {} are chosen", app.name);
                let choice = runtime.block_on(choose(&woven, options, stop.clone()))?;
                choice.write(&self.into)?;
                choice
            }
        };
        if self.shown && choice.chosen.iter().any(|chosen| chosen.shown.is_none()) {
            eprintln!("droidmux: which mutants of {} show is looked at", app.name);
            let keep = |choice: &Choice| choice.write(&self.into);
            runtime.block_on(show(&woven, &mut choice, keep, stop.clone()))?;
        }
        eprintln!("droidmux: {}", choice.told());
        Ok(choice.subject(at_once, Some(woven.options)))
    }

    /// The app with all mutants woven in.
    fn woven(&self, app: RealApp, apks: &Path, stop: &CancellationToken) -> color_eyre::Result<Woven> {
        let lab = FrameworkLab::find(self.framework_host.as_deref())?.with_mutants();
        let apk = apks.join(format!("{}.apk", app.name));
        let (options, made) = lab.serving(&[apk], stop)?;
        if made.app.package != app.package {
            let found = printable(&made.app.package).into_owned();
            return Err(Usage::new(format!("{}.apk is {found}, not {}", app.name, app.package)).into());
        }
        let kept = made.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Woven::new((app.name, app.package), kept, made.mutants, options))
    }

    fn plan(&self) -> color_eyre::Result<PlanOptions> {
        let usual = || TECHNIQUES.map(str::to_owned).to_vec();
        Ok(PlanOptions {
            techniques: if self.techniques.is_empty() { usual() } else { self.techniques.clone() },
            apps: Vec::new(),
            events: self.events,
            seeds: self.seeds,
            llm: Config::read()?.llm.settings(),
            recordings: None,
            planted_only: self.planted_only,
            agent: self.agent.clone(),
            ..PlanOptions::default()
        })
    }

    fn judgements(&self) -> color_eyre::Result<Judgements> {
        let Some(path) = &self.judgements else { return Ok(Judgements::shipped()?) };
        let bytes = droidmux_file::read(path, MOST_JUDGEMENTS)
            .map_err(|error| Usage::new(format!("{}: {error}", path.display())))?;
        Judgements::read(&String::from_utf8_lossy(&bytes))
            .map_err(|error| Usage::new(format!("{}: {error}", path.display())).into())
    }
}
