//! Genie's output folder.
//!
//! The exploration lies in `events/` and `states/` as DroidBot writes them. A mutant lies in
//! `seed-tests/SEED/MUTANT/`: its `utg.json` is a graph whose nodes end in `[s]` (the seed test as
//! recorded), `[m]` (the mutant as planned) and `[d]` (the mutant as it ran); an edge's events are
//! numbered from 1 in the order of the test and name their files. `checking_result.json` holds
//! Genie's own verdict.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::ImportError;
use super::event::{Deed, EventFile};
use super::folder::Folder;
use super::published::published;
use super::recording::{Recorded, Recording};
use super::tape::{Broken, Frame, Reel, Take, Tape};
use droidmux_record::{Act, Batch, Failure, Insertion, Observation, Purpose, Role, Test, Turn, Work};
use droidmux_words::printable;

/// The most events of one test.
const MAX_EVENTS: usize = 1_000;

#[derive(Debug, Deserialize)]
struct Graph {
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    edges: Vec<Edge>,
    #[serde(default)]
    app_package: String,
    #[serde(default)]
    device_serial: String,
    /// How many events of the seed come before the inserted ones.
    #[serde(default)]
    insert_start_position: Option<u16>,
    #[serde(default)]
    independent_trace_len: Option<u16>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    #[serde(default)]
    state_json_file_path: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Edge {
    from: String,
    to: String,
    #[serde(default)]
    events: Vec<EdgeEvent>,
}

#[derive(Debug, Deserialize)]
struct EdgeEvent {
    event_id: u64,
    #[serde(default)]
    event_log_file_path: Option<String>,
}

/// Reads the exploration and every mutant that was run.
pub(super) fn read(folder: &Folder) -> Result<Recording, ImportError> {
    const GRAPH: &str = "utg.json";
    if !folder.has(GRAPH) {
        return Err(folder.lacks(GRAPH, "Genie"));
    }
    let mut broken = Broken::default();
    let graph: Option<Graph> = broken.pass(folder.json(GRAPH))?;
    let mutants = mutants(folder)?;
    let mut app = graph.map(|graph| (graph.app_package, graph.device_serial)).unwrap_or_default();
    if let (true, Some(mutant)) = (app.0.is_empty(), mutants.first()) {
        // Broken ones are reported when the mutant is read.
        let graph: Option<Graph> = folder.json(&format!("{mutant}/{GRAPH}")).ok();
        app = graph.map(|graph| (graph.app_package, graph.device_serial)).unwrap_or_default();
    }
    let mut tape = Tape::new(folder, &app.0, &app.1);
    tape.explore()?;
    let mut seeds: BTreeMap<String, u32> = BTreeMap::new();
    for mutant in mutants {
        let Some(graph) = broken.pass(folder.json::<Graph>(&format!("{mutant}/{GRAPH}")))? else { continue };
        let seed = mutant.rsplit_once('/').map_or("", |(seed, _)| seed).to_owned();
        let next = u32::try_from(seeds.len()).unwrap_or(u32::MAX);
        let number = *seeds.entry(seed).or_insert(next);
        let published = broken.pass(published(folder, &mutant))?.flatten();
        if let Some(read) = broken.pass(read_mutant(&mut tape, &mutant, &graph, number))? {
            read.published = published;
        }
    }
    let remarks = broken.remarks(tape.recording.runs.is_empty())?;
    tape.recording.remarks.extend(remarks);
    Ok(tape.finish())
}

/// The folders of mutants that hold a graph.
fn mutants(folder: &Folder) -> Result<Vec<String>, ImportError> {
    let mut mutants = Vec::new();
    for seed in folder.list("seed-tests", "")? {
        for mutant in folder.list(&format!("seed-tests/{seed}"), "")? {
            let path = format!("seed-tests/{seed}/{mutant}");
            if folder.has(&format!("{path}/utg.json")) {
                mutants.push(path);
            }
        }
    }
    Ok(mutants)
}

fn read_mutant<'t>(
    tape: &'t mut Tape<'_>,
    base: &str,
    graph: &Graph,
    number: u32,
) -> Result<&'t mut Recorded, ImportError> {
    let file = format!("{base}/utg.json");
    let source = Source { base, file: &file, graph };
    let (Some(position), Some(length)) = (graph.insert_start_position, graph.independent_trace_len) else {
        let message = "not there: which events were inserted is unknown";
        return Err(ImportError::field(&file, "insert_start_position, independent_trace_len", message));
    };
    let seed = source.reel(tape, "[s]")?;
    let mut mutant = source.reel(tape, "[d]")?;
    if usize::from(position) >= seed.takes.len() || length == 0 {
        let message = format!("{position} and {length} do not fit a seed of {} events", seed.takes.len());
        return Err(ImportError::field(&file, "insert_start_position, independent_trace_len", message));
    }
    let insertion = Insertion { pivot: position + 1, length };
    follow_seed(&seed, &mut mutant, insertion);

    let mut turns = Vec::new();
    tape.play(&seed, &mut turns);
    tape.play(&mutant, &mut turns);
    let events = |reel: &Reel| reel.takes.iter().map(|take| take.event.clone()).collect::<Vec<_>>();
    let mut mutant_events = events(&mutant);
    let whole = seed.takes.len() + usize::from(length);
    if mutant.takes.len() < whole
        && let Some(next) = seed.takes.get(mutant.takes.len().saturating_sub(length.into()))
    {
        // Genie stopped at the point where it did not find the receiver.
        mutant_events.push(next.event.clone());
        let observation = Observation::Failed(Failure::NotFound);
        turns.push(Turn { act: Act::Perform(next.event.clone()), observation, at_ms: 0, took_ms: 0 });
    }
    let tests = vec![
        Test { role: Role::Seed, events: events(&seed) },
        Test { role: Role::Mutant(insertion), events: mutant_events },
    ];
    let work = Work::Batch(Batch { purpose: Purpose::Mutants { seed: number }, tests });
    let name = base.strip_prefix("seed-tests/").unwrap_or(base).to_owned();
    Ok(tape.keep(name, work, turns))
}

