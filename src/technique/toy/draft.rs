//! Memos that are written on a page of their own, with a dialog that asks before one is thrown away.
//!
//! With its defect what is being written is gone when the phone is turned, and so is the dialog when the app comes
//! back from the background.

use super::{AWAY, Sheet, Toy};
use droidmux_gui::{Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, NewWidget, Widget};

pub struct Draft {
    defect: bool,
    away: bool,
    view: View,
    memos: Vec<String>,
    typed: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    List,
    Write,
    About,
    /// Throw this memo away?
    Ask(usize),
}

impl Draft {
    pub fn new(defect: bool) -> Self {
        Self { defect, away: false, view: View::List, memos: Vec::new(), typed: String::new() }
    }
}

/// A window inside the screen.
fn dialog(title: &str) -> Layout {
    let mut builder = LayoutBuilder::new();
    let bounds = Bounds::new(10, 100, 90, 200);
    builder.open(NewWidget { class: "FrameLayout", bounds, ..NewWidget::default() });
    let mut leaf = |class, resource_id, text, clickable| {
        let flags = Flags::ENABLED.with(Flags::CLICKABLE, clickable);
        builder.open(NewWidget { class, resource_id, text, bounds, flags, ..NewWidget::default() });
        builder.close();
    };
    leaf("TextView", "alertTitle", title, false);
    leaf("Button", "button2", "Keep", true);
    leaf("Button", "button1", "Throw away", true);
    builder.finish()
}

impl Toy for Draft {
    fn layout(&self) -> Layout {
        let mut page = Sheet::default();
        match self.view {
            _ if self.away => page.leaf("TextView", "launcher", "Home", true),
            View::Ask(memo) => {
                return dialog(&format!("Throw {} away?", self.memos.get(memo).cloned().unwrap_or_default()));
            }
            View::List => {
                page.leaf("TextView", "heading", "Memos", false);
                page.leaf("Button", "write", "Write", true);
                page.leaf("Button", "about", "About", true);
                page.open("ListView", "list");
                self.memos.iter().for_each(|memo| page.leaf("TextView", "memo", memo, true));
                page.close();
            }
            View::Write => {
                page.leaf("TextView", "heading", "New memo", false);
                page.leaf("EditText", "memo_text", &self.typed, true);
                page.leaf("Button", "keep", "Save", true);
            }
            View::About => {
                page.leaf("TextView", "heading", "About", false);
                page.leaf("TextView", "words", "Memos are short.", false);
            }
        }
        page.finish()
    }

    fn activity(&self) -> &'static str {
        match self.view {
            _ if self.away => AWAY,
            View::List | View::Ask(_) => "toy.draft.Main",
            View::Write => "toy.draft.Write",
            View::About => "toy.draft.About",
        }
    }

    fn touch(&mut self, event: &Event, widget: Widget<'_>) {
        if event.kind == EventKind::Edit {
            self.typed = event.data.clone().unwrap_or_default();
            return;
        }
        match (widget.resource_id(), self.view) {
            ("write", _) => {
                self.typed.clear();
                self.view = View::Write;
            }
            ("about", _) => self.view = View::About,
            ("keep", _) => {
                let memo = std::mem::take(&mut self.typed);
                self.memos.extend((!memo.is_empty()).then_some(memo));
                self.view = View::List;
            }
            ("memo", _) => {
                let rows = widget.layout().widgets().filter(|w| w.resource_id() == "memo");
                self.view = View::Ask(rows.take_while(|w| w.id() < widget.id()).count());
            }
            ("button1", View::Ask(memo)) => {
                self.memos.remove(memo);
                self.view = View::List;
            }
            ("button2", _) => self.view = View::List,
            _ => {}
        }
    }

    fn press(&mut self, kind: EventKind) {
        match (kind, self.view) {
            (EventKind::Home, _) => self.away = true,
            (EventKind::Launch, view) if self.away => {
                self.away = false;
                if self.defect && matches!(view, View::Ask(_)) {
                    self.view = View::List;
                }
            }
            (EventKind::Rotate, View::Write) if self.defect && !self.away => self.typed.clear(),
            (EventKind::Back, View::List) => self.away = true,
            (EventKind::Back, _) if !self.away => self.view = View::List,
            _ => {}
        }
    }
}
