//! What came of one filling of a form, read off its test: the form before it was submitted and the
//! page it led to.

use std::sync::Arc;

use super::form::Form;
use droidmux_account::look::shows_hint;
use droidmux_gui::{Event, EventKind, Flags, Layout, StateId, Widget};
use droidmux_record::{Layouts, Screen, Seen, Trace, WidgetNote};

/// A test as far as it ran: its first screen, then events with what was seen after them.
#[derive(Clone, Debug, Default)]
pub(super) struct Course<'a> {
    pub start: Option<&'a Seen>,
    pub steps: Vec<(&'a Event, &'a Seen)>,
}

/// One filling of a form that was submitted.
#[derive(Clone, Debug)]
pub(super) struct Landing {
    /// The form's identity, its activity, and the field under test.
    pub form: StateId,
    pub activity: String,
    pub field: WidgetNote,
    /// What the field is called: its hint, else its id.
    pub name: String,
    /// What was entered into it.
    pub text: String,
    /// What was entered anywhere before it in the test.
    pub others: Vec<String>,
    /// What it held then; `None` for a password and when it was gone.
    pub echo: Option<String>,
    /// The form filled in, before it was submitted.
    pub filled: Arc<Layout>,
    pub end: Screen,
    pub page: Arc<Layout>,
    /// The form is still there.
    pub stays: bool,
    /// The page is loading, or its dump never settled.
    pub loading: bool,
    /// The app crashed or stopped answering on the way.
    pub crashed: bool,
}

/// A text that appeared, and the number of the field that it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Appeared {
    pub text: String,
    pub field: Option<usize>,
}

/// A text on a page: of which widget, and what it says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shown {
    pub class: String,
    pub resource_id: String,
    pub text: String,
}

impl<'a> Course<'a> {
    /// The course of a recorded test; `None` when an event of it failed.
    pub fn of(trace: &Trace<'a>) -> Option<Self> {
        let steps: Option<Vec<_>> =
            trace.steps.iter().map(|step| Some((step.event, step.after.ok()?))).collect();
        Some(Self { start: trace.start, steps: steps? })
    }

    /// What it came to; `None` when nothing was entered and submitted, or a layout is missing.
    pub fn landing(&self, app: &str, layouts: &dyn Layouts) -> Option<Landing> {
        let last_edit = self.steps.iter().rposition(|(event, _)| event.kind == EventKind::Edit)?;
        let (edit, filled) = self.steps.get(last_edit)?;
        let (_, end) = self.steps.last().filter(|_| last_edit + 1 < self.steps.len())?;
        let before = match last_edit.checked_sub(1) {
            Some(earlier) => self.steps.get(earlier)?.1,
            None => self.start?,
        };
        let open = layouts.layout(before.screen.layout)?;
        let receiver = edit.receiver.as_ref()?;
        let form = Form::of(&before.screen, &open)?;
        let field = form.field(form.number_of(receiver)?)?;
        let page = layouts.layout(end.screen.layout)?;
        let filled_layout = layouts.layout(filled.screen.layout)?;
        let names = [field.hint(), field.description(), field.short_id(), field.short_class()];
        Some(Landing {
            form: form.id(),
            activity: before.screen.activity.clone(),
            field: WidgetNote::of(field),
            name: names.into_iter().find(|name| !name.trim().is_empty()).unwrap_or_default().to_owned(),
            text: edit.data.clone().unwrap_or_default(),
            others: self.earlier(last_edit),
            echo: echo(
                &form,
                field,
                (&filled.screen, &filled_layout),
                edit.data.as_deref().unwrap_or_default(),
            ),
            stays: Form::of(&end.screen, &page).is_some_and(|after| after.id() == form.id()),
            loading: end.screen.in_app && (!end.is_settled() || page.is_loading()),
            crashed: self.crashed(app),
            filled: filled_layout,
            end: end.screen.clone(),
            page,
        })
    }

    fn earlier(&self, step: usize) -> Vec<String> {
        self.steps.iter().take(step).filter_map(|(event, _)| event.data.clone()).collect()
    }

    fn crashed(&self, app: &str) -> bool {
        self.steps.iter().any(|(_, seen)| seen.crashed(app))
    }
}

