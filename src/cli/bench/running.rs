//! Running a bench's plan for a person: progress on standard error, an exit code.
//!
//! In: a plan, how it is run. Out: what was done. What was measured does not affect the exit code.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::mpsc;

use crate::exit;
use crate::runtime::Runtime;
use droidmux_bench::defects::{self, BenchError, Done, Plan, Ruling, RunEvent, RunOptions, TrialRecord};
use droidmux_record::Tier;
use droidmux_words::printable;

/// Runs what is missing of a plan, and shows how it goes.
pub(super) fn run_plan(runtime: &Runtime, plan: &Plan, options: RunOptions) -> Result<Done, BenchError> {
    runtime.block_on(async {
        let (events, listener) = mpsc::unbounded_channel();
        let options = RunOptions { events, ..options };
        // The options, and with them the other end of the channel, are gone when the run is over.
        let (done, ()) = tokio::join!(defects::run(plan, options), show(listener));
        done
    })
}

/// How many sessions run side by side when nothing is said.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What was measured does not affect the exit code; what could not be measured does.
pub(super) fn exit_code(done: &Done) -> ExitCode {
    match (done.interrupted, done.failed.is_empty()) {
        (true, _) => ExitCode::from(exit::INTERRUPTED),
        (false, false) => ExitCode::from(exit::ENVIRONMENT),
        (false, true) => ExitCode::SUCCESS,
    }
}

/// Shows progress on standard error: a progress line on a terminal, otherwise a line for each session.
async fn show(mut events: mpsc::UnboundedReceiver<RunEvent>) {
    let bar = if io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    let style = "{bar:24} {pos}/{len} sessions  {elapsed}  {eta} left  {msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    while let Some(event) = events.recv().await {
        match event {
            RunEvent::Found { found, of } => {
                bar.set_length(of as u64);
                bar.set_position(found as u64);
                bar.reset_eta();
                if found > 0 {
                    say(&bar, &format!("{found} of {of} sessions are there already"));
                }
            }
            RunEvent::Useless { path, why } => {
                say(&bar, &format!("{} is not used: {}", path.display(), printable(&why)));
            }
            RunEvent::Finished { trial, record } => {
                bar.inc(1);
                let line = format!("{trial}: {}", summary(&record));
                bar.set_message(line.clone());
                if bar.is_hidden() {
                    eprintln!("{line}");
                }
            }
            RunEvent::Failed { trial, why } => {
                bar.inc(1);
                say(&bar, &format!("{trial} failed: {}", printable(&why)));
            }
        }
    }
    bar.finish_and_clear();
}

fn say(bar: &ProgressBar, text: &str) {
    bar.suspend(|| eprintln!("droidmux: {text}"));
}

/// A record in one line.
fn summary(record: &TrialRecord) -> String {
    let in_tier = |tier: Tier| record.findings.iter().filter(move |finding| finding.tier == tier);
    let told = |tier: Tier| {
        let right = in_tier(tier).filter(|f| matches!(f.ruling, Ruling::True { .. })).count();
        let wrong = in_tier(tier).filter(|f| f.ruling == Ruling::FalseAlarm).count();
        format!("{} ({right} true, {wrong} false)", in_tier(tier).count())
    };
    format!(
        "{} events in {:.0} s, {} defects set off; reported {}, suspicious {}, explained {}; {} replays in {:.0} s",
        record.events,
        record.seconds(),
        record.set_off.len(),
        told(Tier::Reported),
        told(Tier::Suspicious),
        told(Tier::Explained),
        record.replays,
        record.judging_seconds(),
    )
}
