//! The context of text fields, for prompts (section 3.1.1 of the paper).

use super::form::Form;
use droidmux_account::look::shows_hint;
use droidmux_gui::{Flags, Widget};
use droidmux_words::beginning;

/// What a prompt says about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldContext {
    /// The first non-empty of hint, resource-id and text.
    pub name: String,
    pub class: String,
    pub is_password: bool,
    /// It has room for several lines: it is much higher than the lowest field.
    pub is_high: bool,
    /// What it shows; empty for a password.
    pub shows: String,
    /// Around it, each as its text, else its resource-id, joined by `;`.
    pub parent: String,
    pub leaves: String,
    pub row: String,
    pub page: String,
}

/// The most characters in a text of a prompt, and the most texts from one source.
const MOST_CHARS: usize = 80;
const MOST_TEXTS: usize = 16;

impl FieldContext {
    /// The contexts of all fields of a form.
    pub fn all(form: &Form<'_>) -> Vec<Self> {
        let page = fragment(form);
        form.widgets().map(|field| Self::of(form, field, &page)).collect()
    }

    fn of(form: &Form<'_>, field: Widget<'_>, page: &str) -> Self {
        let is_password = field.has(Flags::PASSWORD);
        let shows = if is_password || shows_hint(field) { "" } else { field.text() };
        let lowest = form.widgets().map(|other| other.bounds().height()).min().unwrap_or(0);
        let name = [field.hint(), field.short_id(), shows].into_iter().find(|text| !text.trim().is_empty());
        let parent = field.parent();
        let beside = |w: &Widget<'_>| w.is_leaf() && w.id() != field.id();
        let in_row = |w: &Widget<'_>| {
            let (own, other) = (field.bounds(), w.bounds());
            beside(w) && other.top < own.bottom && own.top < other.bottom
        };
        Self {
            name: cut(name.unwrap_or("(no name)")),
            class: field.short_class().to_owned(),
            is_password,
            is_high: field.bounds().height() >= 2 * lowest && lowest > 0,
            shows: cut(shows),
            parent: parent.into_iter().map(words).filter(|text| !text.is_empty()).collect(),
            leaves: joined(parent.into_iter().flat_map(Widget::subtree).filter(beside)),
            row: joined(form.layout.widgets().filter(in_row)),
            page: page.to_owned(),
        }
    }

    /// In one line, for retrieval of examples.
    pub fn words(&self, activity: &str) -> String {
        let kind = if self.is_password { "password" } else { "" };
        let parts = [self.name.as_str(), kind, &self.row, &self.leaves, activity];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(";")
    }
}

/// The texts of the page without those of its fields.
fn fragment(form: &Form<'_>) -> String {
    joined(form.layout.widgets().filter(|w| w.is_leaf() && !w.is_editable()))
}

fn joined<'a>(widgets: impl Iterator<Item = Widget<'a>>) -> String {
    let mut texts: Vec<String> = Vec::new();
    for text in widgets.map(words).filter(|text| !text.is_empty()) {
        if texts.len() >= MOST_TEXTS {
            break;
        }
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join(";")
}

/// A widget's text, else its description, else its resource-id; of a field its hint, so that
/// nothing that was typed gets in.
fn words(widget: Widget<'_>) -> String {
    let text = if widget.is_editable() || widget.has(Flags::PASSWORD) {
        widget.hint()
    } else if widget.text().trim().is_empty() {
        widget.description()
    } else {
        widget.text()
    };
    cut(if text.trim().is_empty() { widget.short_id() } else { text.trim() })
}

/// At most this many characters, with nothing that would break a line.
fn cut(text: &str) -> String {
    beginning(text, MOST_CHARS).chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, LayoutBuilder, NewWidget};
    use droidmux_record::Screen;

    #[test]
    fn names_and_surroundings_without_what_was_typed() {
        let mut builder = LayoutBuilder::new();
        let at = |top| Bounds::new(0, top, 100, top + 10);
        let field = NewWidget { class: "android.widget.EditText", ..NewWidget::default() };
        builder.open(NewWidget {
            class: "Form",
            resource_id: "a:id/form",
            bounds: at(0),
            ..NewWidget::default()
        });
        let all = [
            NewWidget { class: "TextView", text: "From", bounds: at(10), ..NewWidget::default() },
            NewWidget {
                resource_id: "a:id/origin",
                text: "typed",
                bounds: at(10),
                flags: Flags::ENABLED,
                ..field
            },
            NewWidget {
                hint: "Secret",
                text: "hunter2",
                bounds: at(20),
                flags: Flags::ENABLED.with(Flags::PASSWORD, true),
                ..field
            },
            NewWidget { class: "Button", text: "Go", bounds: at(30), ..NewWidget::default() },
        ];
        for widget in all {
            builder.open(widget);
            builder.close();
        }
        let layout = builder.finish();
        let screen = Screen {
            layout: layout.hash(),
            package: "a".into(),
            activity: "a.A".into(),
            in_app: true,
            rotation: 0,
            keyboard: false,
        };
        let form = Form::of(&screen, &layout).expect("a form");
        let contexts = FieldContext::all(&form);
        assert_eq!((contexts[0].name.as_str(), contexts[0].row.as_str()), ("origin", "From"));
        assert_eq!((contexts[0].parent.as_str(), contexts[0].page.as_str()), ("form", "From;Go"));
        assert_eq!(contexts[0].leaves, "From;Secret;Go");
        assert!(contexts[1].is_password && contexts[1].name == "Secret");
        assert!(!format!("{contexts:?}").contains("hunter2"));
        assert_eq!(contexts[1].words("A"), "Secret;password;From;origin;Go;A");
    }
}