impl Landing {
    /// The dynamic hints (section 3.1.2 of the paper): texts that the page did not show when the form
    /// was filled in, each with the field that it stands at, if it stands at one.
    pub fn appeared(&self) -> Vec<Appeared> {
        let before: Vec<Shown> = texts(&self.filled);
        let mut appeared = Vec::new();
        for widget in self.page.widgets() {
            let field = field_beside(widget);
            let new = texts_of(widget).into_iter().filter(|shown| !before.contains(shown));
            appeared.extend(new.map(|shown| Appeared { text: shown.text, field }));
        }
        appeared
    }

    /// The fields that held another text than was typed, when all were filled in: their numbers, and what they held.
    /// Nothing of passwords.
    pub fn held(&self, typed: &[String]) -> Vec<(usize, String)> {
        let is_field = |widget: &Widget<'_>| widget.is_editable() && widget.is_touchable();
        let fields = self.filled.widgets().filter(is_field).zip(typed).enumerate();
        let other = fields.filter(|(_, (field, text))| {
            let is_empty = text.is_empty() && (field.text().is_empty() || shows_hint(*field));
            !field.has(Flags::PASSWORD) && field.text() != text.as_str() && !is_empty
        });
        other.map(|(number, (field, _))| (number, field.text().to_owned())).collect()
    }

    /// What the form says of itself: its texts, and the hints of its fields.
    pub fn page_says(&self) -> Vec<String> {
        let fields = self.filled.widgets().filter(|widget| widget.is_editable());
        let hints = fields.map(|field| field.hint().to_owned()).filter(|hint| !hint.trim().is_empty());
        texts(&self.filled).into_iter().map(|shown| shown.text).chain(hints).collect()
    }

    /// The same page as another one.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.end.in_app == other.end.in_app
            && self.end.activity == other.end.activity
            && self.stays == other.stays
    }
}

/// The texts of a page in document order, those of its fields left out.
pub(super) fn texts(layout: &Layout) -> Vec<Shown> {
    layout.widgets().flat_map(texts_of).collect()
}

fn texts_of(widget: Widget<'_>) -> Vec<Shown> {
    if widget.is_editable() || widget.has(Flags::PASSWORD) {
        return Vec::new();
    }
    let texts = [widget.text(), widget.description()].into_iter().filter(|text| !text.trim().is_empty());
    let shown = texts.map(|text| Shown {
        class: widget.class().to_owned(),
        resource_id: widget.resource_id().to_owned(),
        text: text.to_owned(),
    });
    shown.collect()
}

/// Ancestors looked at for the field that a message stands at.
const NEAR: usize = 3;

/// The number of the field that a text stands at: the only one inside of one of the nearest
/// ancestors, else the nearest one right above it, no farther than it is high.
fn field_beside(widget: Widget<'_>) -> Option<usize> {
    let is_field = |w: &Widget<'_>| w.is_editable() && w.is_touchable();
    let fields: Vec<Widget<'_>> = widget.layout().widgets().filter(is_field).collect();
    let inside = |around: Widget<'_>| -> Vec<usize> {
        (0..).zip(&fields).filter(|(_, field)| field.is_inside(around.id())).map(|(n, _)| n).collect()
    };
    let around = widget.ancestors().take(NEAR).map(inside).find(|inside| !inside.is_empty());
    if let Some([only]) = around.as_deref()
        && fields.len() > 1
    {
        return Some(*only);
    }
    let own = widget.bounds();
    let above = fields.iter().enumerate().filter_map(|(number, field)| {
        let (field, gap) = (field.bounds(), own.top - field.bounds().bottom);
        let beside = own.left < field.right && field.left < own.right;
        (beside && (-own.height() / 2..=field.height()).contains(&gap)).then_some((gap, number))
    });
    above.min().map(|(_, number)| number)
}

/// What the field holds after the edit.
fn echo(
    form: &Form<'_>,
    field: Widget<'_>,
    (screen, filled): (&Screen, &Layout),
    typed: &str,
) -> Option<String> {
    if field.has(Flags::PASSWORD) {
        return None;
    }
    let number = form.fields.iter().position(|id| *id == field.id())?;
    let after = Form::of(screen, filled).filter(|after| after.fields.len() == form.fields.len())?;
    let widget = after.field(number)?;
    // Where nothing was taken, it shows what it showed before: its hint.
    let is_empty = shows_hint(widget) || widget.text() == field.text() && widget.text() != typed;
    Some(if is_empty { String::new() } else { widget.text().to_owned() })
}