/// The mutant's events outside the insertion are the seed's: they are found again on the mutant's
/// layouts, and how well is recorded.
fn follow_seed(seed: &Reel, mutant: &mut Reel, insertion: Insertion) {
    let (before, length) = (usize::from(insertion.pivot) - 1, usize::from(insertion.length));
    let mut layout = mutant.start.state.layout.clone();
    for (n, take) in mutant.takes.iter_mut().enumerate() {
        let original = match n {
            n if n < before => seed.takes.get(n),
            n if n >= before + length => seed.takes.get(n - length),
            _ => None,
        };
        if let Some(original) = original.filter(|o| o.event.kind == take.event.kind) {
            take.event = original.event.clone();
        }
        *take = take.clone().resolved(&layout);
        layout = take.after.state.layout.clone();
    }
}

struct Source<'a> {
    base: &'a str,
    file: &'a str,
    graph: &'a Graph,
}

impl Source<'_> {
    /// The test whose nodes end in `mark`.
    fn reel(&self, tape: &mut Tape<'_>, mark: &str) -> Result<Reel, ImportError> {
        let edges = self.graph.edges.iter().filter(|edge| edge.from.ends_with(mark));
        let mut steps: Vec<(&EdgeEvent, &Edge)> =
            edges.flat_map(|edge| edge.events.iter().map(move |event| (event, edge))).collect();
        steps.sort_by_key(|(event, _)| event.event_id);
        let Some((_, first)) = steps.first() else {
            return Err(self.fault(format!("edges {mark}"), "no event of this test"));
        };
        if steps.len() > MAX_EVENTS {
            let (file, limit) = (self.file.to_owned(), MAX_EVENTS);
            return Err(ImportError::TooMany { file, what: "events in a test", limit });
        }
        let mut reel = Reel { start: self.frame(tape, &first.from)?, takes: Vec::new() };
        for (n, (event, edge)) in steps.iter().enumerate() {
            let wanted = n as u64 + 1;
            if event.event_id != wanted {
                let message = format!("{} where event {wanted} of the test is due", event.event_id);
                return Err(self.fault(format!("edges {mark} event_id"), &message));
            }
            if n > 0 && steps.get(n - 1).is_some_and(|(_, last)| last.to != edge.from) {
                let jump = format!("event {wanted} {mark} does not begin where the one before ended");
                tape.recording.remarks.push(format!("{}: {jump}", self.file));
            }
            let take = self.take(tape, event, &edge.from, &edge.to)?;
            reel.takes.push(take);
        }
        Ok(reel)
    }

    fn take(
        &self,
        tape: &mut Tape<'_>,
        event: &EdgeEvent,
        from: &str,
        to: &str,
    ) -> Result<Take, ImportError> {
        let field = format!("edges event {} event_log_file_path", event.event_id);
        let Some(path) = &event.event_log_file_path else { return Err(self.fault(field, "not there")) };
        let file = tape.folder.resolve(self.base, self.file, path)?;
        let before = self.frame(tape, from)?;
        let read: EventFile = tape.folder.json(&file)?;
        tape.recording.counts.events += 1;
        match read.deed(&before.state) {
            Deed::Event(event) => {
                let take = Take::exact(event, self.frame(tape, to)?, read.tag);
                Ok(take.resolved(&before.state.layout))
            }
            Deed::Other(reason) => Err(ImportError::field(&file, "event", reason)),
            Deed::Start | Deed::Stop => {
                Err(ImportError::field(&file, "event", "starts or stops the app in the middle of a test"))
            }
        }
    }

    fn frame(&self, tape: &mut Tape<'_>, node: &str) -> Result<Arc<Frame>, ImportError> {
        let known = self.graph.nodes.iter().find(|known| known.id == node);
        let path = known.and_then(|known| known.state_json_file_path.as_deref());
        let Some(path) = path else {
            let node = printable(node).into_owned();
            return Err(self.fault(format!("nodes {node} state_json_file_path"), "not there"));
        };
        let file = tape.folder.resolve(self.base, self.file, path)?;
        tape.frame(&file)
    }

    fn fault(&self, field: String, message: &str) -> ImportError {
        ImportError::field(self.file, field, message)
    }
}
