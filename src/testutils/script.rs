//! Traces in a few lines.
//!
//! A line that begins with `@` shows a screen: activity, then the title of its bar; `@dialog` and `@menu` lie above
//! the activity before them, `@away` is another app. What is on it follows, a widget a line:
//!
//! ```text
//! @ Main Shopping         the title of the bar
//! tab Lists*              a destination, the star marks the selected one
//! list items              a list of this id; `list items...` scrolls
//! - milk | 2 l | [x] bought | (Delete)
//!                         a row: texts, check boxes, buttons; `id=text` names the widget of a text; a star at its end
//!                         marks a selected one
//! - # Today               a row that cannot be touched
//! label path=/home        a text beside the rows
//! scrolling               something that scrolls, and is no list
//! field name=Ann          a field and what it holds; `field search=` is empty
//! toggle Dark=on          a switch
//! spinner sort=Name       a drop-down list and what it shows
//! (Save)                  a button; `(id=Save)` has an id
//! picture map             a picture that can be touched; `photo map` is a large one, `sign map place=Rome` one beside a field
//! bar find=Find           a button in the bar; `bar field find=tea` is a field there, `bar item find=Find` a button that is a text
//! acting 2                the bar of an action mode that says this, in the place of the title
//! loading                 a progress bar
//! busy                    a progress indicator that turns
//! at 5000                 the milliseconds of the event that led here
//! restless, answered, uncovered, keyboard, across
//!                         the screen never settled, a dialog of the system was answered before, the keyboard was closed before,
//!                         the keyboard is up, the phone is turned
//! toast Saved             what a toast said; `heard` means that one would have been told
//! field* name=Ann         the field with the cursor
//! snack Note deleted | Undo
//! drawer                  what follows is in an open drawer
//! ```
//!
//! A line that begins with `>` is the event that leads to the next screen: `> click milk`, `> click milk/Delete` for
//! what lies in the row of a label, `> long milk`, `> edit name: Bob`, `> back`, `> rotate`, and so on by the names of
//! event kinds. `> click milk` on a row acts on the row.

use std::collections::BTreeMap;
use std::sync::Arc;

use droidmux_gui::{
    Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, Resolution, WidgetId,
};
use droidmux_record::{
    Act, AppBuild, DeviceInfo, Job, JobRun, Layouts, Observation, Screen, Seen, Slot, Turn, Work,
};
use droidmux_record::{Choice, Explore, Goal};

/// A trace and its layouts.
pub struct Script {
    pub run: JobRun,
    pub layouts: Shown,
}

/// Layouts by their hashes.
#[derive(Default)]
pub struct Shown(BTreeMap<LayoutHash, Arc<Layout>>);

impl Layouts for Shown {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        self.0.get(&hash).cloned()
    }
}

impl Script {
    /// # Panics
    /// Where the text is no trace.
    pub fn read(text: &str) -> Self {
        let mut script = Self { run: run(), layouts: Shown::default() };
        let mut event: Option<String> = None;
        let mut screen: Vec<&str> = Vec::new();
        let mut state = State::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.strip_prefix('>') {
                Some(next) => {
                    script.show(&std::mem::take(&mut screen), event.take(), &mut state);
                    event = Some(next.trim().to_owned());
                }
                None => screen.push(line),
            }
        }
        // An event that ends a text leads to no screen.
        if !screen.is_empty() {
            script.show(&screen, event, &mut state);
        }
        script
    }

    fn show(&mut self, lines: &[&str], event: Option<String>, state: &mut State) {
        assert!(lines.first().is_some_and(|line| line.starts_with('@')), "a screen begins with @: {lines:?}");
        let performed = event.as_deref().map(|event| state.event(event));
        state.draw(lines);
        let told = |word: &str| lines.contains(&word);
        let at_ms = lines.iter().find_map(|line| line.strip_prefix("at ")?.parse().ok()).unwrap_or(0);
        let layout = Arc::new(state.layout.clone().expect("drawn"));
        let screen = Screen {
            layout: layout.hash(),
            package: if state.away { "launcher".into() } else { "toy".into() },
            activity: if state.away { "Launcher".into() } else { format!("toy.{}", state.activity) },
            in_app: !state.away,
            rotation: u8::from(told("across")),
            keyboard: told("keyboard"),
        };
        self.layouts.0.insert(layout.hash(), layout);
        let done = [("answered", "allowed"), ("uncovered", droidmux_record::KEYBOARD_CLOSED)];
        let dialogs =
            done.iter().filter(|(word, _)| told(word)).map(|(_, done)| (*done).to_owned()).collect();
        let resolution = performed.as_ref().and_then(|(_, widget)| widget.map(Resolution::Exact));
        let toast = lines.iter().find_map(|line| line.strip_prefix("toast "));
        let seen = Seen {
            screen,
            settling: droidmux_record::Settling::strict(!told("restless")),
            dumps: 2,
            toast: toast.map(str::to_owned),
            hears_toasts: toast.is_some() || told("heard"),
            resolution,
            signals: Vec::new(),
            setup: Vec::new(),
            dialogs,
            screenshot: None,
        };
        let act = performed.map_or(Act::Reset, |(event, _)| Act::Perform(event));
        self.run.turns.push(Turn { act, observation: Observation::Seen(Box::new(seen)), at_ms, took_ms: 0 });
    }
}

