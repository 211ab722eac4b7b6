//! `store export` and `store import`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::refusal::usage;
use crate::Usage;
use crate::output::json_line;
use crate::sizes::bytes;
use droidmux_record::SessionId;
use droidmux_store::{ArchiveError, Copies, Exported, ImportedSession, PresentSession, Store};
use droidmux_words::{figure::count, printable};

/// `droidmux store export --json`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "store-export"))]
pub(crate) struct ExportJson {
    /// The archive.
    file: PathBuf,
    exported: Exported,
    /// Not ended; only when no session was named.
    #[cfg_attr(test, schemars(inner(regex(pattern = "^s[0-9]+$"))))]
    left_out: Vec<String>,
}

/// Writes the sessions asked for, or all that have ended.
pub(super) fn export(
    store: &Store,
    sessions: &[SessionId],
    output: &Path,
    json: bool,
) -> color_eyre::Result<String> {
    let mut left_out = Vec::new();
    let mut wanted = sessions.to_vec();
    if wanted.is_empty() {
        for (id, record) in store.sessions()? {
            if record.ended_ms.is_some() { wanted.push(id) } else { left_out.push(id.to_string()) }
        }
    }
    if wanted.is_empty() {
        return Err(Usage::new("the store has no session that has ended").into());
    }
    let exported = store.export(&wanted, output).map_err(told)?;
    if json {
        return Ok(json_line(&ExportJson { file: output.to_owned(), exported, left_out }));
    }
    let mut text = format!(
        "{}: {} ({}), {} values, {} layouts, {} screenshots in {}\n",
        output.display(),
        count(exported.sessions.len(), "session"),
        exported.sessions.join(", "),
        exported.values,
        exported.layouts,
        exported.screenshots,
        bytes(exported.bytes),
    );
    // Writing to a string cannot fail.
    if !exported.added.is_empty() {
        let _ = writeln!(text, "with {}, which the others name", exported.added.join(", "));
    }
    if !left_out.is_empty() {
        let _ = writeln!(text, "left out, because not ended: {}", left_out.join(", "));
    }
    Ok(text)
}

pub(super) fn import(store: &Store, file: &Path, copies: Copies, json: bool) -> color_eyre::Result<String> {
    let imported = store.import(file, copies).map_err(told)?;
    if json {
        return Ok(json_line(&imported));
    }
    let mut text = format!(
        "imported {}: {} values, {} layouts and {} screenshots that were not there\n",
        count(imported.sessions.len(), "session"),
        imported.values,
        imported.layouts,
        imported.screenshots,
    );
    for session in &imported.sessions {
        let _ = writeln!(text, "{}{}", named(session), found(store, session)?);
    }
    if !imported.present.is_empty() {
        let there = count(imported.present.len(), "session");
        let _ = writeln!(text, "left out {there}, there already (--copies takes them in once more)");
    }
    for PresentSession { session, added, kept } in &imported.present {
        text += &named(session);
        if *added > 0 {
            let _ = write!(text, "; {} of the archive added", count(*added, "later word"));
        }
        if *kept > 0 {
            let _ = write!(text, "; {} the store has otherwise left as here", count(*kept, "later word"));
        }
        text.push('\n');
    }
    Ok(text)
}

/// What a session brought: its finding is named if it is the only one, because imports assign new names.
fn found(store: &Store, session: &ImportedSession) -> color_eyre::Result<String> {
    let Ok(id) = session.is.parse() else { return Ok(String::new()) };
    Ok(match store.findings(Some(id))?.as_slice() {
        [] => String::new(),
        [one] => format!("; finding {}: {}", one.id, printable(&one.verdict.title)),
        several => format!("; {}", count(several.len(), "finding")),
    })
}

fn named(session: &ImportedSession) -> String {
    let ImportedSession { was, is, technique, app } = session;
    let old = if was == is { String::new() } else { format!(", was {was}") };
    format!("  {is:<5} {} {}{old}", printable(technique), printable(app))
}

/// When the person named something wrongly, it is a usage error.
pub(crate) fn told(error: ArchiveError) -> color_eyre::Report {
    match error {
        ArchiveError::Store(error) => usage(error),
        ArchiveError::NotEnded(_) | ArchiveError::NotShown(_) | ArchiveError::Broken { .. } => {
            Usage::new(error.to_string()).into()
        }
        error => error.into(),
    }
}
