//! `droidmux report`: what sessions found, in files for people and for build servers. No device is needed.

mod gather;
mod shots;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use color_eyre::eyre::WrapErr;

use super::caller::Caller;
use super::{Usage, exit};
use droidmux_lab::triage;
use droidmux_record::{Finding, SessionId, TierCounts};
use droidmux_report::{Format, Head, HeadSession, JsonReport, Junit, Markdown, Page, Sarif};
use droidmux_store::Store;
pub(super) use gather::Gatherer;
pub(super) use shots::StoredShots;

#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The session, e.g. s7
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    session: Option<SessionId>,
    /// All sessions of the store that looked for findings: no replays, no shrinkings
    #[arg(long)]
    all: bool,
    /// The folder to write into; made where it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Only these formats; may be repeated
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Vec<FormatName>,
    /// The store [default: $XDG_DATA_HOME/droidmux/store]
    #[arg(long, value_name = "PATH")]
    store: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// report.html: one page, for people
    Html,
    /// report.md, for an issue tracker
    Markdown,
    /// junit.xml, for build servers
    Junit,
    /// report.sarif: SARIF 2.1.0
    Sarif,
    /// report.json, by docs/report.schema.json
    Json,
}

impl FormatName {
    const ALL: [Self; 5] = [Self::Html, Self::Markdown, Self::Junit, Self::Sarif, Self::Json];

    fn file(self) -> &'static str {
        match self {
            Self::Html => "report.html",
            Self::Markdown => "report.md",
            Self::Junit => "junit.xml",
            Self::Sarif => "report.sarif",
            Self::Json => "report.json",
        }
    }

    fn writer<'w, W: Write + 'w>(self, out: W) -> Box<dyn Format + 'w> {
        match self {
            Self::Html => Box::new(Page::new(out)),
            Self::Markdown => Box::new(Markdown::new(out)),
            Self::Junit => Box::new(Junit::new(out)),
            Self::Sarif => Box::new(Sarif::new(out)),
            Self::Json => Box::new(JsonReport::new(out)),
        }
    }
}

/// Writes the reports and says where they are. Exit code 1 when a finding is reported.
pub(super) fn run(args: ReportArgs, caller: &Caller) -> color_eyre::Result<u8> {
    let store = caller.store(args.store.as_deref(), false)?;
    let sessions = sessions(&store, args.session)?;
    let names: Vec<FormatName> = FormatName::ALL
        .into_iter()
        .filter(|name| args.format.is_empty() || args.format.contains(name))
        .collect();
    let folder = caller.path(&args.output);
    let there = || format!("writing into {}", folder.display());
    fs::create_dir_all(&folder).wrap_err_with(there)?;
    let files: Vec<Unfinished> = names
        .iter()
        .map(|name| Unfinished::new(&folder, name.file()))
        .collect::<std::io::Result<Vec<_>>>()
        .wrap_err_with(there)?;
    let counts = {
        let mut writers = Vec::new();
        for (name, file) in names.iter().zip(&files) {
            writers.push(name.writer(BufWriter::new(&file.file)));
        }
        write(&store, &sessions, &mut writers).wrap_err_with(there)?
    };
    for file in &files {
        let path = file.finish().wrap_err_with(there)?;
        caller.print(&format!("{}\n", path.display()))?;
    }
    Ok(if counts.reported > 0 { exit::FOUND } else { exit::OK })
}

/// The sessions to report: the named one, or all that looked for findings.
fn sessions(store: &Store, named: Option<SessionId>) -> color_eyre::Result<Vec<SessionId>> {
    let Some(named) = named else {
        let all = store.sessions()?.into_iter();
        let looked = all.filter(|(_, record)| {
            let definition = &record.definition;
            definition.replayed().is_none() && definition.shrink.is_none() && definition.step.is_none()
        });
        return Ok(looked.map(|(id, _)| id).collect());
    };
    match store.session(named)? {
        Some(_) => Ok(vec![named]),
        None => Err(Usage::no_session(named).into()),
    }
}

/// One session after the other, one finding at a time.
fn write(
    store: &Store,
    sessions: &[SessionId],
    writers: &mut [Box<dyn Format + '_>],
) -> color_eyre::Result<TierCounts> {
    let mut counts = TierCounts::default();
    let mut findings: Vec<Vec<Finding>> = Vec::new();
    for id in sessions {
        let own = triage::findings(store, Some(*id))?;
        counts = counts.plus(TierCounts::of(&own));
        findings.push(own);
    }
    let mut contents = Vec::new();
    for (id, findings) in sessions.iter().zip(&findings) {
        contents.extend(store.session(*id)?.map(|record| HeadSession::of(*id, &record, findings)));
    }
    let head =
        Head { version: env!("CARGO_PKG_VERSION").to_owned(), sessions: sessions.len(), counts, contents };
    each(writers, |writer| writer.begin(&head))?;
    let shots = StoredShots::new(store)?;
    let gatherer = Gatherer::new(store);
    for (id, findings) in sessions.iter().zip(findings) {
        let Some(session) = gatherer.session(*id, findings)? else { continue };
        each(writers, |writer| writer.session(&session))?;
        for finding in session.told() {
            let Some(part) = gatherer.finding(&finding.id, true)? else { continue };
            each(writers, |writer| writer.finding(&session, &part, &shots))?;
        }
        each(writers, |writer| writer.session_end(&session))?;
    }
    each(writers, |writer| writer.end())?;
    Ok(counts)
}

fn each<'w>(
    writers: &mut [Box<dyn Format + 'w>],
    mut tell: impl FnMut(&mut (dyn Format + 'w)) -> std::io::Result<()>,
) -> std::io::Result<()> {
    writers.iter_mut().try_for_each(|writer| tell(&mut **writer))
}

/// A file that gets its name only when it is complete: nobody finds half a report.
struct Unfinished {
    file: File,
    beside: PathBuf,
    path: PathBuf,
}

impl Unfinished {
    fn new(folder: &Path, name: &str) -> std::io::Result<Self> {
        let beside = folder.join(format!(".{name}.{}", std::process::id()));
        Ok(Self { file: File::create(&beside)?, beside, path: folder.join(name) })
    }

    fn finish(&self) -> std::io::Result<PathBuf> {
        self.file.sync_all()?;
        fs::rename(&self.beside, &self.path)?;
        Ok(self.path.clone())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // Already gone if it was finished.
        drop(fs::remove_file(&self.beside));
    }
}