fn run() -> JobRun {
    let explore = Explore::new(Goal::Mine, Choice::Random, 50);
    JobRun {
        job: Job { slot: Slot(0), rng: 0, work: Work::Explore(explore) },
        attempt: 1,
        device: DeviceInfo::default(),
        app: AppBuild { package: "toy".into(), version_name: "1".into(), version_code: 1 },
        turns: Vec::new(),
    }
}

/// The screen that is being shown.
#[derive(Default)]
struct State {
    layout: Option<Layout>,
    activity: String,
    away: bool,
}

const WIDE: i32 = 1_000;
const HIGH: i32 = 2_000;

impl State {
    /// `click milk/Delete` as an event and the widget it acts on.
    fn event(&self, text: &str) -> (Event, Option<WidgetId>) {
        let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
        let kind = match kind {
            "click" => EventKind::Click,
            "long" => EventKind::LongClick,
            "edit" => EventKind::Edit,
            "scroll" => EventKind::Scroll(droidmux_gui::Direction::Down),
            "back" => EventKind::Back,
            "home" => EventKind::Home,
            "enter" => EventKind::Enter,
            "rotate" => EventKind::Rotate,
            "launch" => EventKind::Launch,
            "wait" if !rest.is_empty() => return (Event::wait(rest.parse().expect("seconds")), None),
            "wait" => EventKind::Wait,
            "kill" => EventKind::Kill,
            "relaunch" => EventKind::Relaunch,
            "sleep" => EventKind::Sleep,
            "wake" => EventKind::Wake,
            "lock" => EventKind::Lock,
            "unlock" => EventKind::Unlock,
            "set" => {
                return (Event::set(setting(rest), rest.split_whitespace().nth(1).unwrap_or_default()), None);
            }
            other => panic!("no event {other}"),
        };
        if rest.is_empty() {
            return (Event::global(kind), None);
        }
        let layout = self.layout.as_ref().expect("a screen before");
        let (place, data) = if kind == EventKind::Edit {
            let (place, data) = rest.split_once(':').expect("edit FIELD: TEXT");
            (place.trim(), Some(data.trim().to_owned()))
        } else {
            (rest, None)
        };
        let widget = find(layout, place);
        let event = Event { kind, receiver: Some(layout.selector(widget)), data };
        (event, Some(widget))
    }

    fn draw(&mut self, lines: &[&str]) {
        let head = lines[0].trim_start_matches('@').trim();
        let mut page = Page { builder: LayoutBuilder::new(), y: 0, inset: 0, list: false };
        let first = head.split_whitespace().next().unwrap_or_default();
        self.away = first == "away";
        match first {
            "dialog" | "menu" => {
                page.inset = 100;
                page.y = 400;
                page.open("FrameLayout", "", Flags::default(), 1_200);
                let title = head.strip_prefix("dialog").map(str::trim).unwrap_or_default();
                if !title.is_empty() {
                    page.leaf("TextView", "alertTitle", title, Flags::default());
                }
            }
            // At the left edge of the screen, where no dialog is.
            "popup" => {
                page.y = 400;
                page.open("FrameLayout", "", Flags::default(), 600);
            }
            activity => {
                activity.clone_into(&mut self.activity);
                page.open("FrameLayout", "", Flags::default(), HIGH);
                page.open("Toolbar", "toolbar", Flags::default(), 100);
                let title = head.split_once(' ').map(|(_, title)| title.trim()).unwrap_or_default();
                page.leaf("TextView", "", title, Flags::default());
                page.builder.close();
            }
        }
        lines[1..].iter().for_each(|line| page.line(line));
        self.layout = Some(page.builder.finish());
    }
}

