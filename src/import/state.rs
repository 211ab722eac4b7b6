//! A state as written by DroidBot, and by Genie after it: `states/state_TAG.json`.

use std::sync::Arc;

use serde::Deserialize;

use super::ImportError;
use droidmux_gui::dump::{MAX_DEPTH, MAX_WIDGETS};
use droidmux_gui::{Bounds, Flags, Layout, LayoutBuilder, NewWidget, Selector, WidgetId};

#[derive(Debug, Deserialize)]
pub(super) struct StateFile {
    pub state_str: String,
    /// `package/activity`, the activity with or without its package.
    #[serde(default)]
    pub foreground_activity: Option<String>,
    pub views: Vec<DroidbotView>,
}

/// A view as DroidBot's accessibility service describes it.
#[derive(Debug, Deserialize)]
pub(super) struct DroidbotView {
    #[serde(default)]
    class: Option<String>,
    #[serde(default)]
    resource_id: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    content_description: Option<String>,
    #[serde(default)]
    package: Option<String>,
    bounds: [[i64; 2]; 2],
    /// Its number in `views`; −1 for a root.
    parent: i64,
    #[serde(default)]
    pub temp_id: Option<u64>,
    #[serde(default)]
    checkable: bool,
    #[serde(default)]
    checked: bool,
    #[serde(default)]
    clickable: bool,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    focusable: bool,
    #[serde(default)]
    focused: bool,
    #[serde(default)]
    scrollable: bool,
    #[serde(default)]
    long_clickable: bool,
    #[serde(default)]
    is_password: bool,
    #[serde(default)]
    selected: bool,
    #[serde(default = "yes")]
    visible: bool,
}

fn yes() -> bool {
    true
}

/// A state as a layout.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub layout: Arc<Layout>,
    pub package: String,
    /// The full class name; empty when unknown.
    pub activity: String,
    /// Which widget each view became, by the view's number.
    widgets: Vec<WidgetId>,
}

impl StateFile {
    /// Builds the layout. The views come in any order that has parents before their children.
    pub(super) fn state(&self, file: &str) -> Result<State, ImportError> {
        if self.views.len() > MAX_WIDGETS {
            let (file, limit) = (file.to_owned(), MAX_WIDGETS);
            return Err(ImportError::TooMany { file, what: "views", limit });
        }
        let children = self.children(file)?;
        let mut builder = LayoutBuilder::new();
        let mut widgets = vec![WidgetId(0); self.views.len()];
        // Views still to open, the next one last; `None` closes the widget opened last.
        let mut todo: Vec<Option<usize>> = children.roots.iter().rev().copied().map(Some).collect();
        while let Some(next) = todo.pop() {
            let Some(number) = next else {
                builder.close();
                continue;
            };
            let Some(view) = self.views.get(number) else { continue };
            if builder.depth() >= MAX_DEPTH {
                let message = format!("nested deeper than {MAX_DEPTH}");
                return Err(ImportError::field(file, format!("views[{number}]"), message));
            }
            let widget = view.widget(file, number)?;
            if let Some(slot) = widgets.get_mut(number) {
                *slot = builder.open(widget);
            }
            todo.push(None);
            todo.extend(children.of(number).iter().rev().copied().map(Some));
        }
        let (package, activity) = component(self.foreground_activity.as_deref().unwrap_or(""));
        Ok(State { layout: Arc::new(builder.finish()), package, activity, widgets })
    }

    fn children(&self, file: &str) -> Result<Children, ImportError> {
        let mut children = Children { roots: Vec::new(), below: vec![Vec::new(); self.views.len()] };
        for (number, view) in self.views.iter().enumerate() {
            if view.parent < 0 {
                children.roots.push(number);
                continue;
            }
            let parent = usize::try_from(view.parent).ok().filter(|&parent| parent < number);
            match parent.and_then(|parent| children.below.get_mut(parent)) {
                Some(list) => list.push(number),
                None => {
                    let message = format!("{} is no view before this one", view.parent);
                    return Err(ImportError::field(file, format!("views[{number}].parent"), message));
                }
            }
        }
        Ok(children)
    }
}

