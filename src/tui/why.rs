//! Why a finding is called a violation, in words, from what was recorded.

use droidmux_proto::{FindingDetail, RecheckView};
use droidmux_record::{
    Act, Bearing, Breach, Broken, Deviation, Evidence, Fidelity, Finding, Insertion, JobRun, Mismatch,
    Mistreated, Outcome, Shrunk, Work,
};

use super::home::Home;
use super::paint::Words;
use super::prose::Prose;
use super::text;
use super::theme::Role;
use super::words;
use droidmux_words::figure;

/// How many effects are described in full; more are only counted.
const MAX_EFFECTS: usize = 40;
/// Events listed.
const MAX_EVENTS: usize = 300;
/// How many places are listed for one experiment.
const MAX_PLACES: usize = 12;
/// Findings listed that another stands for.
const MAX_MEMBERS: usize = 40;
/// Lines of a stack shown.
const MAX_STACK: usize = 12;

/// The whole explanation, with what other sessions say, in lines of at most `width` cells.
pub fn lines(detail: &FindingDetail, elsewhere: &[String], width: usize, home: &Home) -> Vec<Words> {
    let mut prose = Prose::new(width);
    let finding = &detail.finding;
    prose.paragraph("", &finding.verdict.title, Role::Strong);
    prose.facts(finding);
    prose.tier(finding);
    prose.agreement(&detail.agrees);
    prose.rechecks(&detail.rechecks);
    for told in elsewhere {
        prose.paragraph("Also ", told, Role::Accent);
    }
    prose.reason(finding);
    prose.tried(finding);
    prose.members(detail);
    prose.hints(finding);
    prose.fidelity(&finding.verdict.fidelity);
    prose.events(detail);
    prose.shrunk(detail.shrunk.as_ref());
    prose.replay(finding, home);
    prose.lines
}

impl Prose {
    fn facts(&mut self, finding: &Finding) {
        let Finding { id, technique, app, verdict, occurrences, .. } = finding;
        let seen = if *occurrences == 1 { "once".into() } else { format!("{occurrences} times") };
        let by = match verdict.oracle == *technique {
            true => technique.clone(),
            false => format!("{technique}, oracle {}", verdict.oracle),
        };
        let text = format!("{id} found in {app} by {by}, seen {seen}, rank {}", finding.rank);
        self.paragraph("", &text, Role::Dim);
        let c = &finding.confirmation;
        let word = match (c.is_confirmed(), c.is_settled()) {
            (true, _) => "Confirmed",
            (false, true) => "Not confirmed",
            (false, false) => "Confirmation under way",
        };
        let text = format!(
            "{word}: of fresh replays {} showed it, {} did not, {} said nothing (needed {} of {}); \
             flakiness {:.0} %",
            c.shown,
            c.absent,
            c.unfaithful,
            c.needed,
            c.of,
            c.flakiness() * 100.0
        );
        self.paragraph("", &text, if c.is_confirmed() { Role::Good } else { Role::Text });
        if !finding.note.is_empty() {
            self.paragraph("Note: ", &finding.note, Role::Text);
        }
    }

    /// Where it stands, and why.
    fn tier(&mut self, finding: &Finding) {
        let lead = format!("{}: ", words::capital(finding.tier.name()));
        self.led(&lead, words::tier_role(finding.tier), &finding.because, Role::Text);
    }

    /// What oracles said of its session later, each with its word on this finding.
    fn rechecks(&mut self, rechecks: &[RecheckView]) {
        let Some(last) = rechecks.iter().map(|recheck| recheck.at_ms).max() else { return };
        let words = |recheck: &RecheckView| {
            let RecheckView { oracle, judged, unit, violations, agrees, .. } = recheck;
            let word = match (agrees, violations, judged) {
                (true, ..) => "objects to it, too".to_owned(),
                (false, _, 0) => format!("had no {unit} to judge"),
                (false, 0, _) => format!("objects to none of {judged} {unit}"),
                (false, ..) => format!("objects to {violations} of {judged} {unit}, not to this"),
            };
            format!("{oracle} {word}")
        };
        let told: Vec<String> = rechecks.iter().map(words).collect();
        let lead = format!("Rechecked at {}: ", figure::clock(last));
        self.paragraph(&lead, &told.join("; "), Role::Text);
    }

