//! Hints: why a violation may be a false alarm (Genie), each with the evidence for it.

use droidmux_gui::{Effect, EffectForm, Event, is_least_mapping, likeness};
use droidmux_record::Hint;

use super::canonical::{describe, describe_event};
use super::comparison::Comparison;
use super::lost::Lost;
use crate::passing::is_passing_value;
use crate::playback::{Insert, Playback, Shot};

/// Pages less alike than this are likely to be different functions of one activity.
const ONE_FUNCTION: f64 = 0.6;

/// One violation with all a hint may rest on.
pub(super) struct Case<'c, 'a> {
    comparison: &'c Comparison<'c>,
    seed: &'c Playback<'a>,
    mutant: &'c Playback<'a>,
    insert: Insert,
    /// The witness's effects, most telling first; all of one pair of layouts.
    witness: &'c [&'c Lost<'a>],
    /// What the inserted trace changes on the page of the witness.
    changes: Vec<Change<'a>>,
}

/// Two of the inserted trace's layouts, and the event before the later one.
type Change<'a> = ((Shot<'a>, Shot<'a>), &'a Event);

impl<'c, 'a> Case<'c, 'a> {
    pub(super) fn new(
        comparison: &'c Comparison<'c>,
        (seed, mutant): (&'c Playback<'a>, &'c Playback<'a>),
        insert: Insert,
        witness: &'c [&'c Lost<'a>],
    ) -> Self {
        let changes = witness.first().map(|lost| changes(mutant, insert, lost)).unwrap_or_default();
        Self { comparison, seed, mutant, insert, witness, changes }
    }

    /// Every hint there is evidence for, the strongest first.
    pub(super) fn hints(&self) -> Vec<Hint> {
        let found = [
            self.not_independent(),
            self.acted_on_twice(),
            self.changed_page(),
            self.coarse_state(),
            self.shared_activity(),
            self.volatile(),
            self.flaky(),
            self.unfaithful(),
            self.approximate(),
        ];
        let mut hints: Vec<Hint> = Vec::new();
        for hint in found.into_iter().flatten() {
            if !hints.iter().any(|known| known.cause == hint.cause) {
                hints.push(hint);
            }
        }
        hints
    }

    /// True when the inserted trace itself changes a widget of the witness.
    pub(super) fn is_touched(&self) -> bool {
        self.witness.iter().any(|lost| self.touching_event(lost).is_some())
    }

    /// The inserted trace itself changed a widget whose effect is missing: the views only look
    /// independent.
    fn not_independent(&self) -> Option<Hint> {
        let touched = self.witness.iter().find_map(|lost| Some((lost, self.touching_event(lost)?)));
        let (lost, event) = touched?;
        let widget = describe(lost.widgets().0.or(lost.widgets().1));
        Some(hint(
            "not-independent",
            format!("the inserted {} itself changes {widget}", describe_event(event)),
        ))
    }

