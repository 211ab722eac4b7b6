//! A diary: choose an activity, attach a picture, look at the list, delete a picture.
//!
//! Its pictures come at once or, in another version of it, from a camera, which is another app. In a third, the list
//! is one of the pages that a drawer leads to, over a main page that looks different each time.
//! With its defect the picture of the newest entry is deleted instead of the chosen one.

use super::{Sheet, Toy};
use droidmux_gui::{Event, EventKind, Layout, Widget};

const ACTIVITIES: [&str; 4] = ["Cinema", "Sleeping", "Cleaning", "Cooking"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Main,
    List,
    /// Asks whether to delete the picture of this entry.
    Delete(usize),
    Settings,
    /// Over the main page.
    Drawer,
    /// One of the pages that only show something.
    Shelf(usize),
    /// Another app.
    Camera,
    Away,
}

/// The app.
#[derive(Clone, Debug)]
pub struct Diary {
    defect: bool,
    place: Place,
    /// Activity and whether it has a picture, oldest first.
    entries: Vec<(usize, bool)>,
    switches: [bool; 2],
    oldest_first: bool,
    has_camera: bool,
    has_drawer: bool,
}

/// What the drawer leads to.
const ITEMS: [&str; 6] = ["About", "Statistics", "Help", "Diary", "Settings", "Licence"];

impl Diary {
    pub fn new(defect: bool) -> Self {
        Self {
            defect,
            place: Place::Main,
            entries: Vec::new(),
            switches: [false; 2],
            oldest_first: false,
            has_camera: false,
            has_drawer: false,
        }
    }

    pub fn with_camera(defect: bool) -> Self {
        Self { has_camera: true, ..Self::new(defect) }
    }

    pub fn with_drawer(defect: bool) -> Self {
        Self { has_drawer: true, ..Self::new(defect) }
    }

    fn draw_main(&self, page: &mut Sheet) {
        page.open("RecyclerView", "grid");
        ACTIVITIES.iter().for_each(|name| page.leaf("Button", "activity", name, true));
        page.close();
        if let Some((activity, picture)) = self.entries.last() {
            page.open("LinearLayout", "current");
            page.leaf("TextView", "name", ACTIVITIES[*activity], false);
            if *picture {
                page.leaf("ImageView", "attached", "", false);
            }
            page.leaf("ImageButton", "camera", "", true);
            page.close();
        }
        page.open("LinearLayout", "bar");
        if self.has_drawer {
            page.leaf("ImageButton", "open_drawer", "", true);
            let marks = ["muted", "dark", "new", "many", "full"];
            let shown = [
                self.switches[0],
                self.switches[1],
                self.entries.is_empty(),
                self.entries.len() > 2,
                self.entries.iter().all(|entry| entry.1),
            ];
            let shown = marks.iter().zip(shown).filter(|(_, shown)| *shown);
            shown.for_each(|(mark, _)| page.leaf("TextView", mark, mark, false));
        } else {
            page.leaf("ImageButton", "open_list", "", true);
            page.leaf("ImageView", "open_settings", "", true);
        }
        page.close();
    }

    /// The drawer over the main page, both in one dump.
    fn draw_drawer(&self, page: &mut Sheet) {
        page.open("DrawerLayout", "drawer_layout");
        page.open("LinearLayout", "main");
        self.draw_main(page);
        page.close();
        page.open("RecyclerView", "drawer");
        for item in ITEMS {
            page.open("LinearLayout", "item");
            page.leaf("TextView", "item_text", item, true);
            page.close();
        }
        page.close();
        page.close();
    }

    fn draw_list(&self, page: &mut Sheet) {
        page.open("RecyclerView", "list");
        for entry in 0..self.entries.len() {
            let (activity, picture) = &self.entries[self.entry_of_row(entry)];
            page.open("LinearLayout", "row");
            page.leaf("TextView", "title", ACTIVITIES[*activity], false);
            if *picture {
                page.leaf("ImageView", "picture", "", true);
            }
            page.close();
        }
        page.close();
        page.leaf("Button", "sort", "Sort", true);
    }

    /// The entry that a row of the list shows.
    fn entry_of_row(&self, row: usize) -> usize {
        if self.oldest_first { row } else { self.entries.len() - 1 - row }
    }

