//! A rehearsal: a recorded function carried out once from its specification, after a fresh start of the app.
//!
//! In: the function, the events that lead to it, and the data that is there before. Out: what happened, and whether
//! all its conditions hold.

use std::collections::HashMap;
use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::stage::{Performed, Shown, Stage};
use droidmux_device::DeviceError;
use droidmux_gui::{Event, Layout, LayoutHash};
use droidmux_record::{Dmf, Layouts};
use droidmux_technique::pbfdroid::DataModel;
use droidmux_technique::pbfdroid::conclusion::conclude;
use droidmux_technique::pbfdroid::condition::{answer, words};
use droidmux_technique::pbfdroid::execution::{Execution, Next, Scene};
use droidmux_technique::pbfdroid::passage::{Passage, Reading};

/// The most events: a function that scrolls does more than it names.
const MOST_EVENTS: u16 = 200;

/// How it went.
pub struct Rehearsal {
    /// What happened, a line each.
    pub lines: Vec<String>,
    /// Everything was carried out, and all conditions hold.
    pub good: bool,
}

/// The layouts seen so far.
#[derive(Default)]
struct Album(HashMap<LayoutHash, Arc<Layout>>);

impl Layouts for Album {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

impl Album {
    fn keep(&mut self, shown: &Shown) -> LayoutHash {
        let hash = shown.layout.hash();
        self.0.insert(hash, shown.layout.clone());
        hash
    }
}

/// Resets the app, performs the events that lead to the function, then the function itself with
/// `before` as its data model, and reads its conditions.
///
/// # Errors
/// When the device fails.
pub async fn rehearse(
    stage: &Stage,
    lead: &[Event],
    dmf: &Dmf,
    before: &DataModel,
) -> Result<Rehearsal, DeviceError> {
    let mut shown = stage.reset().await?;
    for (number, event) in lead.iter().enumerate() {
        match stage.perform(event, &shown.layout).await? {
            Performed::Shown(next) => shown = next,
            Performed::Not(why) => {
                return Ok(stuck(vec![format!("event {} on the way to the function: {why}", number + 1)]));
            }
        }
    }
    let mut album = Album::default();
    let start = album.keep(&shown);
    let mut lines = preconditions(dmf, start, before, &album);
    if !lines.is_empty() {
        return Ok(stuck(lines));
    }
    // The texts need not vary from one rehearsal to the next.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut execution = Execution::begin(0, start);
    for at in 0..MOST_EVENTS {
        let scene = Scene { dmf, layouts: &album, model: before, ascii: true };
        let event = match execution.next(&shown.layout, &scene, &mut rng) {
            Next::Perform(event) => event,
            Next::Done => break,
            Next::Failed(why) => return Ok(stuck(vec![why])),
        };
        match stage.perform(&event, &shown.layout).await? {
            Performed::Shown(next) => shown = next,
            Performed::Not(why) => return Ok(stuck(vec![format!("{}: {why}", event.kind.name())])),
        }
        if let Some(signal) = shown.signals.first() {
            return Ok(stuck(vec![format!("{}: {signal}", event.kind.name())]));
        }
        execution.stepped(at, album.keep(&shown));
    }
    let mut good = true;
    match conclude(dmf, &execution.passage, before, &album) {
        Err(unread) => return Ok(stuck(vec![unread.0])),
        Ok(end) => {
            lines.extend(
                end.changes.iter().filter_map(|change| change.words()).map(|it| format!("data: {it}")),
            );
            for (condition, answer) in dmf.postconditions.iter().zip(end.answers) {
                let (holds, found, object) = match answer {
                    Ok(answer) => (answer.holds, answer.found, answer.object),
                    Err(unread) => (false, unread.0, None),
                };
                good &= holds;
                let mark = if holds { "holds" } else { "DOES NOT HOLD" };
                lines.push(format!("{mark}: {}: {found}", words(condition, object.as_deref())));
            }
        }
    }
    Ok(Rehearsal { lines, good })
}

/// The preconditions that do not hold.
fn preconditions(dmf: &Dmf, start: LayoutHash, before: &DataModel, album: &Album) -> Vec<String> {
    let passage = Passage::from(start);
    let reading = Reading { dmf, passage: &passage, layouts: album };
    let failed = dmf.preconditions.iter().filter_map(|condition| {
        let found = match answer(condition, &reading, start, before) {
            Ok(answer) if answer.holds => return None,
            Ok(answer) => answer.found,
            Err(unread) => unread.0,
        };
        Some(format!("before it: {}: {found}", words(condition, None)))
    });
    failed.collect()
}

fn stuck(lines: Vec<String>) -> Rehearsal {
    Rehearsal { lines, good: false }
}
