//! The notes, and where each of them is.

#[derive(Clone, Debug)]
pub(super) struct Notes {
    /// The most recently changed one first.
    notes: Vec<Note>,
    categories: Vec<Category>,
    next: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoteId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CategoryId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Note {
    pub id: NoteId,
    pub title: String,
    pub body: String,
    pub category: Option<CategoryId>,
    pub archived: bool,
    pub trashed: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Category {
    pub id: CategoryId,
    pub name: String,
}

/// What the list shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Listing {
    #[default]
    Notes,
    Archive,
    Trash,
    Category(CategoryId),
}

const FIRST: [(&str, &str, Option<u64>); 4] = [
    ("Garden plan", "Beans by the fence", None),
    ("Train times", "7:42 and 8:12", Some(1)),
    ("Gift ideas", "A kite", Some(2)),
    ("Meeting", "Room by the stairs", Some(1)),
];

impl Notes {
    pub(super) fn new() -> Self {
        let mut notes = Self { notes: Vec::new(), categories: Vec::new(), next: 1 };
        notes.add_category("Work");
        notes.add_category("Family");
        for (title, body, category) in FIRST.into_iter().rev() {
            let id = notes.new_note();
            notes.write(id, title, body, category.map(CategoryId));
        }
        notes
    }

    pub(super) fn get(&self, id: NoteId) -> Option<&Note> {
        self.notes.iter().find(|note| note.id == id)
    }

    /// What is at this place, the most recently changed first.
    pub(super) fn at(&self, place: Listing) -> Vec<&Note> {
        let is_there = |note: &&Note| match place {
            Listing::Notes => !note.archived && !note.trashed,
            Listing::Archive => note.archived && !note.trashed,
            Listing::Trash => note.trashed,
            Listing::Category(category) => note.category == Some(category) && !note.trashed,
        };
        self.notes.iter().filter(is_there).collect()
    }

    /// Notes whose title or text contains this, those in the trash only on request.
    pub(super) fn search(&self, query: &str, with_trash: bool) -> Vec<&Note> {
        let query = query.trim().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&query);
        let found = self.notes.iter().filter(|note| has(&note.title) || has(&note.body));
        found.filter(|note| with_trash || !note.trashed).collect()
    }

    /// An empty note.
    pub(super) fn new_note(&mut self) -> NoteId {
        let id = NoteId(self.take_number());
        let (title, body) = (String::new(), String::new());
        self.notes.insert(0, Note { id, title, body, category: None, archived: false, trashed: false });
        id
    }

    /// Changes a note, which moves it to the front.
    pub(super) fn write(&mut self, id: NoteId, title: &str, body: &str, category: Option<CategoryId>) {
        let Some(at) = self.notes.iter().position(|note| note.id == id) else { return };
        let note = self.notes.remove(at);
        self.notes.insert(0, Note { title: title.into(), body: body.into(), category, ..note });
    }

    pub(super) fn change(&mut self, id: NoteId, change: impl FnOnce(&mut Note)) {
        if let Some(note) = self.notes.iter_mut().find(|note| note.id == id) {
            change(note);
        }
    }

    pub(super) fn empty_trash(&mut self) {
        self.notes.retain(|note| !note.trashed);
    }

    pub(super) fn categories(&self) -> &[Category] {
        &self.categories
    }

    pub(super) fn category_name(&self, id: CategoryId) -> &str {
        self.categories.iter().find(|category| category.id == id).map_or("", |category| &category.name)
    }

    pub(super) fn add_category(&mut self, name: &str) {
        let id = CategoryId(self.take_number());
        self.categories.push(Category { id, name: name.into() });
    }

    /// Whether a note has this category.
    pub(super) fn is_in_use(&self, id: CategoryId) -> bool {
        self.notes.iter().any(|note| note.category == Some(id))
    }

    /// Deletes a category; its notes are left without one.
    pub(super) fn delete_category(&mut self, id: CategoryId) {
        self.categories.retain(|category| category.id != id);
        for note in self.notes.iter_mut().filter(|note| note.category == Some(id)) {
            note.category = None;
        }
    }

    /// Deletes a category and whatever refers to it.
    pub(super) fn cascade_category(&mut self, id: CategoryId) {
        self.categories.retain(|category| category.id != id);
        self.notes.retain(|note| note.category != Some(id));
    }

    fn take_number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }
}
