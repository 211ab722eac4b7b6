//! `droidmux replay --all`: which findings still show on the installed build, or on one that is installed first?

use std::path::PathBuf;

use clap::Args;

use super::super::bring_up::{Devices, Ground};
use super::super::caller::Caller;
use super::super::run::{RunOptions, install};
use super::super::source::source;
use super::super::{Usage, exit, logging};
use super::told::{Answer, Answers};
use droidmux_lab::standing::{Standing, is_same, replays};
use droidmux_lab::{
    AgainError, AppPackages, InstallError, Installed, Recorded, SessionEnd, SessionOptions, triage,
};
use droidmux_record::{Finding, FindingState, LabKind, SessionDefinition, Tier};
use droidmux_store::Store;
use droidmux_technique::uses;

#[derive(Debug, Args)]
pub(super) struct AllOptions {
    /// Install this build first, on every device that is used; once more for each part of the app
    #[arg(long, value_name = "FILE", requires = "all")]
    apk: Vec<PathBuf>,
    /// Only the findings of this package
    #[arg(long, value_name = "PACKAGE", requires = "all")]
    app: Option<String>,
    /// The suspicious and explained ones, too, and those that others stand for
    #[arg(long, requires = "all")]
    every_tier: bool,
}

/// A finding and the session that replays it.
struct Case {
    finding: Finding,
    /// Findings of the same violation, from other sessions.
    also: Vec<Finding>,
    /// What replays it, or why nothing can.
    definition: Result<SessionDefinition, AgainError>,
}

/// Exit code 1 when a finding is still there, 0 when all are fixed, 4 otherwise.
pub(super) fn run(
    args: AllOptions,
    options: &RunOptions,
    times: u32,
    shrunk: bool,
    json: bool,
    caller: &Caller,
) -> color_eyre::Result<u8> {
    let paths: Vec<PathBuf> = args.apk.iter().map(|path| caller.path(path)).collect();
    let packages = if paths.is_empty() { None } else { Some(AppPackages::read(&paths)?) };
    let of_apk = packages.as_ref().map(|packages| packages.build.package.clone());
    let app = match (&args.app, of_apk) {
        (Some(app), Some(package)) if *app != package => {
            return Err(Usage::new(format!("the APK is of {package}, and --app says {app}")).into());
        }
        (app, of_apk) => app.clone().or(of_apk),
    };
    let store = caller.store(options.store(), true)?;
    let mut cases = cases(&store, app.as_deref(), args.every_tier, times, shrunk)?;
    let mut answers = Answers::new(packages.as_ref().map(|packages| packages.build.clone()), app);
    if cases.is_empty() {
        caller.print(&answers.text(json))?;
        return Ok(answers.exit_code());
    }
    if !caller.is_client() {
        logging::start();
    }
    for definition in cases.iter_mut().filter_map(|case| case.definition.as_mut().ok()) {
        options.apply(definition);
    }
    let Some(devices) = devices(&cases, options, packages.is_some())? else {
        answers.list.extend(cases.into_iter().map(unrunnable));
        caller.print(&answers.text(json))?;
        return Ok(answers.exit_code());
    };
    caller.block_on(async {
        let stop = caller.stop();
        let ground = caller.ground(store, devices).await?;
        ground.require_device()?;
        let terms = SessionOptions {
            rng: options.seed(),
            sim: options.sim(),
            stop: stop.clone(),
            ..options.session()?
        };
        let trial = Trial { ground: &ground, terms, caller };
        let done = trial.all(packages.as_ref(), cases, &mut answers).await;
        ground.finish().await;
        done?;
        caller.print(&answers.text(json))?;
        Ok(if stop.is_cancelled() { exit::INTERRUPTED } else { answers.exit_code() })
    })?
}

/// Each different violation that sessions found, represented by the latest session's finding.
fn cases(
    store: &Store,
    app: Option<&str>,
    every_tier: bool,
    times: u32,
    shrunk: bool,
) -> color_eyre::Result<Vec<Case>> {
    let searched: Vec<_> = store
        .sessions()?
        .into_iter()
        .filter(|(_, record)| record.definition.replayed().is_none())
        .map(|(id, _)| id)
        .collect();
    let asked = |finding: &Finding| {
        let is_bug = finding.tier == Tier::Reported && finding.is_representative();
        searched.contains(&finding.id.session)
            && app.is_none_or(|app| finding.app == app)
            && (every_tier || is_bug)
            && finding.state != FindingState::FalseAlarm
    };
    let mut different: Vec<(Finding, Vec<Finding>)> = Vec::new();
    let mut found = triage::findings(store, None)?;
    found.retain(asked);
    // The latest first: its tests are from the newest build.
    found.sort_by_key(|finding| (std::cmp::Reverse(finding.id.session), finding.rank));
    for finding in found {
        match different.iter_mut().find(|(known, _)| is_same(known, &finding)) {
            Some((_, also)) => also.push(finding),
            None => different.push((finding, Vec::new())),
        }
    }
    let case = |(finding, also): (Finding, Vec<Finding>)| -> color_eyre::Result<Case> {
        let definition = match Recorded::read(store, &finding.id) {
            Err(AgainError::Store(error)) => return Err(error.into()),
            Err(error) => Err(error),
            Ok(recorded) => {
                let short = if shrunk { store.shrunk(&finding.id)? } else { None };
                let tests = short.map_or_else(|| recorded.tests.clone(), |shrunk| shrunk.tests);
                match tests.is_empty() {
                    true => Err(AgainError::Nothing(finding.id.clone())),
                    false => Ok(recorded.replay(tests, times)),
                }
            }
        };
        Ok(Case { finding, also, definition })
    };
    different.into_iter().map(case).collect()
}