    /// The inserted event that touches the widget of an effect.
    fn touching_event(&self, lost: &Lost<'_>) -> Option<&Event> {
        let touches = |(step, _): &&Change<'_>| {
            let touched = self.comparison.touched(*step);
            lost.places().into_iter().any(|place| self.comparison.is_among(&touched, place))
        };
        self.changes.iter().find(touches).map(|(_, event)| *event)
    }

    /// The inserted trace changed something else on the page of the missing effect: what that
    /// shows need not be independent of it.
    fn changed_page(&self) -> Option<Hint> {
        self.changes.iter().find_map(|(step, event)| {
            let change = self.taken_away(*step)?;
            let detail = format!("the inserted {} changes the same page: {change}", describe_event(event));
            Some(hint("not-independent", detail))
        })
    }

    /// The first thing that is no longer on a page as it was, in words; additions do not count.
    fn taken_away(&self, (from, to): (Shot<'_>, Shot<'_>)) -> Option<String> {
        let effects = self.comparison.effects((from, to));
        effects.iter().find_map(|effect| match *effect {
            Effect::Added(_) => None,
            Effect::Deleted(old) => {
                let widget = from.layout().get(old).filter(|w| !self.comparison.is_left_out(from, *w))?;
                Some(format!("{} goes", describe(Some(widget))))
            }
            Effect::Changed(old, new) => {
                let widget = from.layout().get(old).filter(|w| !self.comparison.is_left_out(from, *w))?;
                let becomes = to.layout().get(new).filter(|w| !self.comparison.is_left_out(to, *w))?;
                Some(format!("{} becomes {}", describe(Some(widget)), describe(Some(becomes))))
            }
        })
    }

    /// The inserted trace acts on the very widget a later event of the seed acts on, as when a
    /// switch is thrown twice, and the missing effect is that event's.
    fn acted_on_twice(&self) -> Option<Hint> {
        let inserted = self.inserted();
        let later = self.seed.trace.steps.iter().enumerate().skip(self.insert.pivot - 1);
        let (number, event) = later.map(|(n, step)| (n + 1, step.event)).find(|(number, event)| {
            let before_effect = self.witness.iter().any(|lost| *number < lost.couple.seed.1);
            before_effect
                && event.receiver.is_some()
                && inserted.iter().any(|other| same_receiver(event, other))
        })?;
        let detail =
            format!("{} is in the inserted trace and event {number} of the seed", describe_event(event));
        Some(hint("not-independent", detail))
    }

    /// The inserted trace ends in the state it began in, yet on a page that shows something else:
    /// the abstraction is too coarse to tell the two.
    fn coarse_state(&self) -> Option<Hint> {
        let ends = (self.mutant.shot(self.insert.pivot)?, self.mutant.shot(self.insert.end())?);
        let change = self.taken_away(ends)?;
        Some(hint(
            "coarse-state",
            format!("the inserted trace does not come back to the same page: {change}"),
        ))
    }

    /// The compared layouts are of one activity but have little in common.
    fn shared_activity(&self) -> Option<Hint> {
        let lost = self.witness.first()?;
        let alike = |(a, b): (Shot<'_>, Shot<'_>)| likeness(a.layout(), b.layout());
        let against = (lost.couple.shots.1, lost.couple.mutant_shots.1);
        let seed = alike(lost.couple.shots);
        let same_page = against.0.page() == against.1.page();
        let other = if same_page { alike(against) } else { 1.0 };
        let least = seed.min(other);
        let percent = (least * 100.0).round();
        let detail =
            format!("pages of {} that are {percent} % alike are compared", lost.couple.shots.1.activity());
        (least < ONE_FUNCTION).then(|| hint("shared-activity", detail))
    }

    /// The missing effect shows a value that passes with time.
    fn volatile(&self) -> Option<Hint> {
        let widgets = self.witness.iter().flat_map(|lost| [lost.widgets().0, lost.widgets().1]).flatten();
        let text = widgets.flat_map(|w| [w.text(), w.description()]).find(|text| is_passing_value(text))?;
        Some(hint("volatile", format!("{text:?} looks like a date, a time or a measured value")))
    }

    /// A compared dump never settled.
    fn flaky(&self) -> Option<Hint> {
        let lost = self.witness.first()?;
        let shots = [
            ("seed", lost.couple.seed.0, lost.couple.shots.0),
            ("seed", lost.couple.seed.1, lost.couple.shots.1),
            ("mutant", lost.couple.mutant.0, lost.couple.mutant_shots.0),
            ("mutant", lost.couple.mutant.1, lost.couple.mutant_shots.1),
        ];
        let (test, number, _) = shots.into_iter().find(|(_, _, shot)| !shot.seen.is_settled())?;
        Some(hint("flaky", format!("layout {number} of the {test} never settled")))
    }

    /// Receivers were found by likeness only.
    fn unfaithful(&self) -> Option<Hint> {
        let runs = [("mutant", self.mutant.fidelity), ("seed", self.seed.fidelity)];
        let (test, fidelity) = runs.into_iter().find(|(_, fidelity)| fidelity.similar > 0)?;
        let (similar, events) = (fidelity.similar, fidelity.events);
        let lowest = (fidelity.lowest_ratio * 100.0).round();
        let detail = format!(
            "{similar} of {events} receivers of the {test} were found by likeness, the least at {lowest} %"
        );
        Some(hint("unfaithful", detail))
    }

    /// The screens are too large for an edit mapping of least cost: what stayed may be reported as changed.
    fn approximate(&self) -> Option<Hint> {
        let lost = self.witness.first().filter(|_| self.comparison.form() == EffectForm::Tree)?;
        let pairs = [("seed", lost.couple.shots), ("mutant", lost.couple.mutant_shots)];
        let is_rough =
            |(from, to): (Shot<'_>, Shot<'_>)| !is_least_mapping(&from.still.outline, &to.still.outline);
        let (test, (from, to)) = pairs.into_iter().find(|(_, pair)| is_rough(*pair))?;
        let (before, after) = (from.layout().len(), to.layout().len());
        let detail = format!(
            "the layouts of the {test} differ too much for their size ({before} and {after} widgets) to be \
             compared exactly: some of what stayed may be told as changed"
        );
        Some(hint("approximate", detail))
    }

    fn inserted(&self) -> Vec<&Event> {
        let steps = self.mutant.trace.steps.iter().skip(self.insert.pivot - 1).take(self.insert.length);
        steps.map(|step| step.event).collect()
    }
}

fn hint(cause: &str, detail: String) -> Hint {
    Hint { cause: cause.to_owned(), detail: droidmux_words::printable(&detail).into_owned() }
}

/// Pairs of the inserted trace's layouts that show the page of an effect, with the event before the
/// later one; neighbours first. Dialogs between the two do not matter.
fn changes<'a>(mutant: &Playback<'a>, insert: Insert, lost: &Lost<'a>) -> Vec<Change<'a>> {
    let page = lost.couple.shots.1.page();
    let (start, end) = (insert.pivot, insert.end());
    let pairs = (1..=end - start).flat_map(|span| (start..=end - span).map(move |n| (n, n + span)));
    let pair = |(n, m): (usize, usize)| {
        let step = (mutant.shot(n)?, mutant.shot(m)?);
        let event = mutant.trace.steps.get(m - 2)?.event;
        (step.0.page() == page && step.0.is_comparable(step.1)).then_some((step, event))
    };
    pairs.filter_map(pair).collect()
}

fn same_receiver(a: &Event, b: &Event) -> bool {
    let identity = |event: &Event| {
        event
            .receiver
            .as_ref()
            .map(|r| [&r.class, &r.resource_id, &r.description, &r.text, &r.children].map(String::clone))
    };
    a.kind == b.kind && identity(a) == identity(b)
}