struct Children {
    roots: Vec<usize>,
    below: Vec<Vec<usize>>,
}

impl Children {
    fn of(&self, number: usize) -> &[usize] {
        self.below.get(number).map_or(&[], Vec::as_slice)
    }
}

impl DroidbotView {
    fn widget(&self, file: &str, number: usize) -> Result<NewWidget<'_>, ImportError> {
        Ok(NewWidget {
            class: text(&self.class),
            resource_id: text(&self.resource_id),
            text: self.text.as_deref().unwrap_or(""),
            description: text(&self.content_description),
            hint: "",
            package: text(&self.package),
            bounds: self.bounds(file, number)?,
            flags: self.flags(),
            index: 0,
        })
    }

    fn bounds(&self, file: &str, number: usize) -> Result<Bounds, ImportError> {
        let pixel = |value: i64| {
            i32::try_from(value).map_err(|_| {
                let message = format!("{value} is no pixel");
                ImportError::field(file, format!("views[{number}].bounds"), message)
            })
        };
        let [[left, top], [right, bottom]] = self.bounds;
        Ok(Bounds::new(pixel(left)?, pixel(top)?, pixel(right)?, pixel(bottom)?))
    }

    fn flags(&self) -> Flags {
        [
            (Flags::CHECKABLE, self.checkable),
            (Flags::CHECKED, self.checked),
            (Flags::CLICKABLE, self.clickable),
            (Flags::ENABLED, self.enabled),
            (Flags::FOCUSABLE, self.focusable),
            (Flags::FOCUSED, self.focused),
            (Flags::SCROLLABLE, self.scrollable),
            (Flags::LONG_CLICKABLE, self.long_clickable),
            (Flags::PASSWORD, self.is_password),
            (Flags::SELECTED, self.selected),
            (Flags::INVISIBLE, !self.visible),
        ]
        .into_iter()
        .fold(Flags::default(), |flags, (flag, on)| flags.with(flag, on))
    }
}

impl State {
    /// A state that is a plain dump. It belongs to the app if one of its windows does: bars of the system come in any
    /// order.
    pub(super) fn of_dump(layout: Layout, app: &str, activity: &str) -> Self {
        let of_app = layout.roots().any(|root| !app.is_empty() && root.package() == app);
        let first = layout.roots().next().map_or("", |root| root.package());
        let package = if of_app { app } else { first }.to_owned();
        let widgets = layout.widgets().map(|widget| widget.id()).collect();
        Self { layout: Arc::new(layout), package, activity: activity.to_owned(), widgets }
    }

    /// The selector of the view an event acted on; `None` when the layout has no such view. The view's number is
    /// trusted only if class and resource-id agree: a state file stands for all states with its name.
    pub(super) fn selector(&self, view: &DroidbotView) -> Option<Selector> {
        let agrees = |id: WidgetId| {
            let widget = self.layout.get(id)?;
            (widget.class() == text(&view.class) && widget.resource_id() == text(&view.resource_id))
                .then_some(widget)
        };
        let number = view.temp_id.and_then(|number| usize::try_from(number).ok());
        let numbered = number.and_then(|number| self.widgets.get(number)).and_then(|&id| agrees(id));
        let found = numbered.or_else(|| {
            let bounds = view.bounds("", 0).ok()?;
            let mut same =
                self.layout.widgets().filter_map(|w| agrees(w.id())).filter(|w| w.bounds() == bounds);
            same.next().filter(|_| same.next().is_none())
        })?;
        Some(self.layout.selector(found.id()))
    }
}

/// Absent values come as `null`, as an empty string, or as Python's word for nothing.
fn text(value: &Option<String>) -> &str {
    match value.as_deref() {
        None | Some("None") => "",
        Some(value) => value,
    }
}

