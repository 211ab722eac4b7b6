//! The oracle: what the Detector said, with the parts of it that are on the screens.

use std::sync::Arc;

use super::chronicle::{Chronicle, Detection, Function, Stage};
use super::step::Step;
use super::{phrase, pictures};
use crate::Oracle;
use crate::VisiondroidSettings;
use crate::fidelity::{Shortfall, fidelity, shortfall};
use crate::sentence::{quoted, split_name};
use droidmux_account::{Veil, find_event};
use droidmux_gui::{Layout, Widget, nearest, short_class, short_id};
use droidmux_record::{
    Evidence, Harm, Hint, JobRun, Judgement, Layouts, Mismatch, Outcome, Role, SessionDefinition, Test,
    Trace, Verdict, WidgetNote, Work,
};

/// Judges tours, and replays of functions.
pub struct VisiondroidOracle {
    /// How each test begins.
    blank: Chronicle,
    /// The most screens in the evidence.
    history: u32,
}

/// The most characters in a title.
const LONGEST_TITLE: usize = 160;

impl VisiondroidOracle {
    /// For jobs of this session; its `history` bounds the screens shown as evidence.
    pub fn new(definition: &SessionDefinition) -> Self {
        let history = definition.settings.of::<VisiondroidSettings>().history;
        Self { blank: Chronicle::blank(definition), history }
    }
}

impl Oracle for VisiondroidOracle {
    /// One verdict for each function that the Detector objects to, and one for each test that has
    /// none.
    fn judge(&self, run: &JobRun, layouts: &dyn Layouts) -> Judgement {
        let traces = run.traces();
        let chronicles = Chronicle::of_run(run, &self.blank, layouts);
        let mut verdicts = Vec::new();
        for (trace, chronicle) in traces.iter().zip(&chronicles) {
            let short = match &run.job.work {
                Work::Errand(_) => None,
                Work::Batch(batch) => match batch.tests.get(usize::from(trace.test)) {
                    Some(Test { role: Role::Toured(_), events }) => shortfall(trace, events.len()),
                    _ => continue,
                },
                Work::Explore(_) => continue,
            };
            verdicts.extend(self.verdicts(run, trace, chronicle, short, layouts));
        }
        Judgement { verdicts, ..Judgement::default() }
    }
}

impl VisiondroidOracle {
    fn verdicts(
        &self,
        run: &JobRun,
        trace: &Trace<'_>,
        chronicle: &Chronicle,
        short: Option<Shortfall>,
        layouts: &dyn Layouts,
    ) -> Vec<Verdict> {
        let verdict = |outcome, key, title, evidence, hints| Verdict {
            key,
            title,
            fidelity: fidelity(trace),
            evidence,
            hints,
            harm: Harm::LostFunction,
            ..Verdict::new(run.job.slot, trace.test, "visiondroid", outcome)
        };
        let mut violations = Vec::new();
        for function in &chronicle.functions {
            let Stage::Judged(detection) = &function.stage else { continue };
            let Some(mismatch) = self.mismatch(chronicle, function, detection, layouts) else { continue };
            let title = title(&mismatch);
            let key = key(chronicle, function, detection, &mismatch);
            let hints = hints(&mismatch);
            let cluster = cluster(&mismatch);
            let evidence = Evidence::Mismatch(Box::new(mismatch));
            violations.push(Verdict { cluster, ..verdict(Outcome::Violation, key, title, evidence, hints) });
        }
        if !violations.is_empty() {
            return violations;
        }
        let judged = chronicle.functions.iter().filter(|f| matches!(f.stage, Stage::Judged(_))).count();
        let why = chronicle.functions.iter().find_map(|function| match &function.stage {
            Stage::Unjudged(why) => Some(why.clone()),
            _ => None,
        });
        let outcome = match (short, why, judged) {
            (Some(short), _, _) => Outcome::Inconclusive(short.to_string()),
            (None, Some(why), 0) => Outcome::Inconclusive(why),
            (None, None, 0) => Outcome::Inconclusive("the Detector was asked about no function".into()),
            (None, _, _) => Outcome::Pass,
        };
        let title = format!("{judged} of {} functions judged, none of them wrong", chronicle.functions.len());
        vec![verdict(outcome, String::new(), title, Evidence::None, Vec::new())]
    }

