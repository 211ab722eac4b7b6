//! A recording and what the oracle and the miner made of it.

use super::dates;
use super::screens::for_each_screen;
use crate::relations::Relations;
use droidmux_gui::{EffectForm, Level};
use droidmux_import::{Recorded, Recording};
use droidmux_model::{Familiar, GuiModel};
use droidmux_record::{
    Finding, IgnoreRule, Insertion, Judgement, MaskEdit, Outcome, SessionDefinition, SessionId, Technique,
    Tier, Verdict, Work,
};
use droidmux_technique::GenieSettings;
use droidmux_technique::claims::Claims;
use droidmux_technique::findings::Findings;

/// What the command line specifies for judging.
pub(super) struct Settings {
    pub mask_dates: bool,
    pub ignore: Vec<IgnoreRule>,
    pub effects: EffectForm,
    pub relations: Relations,
}

pub(super) struct Checked {
    pub recording: Recording,
    pub model: GuiModel,
    /// The masks for dates; empty unless asked for.
    pub masks: Vec<MaskEdit>,
    /// Rules of the command line that match no widget of the recording.
    pub idle_rules: Vec<IgnoreRule>,
    /// In the order of the recording's runs; runs without a verdict are left out.
    pub judged: Vec<Judged>,
    /// Best rank first.
    pub findings: Vec<Finding>,
}

/// What the oracles said of one run.
pub(super) struct Judged {
    /// The run's number in the recording.
    pub run: usize,
    pub judgement: Judgement,
}

impl Checked {
    pub(super) fn new(recording: Recording, mut settings: Settings) -> Self {
        if recording.is_blind {
            settings.relations = Relations::none();
        }
        let masks = if settings.mask_dates { dates::masks(&recording) } else { Vec::new() };
        let idle_rules = idle_rules(&settings.ignore, &recording);
        let definition = definition(&recording.app, settings);
        let mut model =
            GuiModel::new(Level::default(), definition.settings.of::<GenieSettings>().initial_weight);
        let mut familiar = Familiar::default();
        let mut judged = Vec::new();
        let mut claims = Claims::default();
        for (number, recorded) in recording.runs.iter().enumerate() {
            model.absorb(&recorded.run, &mut familiar, &recording.layouts);
            let judgement = droidmux_technique::judge(&recorded.run, &definition, &masks, &recording.layouts);
            claims.count(&judgement);
            judged.push(Judged { run: number, judgement });
        }
        // Findings that rest on a regularity of the app are weighed when the whole recording has been seen.
        for Judged { judgement, .. } in &mut judged {
            judgement.verdicts.retain(|verdict| claims.carries(verdict));
            judgement.verdicts.iter_mut().for_each(|verdict| claims.told_on(verdict));
        }
        judged.retain(|judged| !judged.judgement.verdicts.is_empty());
        let findings = findings(&recording, &judged);
        Self { recording, model, masks, idle_rules, judged, findings }
    }

    /// True when something is reported.
    pub(super) fn found_something(&self) -> bool {
        self.findings.iter().any(|finding| finding.tier == Tier::Reported)
    }

    /// Every verdict with the run it is about.
    pub(super) fn verdicts(&self) -> impl Iterator<Item = (&Recorded, &Verdict)> {
        let of = |judged: &'_ Judged| self.recording.runs.get(judged.run);
        self.judged.iter().filter_map(move |judged| Some((of(judged)?, judged))).flat_map(
            |(recorded, judged)| judged.judgement.verdicts.iter().map(move |verdict| (recorded, verdict)),
        )
    }
}

/// The positions of the inserted events in a verdict's test.
pub(super) fn insertion(recorded: &Recorded, verdict: &Verdict) -> Option<Insertion> {
    let Work::Batch(batch) = &recorded.run.job.work else { return None };
    batch.tests.get(usize::from(verdict.test))?.role.insertion()
}

fn findings(recording: &Recording, judged: &[Judged]) -> Vec<Finding> {
    let mut findings = Findings::new(SessionId(0), "genie", &recording.app, 0, 0);
    for Judged { run, judgement } in judged {
        let Some(recorded) = recording.runs.get(*run) else { continue };
        for verdict in judgement.verdicts.iter().filter(|v| v.outcome == Outcome::Violation) {
            findings.add(recorded.run.job.slot, verdict);
        }
    }
    findings.ranked()
}

fn definition(app: &str, settings: Settings) -> SessionDefinition {
    let mut definition =
        SessionDefinition { ignore: settings.ignore, ..SessionDefinition::new(Technique::Genie, app) };
    definition.settings.put(&GenieSettings { effects: settings.effects, ..GenieSettings::default() });
    settings.relations.choose(&mut definition);
    definition
}

fn idle_rules(rules: &[IgnoreRule], recording: &Recording) -> Vec<IgnoreRule> {
    let mut idle = rules.to_vec();
    for_each_screen(recording, recording.runs.iter(), |activity, layout| {
        idle.retain(|rule| !layout.widgets().any(|widget| rule.matches(activity, widget)));
    });
    idle
}
