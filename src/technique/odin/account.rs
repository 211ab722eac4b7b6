//! The usual behaviour beside the deviant one, for a person and for a replay.

use super::cluster::{Pair, Scales};
use super::script::{Code, Operation};
use super::weighing::{Behaviour, Weighing};
use droidmux_gui::{Layout, WidgetId, context};
use droidmux_record::{
    Abstraction, Batch, Conduct, Deviation, EffectKind, Expected, Handled, JobRun, SessionId, Source,
    UnmatchedEffect, WidgetNote,
};

/// Differences kept as evidence of one deviation.
const MOST_EFFECTS: usize = 100;

/// Two behaviours to be told apart.
#[derive(Clone, Copy)]
pub(super) struct Account<'a> {
    pub(super) scales: &'a Scales<'a>,
    pub(super) usual: &'a Pair,
    pub(super) deviant: &'a Pair,
}

impl Account<'_> {
    /// The abstractions under which replays are compared: those that clustering used, and the one
    /// that drops values, if the two still differ then. Otherwise times and counters would make a
    /// replay fail although it shows the same.
    pub(super) fn rules_for_replays(&self, used: u8) -> Option<u8> {
        let without_values = used | Abstraction::Values.bit();
        let [usual, deviant] =
            [self.usual, self.deviant].map(|pair| self.scales.fingerprint(pair, without_values));
        Some(if usual? == deviant? { used } else { without_values })
    }

    pub(super) fn conduct(
        &self,
        weighing: &Weighing,
        behaviour: &Behaviour,
        size: u32,
        rules: u8,
    ) -> Option<Conduct> {
        let pair = Pair { before: behaviour.before.clone(), after: behaviour.after.clone() };
        let events = behaviour.input.iter().map(|&n| weighing.events.get(n as usize).cloned());
        Some(Conduct {
            size,
            input: events.collect::<Option<_>>()?,
            source: behaviour.source,
            expected: Expected {
                state: weighing.state,
                rules,
                script: self.scales.fingerprint(&pair, rules)?,
            },
            before: pair.before,
            after: pair.after,
        })
    }

    /// What only the usual behaviour does, then what only the deviant one does, with the number of
    /// the latter.
    pub(super) fn effects(&self, rules: u8) -> Option<(Vec<UnmatchedEffect>, u32)> {
        let usual = self.scales.script(self.usual, rules)?.unwrap_or_default();
        let deviant = self.scales.script(self.deviant, rules)?.unwrap_or_default();
        let mut effects = self.only(self.usual, &usual, self.deviant, &deviant)?;
        effects.truncate(MOST_EFFECTS);
        let mut surplus = self.only(self.deviant, &deviant, self.usual, &usual)?;
        surplus.truncate(MOST_EFFECTS);
        let count = u32::try_from(surplus.len()).unwrap_or(u32::MAX);
        effects.extend(surplus);
        Some((effects, count))
    }

    /// The operations of one behaviour that the other lacks, counted with repetition.
    fn only(
        &self,
        pair: &Pair,
        script: &[Operation],
        other: &Pair,
        others: &[Operation],
    ) -> Option<Vec<UnmatchedEffect>> {
        let mut theirs: Vec<Code> = others.iter().map(|operation| operation.code).collect();
        theirs.sort_unstable();
        let mut matched = vec![false; theirs.len()];
        let before = self.scales.layouts.layout(pair.before.layout)?;
        let after = self.scales.layouts.layout(pair.after.layout)?;
        let layouts = [pair.before.layout, pair.after.layout, other.before.layout, other.after.layout];
        let mut effects = Vec::new();
        for operation in script {
            let first = theirs.partition_point(|code| *code < operation.code);
            let twin =
                (first..theirs.len()).take_while(|&n| theirs[n] == operation.code).find(|&n| !matched[n]);
            if let Some(twin) = twin {
                matched[twin] = true;
                continue;
            }
            let note =
                |layout: &Layout, id: Option<WidgetId>| id.and_then(|id| layout.get(id)).map(WidgetNote::of);
            let place = match operation.kind {
                EffectKind::Added => operation.after.and_then(|id| after.get(id)),
                EffectKind::Deleted | EffectKind::Changed => operation.before.and_then(|id| before.get(id)),
            };
            effects.push(UnmatchedEffect {
                kind: operation.kind,
                before: note(&before, operation.before),
                after: note(&after, operation.after),
                context: place.map(context).unwrap_or_default(),
                seed: (1, 2),
                mutant: (1, 2),
                layouts,
                diverged: false,
            });
        }
        Some(effects)
    }

    /// The deviation as a replay showed it.
    pub(super) fn replayed(
        &self,
        run: &JobRun,
        batch: &Batch,
        usual: (usize, Expected),
        deviant: (usize, Expected),
    ) -> Option<Deviation> {
        let (effects, surplus) = self.effects(usual.1.rules)?;
        let conduct = |(number, expected): (usize, Expected), pair: &Pair| {
            let input = batch.tests.get(number)?.events.clone();
            let narrow = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
            let source = Source {
                session: SessionId(0),
                slot: run.job.slot,
                test: narrow(number),
                step: narrow(input.len()),
            };
            let (before, after) = (pair.before.clone(), pair.after.clone());
            Some(Conduct { size: 1, input, before, after, source, expected })
        };
        let (usual, deviant) = (conduct(usual, self.usual)?, conduct(deviant, self.deviant)?);
        let rules = usual.expected.rules;
        Some(Deviation {
            state: usual.expected.state,
            event: Handled::of(usual.input.last()?),
            sizes: Vec::new(),
            majority: 0,
            mean: 0.0,
            deviation: 0.0,
            z: None,
            rules: Abstraction::ALL.into_iter().filter(|rule| rules & rule.bit() != 0).collect(),
            usual,
            deviant,
            effects,
            surplus,
        })
    }
}