fn setting(text: &str) -> droidmux_gui::DeviceSetting {
    use droidmux_gui::DeviceSetting;
    match text.split_whitespace().next() {
        Some("dark") => DeviceSetting::Dark,
        Some("language") => DeviceSetting::Language,
        Some("font-size") => DeviceSetting::FontSize,
        Some("network") => DeviceSetting::Network,
        Some("clock") => DeviceSetting::Clock,
        other => panic!("no setting {other:?}"),
    }
}

/// The widget that an event names: `milk`, or `milk/Delete` for one in its row. What lies in a row that can be touched
/// stands for the row.
fn find(layout: &Layout, name: &str) -> WidgetId {
    let is = |widget: &droidmux_gui::Widget<'_>, name: &str| {
        [widget.text(), widget.description(), widget.short_id()].contains(&name)
    };
    if let Some((row, inner)) = name.split_once('/')
        && let Some(label) =
            layout.widgets().find(|w| w.text() == row && w.parent().is_some_and(|p| p.short_id() == "row"))
    {
        let row = label.parent().expect("a row");
        return row.subtree().find(|w| is(w, inner)).unwrap_or_else(|| panic!("no {inner} in {name}")).id();
    }
    let widget = layout.widgets().find(|w| is(w, name)).unwrap_or_else(|| panic!("no widget {name}"));
    let row = widget.parent().filter(|parent| parent.short_id() == "row" && !widget.is_actionable());
    row.unwrap_or(widget).id()
}

/// A screen being drawn.
struct Page {
    builder: LayoutBuilder,
    y: i32,
    inset: i32,
    list: bool,
}

