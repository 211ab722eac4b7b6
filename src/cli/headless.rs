//! A progress line on standard error and findings on standard output, for runs without the cockpit.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use droidmux_lab::{SessionEvent, SessionOutcome};
use droidmux_record::{Finding, FindingId, Phase, Progress, Shrunk, Tier, TierCounts, Use};
use droidmux_words::{number::real, printable};

/// Shows one session's progress.
pub(super) struct Headless {
    out: Box<dyn Write + Send>,
    bar: ProgressBar,
    phase: Option<Phase>,
    reported: Reported,
}

/// The reported findings printed so far.
#[derive(Default)]
pub(super) struct Reported {
    told: BTreeSet<FindingId>,
}

impl Reported {
    /// The line for a finding that is reported and stands for its cluster, the first time it does.
    pub(super) fn line(&mut self, finding: &Finding) -> Option<String> {
        let tells = finding.tier == Tier::Reported && finding.is_representative();
        (tells && self.told.insert(finding.id.clone())).then(|| finding_line(finding, 0))
    }
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
        Self { out, bar, phase: None, reported: Reported::default() }
    }

    pub(super) fn event(&mut self, event: &SessionEvent) -> io::Result<()> {
        match event {
            SessionEvent::Began(_) | SessionEvent::Absorbed { .. } | SessionEvent::Said(_) => Ok(()),
            SessionEvent::Progress(progress) => {
                self.progress(progress);
                Ok(())
            }
            SessionEvent::Finding(finding) => {
                let Some(line) = self.reported.line(finding) else { return Ok(()) };
                let (bar, out) = (&self.bar, &mut self.out);
                bar.suspend(|| writeln!(out, "{line}"))
            }
        }
    }

    /// Does something while the progress line is cleared.
    pub(super) fn suspended(&self, work: impl FnOnce()) {
        self.bar.suspend(work);
    }

    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn progress(&mut self, progress: &Progress) {
        self.bar.set_length(progress.max_events);
        self.bar.set_position(progress.events);
        let Progress { done, total, unit, .. } = progress;
        let reported = self.reported.told.len();
        self.bar.set_prefix(format!("{done} of {total} {unit}, {reported} reported"));
        if self.phase.as_ref() != Some(&progress.phase) {
            self.phase = Some(progress.phase.clone());
            self.bar.set_message(progress.phase.name.clone());
        }
    }
}

/// A finding in one line, with how many others it stands for.
pub(super) fn finding_line(finding: &Finding, members: u64) -> String {
    let c = &finding.confirmation;
    let run = c.shown + c.absent + c.unfaithful;
    let replays = if run == 0 { String::new() } else { format!("; shown in {} of {run} replays", c.shown) };
    let more = if members == 0 { String::new() } else { format!("; {members} more like it") };
    let (tier, harm) = (finding.tier.name(), finding.verdict.harm.words());
    let title = printable(&finding.verdict.title);
    format!("{}  {tier:<10}  {title}  ({harm}{replays}{more})", finding.id)
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

/// The closing line of a run.
pub(super) fn summary(outcome: &SessionOutcome, rng: u64, seconds: f64) -> String {
    let mut lines = vec![format!(
        "{} ended ({:?}) after {} steps in {seconds:.1} s ({:.0} a second), seed {rng}",
        outcome.session,
        outcome.end,
        outcome.steps,
        real(outcome.steps) / seconds.max(0.001),
    )];
    if outcome.progress.states > 0 {
        let Progress { states, transitions, .. } = &outcome.progress;
        lines.push(format!("model: {states} states, {transitions} transitions"));
    }
    lines.extend(outcome.looks.words());
    lines.extend(outcome.shrunk.iter().map(shrunk_words));
    lines.extend(outcome.progress.summary.iter().cloned());
    lines.extend(Some(Use::words(&outcome.progress.uses)).filter(|words| !words.is_empty()));
    lines.push(format!("findings: {}", TierCounts::of(&outcome.findings).words()));
    let reported = |finding: &&Finding| finding.tier == Tier::Reported && finding.is_representative();
    let reported = outcome.findings.iter().filter(reported);
    lines.extend(reported.map(|finding| format!("  {}", printable(&finding.verdict.title))));
    if outcome.cut > 0 {
        lines.push(format!("{} planned jobs were cut or left out: the time was over", outcome.cut));
    }
    lines.extend(outcome.lacks.iter().map(|lack| format!("without: {}", printable(lack))));
    lines.extend(outcome.vain.iter().map(|why| format!("in vain: {}", printable(why))));
    lines.extend(outcome.idle_rules.iter().map(|rule| format!("warning: {}", printable(rule))));
    lines.join("\n")
}