/// Splits `package/activity`; an activity that begins with a dot is in the package.
fn component(name: &str) -> (String, String) {
    let (package, activity) = name.split_once('/').unwrap_or(("", name));
    let full = if activity.starts_with('.') { format!("{package}{activity}") } else { activity.to_owned() };
    (package.to_owned(), full)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::event::{Deed, EventFile};
    use crate::folder::parse;
    use droidmux_gui::{Event, EventKind};

    fn state(views: &str) -> Result<State, ImportError> {
        let json =
            format!("{{\"state_str\": \"s\", \"foreground_activity\": \"a.b/.Main\", \"views\": [{views}]}}");
        parse::<StateFile>("s.json", json.as_bytes())?.state("s.json")
    }

    fn view(class: &str, parent: i64) -> String {
        format!("{{\"class\": \"{class}\", \"bounds\": [[0, 0], [9, 9]], \"parent\": {parent}}}")
    }

    #[test]
    fn views_in_any_order_with_parents_first() {
        let views = [view("R", -1), view("A", 0), view("B", 0), view("a", 1), view("S", -1), view("b", 2)];
        let state = state(&views.join(",")).expect("state");
        let tree: Vec<(&str, usize)> = state.layout.widgets().map(|w| (w.class(), w.depth())).collect();
        assert_eq!(tree, [("R", 0), ("A", 1), ("a", 2), ("B", 1), ("b", 2), ("S", 0)]);
        let numbers: Vec<u32> = state.widgets.iter().map(|id| id.0).collect();
        assert_eq!(numbers, [0, 1, 3, 2, 5, 4]);
        assert_eq!((state.package.as_str(), state.activity.as_str()), ("a.b", "a.b.Main"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let deep: Vec<String> = (0..300).map(|n| view("V", n - 1)).collect();
        let cases = [
            (view("A", 3), "s.json: field `views[0].parent`: 3 is no view before this one"),
            (deep.join(","), "s.json: field `views[256]`: nested deeper than 256"),
            (
                "{\"bounds\": [[0, 0], [9, 9999999999]], \"parent\": -1}".into(),
                "s.json: field `views[0].bounds`: 9999999999 is no pixel",
            ),
            ("{\"parent\": -1}".into(), "s.json: missing field `bounds` at line 1 column 79"),
        ];
        for (views, expected) in cases {
            assert_eq!(state(&views).expect_err(expected).to_string(), expected);
        }
    }

    /// A view with any parent, number and pixels.
    fn any_view() -> impl Strategy<Value = String> {
        let parent = prop_oneof![-2i64..8, any::<i64>()];
        (parent, any::<i64>(), any::<u8>(), "[A-C]", prop::option::of(0u64..9)).prop_map(
            |(parent, pixel, flags, class, number)| {
                let number = number.map_or("null".to_owned(), |n| n.to_string());
                format!(
                    "{{\"class\": \"{class}\", \"bounds\": [[0, {}], [9, 9]], \"parent\": {parent}, \
                     \"temp_id\": {number}, \"clickable\": {}, \"is_password\": {}}}",
                    pixel >> (flags % 64),
                    flags & 1 == 1,
                    flags & 2 == 2
                )
            },
        )
    }

    proptest! {
        #[test]
        fn no_state_panics(views in prop::collection::vec(any_view(), 0..12), event in any_view()) {
            let Ok(state) = state(&views.join(",")) else { return Ok(()) };
            prop_assert_eq!(state.layout.len(), views.len());
            let json = format!(
                "{{\"tag\": \"\", \"start_state\": \"\", \"stop_state\": \"\",
                  \"event\": {{\"event_type\": \"touch\", \"view\": {event}}}}}"
            );
            let file: EventFile = parse("e", json.as_bytes()).expect("event");
            if let Deed::Event(Event { kind, receiver, .. }) = file.deed(&state) {
                prop_assert_eq!(kind, EventKind::Click);
                prop_assert!(state.layout.resolve(&receiver.expect("receiver")).widget().is_some());
            }
        }
    }
}