impl Page {
    fn line(&mut self, line: &str) {
        if self.list && !line.starts_with("- ") {
            self.builder.close();
            self.list = false;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
        let touch = Flags::CLICKABLE;
        match word {
            "list" => {
                let flags = Flags::default().with(Flags::SCROLLABLE, rest.ends_with("..."));
                self.open("RecyclerView", rest.trim_end_matches("..."), flags, 1_000);
                self.list = true;
            }
            "-" => self.row(rest),
            "tab" => {
                let flags = touch.with(Flags::SELECTED, rest.ends_with('*'));
                self.leaf("TextView", "tab", rest.trim_end_matches('*'), flags);
            }
            "label" => self.leaf("TextView", key, value, Flags::default()),
            "scrolling" => self.leaf("ScrollView", "page", "", Flags::SCROLLABLE),
            "field" => self.leaf("EditText", key, value, touch),
            "field*" => self.leaf("EditText", key, value, touch.with(Flags::FOCUSED, true)),
            "picture" => self.leaf("ImageView", rest, "", touch),
            "sign" => {
                let (picture, field) = rest.split_once(' ').unwrap_or((rest, ""));
                self.signed(picture, field);
            }
            "photo" => {
                self.open("ImageView", rest, touch, 200);
                self.builder.close();
            }
            "toggle" => {
                let flags = touch.with(Flags::CHECKABLE, true).with(Flags::CHECKED, value == "on");
                self.leaf("Switch", "switch", key, flags);
            }
            "spinner" => {
                self.open("Spinner", key, touch, 50);
                self.leaf("TextView", "text1", value, Flags::default());
                self.builder.close();
            }
            "bar" => {
                self.open("Toolbar", "toolbar", Flags::default(), 100);
                let named = |class| Some((class, rest.strip_prefix(class)?.strip_prefix(' ')?));
                let (class, named) = named("field").or_else(|| named("item")).unwrap_or(("button", rest));
                let (id, text) = named.split_once('=').unwrap_or((named, ""));
                let class = match class {
                    "field" => "EditText",
                    "item" => "TextView",
                    _ => "ImageButton",
                };
                self.leaf(class, id, text, touch);
                self.builder.close();
            }
            "acting" => {
                self.open("ActionBarContextView", "action_mode_bar", Flags::default(), 100);
                self.leaf("TextView", "action_bar_title", rest, Flags::default());
                self.builder.close();
            }
            "busy" => self.square("ProgressBar", "progress"),
            "at" | "toast" | "heard" | "restless" | "answered" | "uncovered" | "keyboard" | "across" => {}
            "loading" => self.leaf("ProgressBar", "progress", "", Flags::default()),
            "snack" => {
                let (text, action) = rest.split_once('|').expect("TEXT | ACTION");
                // As Material builds it: what takes the touches has no id.
                self.open("FrameLayout", "", touch, 50);
                self.leaf("TextView", "snackbar_text", text.trim(), Flags::default());
                self.leaf("Button", "snackbar_action", action.trim(), touch);
                self.builder.close();
            }
            "drawer" => {
                self.open("DrawerLayout", "drawer", Flags::default(), 50);
                self.inset = 200;
                self.open("FrameLayout", "navigation", Flags::default(), 1_000);
                self.inset = 0;
            }
            _ if line.starts_with('(') => {
                let (id, words) = line.trim_matches(['(', ')']).split_once('=').unwrap_or(("", line));
                self.leaf("Button", id, words.trim_matches(['(', ')']), touch);
            }
            other => panic!("no widget {other}: {line}"),
        }
    }

    fn row(&mut self, cells: &str) {
        let (touch, cells) = match cells.strip_prefix("# ") {
            Some(heading) => (Flags::default(), heading),
            None => (Flags::CLICKABLE.with(Flags::LONG_CLICKABLE, true), cells),
        };
        let touch = touch.with(Flags::SELECTED, cells.ends_with('*'));
        self.open("LinearLayout", "row", touch, 50);
        for (number, cell) in cells.trim_end_matches('*').split('|').map(str::trim).enumerate() {
            if let Some(label) = cell.strip_prefix("[x]").or(cell.strip_prefix("[ ]")) {
                let flags = Flags::CLICKABLE
                    .with(Flags::CHECKABLE, true)
                    .with(Flags::CHECKED, cell.starts_with("[x]"));
                self.leaf("CheckBox", "check", label.trim(), flags);
            } else if let Some(button) = cell.strip_prefix('(') {
                self.leaf("ImageButton", "button", button.trim_end_matches(')'), Flags::CLICKABLE);
            } else {
                let (id, text) =
                    cell.split_once('=').unwrap_or((if number == 0 { "name" } else { "detail" }, cell));
                self.leaf("TextView", id, text, Flags::default());
            }
        }
        self.builder.close();
    }

    fn open(&mut self, class: &str, id: &str, flags: Flags, high: i32) {
        let id = resource_id(id);
        let bounds = Bounds::new(self.inset, self.y, WIDE - self.inset, self.y + high);
        let flags = flags.with(Flags::ENABLED, true);
        self.builder.open(NewWidget {
            class,
            resource_id: &id,
            bounds,
            flags,
            package: "toy",
            ..NewWidget::default()
        });
    }

    /// A widget as high as it is wide.
    fn square(&mut self, class: &str, id: &str) {
        let id = resource_id(id);
        let (bounds, flags) = (Bounds::new(self.inset, self.y, self.inset + 40, self.y + 40), Flags::ENABLED);
        self.y += 50;
        self.builder.open(NewWidget {
            class,
            resource_id: &id,
            bounds,
            flags,
            package: "toy",
            ..NewWidget::default()
        });
        self.builder.close();
    }

    fn leaf(&mut self, class: &str, id: &str, text: &str, flags: Flags) {
        self.put(class, id, text, flags, (self.inset, WIDE - self.inset));
        self.y += 50;
    }

    /// A picture and the field that it names, beside each other.
    fn signed(&mut self, picture: &str, field: &str) {
        let (key, value) = field.split_once('=').unwrap_or((field, ""));
        let (left, middle, right) = (self.inset, self.inset + 40, WIDE - self.inset);
        self.open("LinearLayout", "", Flags::default(), 40);
        self.put("ImageView", picture, "", Flags::CLICKABLE, (left, middle));
        self.put("EditText", key, value, Flags::CLICKABLE, (middle, right));
        self.builder.close();
        self.y += 50;
    }

    /// A leaf with its edges to the left and to the right.
    fn put(&mut self, class: &str, id: &str, text: &str, flags: Flags, (left, right): (i32, i32)) {
        let id = resource_id(id);
        let bounds = Bounds::new(left, self.y, right, self.y + 40);
        let flags = flags.with(Flags::ENABLED, true);
        let widget =
            NewWidget { class, resource_id: &id, bounds, flags, package: "toy", ..NewWidget::default() };
        let described = class == "ImageButton";
        self.builder.open(if described {
            NewWidget { description: text, ..widget }
        } else {
            NewWidget { text, ..widget }
        });
        self.builder.close();
    }
}

/// An id of the app's, unless it says of whose package it is.
fn resource_id(id: &str) -> String {
    match id {
        "" => String::new(),
        whole if whole.contains(":id/") => whole.to_owned(),
        own => format!("toy:id/{own}"),
    }
}