/// Where the devices for all of them come from; `None` when none can be replayed.
fn devices(cases: &[Case], options: &RunOptions, installs: bool) -> color_eyre::Result<Option<Devices>> {
    let definitions = || cases.iter().filter_map(|case| case.definition.as_ref().ok());
    let Some(first) = definitions().next() else { return Ok(None) };
    if definitions().any(|definition| definition.lab.kind != first.lab.kind) {
        return Err(Usage::new("some findings are of real devices and some of simulated ones")
            .hint("choose with `--lab adb` or `--lab sim`")
            .into());
    }
    if definitions().any(|definition| definition.lab.apk != first.lab.apk) {
        return Err(Usage::new("some findings are of the apps in other APKs than others")
            .hint("choose with `--app`")
            .into());
    }
    if installs && first.lab.kind != LabKind::Adb {
        let what = "these findings are of a simulated lab, which is made anew for a command and has only its own apps";
        return Err(Usage::new(what)
            .hint("serve one with other builds (`droidmux sim --build`) and say `--lab adb`")
            .into());
    }
    // One lab for all: the largest number of simulated devices that any finding needs, and the keyboard if any needs
    // it.
    let mut wanted = definitions().find(|definition| uses(definition).unusual_texts).unwrap_or(first).clone();
    wanted.lab.devices = definitions().map(|definition| definition.lab.devices).max().unwrap_or(1);
    // Each session keeps to the servers that it names.
    for server in definitions().flat_map(|definition| &definition.lab.servers) {
        if !wanted.lab.servers.contains(server) {
            wanted.lab.servers.push(server.clone());
        }
    }
    Ok(Some(source(&wanted, &options.sim())?))
}

fn unrunnable(case: Case) -> Answer {
    let why = case.definition.err().map_or("no session replayed it".into(), |error| error.to_string());
    Answer::new(case.finding, case.also, Standing::Undecided(why))
}

/// Replays on the devices of a lab.
struct Trial<'a> {
    ground: &'a Ground,
    /// The options for every session; the time limit covers all of them together.
    terms: SessionOptions,
    caller: &'a Caller,
}

impl Trial<'_> {
    async fn all(
        &self,
        packages: Option<&AppPackages>,
        cases: Vec<Case>,
        answers: &mut Answers,
    ) -> color_eyre::Result<()> {
        if let Some(packages) = packages {
            let installed = self.install(packages, &cases).await?;
            answers.installed = Some(installed);
        }
        let total = cases.len();
        for (number, case) in (1..).zip(cases) {
            let answer = self.one(case, answers.installed.as_ref()).await?;
            self.caller.tell(&format!("{number} of {total}: {}", answer.line()));
            answers.list.push(answer);
        }
        Ok(())
    }

    /// Installs the build on every device that a replay may use.
    async fn install(&self, packages: &AppPackages, cases: &[Case]) -> Result<Installed, InstallError> {
        let fits = |serial: &str| {
            let mut definitions = cases.iter().filter_map(|case| case.definition.as_ref().ok());
            definitions.any(|definition| definition.lab.fits(serial))
        };
        install(self.ground, packages, fits, &self.terms.stop, self.caller).await
    }

    /// Replays one finding; trouble in its session leaves it undecided.
    async fn one(&self, case: Case, installed: Option<&Installed>) -> color_eyre::Result<Answer> {
        let Ok(mut definition) = case.definition else { return Ok(unrunnable(case)) };
        let (finding, also) = (case.finding, case.also);
        let undecided =
            |why: &str| Answer::new(finding.clone(), also.clone(), Standing::Undecided(why.into()));
        if self.terms.stop.is_cancelled() {
            return Ok(undecided("interrupted before its turn"));
        }
        if let Some(installed) = installed {
            let choice = definition.lab.clone();
            let has = |serial: &&String| choice.fits(serial);
            definition.lab.serials = installed.serials.iter().filter(has).cloned().collect();
            if definition.lab.serials.is_empty() {
                return Ok(undecided("the build is on none of the devices that its session names"));
            }
        }
        let Some(settings) = definition.replay.clone() else { return Ok(undecided("nothing replays it")) };
        let outcome = match self.ground.lab.run(definition, self.terms.clone()).await {
            Ok(outcome) => outcome,
            Err(error) => return Ok(undecided(&error.to_string())),
        };
        let (counted, trouble) = replays(self.ground.lab.store(), outcome.session, &settings)?;
        let trouble = trouble.or_else(|| outcome.vain.clone());
        let mut standing = Standing::of(counted, finding.confirmation, trouble.as_deref());
        let cut = match outcome.end {
            SessionEnd::Stopped => Some("interrupted"),
            SessionEnd::OutOfTime => Some("the time given was over"),
            SessionEnd::Complete => None,
        };
        if let (Some(cut), false) = (cut, standing == Standing::StillThere) {
            standing = Standing::Undecided(cut.into());
        } else if let (Standing::Undecided(why), Some(vain)) = (&mut standing, &outcome.vain)
            && !why.contains(vain.as_str())
        {
            *why = format!("{why}: {vain}");
        }
        Ok(Answer::new(finding, also, standing).by(outcome.session, counted))
    }
}
