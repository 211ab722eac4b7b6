//! `droidmux findings`: the findings of a store, one in full, or what became of it.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use color_eyre::eyre::WrapErr;

use super::bring_up::store_path;
use super::events_json::finding_json;
use super::headless::finding_line;
use super::{Usage, exit};
use crate::gui::{Event, printable, short_class, short_id};
use crate::record::{
    Act, Breach, Deviation, Evidence, Finding, FindingId, FindingState, JobRun, SessionId, UnmatchedEffect,
    WidgetNote, Work,
};
use crate::store::{Store, StoreOptions};

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
}

impl From<MarkAs> for FindingState {
    fn from(mark: MarkAs) -> Self {
        match mark {
            MarkAs::New => Self::New,
            MarkAs::True => Self::True,
            MarkAs::FalseAlarm => Self::FalseAlarm,
            MarkAs::Duplicate => Self::Duplicate,
        }
    }
}

pub fn run(args: FindingsArgs) -> color_eyre::Result<ExitCode> {
    let store = Store::open(&store_path(args.store)?, StoreOptions::default())?;
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
    for finding in &findings {
        if args.json {
            println!("{}", finding_json(finding, &finding.app));
        } else if args.finding.is_some() {
            let run = store.run(finding.id.session, finding.verdict.slot)?;
            print!("{}", in_full(finding, run.as_ref()));
        } else {
            println!("{}", finding_line(finding));
        }
    }
    if findings.is_empty() && !args.json {
        println!("no findings");
    }
    Ok(ExitCode::from(if findings.is_empty() { 0 } else { exit::FOUND }))
}

/// The finding of this id.
pub(super) fn find(store: &Store, id: &FindingId) -> color_eyre::Result<Finding> {
    let unknown = || Usage(format!("there is no finding {id} in this store; `droidmux findings` lists them"));
    store.finding(id)?.ok_or_else(unknown).wrap_err_with(|| format!("looking for {id}"))
}

/// Everything a person needs to understand a finding.
fn in_full(finding: &Finding, run: Option<&JobRun>) -> String {
    let verdict = &finding.verdict;
    let c = &finding.confirmation;
    let mut lines = vec![
        finding_line(finding),
        format!("  technique {}, oracle {}, app {}", finding.technique, verdict.oracle, finding.app),
        format!(
            "  seen {} times, first in {} test {}; replayed: {} shown, {} absent, {} unfaithful",
            finding.occurrences, verdict.slot, verdict.test, c.shown, c.absent, c.unfaithful
        ),
    ];
    if verdict.fidelity.events > 0 {
        lines.push(format!(
            "  the replay followed {} of {} events exactly, {} by likeness",
            verdict.fidelity.exact, verdict.fidelity.events, verdict.fidelity.similar
        ));
    }
    // A weighing performs nothing on the device it was given to.
    let performed = run.filter(|run| run.events() > 0);
    lines.extend(performed.iter().map(|run| {
        format!("  on {} ({}), app version {}", run.device.serial, run.device.build, run.app.version_name)
    }));
    match &verdict.evidence {
        Evidence::Effects(effects) => {
            lines.push("  effects of the seed that the mutant lacks:".into());
            lines.extend(effects.iter().map(effect_line));
        }
        Evidence::Signal { turn, signal } => {
            lines.push(format!("  at turn {turn}: {}", printable(&signal.headline)));
            lines.extend(signal.stack.iter().map(|frame| format!("    {}", printable(frame))));
        }
        Evidence::Deviation(deviation) => lines.extend(deviation_lines(deviation)),
        Evidence::Breach(breach) => lines.extend(breach_lines(breach)),
        Evidence::None => {}
    }
    if !matches!(verdict.evidence, Evidence::Deviation(_)) {
        lines.extend(run.into_iter().flat_map(|run| events(run, verdict.test)));
    }
    for hint in &verdict.hints {
        lines.push(format!("  may be a false alarm, {}: {}", hint.cause, printable(&hint.detail)));
    }
    if !finding.note.is_empty() {
        lines.push(format!("  note: {}", printable(&finding.note)));
    }
    lines.push(format!("  replay it: droidmux replay {} --times 3", finding.id));
    lines.join("\n") + "\n"
}

