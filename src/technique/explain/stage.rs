//! Small traces written as text, for the tests of explanations and of what is made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Case, Difference, Story};
use droidmux_gui::{
    Bounds, Direction, Effect, EffectForm, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash,
    NewWidget, Widget, effects,
};
use droidmux_record::{
    Act, AppBuild, Batch, DeviceInfo, EffectKind, Job, JobRun, Layouts, Observation, Purpose, Role, Screen,
    Seen, Slot, Test, Turn, Work,
};

/// A page by its parts, separated by `;`: `bar Notes`, `tab Week`, `field Title=milk`, `switch Dark=on`,
/// `text hint=No notes`, `scrolls` (the list goes on beyond the screen), `keyboard` (it is up), `row milk=two litres`
/// (with a check box, on in `row +milk`, and a menu button), `dialog Delete milk?`, `undo Chosen` (a snackbar),
/// `item Copy` (of a menu, without an id), `button Save`. `@Other` in front names the activity.
pub(crate) fn page(text: &str) -> (String, Layout) {
    let (activity, text) = match text.trim().strip_prefix('@') {
        Some(rest) => rest.split_once(' ').unwrap_or((rest, "")),
        None => ("Main", text.trim()),
    };
    let parts: Vec<&str> = text.split(';').map(str::trim).filter(|part| !part.is_empty()).collect();
    let dialog = parts.iter().any(|part| part.starts_with("dialog"));
    let window = if dialog { Bounds::new(40, 40, 300, 300) } else { Bounds::new(0, 0, 400, 800) };
    let mut sheet = Sheet { builder: LayoutBuilder::new(), window };
    sheet.open("android.widget.FrameLayout", "");
    for part in parts.iter().filter(|part| !part.starts_with("row") && !STATES.contains(part)) {
        sheet.part(part);
    }
    if parts.iter().any(|part| part.starts_with("row")) {
        let flags = Flags::ENABLED.with(Flags::SCROLLABLE, parts.contains(&"scrolls"));
        sheet.widget("androidx.recyclerview.widget.RecyclerView", "list", "", "", flags);
        for part in parts.iter().filter_map(|part| part.strip_prefix("row ")) {
            sheet.row(part);
        }
        sheet.builder.close();
    }
    (activity.to_owned(), sheet.builder.finish())
}

/// Parts that are not widgets.
const STATES: [&str; 2] = ["scrolls", "keyboard"];

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
            "undo" => {
                self.leaf("android.widget.TextView", "snackbar_text", text, "", Flags::ENABLED);
                self.leaf("android.widget.Button", "snackbar_action", "UNDO", "", clickable);
            }
            "item" => self.leaf("android.widget.TextView", "", text, "", clickable),
            "button" => self.leaf("android.widget.Button", "button", text, "", clickable),
            "dialog" => self.leaf("android.widget.TextView", "alertTitle", text, "", Flags::ENABLED),
            other => panic!("no part {other}"),
        }
    }

    fn row(&mut self, part: &str) {
        let (label, detail) = part.split_once('=').unwrap_or((part, ""));
        let (label, ticked) = label.strip_prefix('+').map_or((label, false), |label| (label, true));
        self.widget("android.widget.LinearLayout", "row", "", "", Flags::CLICKABLE);
        self.leaf("android.widget.TextView", "label", label, "", Flags::ENABLED);
        self.leaf("android.widget.TextView", "detail", detail, "", Flags::ENABLED);
        self.leaf(
            "android.widget.CheckBox",
            "tick",
            "",
            "",
            Flags::CLICKABLE.with(Flags::CHECKABLE, true).with(Flags::CHECKED, ticked),
        );
        self.leaf("android.widget.ImageView", "more", "", "More", Flags::CLICKABLE);
        self.builder.close();
    }
}

/// A test: pages with the events between them. `bar A -click Save-> bar B -back-> …`; `click more of milk`
/// acts on a control in a row.
pub(crate) struct Told {
    pub(crate) run: JobRun,
    layouts: BTreeMap<LayoutHash, Arc<Layout>>,
}

