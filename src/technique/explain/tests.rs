//! Each explanation on small traces that it explains, and on look-alikes that it must not.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Case, Difference, Story, came_to_another_page, experiments};
use crate::gui::{
    Bounds, Effect, EffectForm, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget,
    Widget, effects,
};
use crate::record::{
    Act, AppBuild, Batch, Bearing, DeviceInfo, EffectKind, ExperimentKind, Job, JobRun, Observation, Purpose,
    Screen, Seen, Slot, Turn, Work,
};

/// A page by its parts, separated by `;`: `bar Notes`, `tab Week`, `field Title=milk`, `switch Dark=on`,
/// `text hint=No notes`, `row milk=two litres` (with a check box and a menu button), `dialog Delete milk?`, `button Save`.
/// `@Other` in front names the activity.
pub(super) fn page(text: &str) -> (String, Layout) {
    let (activity, text) = match text.trim().strip_prefix('@') {
        Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
        None => ("Main", text.trim()),
    };
    let parts: Vec<&str> = text.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    let dialog = parts.iter().any(|part| part.starts_with("dialog"));
    let window = if dialog { Bounds::new(40, 40, 300, 300) } else { Bounds::new(0, 0, 400, 800) };
    let mut sheet = Sheet { builder: LayoutBuilder::new(), window };
    sheet.open("android.widget.FrameLayout", "");
    for part in parts.iter().filter(|part| !part.starts_with("row")) {
        sheet.part(part);
    }
    if parts.iter().any(|part| part.starts_with("row")) {
        sheet.open("androidx.recyclerview.widget.RecyclerView", "list");
        for part in parts.iter().filter_map(|part| part.strip_prefix("row ")) {
            sheet.row(part);
        }
        sheet.builder.close();
    }
    (activity.to_owned(), sheet.builder.finish())
}

struct Sheet {
    builder: LayoutBuilder,
    window: Bounds,
}

impl Sheet {
    fn open(&mut self, class: &str, id: &str) {
        self.widget(class, id, "", "", Flags::ENABLED);
    }

    fn leaf(&mut self, class: &str, id: &str, text: &str, hint: &str, flags: Flags) {
        self.widget(class, id, text, hint, flags);
        self.builder.close();
    }

    fn widget(&mut self, class: &str, id: &str, text: &str, description: &str, flags: Flags) {
        let id = if id.is_empty() { String::new() } else { format!("a.b:id/{id}") };
        let flags = flags.with(Flags::ENABLED, true);
        let (resource_id, bounds) = (id.as_str(), self.window);
        self.builder.open(NewWidget {
            class,
            resource_id,
            text,
            description,
            flags,
            bounds,
            ..NewWidget::default()
        });
    }

    fn part(&mut self, part: &str) {
        let (kind, text) = part.split_once(' ').unwrap_or((part, ""));
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let clickable = Flags::CLICKABLE;
        match kind {
            "bar" => {
                self.open("android.view.ViewGroup", "main_toolbar");
                self.leaf("android.widget.ImageButton", "", "", "Navigate up", clickable);
                self.leaf("android.widget.TextView", "", text, "", Flags::ENABLED);
                self.builder.close();
            }
            "tab" => {
                self.leaf("android.widget.TextView", "tab", text, "", clickable.with(Flags::SELECTED, true))
            }
            "field" => self.leaf("android.widget.EditText", name, value, "", clickable),
            "switch" => {
                let flags = clickable.with(Flags::CHECKABLE, true).with(Flags::CHECKED, value == "on");
                self.leaf("android.widget.Switch", "switch", name, "", flags);
            }
            "text" => self.leaf("android.widget.TextView", name, value, "", Flags::ENABLED),
            "button" => self.leaf("android.widget.Button", "button", text, "", clickable),
            "dialog" => self.leaf("android.widget.TextView", "alertTitle", text, "", Flags::ENABLED),
            other => panic!("no part {other}"),
        }
    }

    fn row(&mut self, part: &str) {
        let (label, detail) = part.split_once('=').unwrap_or((part, ""));
        self.widget("android.widget.LinearLayout", "row", "", "", Flags::CLICKABLE);
        self.leaf("android.widget.TextView", "label", label, "", Flags::ENABLED);
        self.leaf("android.widget.TextView", "detail", detail, "", Flags::ENABLED);
        self.leaf("android.widget.CheckBox", "tick", "", "", Flags::CLICKABLE.with(Flags::CHECKABLE, true));
        self.leaf("android.widget.ImageView", "more", "", "More", Flags::CLICKABLE);
        self.builder.close();
    }
}