    /// Adds all that was tried to explain the finding.
    fn tried(&mut self, finding: &Finding) {
        let experiments = &finding.verdict.experiments;
        if experiments.is_empty() {
            return;
        }
        self.heading("What was tried");
        for experiment in experiments {
            let role = match experiment.bearing {
                Bearing::Excuses => Role::Good,
                Bearing::Accuses => Role::Bad,
                Bearing::Doubts => Role::Warn,
                Bearing::Silent => Role::Dim,
            };
            let lead = format!("  {} ", experiment.kind.words());
            self.led(&lead, Role::Dim, experiment.bearing.words(), role);
            self.paragraph("    ", &experiment.words, Role::Text);
            let places = experiment.places.iter().take(MAX_PLACES);
            let places: Vec<String> =
                places.map(|place| format!("{} turn {}", place.slot, place.turn)).collect();
            if !places.is_empty() {
                self.paragraph("    see ", &places.join(", "), Role::Dim);
            }
        }
    }

    /// Adds the other findings that this one stands for.
    fn members(&mut self, detail: &FindingDetail) {
        let finding = &detail.finding;
        if !finding.is_representative() {
            self.paragraph("", &format!("{} stands for it", finding.cluster), Role::Dim);
        }
        if detail.members.is_empty() {
            return;
        }
        let count = figure::count(detail.members.len(), "other");
        self.heading(&format!("It stands for {count} of one likely cause"));
        for (id, title) in detail.members.iter().take(MAX_MEMBERS) {
            self.led(&format!("  {id}  "), Role::Accent, title, Role::Text);
        }
        if detail.members.len() > MAX_MEMBERS {
            self.paragraph("  ", &format!("and {} more", detail.members.len() - MAX_MEMBERS), Role::Dim);
        }
    }

    fn agreement(&mut self, oracles: &[String]) {
        if !oracles.is_empty() {
            self.paragraph("Other oracles agree: ", &oracles.join(", "), Role::Good);
        }
    }

    fn reason(&mut self, finding: &Finding) {
        match &finding.verdict.evidence {
            Evidence::Effects(effects) => {
                self.heading("Why this is a violation");
                self.paragraph(
                    "",
                    "Doing something extra and independent in the middle of a test may add effects \
                     but must not take any away. The seed test had these effects; with events \
                     inserted, the mutant no longer has them:",
                    Role::Text,
                );
                for (n, effect) in effects.iter().take(MAX_EFFECTS).enumerate() {
                    let lead = format!("{:>3}. ", n + 1);
                    self.led(&lead, Role::EffectUnmatched, &words::effect(effect), Role::Strong);
                    let (s, m) = (effect.seed, effect.mutant);
                    let diverged = match effect.diverged {
                        true => "; the mutant went to another kind of page there (diverged)",
                        false => "",
                    };
                    let text = format!(
                        "in the seed from layout {} to {}, not in the mutant from {} to {}{diverged}",
                        s.0, s.1, m.0, m.1
                    );
                    self.paragraph("     ", &text, Role::Dim);
                }
                if effects.len() > MAX_EFFECTS {
                    let text = format!("and {} more", effects.len() - MAX_EFFECTS);
                    self.paragraph("     ", &text, Role::Dim);
                }
            }
            Evidence::Signal { turn, signal } => {
                self.heading("Why this is a violation");
                let what = signal.kind.deed();
                let text = format!("The process {} {what} at turn {turn} of the job:", signal.process);
                self.paragraph("", &text, Role::Text);
                self.paragraph("  ", &signal.headline, Role::Bad);
                for frame in signal.stack.iter().take(MAX_STACK) {
                    let frame = text::fit(frame.trim(), self.width.saturating_sub(4), "…");
                    self.lines.push(vec![(format!("    {frame}"), Role::Dim)]);
                }
            }
            Evidence::Deviation(deviation) => self.deviation(deviation),
            Evidence::Breach(breach) => self.breach(breach),
            Evidence::Mistreated(mistreated) => self.mistreated(mistreated),
            Evidence::Mismatch(mismatch) => self.mismatch(mismatch),
            Evidence::Broken(broken) => self.broken(broken),
            Evidence::None => {}
        }
        if let Outcome::Inconclusive(why) = &finding.verdict.outcome {
            self.paragraph("Inconclusive: ", why, Role::Warn);
        }
    }

