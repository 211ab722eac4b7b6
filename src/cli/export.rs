//! `droidmux export`: a finding as a script that people without droidmux can run. No device is needed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use color_eyre::eyre::WrapErr;

use super::caller::Caller;
use super::report::Gatherer;
use super::{Usage, exit, findings};
use crate::record::FindingId;
use crate::report::script::{Check, Language, Plan, script};

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
    /// The file to write [default: standard output]
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
}

impl From<Tool> for Language {
    fn from(tool: Tool) -> Self {
        match tool {
            Tool::Maestro => Self::Maestro,
            Tool::Uiautomator2 => Self::Uiautomator2,
            Tool::Adb => Self::Adb,
            Tool::Espresso => Self::Espresso,
        }
    }
}

/// Writes the script, and tells what a person must know about it.
///
/// # Errors
/// `Usage` when the finding is not in the store or cannot be exported.
pub(super) fn run(args: ExportArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), false)?;
    let id = &args.finding;
    findings::find(&store, id)?;
    let gone = || Usage(format!("the session of {id} is no longer in this store"));
    let record = store.session(id.session)?.ok_or_else(gone)?;
    let part = Gatherer::new(&store).finding(id, !args.original)?.ok_or_else(gone)?;
    let plan = Plan::of(&part, &record.definition, &store).map_err(Usage)?;
    let text = script(&plan, args.to.into());
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
