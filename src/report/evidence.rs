//! The evidence of a finding, in sentences: for every format that people read.

use super::FindingPart;
use super::marks::{effect_words, widget};
use droidmux_record::{Breach, Deviation, Evidence, Experiment, Mismatch};

/// Lines under a heading.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) title: String,
    pub(super) lines: Vec<String>,
    /// As it was logged: must not be reflowed.
    pub(super) verbatim: bool,
}

impl Section {
    fn new(title: impl Into<String>, lines: Vec<String>) -> Self {
        Self { title: title.into(), lines, verbatim: false }
    }
}

/// The sections of a finding, without its steps.
pub(super) fn sections(part: &FindingPart) -> Vec<Section> {
    let finding = part.finding();
    let mut sections = Vec::new();
    match part.evidence() {
        Evidence::Effects(effects) => {
            let lines = effects.iter().map(|effect| {
                let ((i, j), (mi, mj)) = (effect.seed, effect.mutant);
                format!("{} (seed: screen {i} to {j}, mutant: {mi} to {mj})", effect_words(effect))
            });
            sections.push(Section::new("What the seed does and the mutant lacks", lines.collect()));
        }
        Evidence::Signal { signal, .. } => {
            sections.push(Section::new("What the log says", vec![signal.headline.clone()]));
            let stack = Section::new("Stack", signal.stack.clone());
            sections.push(Section { verbatim: true, ..stack });
        }
        Evidence::Deviation(deviation) => sections.extend(of_deviation(deviation)),
        Evidence::Breach(breach) => sections.extend(of_breach(breach)),
        Evidence::Mistreated(mistreated) => {
            sections.push(Section::new(mistreated.how.words(), mistreated.reasons()));
        }
        Evidence::Mismatch(mismatch) => sections.extend(of_mismatch(mismatch)),
        Evidence::Broken(broken) => sections.push(Section::new(
            format!("Relation {}", broken.relation),
            vec![format!("expected: {}", broken.expected), format!("found: {}", broken.found)],
        )),
        Evidence::None => {}
    }
    let tried: Vec<String> = finding.verdict.experiments.iter().map(experiment).collect();
    if !tried.is_empty() {
        sections.push(Section::new("What was tried to explain it", tried));
    }
    let hints: Vec<String> =
        finding.verdict.hints.iter().map(|hint| format!("{}: {}", hint.cause, hint.detail)).collect();
    if !hints.is_empty() {
        sections.push(Section::new("May be a false alarm", hints));
    }
    if !part.detail.agrees.is_empty() {
        sections.push(Section::new("Other oracles that say the same", vec![part.detail.agrees.join(", ")]));
    }
    if !finding.note.is_empty() {
        sections.push(Section::new(format!("Marked {}", finding.state.name()), vec![finding.note.clone()]));
    }
    sections
}

/// How often it was seen and shown again, in a sentence.
pub(super) fn confirmation(part: &FindingPart) -> String {
    let finding = part.finding();
    let c = &finding.confirmation;
    let mut words = format!(
        "seen {}; replayed {}: {} showed it, {} did not, {} could not be followed",
        times(finding.occurrences),
        times(u64::from(c.shown) + u64::from(c.absent) + u64::from(c.unfaithful)),
        c.shown,
        c.absent,
        c.unfaithful
    );
    if let Some(shrunk) = &part.detail.shrunk {
        let (from, to) = (shrunk.from, shrunk.to);
        words += &format!("; shrunk from {from} to {to} events ({})", shrunk.ending.words());
    }
    words
}

fn times(number: u64) -> String {
    match number {
        1 => "once".into(),
        2 => "twice".into(),
        number => format!("{number} times"),
    }
}

fn experiment(tried: &Experiment) -> String {
    format!("{} — {}: {}", tried.kind.words(), tried.bearing.words(), tried.words)
}

fn of_deviation(deviation: &Deviation) -> Vec<Section> {
    let effects = deviation.effects.iter().enumerate().map(|(n, effect)| {
        let whose = if deviation.is_surplus(n) { "only the deviant one" } else { "only the usual one" };
        format!("{whose}: {}", effect_words(effect))
    });
    vec![
        Section::new("What most inputs show, and this one does not", deviation.reasons()),
        Section::new("How the behaviours differ", effects.collect()),
    ]
}

fn of_breach(breach: &Breach) -> Vec<Section> {
    let model = |objects: &[String]| match objects {
        [] => "empty".to_owned(),
        objects => objects.iter().map(|object| format!("{object:?}")).collect::<Vec<_>>().join(", "),
    };
    let calls = breach.calls.iter().map(|call| {
        let impacts = call.impacts.join(", ");
        format!("from event {}: {} {impacts}", call.at, call.dmf).trim_end().to_owned()
    });
    vec![
        Section::new(
            format!("After {} ({} {})", breach.dmf, breach.operation, breach.datatype),
            vec![format!("expected: {}", breach.condition), format!("found: {}", breach.found)],
        ),
        Section::new(
            "Data model",
            vec![
                format!("{} before: {}", breach.datatype, model(&breach.before)),
                format!("{} after: {}", breach.datatype, model(&breach.after)),
            ],
        ),
        Section::new("Functions carried out", calls.collect()),
    ]
}

fn of_mismatch(mismatch: &Mismatch) -> Vec<Section> {
    let seen = mismatch.widget.as_ref().map_or_else(|| mismatch.named.clone(), widget);
    vec![
        Section::new(
            format!("The Detector, answered by {}, on {:?}", mismatch.answered_by, mismatch.function),
            vec![
                mismatch.reasoning.clone(),
                format!("page: {}", mismatch.page),
                format!("widget: {seen}"),
                format!("triggered by: {}", mismatch.operation),
            ],
        ),
        Section::new("What should have happened", mismatch.expected.clone()),
        Section::new("What happened", mismatch.actual.clone()),
    ]
}
