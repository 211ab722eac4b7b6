//! `droidmux findings`: the findings of a store, one in full, or what became of it.

mod account;
mod full;
mod told;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use color_eyre::eyre::WrapErr;

use super::caller::Caller;
use super::output::json_line;
use super::{Usage, exit};
use droidmux_lab::{Agreement, triage};
use droidmux_record::{Finding, FindingId, FindingState, SessionId, Tier, TierCounts};
use droidmux_store::Store;
use droidmux_technique::explanation;
use told::Told;

#[derive(Debug, Args)]
pub struct FindingsArgs {
    /// Show this finding in full
    finding: Option<FindingId>,
    /// Only those of this session
    #[arg(long, value_name = "ID", conflicts_with = "finding")]
    session: Option<SessionId>,
    /// Those of this tier instead of the reported ones
    #[arg(long, value_enum, conflicts_with_all = ["finding", "all"])]
    tier: Option<TierName>,
    /// Those of all tiers, and those that others stand for
    #[arg(long, conflicts_with = "finding")]
    all: bool,
    /// Say what became of the finding
    #[arg(long, value_enum, requires = "finding")]
    mark: Option<MarkAs>,
    /// A note to go with the mark
    #[arg(long, requires = "mark", default_value = "")]
    note: String,
    /// Say in words what its test did, and what the first test of that job did, step by step
    #[arg(long, requires = "finding", conflicts_with = "json")]
    account: bool,
    /// Write the last pictures of its test into this folder; made where it is not there
    #[arg(long, value_name = "DIR", requires = "account")]
    pictures: Option<PathBuf>,
    /// JSON Lines
    #[arg(long)]
    json: bool,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TierName {
    Reported,
    Suspicious,
    Explained,
}

impl From<TierName> for Tier {
    fn from(name: TierName) -> Self {
        match name {
            TierName::Reported => Self::Reported,
            TierName::Suspicious => Self::Suspicious,
            TierName::Explained => Self::Explained,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MarkAs {
    /// Take the mark back
    New,
    /// A bug: reported
    True,
    /// No bug: explained
    FalseAlarm,
    /// Another finding stands for it: explained
    Duplicate,
    /// Put among the reported, whatever was tried
    Promoted,
    /// Put among the suspicious
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

/// Exit code 1 when a finding is reported; for a single finding, when that one is.
pub(super) fn run(args: FindingsArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), true)?;
    let (text, found) = match &args.finding {
        Some(id) => one(&store, id, &args, caller)?,
        None => list(&store, &args)?,
    };
    caller.print(&text)?;
    Ok(if found { exit::FOUND } else { exit::OK })
}

/// One finding in full, after it was marked.
fn one(
    store: &Store,
    id: &FindingId,
    args: &FindingsArgs,
    caller: &Caller,
) -> color_eyre::Result<(String, bool)> {
    find(store, id)?;
    if let Some(mark) = args.mark {
        store.mark(id, mark.into(), &args.note)?;
    }
    let Some((finding, others)) = triage::finding(store, id)? else { return Ok((String::new(), false)) };
    let mut told = told(store, &mut Agreement::new(store), finding, others.len() as u64)?;
    told.others = others.into_iter().map(|other| (other.id, other.verdict.title)).collect();
    let run = store.run(id.session, told.finding.verdict.slot)?;
    let mut text = if args.json { json_line(&told.json()) } else { full::in_words(&told, run.as_ref()) };
    if args.account {
        let folder = args.pictures.as_deref().map(|folder| caller.path(folder));
        text += &account::account(store, &told.finding, run.as_ref(), folder.as_deref())?;
    }
    Ok((text, told.finding.tier == Tier::Reported))
}

/// The findings of the requested tier, one of each cluster, and counts of what is in the other tiers.
fn list(store: &Store, args: &FindingsArgs) -> color_eyre::Result<(String, bool)> {
    let all = triage::findings(store, args.session)?;
    let counts = TierCounts::of(&all);
    let tier = args.tier.map_or(Tier::Reported, Tier::from);
    let members = triage::members(&all);
    let found = all.iter().any(|finding| finding.tier == Tier::Reported);
    let asked = |finding: &Finding| args.all || (finding.tier == tier && finding.is_representative());
    let mut agreement = Agreement::new(store);
    let mut text = String::new();
    let mut explanation = None;
    let (empty, is_tier) = (all.is_empty(), !args.all);
    for (finding, members) in all.into_iter().zip(members).filter(|(finding, _)| asked(finding)) {
        let told = told(store, &mut agreement, finding, members)?;
        if args.json {
            text += &json_line(&told.json());
            continue;
        }
        let own = is_tier.then(|| self::explanation(&told.finding)).flatten();
        if own.is_some() && own != explanation {
            text += &format!("{}:\n", own.unwrap_or_default());
            explanation = own;
        }
        text += &format!("{}\n", told.line());
    }
    if args.json {
        return Ok((text, found));
    }
    text += &match empty {
        true => "no findings\n".to_owned(),
        false if args.all => format!("{}\n", counts.words()),
        false => rest(tier, counts),
    };
    Ok((text, found))
}

/// The last line of a tier: how many findings it holds, and how many the others hold.
fn rest(tier: Tier, counts: TierCounts) -> String {
    let own = match tier {
        Tier::Reported => counts.reported,
        Tier::Suspicious => counts.suspicious,
        Tier::Explained => counts.explained,
    };
    let head = if own == 0 { format!("nothing {}; ", tier.name()) } else { String::new() };
    format!("{head}{} (--tier shows one, --all everything)\n", counts.words())
}

fn told(
    store: &Store,
    agreement: &mut Agreement<'_>,
    finding: Finding,
    members: u64,
) -> color_eyre::Result<Told> {
    let agrees = agreement.with(&finding)?;
    Ok(Told { shrunk: store.shrunk(&finding.id)?, agrees, finding, members, others: Vec::new() })
}

/// The finding with this id.
pub(super) fn find(store: &Store, id: &FindingId) -> color_eyre::Result<Finding> {
    let unknown = || {
        Usage::new(format!("there is no finding {id} in this store")).hint("`droidmux findings` lists them")
    };
    store.finding(id)?.ok_or_else(unknown).wrap_err_with(|| format!("looking for {id}"))
}