    fn broken(&mut self, broken: &Broken) {
        self.heading("Why this is a violation");
        self.paragraph("Expected: ", &broken.expected, Role::Text);
        self.led("  Found: ", Role::EffectUnmatched, &broken.found, Role::Strong);
        for (when, widgets) in [("before", &broken.widgets.0), ("after", &broken.widgets.1)] {
            for widget in widgets {
                self.led(&format!("    {when}: "), Role::Dim, &words::note(widget), Role::Text);
            }
        }
    }

    fn deviation(&mut self, deviation: &Deviation) {
        self.heading("Why this is a violation");
        self.paragraph(
            "",
            "What an app does in one state on one event should be much the same whichever way the \
             state was reached. Of all inputs that end there, hardly any shows what this one shows:",
            Role::Text,
        );
        for reason in deviation.reasons() {
            self.led("  ", Role::Dim, &reason, Role::Text);
        }
        for (n, effect) in deviation.effects.iter().take(MAX_EFFECTS).enumerate() {
            let whose = if deviation.is_surplus(n) { "only here" } else { "only usually" };
            let lead = format!("{:>3}. {whose}: ", n + 1);
            self.led(&lead, Role::EffectUnmatched, &words::effect(effect), Role::Strong);
        }
        if deviation.effects.len() > MAX_EFFECTS {
            let text = format!("and {} more", deviation.effects.len() - MAX_EFFECTS);
            self.paragraph("     ", &text, Role::Dim);
        }
        for (name, conduct) in [("usual", &deviation.usual), ("deviant", &deviation.deviant)] {
            let source = conduct.source;
            self.heading(&format!(
                "The {name} input, from {} {} test {}",
                source.session, source.slot, source.test
            ));
            for (n, event) in conduct.input.iter().take(MAX_EVENTS).enumerate() {
                self.led(&format!(" {:>3}  ", n + 1), Role::Text, &words::event(event), Role::Text);
            }
        }
    }

    fn breach(&mut self, breach: &Breach) {
        self.heading("Why this is a violation");
        let text = format!(
            "After `{}` ({} {}) the specification wants this: {}.",
            breach.dmf, breach.operation, breach.datatype, breach.condition
        );
        self.paragraph("", &text, Role::Text);
        self.led("  Found: ", Role::EffectUnmatched, &breach.found, Role::Strong);
        for widget in &breach.widgets {
            self.led("    on the screen: ", Role::Dim, &words::note(widget), Role::Text);
        }
        self.heading("The data model");
        for (name, objects) in [("before", &breach.before), ("after", &breach.after)] {
            let lead = format!("  {} {name}: ", breach.datatype);
            let objects = if objects.is_empty() { "nothing".into() } else { objects.join(" · ") };
            self.led(&lead, Role::Dim, &objects, Role::Text);
        }
        self.heading("The functions carried out");
        for call in &breach.calls {
            let lead = format!(" {:>3}  ", call.at);
            let text = format!("{}  {}", call.dmf, call.impacts.join(", "));
            self.led(&lead, Role::Dim, text.trim_end(), Role::Text);
        }
    }

    fn mistreated(&mut self, mistreated: &Mistreated) {
        self.heading("Why this is a violation");
        self.led("", Role::Text, mistreated.how.words(), Role::Strong);
        for reason in mistreated.reasons() {
            self.led("  ", Role::Dim, &reason, Role::Text);
        }
        self.led("  the field: ", Role::Dim, &words::note(&mistreated.field), Role::Text);
    }