    fn turn(&mut self, kind: EventKind) {
        self.place = match (kind, self.place) {
            (EventKind::Back, Place::Delete(_)) => Place::List,
            (EventKind::Back, Place::Main | Place::Away) | (EventKind::Home, _) => Place::Away,
            (EventKind::Back, _) | (EventKind::Launch, Place::Away) => Place::Main,
            (_, place) => place,
        };
    }

    fn click(&mut self, widget: Widget<'_>) {
        match (widget.resource_id(), self.place) {
            // A touch behind the drawer only closes it.
            (id, Place::Drawer) if id != "item_text" => self.place = Place::Main,
            ("activity", _) => {
                let chosen = ACTIVITIES.iter().position(|name| *name == widget.text()).unwrap_or(0);
                self.entries.push((chosen, false));
            }
            ("camera", _) if self.has_camera => self.place = Place::Camera,
            ("camera" | "shutter", _) => {
                self.place = Place::Main;
                self.entries.last_mut().into_iter().for_each(|entry| entry.1 = true);
            }
            ("item_text", _) => {
                self.place = match ITEMS.iter().position(|item| *item == widget.text()).unwrap_or(0) {
                    3 => Place::List,
                    4 => Place::Settings,
                    other => Place::Shelf(other),
                }
            }
            ("open_drawer", _) => self.place = Place::Drawer,
            ("open_list", _) => self.place = Place::List,
            ("open_settings", _) => self.place = Place::Settings,
            ("sound", _) => self.switches[0] ^= true,
            ("light", _) => self.switches[1] ^= true,
            ("picture", _) => {
                let list = widget.layout();
                let before = list.widgets().filter(|w| w.resource_id() == "row" && w.id() < widget.id());
                self.place = Place::Delete(self.entry_of_row(before.count() - 1));
            }
            // As in a published defect: with no picture of the newest entry, the app crashes instead.
            ("button1", Place::Delete(_))
                if self.defect && self.has_drawer && self.entries.last().is_some_and(|entry| !entry.1) =>
            {
                self.place = Place::Away;
            }
            ("button1", Place::Delete(entry)) => {
                let newest = self.entries.iter().rposition(|(_, picture)| *picture).unwrap_or(entry);
                self.entries[if self.defect { newest } else { entry }].1 = false;
                self.place = Place::List;
            }
            ("sort", _) => self.oldest_first ^= true,
            ("button2", _) => self.place = Place::List,
            _ => {}
        }
    }
}

impl Toy for Diary {
    fn layout(&self) -> Layout {
        let mut page = Sheet::default();
        match self.place {
            Place::Main => self.draw_main(&mut page),
            Place::List => self.draw_list(&mut page),
            Place::Delete(_) => {
                page.leaf("TextView", "question", "Delete this picture?", false);
                page.leaf("Button", "button2", "Cancel", true);
                page.leaf("Button", "button1", "OK", true);
            }
            Place::Settings => {
                for (n, on) in self.switches.iter().enumerate() {
                    page.leaf("Switch", ["sound", "light"][n], if *on { "on" } else { "off" }, true);
                }
            }
            Place::Drawer => self.draw_drawer(&mut page),
            Place::Shelf(n) => {
                page.leaf("TextView", ["about", "statistics", "help", "", "", "licence"][n], "…", false)
            }
            Place::Camera => page.leaf("ImageButton", "shutter", "", true),
            Place::Away => page.leaf("TextView", "launcher", "Home", true),
        }
        page.finish()
    }

    fn activity(&self) -> &'static str {
        match self.place {
            Place::Main | Place::Drawer => "toy.Main",
            Place::List | Place::Delete(_) => "toy.List",
            Place::Settings => "toy.Settings",
            Place::Shelf(_) => "toy.Shelf",
            Place::Camera => "maker.camera.Shoot",
            Place::Away => super::AWAY,
        }
    }

    fn elsewhere(&self) -> Option<&'static str> {
        (self.place == Place::Camera).then_some("maker.camera")
    }

    fn touch(&mut self, event: &Event, widget: Widget<'_>) {
        if event.kind == EventKind::Click {
            self.click(widget);
        }
    }

    fn press(&mut self, kind: EventKind) {
        self.turn(kind);
    }
}
