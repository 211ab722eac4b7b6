//! Memos that are written on a page of their own, with a dialog that asks before one is thrown away.
//!
//! With its defect what is being written is gone when the phone is turned, and so is the dialog when the app comes
//! back from the background.

use super::{AWAY, Sheet, Toy};
use droidmux_gui::{Bounds, Event, EventKind, Flags, Layout, LayoutBuilder, NewWidget, Widget};

pub struct Draft {
    defect: bool,
    away: bool,
    place: Place,
    memos: Vec<String>,
    typed: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    List,
    Write,
    About,
    /// Throw this memo away?
    Ask(usize),
}

impl Draft {
    pub fn new(defect: bool) -> Self {
        Self { defect, away: false, place: Place::List, memos: Vec::new(), typed: String::new() }
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
        match self.place {
            _ if self.away => page.leaf("TextView", "launcher", "Home", true),
            Place::Ask(memo) => {
                return dialog(&format!("Throw {} away?", self.memos.get(memo).cloned().unwrap_or_default()));
            }
            Place::List => {
                page.leaf("TextView", "heading", "Memos", false);
                page.leaf("Button", "write", "Write", true);
                page.leaf("Button", "about", "About", true);
                page.open("ListView", "list");
                self.memos.iter().for_each(|memo| page.leaf("TextView", "memo", memo, true));
                page.close();
            }
            Place::Write => {
                page.leaf("TextView", "heading", "New memo", false);
                page.leaf("EditText", "memo_text", &self.typed, true);
                page.leaf("Button", "keep", "Save", true);
            }
            Place::About => {
                page.leaf("TextView", "heading", "About", false);
                page.leaf("TextView", "words", "Memos are short.", false);
            }
        }
        page.finish()
    }

    fn activity(&self) -> &'static str {
        match self.place {
            _ if self.away => AWAY,
            Place::List | Place::Ask(_) => "toy.draft.Main",
            Place::Write => "toy.draft.Write",
            Place::About => "toy.draft.About",
        }
    }

    fn touch(&mut self, event: &Event, widget: Widget<'_>) {
        if event.kind == EventKind::Edit {
            self.typed = event.data.clone().unwrap_or_default();
            return;
        }
        match (widget.resource_id(), self.place) {
            ("write", _) => {
                self.typed.clear();
                self.place = Place::Write;
            }
            ("about", _) => self.place = Place::About,
            ("keep", _) => {
                let memo = std::mem::take(&mut self.typed);
                self.memos.extend((!memo.is_empty()).then_some(memo));
                self.place = Place::List;
            }
            ("memo", _) => {
                let rows = widget.layout().widgets().filter(|w| w.resource_id() == "memo");
                self.place = Place::Ask(rows.take_while(|w| w.id() < widget.id()).count());
            }
            ("button1", Place::Ask(memo)) => {
                self.memos.remove(memo);
                self.place = Place::List;
            }
            ("button2", _) => self.place = Place::List,
            _ => {}
        }
    }

    fn press(&mut self, kind: EventKind) {
        match (kind, self.place) {
            (EventKind::Home, _) => self.away = true,
            (EventKind::Launch, place) if self.away => {
                self.away = false;
                if self.defect && matches!(place, Place::Ask(_)) {
                    self.place = Place::List;
                }
            }
            (EventKind::Rotate, Place::Write) if self.defect && !self.away => self.typed.clear(),
            (EventKind::Back, Place::List) => self.away = true,
            (EventKind::Back, _) if !self.away => self.place = Place::List,
            _ => {}
        }
    }
}
