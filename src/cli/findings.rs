//! `droidmux findings`: the findings of a store, one in full, or what became of it.

mod full;
mod told;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use color_eyre::eyre::WrapErr;

use super::caller::Caller;
use super::output::json_line;
use super::{Usage, exit};
use crate::lab::Agreement;
use crate::record::{Finding, FindingId, FindingState, SessionId};
use crate::store::Store;
use told::Told;

#[derive(Debug, Args)]
pub struct FindingsArgs {
    /// Show this finding in full
    finding: Option<FindingId>,
    /// Only those of this session
    #[arg(long, value_name = "ID", conflicts_with = "finding")]
    session: Option<SessionId>,
    /// Say what became of the finding
    #[arg(long, value_enum, requires = "finding")]
    mark: Option<MarkAs>,
    /// A note to go with the mark
    #[arg(long, requires = "mark", default_value = "")]
    note: String,
    /// JSON Lines
    #[arg(long)]
    json: bool,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MarkAs {
    New,
    True,
    FalseAlarm,
    Duplicate,
    Promoted,
    Demoted,
}

impl From<MarkAs> for FindingState {
    fn from(mark: MarkAs) -> Self {
        match mark {
            MarkAs::New => Self::New,
            MarkAs::True => Self::True,
            MarkAs::FalseAlarm => Self::FalseAlarm,
            MarkAs::Duplicate => Self::Duplicate,
            MarkAs::Promoted => Self::Promoted,
            MarkAs::Demoted => Self::Demoted,
        }
    }
}

pub(super) fn run(args: FindingsArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), true)?;
    let findings = match &args.finding {
        Some(id) => {
            if let Some(mark) = args.mark {
                store.mark(id, mark.into(), &args.note)?;
            }
            vec![find(&store, id)?]
        }
        None => {
            let mut findings = store.findings(args.session)?;
            findings.sort_by_key(|finding| (finding.id.session, finding.rank));
            findings
        }
    };
    let mut text = String::new();
    let mut agreement = Agreement::new(&store);
    for finding in findings.iter().cloned() {
        let agrees = agreement.with(&finding)?;
        let told = Told { shrunk: store.shrunk(&finding.id)?, agrees, finding };
        if args.json {
            text += &json_line(&told.json());
        } else if args.finding.is_some() {
            let run = store.run(told.finding.id.session, told.finding.verdict.slot)?;
            text += &full::in_words(&told, run.as_ref());
        } else {
            text += &format!("{}\n", told.line());
        }
    }
    if findings.is_empty() && !args.json {
        text += "no findings\n";
    }
    caller.print(&text)?;
    Ok(if findings.is_empty() { exit::OK } else { exit::FOUND })
}

/// The finding of this id.
pub(super) fn find(store: &Store, id: &FindingId) -> color_eyre::Result<Finding> {
    let unknown = || Usage(format!("there is no finding {id} in this store; `droidmux findings` lists them"));
    store.finding(id)?.ok_or_else(unknown).wrap_err_with(|| format!("looking for {id}"))
}
