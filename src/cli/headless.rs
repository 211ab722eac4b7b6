//! A progress line on standard error and findings on standard output, for runs without cockpit.

use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::gui::printable;
use crate::lab::{SessionEvent, SessionOutcome};
use crate::record::{DmfTally, Finding, Phase, Progress, Shrunk, Tally, TourTally};

/// Shows one session's progress.
pub(super) struct Headless {
    out: Box<dyn Write + Send>,
    bar: ProgressBar,
    phase: Option<Phase>,
}

impl Headless {
    /// Findings go to `out`.
    pub(super) fn new(out: Box<dyn Write + Send>) -> Self {
        let bar = ProgressBar::new(0);
        let style = "{msg:9} {bar:24} {pos}/{len} events  {per_sec}  {eta} left  {prefix}";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { out, bar, phase: None }
    }

    pub(super) fn event(&mut self, event: &SessionEvent) -> io::Result<()> {
        match event {
            SessionEvent::Began(_) | SessionEvent::Absorbed { .. } => Ok(()),
            SessionEvent::Progress(progress) => {
                self.progress(progress);
                Ok(())
            }
            SessionEvent::Finding(finding) => {
                let (bar, out) = (&self.bar, &mut self.out);
                bar.suspend(|| writeln!(out, "{}", finding_line(finding)))
            }
        }
    }

    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn progress(&mut self, progress: &Progress) {
        self.bar.set_length(progress.max_events);
        self.bar.set_position(progress.events);
        self.bar.set_prefix(format!("{} of {} {}", progress.done, progress.total, progress.unit));
        if self.phase != Some(progress.phase) {
            self.phase = Some(progress.phase);
            self.bar.set_message(format!("{:?}", progress.phase).to_lowercase());
        }
    }
}

/// A finding in one line.
pub(super) fn finding_line(finding: &Finding) -> String {
    let c = &finding.confirmation;
    let word = match (c.is_confirmed(), c.is_settled()) {
        (true, _) => "confirmed",
        (false, true) => "not confirmed",
        (false, false) => "suspected",
    };
    let run = c.shown + c.absent + c.unfaithful;
    let hints: Vec<&str> = finding.verdict.hints.iter().map(|hint| hint.cause.as_str()).collect();
    let hints = if hints.is_empty() { String::new() } else { format!("  [{}]", hints.join(", ")) };
    let title = printable(&finding.verdict.title);
    format!("{}  {word} {}/{run}  {title}{hints}", finding.id, c.shown)
}

/// What a finding was shrunk to, in one line.
pub(super) fn shrunk_words(shrunk: &Shrunk) -> String {
    let c = &shrunk.confirmation;
    format!(
        "{} shrunk from {} to {} events ({}): {} candidates in {} replays, the result shown in {} of {}",
        shrunk.finding,
        shrunk.from,
        shrunk.to,
        shrunk.ending.words(),
        shrunk.candidates,
        shrunk.replays,
        c.shown,
        c.shown + c.absent + c.unfaithful
    )
}

/// The last words of a run.
pub(super) fn summary(outcome: &SessionOutcome, rng: u64, seconds: f64) -> String {
    let (f, t) = (&outcome.progress.funnel, &outcome.progress.tally);
    let confirmed = outcome.findings.iter().filter(|finding| finding.confirmation.is_confirmed()).count();
    let mut lines = vec![format!(
        "{} ended ({:?}) after {} steps in {seconds:.1} s ({:.0} a second), seed {rng}",
        outcome.session,
        outcome.end,
        outcome.steps,
        outcome.steps as f64 / seconds.max(0.001),
    )];
    if outcome.progress.states > 0 {
        let Progress { states, transitions, .. } = &outcome.progress;
        lines.push(format!("model: {states} states, {transitions} transitions"));
    }
    let d = &outcome.progress.dmf;
    if let Some(shrunk) = &outcome.shrunk {
        lines.push(shrunk_words(shrunk));
    } else if *d != DmfTally::default() {
        lines.push(format!(
            "functions: {} of {} reached in {} tests; {} carried out, {} failed on the way, {} random events",
            d.reached, d.functions, d.tests, d.completed, d.partial, d.random
        ));
        lines.push(format!(
            "properties: {} checked, {} violated, {} distinct, {} seen once",
            d.checked, d.violated, f.distinct, f.once_only
        ));
    } else if outcome.progress.tour != TourTally::default() {
        let tour = &outcome.progress.tour;
        lines.push(format!(
            "functions: {} in {} tests of {} steps; {} judged, {} with a violation, {} distinct",
            tour.functions, tour.tests, tour.steps, tour.judged, tour.mismatches, f.distinct
        ));
        lines.push(format!(
            "questions: {} to the three agents, {} in vain; {} wrong operations",
            tour.questions, tour.in_vain, tour.wrong_operations
        ));
    } else if *t == Tally::default() {
        lines.push(format!(
            "mutants: {} generated, {} executed, {} dropped, {} unmasked violations, {} after masks, {} distinct, {} seen once",
            f.generated, f.executed, f.dropped, f.unmasked, f.violations, f.distinct, f.once_only
        ));
    } else {
        lines.push(format!(
            "inputs: {} imported, {} explored, {} calibrated ({} strayed), {} states out of reach",
            t.imported, t.explored, t.calibrated, t.strayed, t.unreachable
        ));
        lines.push(format!(
            "behaviours: {} recorded before, {} run, {} discarded; of {} pairs of state and event {} weighed, {} with too few",
            t.reused, t.manifested, t.discarded, t.pairs, t.weighed, t.too_few
        ));
        lines.push(format!("anomalies: {}, {} distinct, {} seen once", t.anomalies, f.distinct, f.once_only));
    }
    lines.extend([format!("findings: {confirmed} confirmed of {}", outcome.findings.len())]);
    lines.extend(outcome.idle_rules.iter().map(|rule| format!("warning: {}", printable(rule))));
    lines.join("\n")
}
