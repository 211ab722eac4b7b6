//! Questions as they are printed, and their pictures as files.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use color_eyre::eyre::WrapErr;
use serde::Serialize;
use serde_json::Value;

use crate::folders;
use droidmux_proto::{WaitingDetail, WaitingView};
use droidmux_record::BlobHash;
use droidmux_words::figure::{count, thousands};
use droidmux_words::{printable, printable_lines};

/// Pictures of questions that were asked before this long are removed.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// A waiting question: a line of `droidmux questions --json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "questions"))]
pub(crate) struct WaitingJson<'a> {
    /// Its number in this lab, counted from 1.
    question: u64,
    /// The session that asks, such as `s3`.
    session: String,
    technique: &'a str,
    /// The package that the session tests.
    app: &'a str,
    /// The part of the technique that asks, such as `detector`.
    role: &'a str,
    /// The job that asks.
    job: u64,
    /// For how long it has waited.
    waited_s: u64,
    /// Until the session goes on without a reply.
    left_s: u64,
    /// Its length, estimated.
    tokens: u64,
    /// How many pictures belong to it.
    pictures: u32,
    first_line: &'a str,
}

/// A question in full: `droidmux questions next --json` and `show`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "questions-next"))]
pub(crate) struct QuestionJson<'a> {
    #[serde(flatten)]
    line: WaitingJson<'a>,
    /// What whoever answers is to be: a model's system message.
    system: &'a str,
    /// The question, with `[picture 1]` and so on where pictures stand.
    text: String,
    /// The pictures as PNG files, in order.
    files: Vec<String>,
    /// The JSON schema of the reply.
    schema: Value,
    /// A reply by this schema, with an empty value in each place.
    skeleton: Value,
}

/// What became of a reply: `droidmux questions answer --json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "questions-answer"))]
pub(crate) struct AnsweredJson<'a> {
    pub(super) question: u64,
    /// Whether the session has it; if not, the question waits on.
    pub(super) taken: bool,
    /// What is wrong with it.
    pub(super) faults: &'a [String],
}

impl<'a> WaitingJson<'a> {
    pub(super) fn new(line: &'a WaitingView) -> Self {
        let now = now_ms();
        Self {
            question: line.number,
            session: line.session.to_string(),
            technique: &line.technique,
            app: &line.app,
            role: line.agent.name(),
            job: line.slot.0,
            waited_s: now.saturating_sub(line.since_ms) / 1_000,
            left_s: line.until_ms.saturating_sub(now) / 1_000,
            tokens: line.tokens,
            pictures: line.pictures,
            first_line: &line.headline,
        }
    }
}

impl<'a> QuestionJson<'a> {
    pub(super) fn new(detail: &'a WaitingDetail, paths: &[PathBuf]) -> Self {
        Self {
            line: WaitingJson::new(&detail.line),
            system: &detail.role,
            text: detail.text(),
            files: paths.iter().map(|path| path.display().to_string()).collect(),
            schema: serde_json::from_str(&detail.schema).unwrap_or_default(),
            skeleton: serde_json::from_str(&detail.skeleton).unwrap_or_default(),
        }
    }
}

/// A line of the list.
pub(super) fn line(line: &WaitingView) -> String {
    let who = format!("{}/{}", line.technique, line.agent.name());
    let pictures = match line.pictures {
        0 => String::new(),
        number => format!(", {}", count(number, "picture")),
    };
    let waited = now_ms().saturating_sub(line.since_ms) / 1_000;
    format!(
        "{:<4} {:<5} {who:<24} waits {} s, {} tokens{pictures}: {}\n",
        line.number,
        line.session.to_string(),
        thousands(waited),
        thousands(line.tokens),
        printable(&line.headline)
    )
}

/// A question in full.
pub(super) fn whole(detail: &WaitingDetail, paths: &[PathBuf]) -> String {
    let WaitingView { number, session, technique, agent, app, slot, .. } = &detail.line;
    let mut text =
        format!("question {number} of {session}, {technique}/{}, {app}, job {slot}\n", agent.name());
    for (number, path) in (1..).zip(paths) {
        text += &format!("picture {number}: {}\n", path.display());
    }
    text += &format!("\n# Role\n\n{}\n\n# Question\n\n{}\n", detail.role.trim(), detail.text().trim());
    let schema: Value = serde_json::from_str(&detail.schema).unwrap_or_default();
    text += &format!("\n# Schema of the reply\n\n{schema}\n\n# A reply to fill in\n\n{}\n", detail.skeleton);
    text += &format!("\nAnswer with: droidmux questions answer {number} < REPLY.json\n");
    printable_lines(&text)
}

/// What is wrong with a reply.
pub(super) fn unfit(number: u64, faults: &[String]) -> String {
    let faults: String = faults.iter().map(|fault| format!("  {fault}\n")).collect();
    printable_lines(&format!("droidmux: this is no answer to question {number}, which waits on:\n{faults}"))
}

/// The folder for pictures; the usual one is only for this user, and loses what is old.
pub(super) fn folder(named: Option<&Path>) -> color_eyre::Result<PathBuf> {
    if let Some(named) = named {
        fs::create_dir_all(named).wrap_err_with(|| format!("{} cannot be made", named.display()))?;
        return Ok(std::path::absolute(named)?);
    }
    let folder = folders::state()?.join("questions");
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&folder);
    made.wrap_err_with(|| format!("{} cannot be made", folder.display()))?;
    for entry in fs::read_dir(&folder)?.flatten() {
        let age =
            entry.metadata().and_then(|data| data.modified()).map(|then| then.elapsed().unwrap_or_default());
        if age.is_ok_and(|age| age > KEPT) {
            // Somebody else may be just as tidy.
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(folder)
}

/// Writes a picture, and gives its path.
pub(super) fn keep(folder: &Path, hash: BlobHash, png: &[u8]) -> color_eyre::Result<PathBuf> {
    let path = folder.join(WaitingDetail::picture_name(hash));
    fs::write(&path, png).wrap_err_with(|| format!("{} cannot be written", path.display()))?;
    Ok(path)
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