/// A test: pages with the events between them. `bar A -click Save-> bar B -back-> …`; `click more of milk`
/// acts on a control in a row.
pub(super) struct Told {
    run: JobRun,
    layouts: BTreeMap<LayoutHash, Arc<Layout>>,
}

pub(super) fn told(text: &str) -> Told {
    let mut told = Told {
        run: JobRun {
            job: Job {
                slot: Slot(7),
                rng: 0,
                work: Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests: Vec::new() }),
            },
            attempt: 1,
            device: DeviceInfo::default(),
            app: AppBuild::default(),
            turns: Vec::new(),
        },
        layouts: BTreeMap::new(),
    };
    let mut act = Act::Reset;
    for part in text.split("->") {
        let (here, event) = part.rsplit_once(" -").map_or((part, None), |(page, event)| (page, Some(event)));
        let (activity, layout) = page(here);
        let next = event.map(|event| event_of(event.trim(), &layout));
        let screen = Screen {
            layout: layout.hash(),
            package: "a.b".into(),
            activity,
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        told.layouts.insert(layout.hash(), Arc::new(layout));
        let observation = Observation::Seen(Box::new(Seen {
            screen,
            settled: true,
            resolution: None,
            signals: Vec::new(),
            setup: Vec::new(),
            dialogs: Vec::new(),
            screenshot: None,
        }));
        told.run.turns.push(Turn { act, observation, at_ms: 0, took_ms: 0 });
        act = next.map_or(Act::Reset, Act::Perform);
    }
    told
}

fn event_of(text: &str, on: &Layout) -> Event {
    match text.split_once(' ') {
        Some(("click", name)) => {
            let (part, row) = name.split_once(" of ").unwrap_or((name, ""));
            let in_row = |w: &Widget<'_>| {
                row.is_empty() || crate::technique::sentence::row_label(*w).as_deref() == Some(row)
            };
            let found = on
                .widgets()
                .filter(in_row)
                .find(|w| w.text() == part || w.description() == part || w.short_id() == part);
            let widget = found.unwrap_or_else(|| panic!("no {name} to click"));
            Event::on(EventKind::Click, on.selector(widget.id()))
        }
        Some(("type", name)) => {
            let field = on.widgets().find(|w| w.is_editable()).expect("a field");
            Event::edit(on.selector(field.id()), name)
        }
        _ if text == "back" => Event::global(EventKind::Back),
        _ => panic!("no event {text}"),
    }
}

impl Told {
    pub(super) fn story(&self) -> Story<'_> {
        Story::of(&self.run, 0, |hash| self.layouts.get(&hash).cloned())
    }

    fn layout(&self, n: usize) -> &Layout {
        let seen = self.run.turns[n].observation.seen().expect("seen");
        &self.layouts[&seen.screen.layout]
    }
}

/// The changes between two layouts that do not happen between two others, by class, id and texts.
fn differences<'a>(own: (&'a Layout, &'a Layout), other: (&Layout, &Layout)) -> Vec<Difference<'a>> {
    let changes = |(from, to): (&'a Layout, &'a Layout)| -> Vec<Difference<'a>> {
        let of = |effect| match effect {
            Effect::Deleted(old) => {
                Difference { kind: EffectKind::Deleted, before: from.get(old), after: None }
            }
            Effect::Added(new) => Difference { kind: EffectKind::Added, before: None, after: to.get(new) },
            Effect::Changed(old, new) => {
                Difference { kind: EffectKind::Changed, before: from.get(old), after: to.get(new) }
            }
        };
        effects(EffectForm::Tree, from, to).into_iter().map(of).collect()
    };
    let name = |widget: Widget<'_>| {
        let row = crate::technique::sentence::row_label(widget);
        format!(
            "{} {} {} {} {row:?}",
            widget.class(),
            widget.resource_id(),
            widget.text(),
            widget.description()
        )
    };
    let names = |change: &Difference<'_>| (change.before.map(name), change.after.map(name));
    let theirs: Vec<_> = {
        let of = |effect| match effect {
            Effect::Deleted(old) => (other.0.get(old).map(name), None),
            Effect::Added(new) => (None, other.1.get(new).map(name)),
            Effect::Changed(old, new) => (other.0.get(old).map(name), other.1.get(new).map(name)),
        };
        effects(EffectForm::Tree, other.0, other.1).into_iter().map(of).collect()
    };
    changes(own).into_iter().filter(|change| !theirs.contains(&names(change))).collect()
}