    /// What the Detector objects to; `None` when it objects to nothing.
    fn mismatch(
        &self,
        chronicle: &Chronicle,
        function: &Function,
        detection: &Detection,
        layouts: &dyn Layouts,
    ) -> Option<Mismatch> {
        let opinion = &detection.opinion;
        if opinion.meets {
            return None;
        }
        let (trigger, shows) = numbers(chronicle, function, detection);
        let step = chronicle.steps.get(trigger.checked_sub(1)?)?;
        let sight = chronicle.sights.get(shows)?;
        let widget = layouts
            .layout(sight.layout)
            .and_then(|layout| Some(WidgetNote::of(named(&layout, &opinion.widget, &chronicle.veil)?)));
        let turn_of =
            |number: usize| chronicle.steps.get(number.saturating_sub(1)).map_or(0, |step| step.turn);
        Some(Mismatch {
            function: function.name.clone(),
            description: opinion.description.clone(),
            page: sight.activity.clone(),
            widget,
            named: opinion.widget.clone(),
            operation: step.told.event.clone(),
            expected: opinion.expected.clone(),
            actual: opinion.actual.clone(),
            reasoning: opinion.reasoning.clone(),
            span: (turn_of(function.first), turn_of(shows.max(trigger))),
            turn: step.turn,
            asked: detection.turn,
            layouts: chronicle.around(trigger)?,
            frames: pictures::frames(chronicle, function.first..=chronicle.end_of(function), self.history),
            answered_by: detection.exchange.answered_by.clone(),
        })
    }
}

/// The step that triggers the bug and the one after which it shows, by their numbers; where the
/// Detector named none of the function's steps, nor the one after them, the function's last one.
fn numbers(chronicle: &Chronicle, function: &Function, detection: &Detection) -> (usize, usize) {
    let steps = function.first..=chronicle.end_of(function);
    let of = |number: Option<u32>| {
        number.and_then(|number| usize::try_from(number).ok()).filter(|number| steps.contains(number))
    };
    let opinion = &detection.opinion;
    let trigger = of(opinion.trigger).or_else(|| of(opinion.shows_after)).unwrap_or(function.last);
    (trigger, of(opinion.shows_after).unwrap_or(function.last))
}

/// What tells the bug from others.
fn key(chronicle: &Chronicle, function: &Function, detection: &Detection, mismatch: &Mismatch) -> String {
    let widget = mismatch.widget.as_ref();
    let widget =
        widget.map_or(String::new(), |w| format!("{}#{}", short_class(&w.class), short_id(&w.resource_id)));
    let operation = |step: &Step| {
        let on = step.event.receiver.as_ref();
        let on = on
            .map_or(String::new(), |on| format!(" {}#{}", short_class(&on.class), short_id(&on.resource_id)));
        format!("{}{on}", step.kind.name())
    };
    let (trigger, _) = numbers(chronicle, function, detection);
    let trigger = chronicle.steps.get(trigger.saturating_sub(1)).map(operation).unwrap_or_default();
    Mismatch::key(&mismatch.page, &widget, &trigger)
}

/// `'Delete the picture' does not do what it is for, at 'Cinema': the picture of Cinema is still there`
fn title(mismatch: &Mismatch) -> String {
    let widget = mismatch.widget.as_ref().and_then(|widget| {
        let id = split_name(short_id(&widget.resource_id));
        let names = [widget.text.as_str(), widget.description.as_str(), id.as_str()];
        names.into_iter().find(|name| !name.trim().is_empty()).map(quoted)
    });
    let at = widget.map_or(String::new(), |name| format!(", at {name}"));
    let why: String = mismatch.reasoning.chars().take(LONGEST_TITLE).collect();
    let function = quoted(&mismatch.function);
    droidmux_words::printable(&format!("{function} does not do what it is for{at}: {why}")).into_owned()
}