    fn mismatch(&mut self, mismatch: &Mismatch) {
        self.heading("Why this is a violation");
        let said =
            format!("The Detector, answered by {}, says of `{}`:", mismatch.answered_by, mismatch.function);
        self.paragraph("", &said, Role::Text);
        self.paragraph("  ", &mismatch.reasoning, Role::Strong);
        self.led("  page: ", Role::Dim, &mismatch.page, Role::Text);
        let widget = match &mismatch.widget {
            Some(widget) => words::note(widget),
            None if mismatch.named.is_empty() => "none named".into(),
            None => format!("{} (not found on the screen)", mismatch.named),
        };
        self.led("  widget: ", Role::EffectUnmatched, &widget, Role::Strong);
        self.led("  triggered by: ", Role::Dim, &mismatch.operation, Role::Text);
        if !mismatch.description.is_empty() {
            self.led("  the function: ", Role::Dim, &mismatch.description, Role::Text);
        }
        for (name, path) in [("expected", &mismatch.expected), ("actual", &mismatch.actual)] {
            self.heading(&format!("The {name} path"));
            for (n, step) in path.iter().take(MAX_EVENTS).enumerate() {
                self.led(&format!(" {:>3}  ", n + 1), Role::Text, step, Role::Text);
            }
        }
    }

    fn hints(&mut self, finding: &Finding) {
        if finding.verdict.hints.is_empty() {
            return;
        }
        self.heading("Why it may be a false alarm");
        for hint in &finding.verdict.hints {
            let lead = format!("{}: ", hint.cause);
            let meaning = meaning(&hint.cause);
            self.led(&lead, Role::Warn, &join(meaning, &hint.detail), Role::Text);
        }
    }

    fn fidelity(&mut self, fidelity: &Fidelity) {
        if fidelity.events == 0 {
            return;
        }
        self.heading("How faithful the run was");
        let Fidelity { events, exact, similar, failed, unsettled, lowest_ratio } = fidelity;
        let mut text = format!("{exact} of {events} receivers found exactly");
        if *similar > 0 {
            text += &format!(", {similar} by likeness (lowest {lowest_ratio:.2})");
        }
        if *failed > 0 {
            text += &format!(", {failed} events failed");
        }
        if *unsettled > 0 {
            text += &format!(", {unsettled} screens never settled");
        }
        let perfect = exact == events && *failed == 0 && *unsettled == 0;
        self.paragraph("", &text, if perfect { Role::Good } else { Role::Warn });
    }

    fn events(&mut self, detail: &FindingDetail) {
        let Some(run) = &detail.run else { return };
        let verdict = &detail.finding.verdict;
        let until = match verdict.evidence {
            Evidence::Signal { turn, .. } => usize::try_from(turn).unwrap_or(usize::MAX),
            Evidence::Breach(ref breach) => usize::try_from(breach.turn).unwrap_or(usize::MAX),
            Evidence::Mistreated(ref shown) => usize::try_from(shown.turn).unwrap_or(usize::MAX),
            Evidence::Mismatch(ref mismatch) => usize::try_from(mismatch.span.1).unwrap_or(usize::MAX),
            Evidence::Broken(ref broken) => usize::try_from(broken.turns.1).unwrap_or(usize::MAX),
            Evidence::Deviation(_) => return,
            Evidence::Effects(_) | Evidence::None => usize::MAX,
        };
        let events = events(run, verdict.test, until);
        let inserted = events.iter().filter(|(_, inserted)| *inserted).count();
        let title = match inserted {
            0 => format!("The {}", figure::count(events.len(), "event")),
            _ => format!("The {}, {inserted} inserted (+)", figure::count(events.len(), "event")),
        };
        self.heading(&title);
        for (n, (words, inserted)) in events.iter().take(MAX_EVENTS).enumerate() {
            let sign = if *inserted { '+' } else { ' ' };
            let role = if *inserted { Role::Inserted } else { Role::Text };
            self.led(&format!("{sign}{:>3}  ", n + 1), role, words, role);
        }
        let device = &run.device;
        let app = &run.app;
        let text = format!(
            "on {} ({}, Android {}), {} {} ({})",
            device.serial, device.model, device.android, app.package, app.version_name, app.version_code
        );
        self.paragraph("", &text, Role::Dim);
    }

