//! `droidmux replay`: runs a finding's tests again, on whatever device is there; or those of all findings, on a new
//! build.

mod all;
mod told;

#[cfg(test)]
pub(crate) use told::ReplayJson;

use clap::Args;

use super::caller::Caller;
use super::run::{Presentation, RunOptions, run_with};
use super::{Usage, exit, findings, step};
use droidmux_lab::{AppPackages, Recorded};
use droidmux_record::{FindingId, LabKind, SessionDefinition, SessionId};
use droidmux_store::Store;

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The finding, e.g. s7-1a2b3c4d
    #[arg(required_unless_present = "all")]
    finding: Option<FindingId>,
    /// All reported findings, and say of each whether it is fixed, still there, or undecided
    #[arg(long, conflicts_with_all = ["finding", "paused", "watch", "stepped"])]
    all: bool,
    #[command(flatten)]
    choice: all::AllOptions,
    /// How often
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    times: u32,
    /// The shorter tests that `droidmux shrink` found, instead of the original ones
    #[arg(long)]
    shrunk: bool,
    /// The tests as a person led them in this session (`droidmux step`), instead of the original ones
    #[arg(long, value_name = "SESSION", conflicts_with = "shrunk")]
    stepped: Option<SessionId>,
    /// Stop before each event and ask, as `droidmux step` does
    #[arg(long, conflicts_with_all = ["times", "watch", "stepped"])]
    paused: bool,
    #[command(flatten)]
    pub(super) showing: Showing,
    #[command(flatten)]
    options: RunOptions,
}

/// How a run over a finding shows itself.
#[derive(Debug, Args)]
pub(super) struct Showing {
    /// JSON Lines
    #[arg(long)]
    json: bool,
    /// Watch it in the cockpit
    #[arg(long, conflicts_with = "json")]
    watch: bool,
}

impl Showing {
    pub(super) fn view(&self, caller: &Caller) -> Presentation {
        match (self.json, self.watch && caller.is_terminal()) {
            (true, _) => Presentation::Json,
            (false, true) => Presentation::Cockpit,
            (false, false) => Presentation::Headless,
        }
    }

    /// Whether a person watches it in the cockpit.
    pub(super) fn is_watched(&self, caller: &Caller) -> bool {
        self.view(caller) == Presentation::Cockpit
    }
}

pub(super) fn run(args: ReplayArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let Some(finding) = args.finding else {
        return all::run(args.choice, &args.options, args.times, args.shrunk, args.showing.json, caller);
    };
    if args.paused {
        return step::paused(finding, args.shrunk, args.showing.json, args.options, caller);
    }
    let mut definition = {
        let store = caller.store(args.options.store(), true)?;
        let recorded = recorded(&store, &finding)?;
        let tests = match (args.stepped, args.shrunk, store.shrunk(&recorded.finding.id)?) {
            (Some(session), ..) => step::stepped(&store, &finding, session)?,
            (None, false, _) => recorded.tests.clone(),
            (None, true, Some(shrunk)) => shrunk.tests,
            (None, true, None) => {
                let id = &finding;
                return Err(Usage::new(format!("{id} is not shrunk"))
                    .hint(format!("`droidmux shrink {id}` does it"))
                    .into());
            }
        };
        recorded.replay(tests, args.times)
    };
    let app = app_for_phones(&mut definition, &args.options)?;
    run_with(definition, app.as_ref(), &args.options, args.showing.view(caller), caller)
}

/// What a finding of the framework lab needs on a phone: the app in its APKs.
fn app_for_phones(
    definition: &mut SessionDefinition,
    options: &RunOptions,
) -> color_eyre::Result<Option<AppPackages>> {
    if definition.lab.kind != LabKind::Apk || !options.wants_adb() {
        return Ok(None);
    }
    definition.lab.network = false;
    Ok(Some(AppPackages::read(&std::mem::take(&mut definition.lab.apk))?))
}

/// Looks up a finding and the tests that showed it.
///
/// # Errors
/// `Usage` when the finding or its trace is not in the store.
pub(super) fn recorded(store: &Store, id: &FindingId) -> color_eyre::Result<Recorded> {
    findings::find(store, id)?;
    Recorded::read(store, id).map_err(exit::again)
}
