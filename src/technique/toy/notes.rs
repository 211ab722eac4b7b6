//! A list of notes: add, rename, delete, search.
//!
//! With its defect a note that was renamed is found by its old name.

use super::{AWAY, Sheet, Toy};
use droidmux_gui::{Event, EventKind, Layout, Widget};

pub struct Notes {
    defect: bool,
    place: Place,
    notes: Vec<Note>,
    /// What the field of the page shows.
    typed: String,
    sorted: bool,
}

struct Note {
    title: String,
    /// What the search looks at.
    indexed: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    List,
    New,
    /// The menu of a note, then what is chosen in it.
    Menu(usize),
    Rename(usize),
    Search,
    Away,
}

impl Notes {
    pub fn new(defect: bool) -> Self {
        Self { defect, place: Place::List, notes: Vec::new(), typed: String::new(), sorted: false }
    }

    fn draw_list(&self, page: &mut Sheet, titles: impl Iterator<Item = String>) {
        page.open("ListView", "list");
        let opens = self.place == Place::List;
        titles.for_each(|title| page.leaf("TextView", "title", &title, opens));
        page.close();
    }

    fn field(&self, page: &mut Sheet, button: &str) {
        page.leaf("EditText", "field", &self.typed, true);
        page.leaf("Button", button, "OK", true);
    }

    fn save(&mut self, note: Option<usize>) {
        let title = std::mem::take(&mut self.typed);
        self.place = Place::List;
        match note.and_then(|note| self.notes.get_mut(note)) {
            _ if title.is_empty() => {}
            Some(note) => {
                if !self.defect {
                    note.indexed.clone_from(&title);
                }
                note.title = title;
            }
            None => self.notes.push(Note { indexed: title.clone(), title }),
        }
    }

    fn open(&mut self, place: Place) {
        self.typed.clear();
        self.place = place;
    }

    fn number_of(widget: Widget<'_>) -> usize {
        let rows = widget.layout().widgets().filter(|w| w.resource_id() == "title");
        rows.take_while(|w| w.id() < widget.id()).count()
    }
}

impl Toy for Notes {
    fn layout(&self) -> Layout {
        let mut page = Sheet::default();
        match self.place {
            Place::List => {
                page.leaf("Button", "add", "Add", true);
                page.leaf("Button", "search", "Search", true);
                page.leaf("CheckBox", "sorted", if self.sorted { "by name" } else { "by age" }, true);
                self.draw_list(&mut page, self.notes.iter().map(|note| note.title.clone()));
            }
            Place::New => self.field(&mut page, "save"),
            Place::Menu(_) => {
                page.leaf("TextView", "rename", "Rename", true);
                page.leaf("TextView", "delete", "Delete", true);
            }
            Place::Rename(_) => self.field(&mut page, "save"),
            Place::Search => {
                page.leaf("EditText", "query", &self.typed, true);
                let found = self.notes.iter().filter(|note| note.indexed.contains(&self.typed));
                self.draw_list(&mut page, found.map(|note| note.title.clone()));
            }
            Place::Away => page.leaf("TextView", "launcher", "Home", true),
        }
        page.finish()
    }

    fn activity(&self) -> &'static str {
        match self.place {
            Place::List | Place::Menu(_) => "toy.notes.Main",
            Place::New | Place::Rename(_) => "toy.notes.Edit",
            Place::Search => "toy.notes.Search",
            Place::Away => AWAY,
        }
    }

    fn touch(&mut self, event: &Event, widget: Widget<'_>) {
        if event.kind == EventKind::Edit {
            self.typed = event.data.clone().unwrap_or_default();
            return;
        }
        match (widget.resource_id(), self.place) {
            ("add", _) => self.open(Place::New),
            ("search", _) => self.open(Place::Search),
            ("sorted", _) => self.sorted ^= true,
            ("title", Place::List) => self.open(Place::Menu(Self::number_of(widget))),
            ("rename", Place::Menu(note)) => self.open(Place::Rename(note)),
            ("delete", Place::Menu(note)) => {
                self.notes.remove(note);
                self.place = Place::List;
            }
            ("save", Place::Rename(note)) => self.save(Some(note)),
            ("save", _) => self.save(None),
            _ => {}
        }
    }

    fn press(&mut self, kind: EventKind) {
        self.place = match (kind, self.place) {
            (EventKind::Back, Place::List | Place::Away) | (EventKind::Home, _) => Place::Away,
            (EventKind::Back, _) | (EventKind::Launch, Place::Away) => Place::List,
            (_, place) => place,
        };
    }
}