pub(crate) fn told(text: &str) -> Told {
    told_batch(&[(Role::Seed, text)])
}

/// A batch of such tests.
pub(crate) fn told_batch(tests: &[(Role, &str)]) -> Told {
    let (mut turns, mut layouts, mut batch) = (Vec::new(), BTreeMap::new(), Vec::new());
    for (role, text) in tests {
        let mut events = Vec::new();
        let mut act = Act::Reset;
        for part in text.split("->") {
            let (here, event) =
                part.rsplit_once(" -").map_or((part, None), |(page, event)| (page, Some(event)));
            let (activity, layout) = page(here);
            let next = event.map(|event| event_of(event.trim(), &layout));
            events.extend(next.clone());
            let keyboard = here.split(';').any(|part| part.trim() == "keyboard");
            turns.push(Turn { act, observation: seen(activity, &layout, keyboard), at_ms: 0, took_ms: 0 });
            layouts.insert(layout.hash(), Arc::new(layout));
            act = next.map_or(Act::Reset, Act::Perform);
        }
        batch.push(Test { role: role.clone(), events });
    }
    let work = Work::Batch(Batch { purpose: Purpose::Mutants { seed: 0 }, tests: batch });
    let job = Job { slot: Slot(7), rng: 0, work };
    let (device, app) = (DeviceInfo::default(), AppBuild::default());
    Told { run: JobRun { job, attempt: 1, device, app, turns }, layouts }
}

fn seen(activity: String, layout: &Layout, keyboard: bool) -> Observation {
    let (package, in_app, rotation) = ("a.b".into(), true, 0);
    let screen = Screen { layout: layout.hash(), package, activity, in_app, rotation, keyboard };
    Observation::Seen(Box::new(Seen {
        screen,
        settling: droidmux_record::Settling::Strict,
        dumps: 2,
        toast: None,
        hears_toasts: false,
        resolution: None,
        signals: Vec::new(),
        setup: Vec::new(),
        dialogs: Vec::new(),
        screenshot: None,
    }))
}

pub(crate) fn event_of(text: &str, on: &Layout) -> Event {
    match text.split_once(' ') {
        Some(("click", name)) => {
            let (part, row) = name.split_once(" of ").unwrap_or((name, ""));
            let in_row =
                |w: &Widget<'_>| row.is_empty() || crate::sentence::row_label(*w).as_deref() == Some(row);
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
        Some(("scroll", id)) => {
            let list =
                on.widgets().find(|w| w.short_id() == id).unwrap_or_else(|| panic!("no {id} to scroll"));
            Event::on(EventKind::Scroll(Direction::Down), on.selector(list.id()))
        }
        _ => {
            let kind = EventKind::named(text).filter(|kind| !kind.is_on_widget());
            Event::global(kind.unwrap_or_else(|| panic!("no event {text}")))
        }
    }
}

impl Layouts for Told {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.layouts.get(&hash).cloned()
    }
}

impl Told {
    pub(crate) fn story(&self) -> Story<'_> {
        Story::of(&self.run, 0, |hash| self.layouts.get(&hash).cloned())
    }

    pub(crate) fn shown(&self, n: usize) -> &Layout {
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
        let row = crate::sentence::row_label(widget);
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

/// Runs `look` on the last pair of a seed and a mutant. The inserted trace has `length` events from sight number
/// `pivot`, from 0; the pair is `(i, last)`.
pub(crate) fn with_case<T>(
    (seed, mutant): (&str, &str),
    (pivot, length): (usize, usize),
    i: usize,
    look: impl FnOnce(&Case<'_>) -> T,
) -> T {
    let (seed, mutant) = (told(seed), told(mutant));
    let (usual, deviant) = (seed.story(), mutant.story());
    let (j, k) = (usual.sights.len() - 1, deviant.sights.len() - 1);
    let counterpart = i + length;
    let pair = (seed.shown(i), seed.shown(j));
    let other = (mutant.shown(counterpart), mutant.shown(k));
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
