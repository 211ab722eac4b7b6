//! The notes that are kept.

#[derive(Clone, Debug)]
pub(super) struct Shelf {
    notes: Vec<Note>,
    next: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoteId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Note {
    pub id: NoteId,
    pub title: String,
    pub body: String,
    pub starred: bool,
}

const FIRST: [(&str, &str); 3] = [
    ("Books", "The Left Hand of Darkness"),
    ("Ideas", "A shed for the bicycles"),
    ("Shopping", "Milk, bread, apples"),
];

impl Shelf {
    pub(super) fn new() -> Self {
        let mut shelf = Self { notes: Vec::new(), next: 1 };
        for (title, body) in FIRST {
            shelf.add(title, body);
        }
        shelf
    }

    /// In the order they were written.
    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    pub(super) fn get(&self, id: NoteId) -> Option<&Note> {
        self.notes.iter().find(|note| note.id == id)
    }

    /// The first note of exactly this title.
    pub(super) fn titled(&self, title: &str) -> Option<NoteId> {
        self.notes.iter().find(|note| note.title == title).map(|note| note.id)
    }

    pub(super) fn add(&mut self, title: &str, body: &str) {
        let id = NoteId(self.next);
        self.next += 1;
        self.notes.push(Note { id, title: title.into(), body: body.into(), starred: false });
    }

    pub(super) fn write(&mut self, id: NoteId, title: &str, body: &str) {
        self.change(id, |note| {
            title.clone_into(&mut note.title);
            body.clone_into(&mut note.body);
        });
    }

    pub(super) fn rename(&mut self, id: NoteId, title: &str) {
        self.change(id, |note| title.clone_into(&mut note.title));
    }

    pub(super) fn toggle_star(&mut self, id: NoteId) {
        self.change(id, |note| note.starred = !note.starred);
    }

    pub(super) fn delete(&mut self, id: NoteId) {
        self.notes.retain(|note| note.id != id);
    }

    /// Whether other notes have this title in a different case.
    pub(super) fn has_twins(&self, id: NoteId, title: &str) -> bool {
        self.notes.iter().any(|note| note.id != id && is_twin(note, title))
    }

    /// Deletes other notes whose titles are this one in a different case.
    pub(super) fn delete_twins(&mut self, id: NoteId, title: &str) {
        self.notes.retain(|note| note.id == id || !is_twin(note, title));
    }

    fn change(&mut self, id: NoteId, change: impl FnOnce(&mut Note)) {
        if let Some(note) = self.notes.iter_mut().find(|note| note.id == id) {
            change(note);
        }
    }
}

fn is_twin(note: &Note, title: &str) -> bool {
    note.title != title && note.title.to_lowercase() == title.to_lowercase()
}