/// What deviates from what, and the inputs of both.
fn deviation_lines(deviation: &Deviation) -> Vec<String> {
    let mut lines = vec!["  a behaviour that hardly ever shows:".to_owned()];
    lines.extend(deviation.reasons().iter().map(|reason| format!("    {}", printable(reason))));
    for (n, effect) in deviation.effects.iter().enumerate() {
        let whose = if deviation.is_surplus(n) { "only here" } else { "only usually" };
        lines.push(format!("    {whose}: {}", effect_words(effect)));
    }
    for (name, conduct) in [("usual", &deviation.usual), ("deviant", &deviation.deviant)] {
        let source = conduct.source;
        lines.push(format!(
            "  the {name} input, of {} {} test {} (layouts {} and {}):",
            source.session, source.slot, source.test, conduct.before.layout, conduct.after.layout
        ));
        lines.extend((1..).zip(&conduct.input).map(|(number, event)| event_line(' ', number, event)));
    }
    lines
}

/// The property, what was found instead, and the data model on the way.
fn breach_lines(breach: &Breach) -> Vec<String> {
    let model = |objects: &[String]| match objects {
        [] => "empty".to_owned(),
        objects => objects.iter().map(|object| format!("{object:?}")).collect::<Vec<_>>().join(", "),
    };
    let mut lines = vec![
        format!("  after `{}` ({} {}): {}", breach.dmf, breach.operation, breach.datatype, breach.condition),
        format!("    found: {}", breach.found),
        format!("    {} before: {}", breach.datatype, model(&breach.before)),
        format!("    {} after:  {}", breach.datatype, model(&breach.after)),
        "  functions carried out:".to_owned(),
    ];
    lines.extend(breach.calls.iter().map(|call| {
        let impacts = call.impacts.join(", ");
        format!("    from event {}: {} {impacts}", call.at, call.dmf).trim_end().to_owned()
    }));
    lines.iter().map(|line| printable(line).into_owned()).collect()
}

fn effect_words(effect: &UnmatchedEffect) -> String {
    match (&effect.before, &effect.after) {
        (Some(before), Some(after)) => format!("{} became {}", widget(before), widget(after)),
        (Some(before), None) => format!("{} went away", widget(before)),
        (None, Some(after)) => format!("{} appeared", widget(after)),
        (None, None) => "nothing".into(),
    }
}

fn effect_line(effect: &UnmatchedEffect) -> String {
    let (i, j) = effect.seed;
    let (mi, mj) = effect.mutant;
    let what = effect_words(effect);
    format!("    from layout {i} to {j} (mutant {mi} to {mj}): {what}")
}

fn widget(note: &WidgetNote) -> String {
    let (class, id) = (short_class(&note.class), short_id(&note.resource_id));
    let label = if note.text.is_empty() { &note.description } else { &note.text };
    printable(&format!("{class} {id} {label:?}")).into_owned()
}

/// The events of a test, those inserted into a mutant marked with `+`.
fn events(run: &JobRun, test: u16) -> Vec<String> {
    let inserted = match &run.job.work {
        Work::Batch(batch) => {
            let insertion = batch.tests.get(usize::from(test)).and_then(|test| test.role.insertion());
            insertion
                .map_or(0..0, |insertion| insertion.pivot..insertion.pivot.saturating_add(insertion.length))
        }
        Work::Explore(_) | Work::Weigh(_) | Work::Properties(_) => 0..0,
    };
    let Some(trace) = run.traces().into_iter().nth(test.into()) else { return Vec::new() };
    let steps = (1..).zip(trace.steps).filter_map(|(number, step)| {
        let Act::Perform(event) = &step.turn.act else { return None };
        let mark = if inserted.contains(&number) { '+' } else { ' ' };
        Some(event_line(mark, number, event))
    });
    std::iter::once("  events (+ inserted):".to_owned()).chain(steps).collect()
}

fn event_line(mark: char, number: u16, event: &Event) -> String {
    let receiver = event.receiver.as_ref().map(|receiver| {
        let label = if receiver.text.is_empty() { &receiver.description } else { &receiver.text };
        let id = receiver.resource_id.rsplit_once(":id/").map_or("", |(_, id)| id);
        format!(" {id} {label:?}")
    });
    let data = event.data.as_ref().map(|data| format!(" ← {data:?}"));
    let line = format!(
        "  {mark} {number:>3}. {}{}{}",
        event.kind.name(),
        receiver.unwrap_or_default(),
        data.unwrap_or_default()
    );
    printable(&line).into_owned()
}
