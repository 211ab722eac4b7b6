//! What the diary keeps: activities, and today's entries with notes and pictures.

use droidmux_sim_toolkit::Moment;

#[derive(Clone, Debug)]
pub(super) struct Book {
    /// Never removed, so that a number stays what it is; deleted ones are hidden.
    activities: Vec<Activity>,
    /// In the order they were started.
    entries: Vec<Entry>,
    current: Option<EntryId>,
    pictures_taken: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Activity {
    pub name: String,
    pub color: usize,
    pub deleted: bool,
    /// True when it was renamed since the process started.
    pub renamed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub id: EntryId,
    pub activity: usize,
    pub start: Moment,
    pub note: String,
    /// The picture's number: later ones are newer.
    pub picture: Option<u64>,
}

const FIRST: [&str; 6] = ["Cinema", "Cleaning", "Cooking", "Gardening", "Officework", "Sleeping"];

impl Book {
    pub(super) fn new() -> Self {
        let activity = |(color, name): (usize, &&str)| Activity {
            name: (*name).to_owned(),
            color,
            deleted: false,
            renamed: false,
        };
        let activities = FIRST.iter().enumerate().map(activity).collect();
        Self { activities, entries: Vec::new(), current: None, pictures_taken: 0 }
    }

    /// The activities one can choose, with their numbers.
    pub(super) fn activities(&self) -> impl Iterator<Item = (usize, &Activity)> {
        self.activities.iter().enumerate().filter(|(_, activity)| !activity.deleted)
    }

    pub(super) fn activity(&self, number: usize) -> Option<&Activity> {
        self.activities.get(number)
    }

    /// Entries in the order they were started.
    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter()
    }

    pub(super) fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// The entry notes and pictures go to.
    pub(super) fn current(&self) -> Option<&Entry> {
        self.current.and_then(|id| self.entry(id))
    }

    pub(super) fn name_of(&self, entry: &Entry) -> &str {
        self.activities.get(entry.activity).map_or("", |activity| &activity.name)
    }

    pub(super) fn color_of(&self, entry: &Entry) -> usize {
        self.activities.get(entry.activity).map_or(0, |activity| activity.color)
    }

    /// Starts an activity, or goes back to it if it is already running.
    pub(super) fn choose(&mut self, activity: usize, now: Moment) {
        let running = self.entries.iter().find(|entry| entry.activity == activity).map(|entry| entry.id);
        let id = running.unwrap_or_else(|| {
            let id = EntryId(self.entries.len() as u64 + 1);
            self.entries.push(Entry { id, activity, start: now, note: String::new(), picture: None });
            id
        });
        self.current = Some(id);
    }

    /// Attaches a new picture to the current entry, in place of the one it may have.
    pub(super) fn attach_picture(&mut self) {
        self.pictures_taken += 1;
        let (current, number) = (self.current, self.pictures_taken);
        if let Some(entry) = self.entries.iter_mut().find(|entry| Some(entry.id) == current) {
            entry.picture = Some(number);
        }
    }

    /// The entry with the newest picture.
    pub(super) fn newest_picture(&self) -> Option<EntryId> {
        let with_picture = self.entries.iter().filter(|entry| entry.picture.is_some());
        with_picture.max_by_key(|entry| entry.picture).map(|entry| entry.id)
    }

    pub(super) fn delete_picture(&mut self, id: EntryId) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
            entry.picture = None;
        }
    }

    pub(super) fn set_note(&mut self, id: EntryId, note: &str) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
            note.clone_into(&mut entry.note);
        }
    }

    /// Adds an activity and gives its number.
    pub(super) fn add(&mut self, name: &str, color: usize) -> usize {
        self.activities.push(Activity { name: name.to_owned(), color, deleted: false, renamed: false });
        self.activities.len() - 1
    }

    pub(super) fn change(&mut self, number: usize, name: &str, color: usize) {
        if let Some(activity) = self.activities.get_mut(number) {
            activity.renamed |= activity.name != name;
            name.clone_into(&mut activity.name);
            activity.color = color;
        }
    }

    /// Hides an activity; its entries stay.
    pub(super) fn delete_activity(&mut self, number: usize) {
        if let Some(activity) = self.activities.get_mut(number) {
            activity.deleted = true;
        }
    }

    pub(super) fn forget_renames(&mut self) {
        for activity in &mut self.activities {
            activity.renamed = false;
        }
    }
}
