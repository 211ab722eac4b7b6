//! `droidmux export`: a finding as a script that people without droidmux can run, or as an archive for another
//! droidmux. No device is needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use color_eyre::eyre::WrapErr;

use super::caller::Caller;
use super::report::Gatherer;
use super::sizes::bytes;
use super::store::told;
use super::{Usage, exit, findings};
use droidmux_record::{FindingId, JobId};
use droidmux_report::FindingPart;
use droidmux_report::script::{Check, Language, Plan, script};
use droidmux_store::Store;
use droidmux_words::figure::count;

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The finding, e.g. s7-1a2b3c4d
    finding: FindingId,
    /// The tool that is to run it
    #[arg(long, value_enum, value_name = "TOOL")]
    to: Tool,
    /// The original steps, also where the finding was shrunk
    #[arg(long)]
    original: bool,
    /// The file to write; needed for an archive, which must not exist yet [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tool {
    /// A flow in YAML
    Maestro,
    /// A Python program
    Uiautomator2,
    /// A POSIX shell script
    Adb,
    /// An instrumented test in Kotlin
    Espresso,
    /// An archive for `droidmux store import`
    Droidmux,
}

impl Tool {
    /// The language of its scripts.
    fn language(self) -> Option<Language> {
        match self {
            Self::Maestro => Some(Language::Maestro),
            Self::Uiautomator2 => Some(Language::Uiautomator2),
            Self::Adb => Some(Language::Adb),
            Self::Espresso => Some(Language::Espresso),
            Self::Droidmux => None,
        }
    }
}

/// Writes the script or the archive, and reports what a person must know about it.
///
/// # Errors
/// `Usage` when the finding is not in the store or cannot be exported.
pub(super) fn run(args: ExportArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), false)?;
    let id = &args.finding;
    findings::find(&store, id)?;
    let gone = || Usage::new(format!("the session of {id} is no longer in this store"));
    let record = store.session(id.session)?.ok_or_else(gone)?;
    let part = Gatherer::new(&store).finding(id, !args.original)?.ok_or_else(gone)?;
    let Some(language) = args.to.language() else {
        let output =
            args.output.ok_or_else(|| Usage::new("an archive needs a file to go into: --output FILE"))?;
        return archive(&store, &part, &output, caller);
    };
    let plan = Plan::of(&part, &record.definition, &store).map_err(|error| Usage::new(error.to_string()))?;
    let text = script(&plan, language);
    match &args.output {
        None => caller.print(&text)?,
        Some(path) => {
            let path = caller.path(path);
            std::fs::write(&path, &text).wrap_err_with(|| format!("writing {}", path.display()))?;
        }
    }
    if part.detail.shrunk.is_none() && plan.steps.len() > 12 {
        caller.tell(&format!("{} steps; `droidmux shrink {id}` may find fewer", plan.steps.len()));
    }
    if !plan.setup.is_empty() {
        caller.tell(
            "the session has set-up rules; the script names them in comments and does not carry them out",
        );
    }
    if matches!(plan.check, Check::Look { .. }) {
        caller.tell("nothing on the screen tells this bug by itself: the script ends with what to look at");
    }
    Ok(exit::OK)
}

/// Writes the archive, including every run that the report of the finding shows.
fn archive(store: &Store, part: &FindingPart, output: &Path, caller: &Caller) -> color_eyre::Result<u8> {
    let id = &part.finding().id;
    let conducts = part.conducts.iter().flat_map(|(usual, deviant)| [usual, deviant]);
    let shown = part.shown.iter().chain(conducts);
    let jobs: BTreeSet<JobId> = shown
        .map(|shown| JobId { session: shown.session, slot: shown.run.job.slot })
        .chain([JobId { session: id.session, slot: part.finding().verdict.slot }])
        .collect();
    let exported = store.export_finding(id, &jobs, &caller.path(output)).map_err(told)?;
    caller.print(&format!(
        "{}: {id} with {}, {} and {} in {}; `droidmux store import` takes it in\n",
        output.display(),
        count(jobs.len(), "run"),
        count(exported.layouts, "layout"),
        count(exported.screenshots, "screenshot"),
        bytes(exported.bytes),
    ))?;
    Ok(exit::OK)
}