    /// The events that are enough.
    fn shrunk(&mut self, shrunk: Option<&Shrunk>) {
        let Some(shrunk) = shrunk else { return };
        self.heading(&format!("Shrunk from {} to {}", shrunk.from, figure::count(shrunk.to, "event")));
        for test in shrunk.telling_tests() {
            for (n, event) in test.events.iter().take(MAX_EVENTS).enumerate() {
                self.led(&format!(" {:>3}  ", n + 1), Role::Text, &words::event(event), Role::Text);
            }
        }
    }

    fn replay(&mut self, finding: &Finding, home: &Home) {
        self.heading("Replay it");
        let words = [format!("replay {} --times 3", finding.id), format!("shrink {}", finding.id)];
        let commands: Vec<_> = words.iter().filter_map(|words| home.command(words)).collect();
        if commands.is_empty() {
            let words =
                "This store goes with the cockpit; `droidmux demo --store FOLDER` keeps it for replays.";
            self.paragraph("  ", words, Role::Dim);
        }
        for command in commands {
            self.lines.push(vec![("  ".into(), Role::Dim), (command, Role::Key)]);
        }
        let seen: Vec<_> =
            finding.seen.iter().take(24).map(|(slot, test)| format!("{slot}/{test}")).collect();
        if !seen.is_empty() {
            self.paragraph("Seen in jobs/tests: ", &seen.join(" "), Role::Dim);
        }
    }
}

/// The events of a test in words, with whether each was inserted; for an exploration, those up to turn `until`.
fn events(run: &JobRun, test: u16, until: usize) -> Vec<(String, bool)> {
    match &run.job.work {
        Work::Batch(batch) => match batch.tests.get(usize::from(test)) {
            Some(test) => {
                let inserted = |n: usize| {
                    test.role.insertion().is_some_and(|Insertion { pivot, length }| {
                        let first = usize::from(pivot).saturating_sub(1);
                        (first..first + usize::from(length)).contains(&n)
                    })
                };
                test.events.iter().enumerate().map(|(n, event)| (words::event(event), inserted(n))).collect()
            }
            None => Vec::new(),
        },
        Work::Explore(_) | Work::Errand(_) => {
            let acts = run.turns.iter().take(until.saturating_add(1)).filter_map(|turn| match &turn.act {
                Act::Perform(event) => Some((words::event(event), false)),
                Act::Reset | Act::Consult(_) | Act::Finish(_) => None,
            });
            acts.collect()
        }
    }
}

/// What a hint's cause means.
fn meaning(cause: &str) -> &'static str {
    match cause {
        "not-independent" => "the inserted events may act on something that only looks independent.",
        "shared-activity" => "one activity serves several functions, so the pages may not correspond.",
        "coarse-state" => {
            "two different pages count as the same state, so the insertion may not have come back."
        }
        "scattered" => "the behaviours differ in many ways, so what differs may be content.",
        "volatile" => "the widgets may differ from run to run whatever is done.",
        "by-rules" => "rules see what is gone and what is new, not what a page means.",
        "unfound" => "what the model saw may not be there.",
        "flaky" => "some replays of the same events did not show it.",
        "unfaithful" => "some events did not act on quite the widget they were recorded on.",
        "approximate" => "the screens are too large to be compared exactly.",
        _ => "",
    }
}

fn join(meaning: &str, detail: &str) -> String {
    match (meaning.is_empty(), detail.is_empty()) {
        (true, _) => detail.into(),
        (_, true) => meaning.into(),
        _ => format!("{meaning} {detail}"),
    }
}