/// Equal for everything that goes wrong at one widget of a page.
fn cluster(mismatch: &Mismatch) -> String {
    let named = mismatch.widget.as_ref().filter(|widget| !widget.resource_id.is_empty());
    named.map_or(String::new(), |widget| format!("mismatch\n{}\n{}", mismatch.page, widget.resource_id))
}

fn hints(mismatch: &Mismatch) -> Vec<Hint> {
    let by = &mismatch.answered_by;
    let mut hints = Vec::new();
    if by == "rules" {
        let detail = "fixed rules said so, no model looked at it".to_owned();
        hints.push(Hint { cause: "by-rules".into(), detail });
    }
    if mismatch.widget.is_none() && !mismatch.named.is_empty() {
        let detail = format!("no widget of the screen is quoted {:?}", mismatch.named);
        hints.push(Hint { cause: "unfound".into(), detail: droidmux_words::printable(&detail).into_owned() });
    }
    hints
}

/// The widget that a model named: by its number among the operable ones, as the account calls it, by its `#id`, or its
/// text; else the one whose text is nearest.
fn named<'a>(layout: &'a Arc<Layout>, name: &str, veil: &Veil) -> Option<Widget<'a>> {
    let name = name.trim();
    if let Ok(number) = name.trim_start_matches('#').parse::<u32>() {
        let operable = layout.operable().into_iter().find(|operable| operable.number == number)?;
        return layout.get(operable.widget);
    }
    if let Some(event) = find_event(&format!("click {name}"), layout, veil) {
        let found = layout.resolve(event.receiver.as_ref()?).widget();
        return found.and_then(|widget| layout.get(widget));
    }
    // `Button "Save" #save`.
    let quoted = name.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')).map(|(text, _)| text);
    let id = name.rsplit_once('#').map(|(_, id)| id.trim()).filter(|id| !id.contains(['"', ' ']));
    let text = quoted.unwrap_or(name);
    let by_both = |w: &Widget<'_>| phrase::label(*w) == text && id.is_none_or(|id| w.short_id() == id);
    let by_id = |w: &Widget<'_>| id.is_some_and(|id| w.short_id() == id) || w.short_id() == name;
    let widgets = || layout.widgets().filter(|w| !w.bounds().is_empty());
    // A part of the page goes by the texts inside of it: the widget that says the text itself goes first.
    let says = |w: &Widget<'_>| w.is_leaf() && by_both(w);
    let exact =
        (!text.is_empty()).then(|| widgets().find(says).or_else(|| widgets().find(by_both))).flatten();
    exact.or_else(|| widgets().find(by_id)).or_else(|| {
        let labelled: Vec<Widget<'a>> = widgets().filter(|w| !phrase::own_label(*w).is_empty()).collect();
        let labels = labelled.iter().map(|w| phrase::own_label(*w));
        let near = nearest(text, labels)?;
        labelled.into_iter().find(|w| phrase::own_label(*w) == near)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_record::Layouts;
    use droidmux_testutils::script::Script;

    #[test]
    fn a_widget_is_found_by_what_it_says_before_what_holds_it() {
        let script = Script::read("@ Main Notes\nlist items\n- milk\n- tea | 2 l\n(save=Save)");
        let screen = &script.run.turns[0].observation.seen().unwrap().screen;
        let layout = script.layouts.layout(screen.layout).unwrap();
        for (name, class, says) in [
            ("milk", "TextView", "milk"),
            ("TextView \"tea\" #name", "TextView", "tea"),
            ("#save", "Button", "Save"),
            ("row \"milk\"", "LinearLayout", ""),
            ("tea · 2 l", "LinearLayout", ""),
            ("nothing like it", "", ""),
        ] {
            let found = named(&layout, name, &Veil::default());
            let told = found.map(|widget| (widget.short_class(), widget.text())).unwrap_or_default();
            assert_eq!(told, (class, says), "{name}");
        }
    }
}