/// Runs `look` on the last pair of a seed and a mutant. The inserted trace has `length` events from the sight of
/// number `pivot`, from 0; the pair is `(i, last)`.
pub(super) fn with_case<T>(
    (seed, mutant): (&str, &str),
    (pivot, length): (usize, usize),
    i: usize,
    look: impl FnOnce(&Case<'_>) -> T,
) -> T {
    let (seed, mutant) = (told(seed), told(mutant));
    let (usual, deviant) = (seed.story(), mutant.story());
    let (j, k) = (usual.sights.len() - 1, deviant.sights.len() - 1);
    let counterpart = if i <= pivot { i } else { i + length };
    let pair = (seed.layout(i), seed.layout(j));
    let other = (mutant.layout(counterpart), mutant.layout(k));
    let case = Case {
        usual: &usual,
        deviant: &deviant,
        usual_pair: (i, j),
        deviant_pair: (counterpart, k),
        extra: pivot + 1..pivot + 1 + length,
        lost: differences(pair, other),
        instead: differences(other, pair),
        left_out: &|_, _| false,
    };
    look(&case)
}

/// What decides in the end, and in which words.
fn outcome(case: &Case<'_>) -> (Option<(ExperimentKind, Bearing)>, String) {
    let found = experiments(case);
    let said = found.iter().map(|e| e.words.as_str()).collect::<Vec<_>>().join(" ");
    assert!(found.iter().all(|e| !e.places.is_empty()), "{said}");
    (found.last().map(|experiment| (experiment.kind, experiment.bearing)), said)
}

use Bearing::{Accuses, Doubts, Excuses};
use ExperimentKind::{OwnObject, PageIdentity, Placeholder, RemoteSwitch, Stack, Swap};

/// Name, seed, mutant, (pivot, length), what decides, and a part of its words. All pairs are the last two
/// sights of the seed.
type Line = (
    &'static str,
    &'static str,
    &'static str,
    (usize, usize),
    Option<(ExperimentKind, Bearing)>,
    &'static str,
);

fn check(lines: &[Line]) {
    for (name, seed, mutant, at, expected, words) in lines {
        let last = seed.matches("->").count();
        let (found, said) = with_case((seed, mutant), *at, last - 1, outcome);
        assert_eq!(found, *expected, "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
}

#[test]
fn another_page_or_mode_explains() {
    check(&[
        (
            "another title",
            "bar Week; button Add -click Add-> bar Week; button Add; text n=1",
            "bar Week; button Add -click Add-> bar Day; button Add -click Add-> bar Day; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "the page 'Day' instead of 'Week'",
        ),
        (
            "another tab",
            "bar A; tab All; button Add -click Add-> bar A; tab All; button Add; text n=1",
            "bar A; tab All; button Add -click Add-> bar A; tab Done; button Add -click Add-> bar A; tab Done; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "'Done' was chosen instead of 'All'",
        ),
        (
            "another search",
            "bar A; field q=; button Add -click Add-> bar A; field q=; button Add; row milk",
            "bar A; field q=; button Add -type tea-> bar A; field q=tea; button Add -click Add-> bar A; field q=tea; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "'tea' stood in a field instead of nothing",
        ),
        (
            "a switch on the page",
            "bar A; switch Sorted=off; button Add -click Add-> bar A; switch Sorted=off; button Add; text n=1",
            "bar A; switch Sorted=off; button Add -click Sorted-> bar A; switch Sorted=on; button Add -click Add-> bar A; switch Sorted=on; button Add",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "a switch was on instead of off",
        ),
        (
            "another dialog",
            "dialog Delete milk?; button OK -click OK-> bar A",
            "dialog Delete milk?; button OK -click OK-> dialog Delete tea?; button OK -click OK-> bar A; text n=1",
            (0, 1),
            None,
            "",
        ),
        (
            "another row of the same control",
            "bar A; row milk; row tea -click tick of milk-> bar A; row milk=done; row tea",
            "bar A; row milk; row tea -click tick of milk-> bar A; row tea; row jam -click tick of tea-> bar A; row tea; row jam",
            (0, 1),
            Some((PageIdentity, Excuses)),
            "the row 'tea' instead of 'milk'",
        ),
        (
            "look-alike: a row was added beside",
            "bar A; row milk -click tick of milk-> bar A; row milk=done",
            "bar A; row milk -click more of milk-> bar A; row milk; row tea -click tick of milk-> bar A; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: the title counts the rows",
            "bar A (1); row milk -click tick of milk-> bar A (1); row milk=done",
            "bar A (1); row milk -click more of milk-> bar A (2); row milk; row tea -click tick of milk-> bar A (2); row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: a switch in a row beside",
            "bar A; button Add -click Add-> bar A; button Add; text n=1",
            "bar A; button Add -click Add-> bar A; button Add -click Add-> bar A; button Add",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn an_object_already_changed_explains() {
    check(&[
        (
            "the row to remove is gone",
            "bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row tea",
            "bar A; button Clear; row milk; row tea -click more of milk-> bar A; button Clear; row tea -click Clear-> bar A; button Clear; row tea",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had already removed 'milk'",
        ),
        (
            "the row has another detail",
            "bar A; button Next; row milk=one -click Next-> bar A; button Next; row milk=two",
            "bar A; button Next; row milk=one -click more of milk-> bar A; button Next; row milk=two -click Next-> bar A; button Next; row milk=three",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had already turned 'one' into 'two'",
        ),
        (
            "a counter is further",
            "bar A; text n=1 item; button Add -click Add-> bar A; text n=2 items; button Add",
            "bar A; text n=1 item; button Add -click Add-> bar A; text n=2 items; button Add -click Add-> bar A; text n=3 items; button Add",
            (0, 1),
            Some((OwnObject, Excuses)),
            "had already turned '1 item' into '2 items'",
        ),
        (
            "a text is there already",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row -click Help-> bar A; button Help; text tip=Hold a row",
            (0, 1),
            Some((OwnObject, Excuses)),
            "'Hold a row' was there already",
        ),
        (
            "a namesake is there already: a doubt",
            "bar A; button Add; row tea -click Add-> bar A; button Add; row tea; row milk",
            "bar A; button Add; row tea -click Add-> bar A; button Add; row tea; row milk -click Add-> bar A; button Add; row tea; row milk",
            (0, 1),
            Some((OwnObject, Doubts)),
            "was there already",
        ),
        (
            "look-alike: another row was removed",
            "bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row tea",
            "bar A; button Clear; row milk; row tea; row jam -click more of jam-> bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: a row beside has the value",
            "bar A; button Next; row milk=one; row tea=two -click Next-> bar A; button Next; row milk=two; row tea=two",
            "bar A; button Next; row milk=one; row tea=one -click more of tea-> bar A; button Next; row milk=one; row tea=two -click Next-> bar A; button Next; row milk=one; row tea=two",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: it was there and is gone after",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row",
            "bar A; button Help -click Help-> bar A; button Help; text tip=Hold a row -click Help-> bar A; button Help",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: one of two losses was changed before",
            "bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear",
            "bar A; button Clear; row milk; row tea -click more of milk-> bar A; button Clear; row tea -click Clear-> bar A; button Clear; row tea",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn a_placeholder_and_a_place_in_the_stack_explain() {
    check(&[
        (
            "the list is not empty",
            "bar A; button Clear; text note=x -click Clear-> bar A; button Clear; text hint=No notes; text note=x",
            "bar A; button Clear; text note=x -click Clear-> bar A; button Clear; text note=x; row tea -click Clear-> bar A; button Clear; text note=x; row tea",
            (0, 1),
            Some((Placeholder, Excuses)),
            "'No notes' stands for an empty list",
        ),
        (
            "look-alike: the list is empty",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; text hint=No notes",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; row milk -click Clear-> bar A; button Clear",
            (0, 1),
            None,
            "",
        ),
        (
            "look-alike: a row is not removed either",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; text hint=No notes",
            "bar A; button Clear; row milk -click Clear-> bar A; button Clear; row milk; row tea -click Clear-> bar A; button Clear; row milk; row tea",
            (0, 1),
            None,
            "",
        ),
        (
            "back to a page opened on the way",
            "bar B -back-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -back-> bar Help",
            (0, 2),
            Some((Stack, Excuses)),
            "opened on the way",
        ),
        (
            "up to a page opened on the way",
            "bar B -click Navigate up-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -click Navigate up-> bar Help",
            (0, 2),
            Some((Stack, Excuses)),
            "opened on the way",
        ),
        (
            "look-alike: back stays where it is",
            "bar B -back-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -back-> bar B",
            (0, 2),
            None,
            "",
        ),
        (
            "look-alike: a button, not back",
            "bar B; button Save -click Save-> bar Home; text hello=Hello",
            "bar B; button Save -click Navigate up-> bar Help -back-> bar B; button Save -click Save-> bar Help",
            (0, 2),
            None,
            "",
        ),
        (
            "look-alike: back to a page nobody opened",
            "bar B -back-> bar Home; text hello=Hello",
            "bar B -click Navigate up-> bar Help -back-> bar B -back-> bar Login",
            (0, 2),
            None,
            "",
        ),
    ]);
}

#[test]
fn a_switch_elsewhere_leaves_a_doubt_and_a_swap_accuses() {
    check(&[
        (
            "a switch on another page",
            "bar A; button Add -click Add-> bar A; button Add; text n=1",
            "bar A; button Add -click Add-> @Prefs bar Settings; switch Short=off -click Short-> @Prefs bar Settings; switch Short=on -back-> bar A; button Add -click Add-> bar A; button Add",
            (0, 3),
            Some((RemoteSwitch, Doubts)),
            "changed 'Short' on another page",
        ),
        (
            "look-alike: switched on and off again",
            "bar A; button Add -click Add-> bar A; button Add; text n=1",
            "bar A; button Add -click Add-> @Prefs bar Settings; switch Short=off -click Short-> @Prefs bar Settings; switch Short=off -back-> bar A; button Add -click Add-> bar A; button Add",
            (0, 3),
            None,
            "",
        ),
        (
            "another row goes than the dialog names",
            "bar A; row milk; row tea -click more of milk-> dialog Delete milk?; button OK -click OK-> bar A; row tea",
            "bar A; row milk; row tea -click more of tea-> bar A; row milk; row tea -click more of milk-> dialog Delete milk?; button OK -click OK-> bar A; row milk",
            (0, 1),
            None,
            "",
        ),
        (
            "another row changes than was ticked",
            "bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=done; row tea=open",
            "bar A; row milk=open; row tea=open -click more of tea-> bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=open; row tea=done",
            (0, 1),
            Some((Swap, Accuses)),
            "changed 'tea' instead of 'milk'",
        ),
        (
            "look-alike: both change",
            "bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=done; row tea=open",
            "bar A; row milk=open; row tea=open -click more of tea-> bar A; row milk=open; row tea=open -click tick of milk-> bar A; row milk=half; row tea=open",
            (0, 1),
            None,
            "",
        ),
    ]);
}

#[test]
fn a_dialog_that_names_one_row_and_removes_another_accuses() {
    let seed = "bar A; row milk; row tea -click more of milk-> dialog Delete milk?; button OK -click OK-> bar A; row tea";
    let mutant = "bar A; row milk; row tea -click more of tea-> bar A; row milk; row tea -click more of milk-> \
                  dialog Delete milk?; button OK -click OK-> bar A; row milk";
    let (found, said) = with_case((seed, mutant), (0, 1), 0, outcome);
    assert_eq!(found, Some((Swap, Accuses)), "{said}");
    assert!(said.contains("Clicking 'OK' in 'Delete milk?' removed 'tea' instead of 'milk'"), "{said}");
}

#[test]
fn an_insertion_must_come_back_to_the_same_page() {
    // pivot, end, the row of the next event, and why it does not count as the same.
    for (pivot, end, next, why) in [
        ("bar A; row milk", "bar A; row milk; row tea", "milk", ""),
        ("bar A (1); row milk", "bar A (2); row milk; row tea", "milk", ""),
        ("bar A; text now=12:04", "bar A; text now=12:05", "", ""),
        ("bar 12:04", "bar 12:05", "", ""),
        ("bar A; row milk", "bar B; row milk", "", "the page 'B' instead of 'A'"),
        ("bar A; tab One", "bar A; tab Two", "", "'Two' was chosen"),
        ("bar A; field q=", "bar A; field q=x", "", "stood in a field"),
        ("bar A; field q=x", "bar A", "", "the field with 'x' was not there"),
        ("bar A", "bar A; field q=", "", "a field with nothing was open"),
        ("bar A; switch B=on", "bar A; switch B=off", "", "off instead of on"),
        ("bar A", "dialog Really?", "", "instead of 'A'"),
        ("dialog Really?", "dialog Sure?", "", "'Sure?' instead of 'Really?'"),
        ("bar A; row milk; row tea", "bar A; row tea", "milk", "the row 'tea' instead of 'milk'"),
    ] {
        let (pivot, end) = (page(pivot).1, page(end).1);
        let tick = |layout: &Layout| {
            let is_its = |w: &Widget<'_>| {
                w.short_id() == "tick" && crate::technique::sentence::row_label(*w).as_deref() == Some(next)
            };
            layout.widgets().find(is_its).map(|w| Event::on(EventKind::Click, layout.selector(w.id())))
        };
        let said = came_to_another_page(&pivot, &end, tick(&pivot).as_ref());
        assert_eq!(said.is_some(), !why.is_empty(), "{why}: {said:?}");
        assert!(said.clone().unwrap_or_default().contains(why), "{why}: {said:?}");
    }
}
