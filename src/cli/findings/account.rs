//! What a finding's tests did, in words, and their pictures as files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use color_eyre::eyre::WrapErr;

use crate::report::StoredShots;
use droidmux_account::{NoPixels, TestTold, Veil, tell};
use droidmux_lab::StoredSession;
use droidmux_record::{Finding, JobRun};
use droidmux_report::Shots;
use droidmux_store::Store;
use droidmux_words::printable_lines;

/// The most pictures of a finding: the last of its test.
const MOST_PICTURES: usize = 8;

/// The account of the test that shows the finding, after that of the first of its job, which is what most oracles compare
/// with; with a folder, the last pictures of the test go there, and their paths stand with their steps.
///
/// # Errors
/// When the store cannot be read, or the folder not written.
pub(super) fn account(
    store: &Store,
    finding: &Finding,
    run: Option<&JobRun>,
    folder: Option<&Path>,
) -> color_eyre::Result<String> {
    let session = finding.id.session;
    let mut veil = Veil::default();
    let ignored = &mut veil.ignored;
    let stored = StoredSession::read(store, session, |definition| *ignored = definition.ignore.clone())?;
    veil.volatile = stored.map(|stored| Arc::new(stored.masks()) as _);
    let tests = run.map(|run| tell(run, store, &mut veil, &NoPixels)).unwrap_or_default();
    let shown = finding.verdict.test;
    let mut text = String::new();
    for test in tests.iter().filter(|test| test.test == 0 || test.test == shown) {
        let name = if test.test == shown { "the test that shows it" } else { "the first test of the job" };
        text += &format!("\n# Test {} of job {}: {name}\n\n", test.test, finding.verdict.slot);
        let folder = folder.filter(|_| test.test == shown);
        let paths = match (folder, run) {
            (Some(folder), Some(run)) => pictures(store, finding, run, test, folder)?,
            _ => vec![None; test.steps.len()],
        };
        for (step, path) in test.steps.iter().zip(paths) {
            text += &format!("{}.{} {step}\n", finding.verdict.slot.0, step.turn);
            text += &path.map(|path| format!("  picture: {path}\n")).unwrap_or_default();
        }
    }
    if text.is_empty() {
        text = "\nThis finding rests on several jobs; none of them alone has an account of it.\n".into();
    }
    Ok(printable_lines(&text))
}

/// The file of each step of a test that has one.
fn pictures(
    store: &Store,
    finding: &Finding,
    run: &JobRun,
    test: &TestTold,
    folder: &Path,
) -> color_eyre::Result<Vec<Option<String>>> {
    let mut paths = vec![None; test.steps.len()];
    fs::create_dir_all(folder).wrap_err_with(|| format!("{} cannot be made", folder.display()))?;
    let shots = StoredShots::new(store)?;
    let from = test.steps.len().saturating_sub(MOST_PICTURES);
    for (step, place) in test.steps.iter().zip(&mut paths).skip(from) {
        let turn = step.turn;
        let seen = usize::try_from(turn).ok().and_then(|at| run.turns.get(at)?.observation.seen());
        let Some(layout) = seen.map(|seen| seen.screen.layout) else { continue };
        let Some(shot) = shots.shot(finding.id.session, layout, step.screenshot) else { continue };
        let path = folder.join(format!("{}-{turn:04}.png", finding.id));
        fs::write(&path, &shot.png).wrap_err_with(|| format!("{} cannot be written", path.display()))?;
        *place = Some(path.display().to_string());
    }
    Ok(paths)
}
