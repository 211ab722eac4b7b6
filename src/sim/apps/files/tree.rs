//! The file system: folders and files by number.

#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Never removed, so that a number stays what it is; the root is the first.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryId(pub usize);

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: String,
    /// The name as the search knows it.
    indexed: String,
    pub is_folder: bool,
    /// `None` for the root and for what was deleted.
    pub parent: Option<EntryId>,
}

/// Parent's number, name, whether a folder. Number 0 is the root.
const CONTENT: [(usize, &str, bool); 10] = [
    (0, "Documents", true),
    (0, "Download", true),
    (0, "Music", true),
    (0, "Pictures", true),
    (0, "readme.txt", false),
    (1, "Plans", true),
    (1, "letter.txt", false),
    (2, "manual.txt", false),
    (4, "holiday.txt", false),
    (6, "garden.txt", false),
];
const ROOT: EntryId = EntryId(0);

impl Tree {
    pub(super) fn new() -> Self {
        let root = Entry { name: "0".into(), indexed: "0".into(), is_folder: true, parent: None };
        let mut tree = Self { entries: vec![root] };
        for (parent, name, is_folder) in CONTENT {
            tree.create(EntryId(parent), name, is_folder);
        }
        tree
    }

    pub(super) fn root(&self) -> EntryId {
        ROOT
    }

    pub(super) fn downloads(&self) -> EntryId {
        let download = self.children(ROOT).into_iter().find(|(_, entry)| entry.name == "Download");
        download.map_or(ROOT, |(id, _)| id)
    }

    /// The entry, unless it or a folder around it was deleted.
    pub(super) fn get(&self, id: EntryId) -> Option<&Entry> {
        let entry = self.entries.get(id.0)?;
        match entry.parent {
            Some(parent) => self.get(parent).map(|_| entry),
            None => (id == ROOT).then_some(entry),
        }
    }

    /// What is in a folder: folders first, then by name.
    pub(super) fn children(&self, folder: EntryId) -> Vec<(EntryId, &Entry)> {
        let inside = |(n, entry): (usize, _)| (EntryId(n), entry);
        let entries = self.entries.iter().enumerate().map(inside);
        let mut children: Vec<(EntryId, &Entry)> =
            entries.filter(|(_, entry): &(_, &Entry)| entry.parent == Some(folder)).collect();
        children.sort_by_key(|(id, entry)| (!entry.is_folder, entry.name.to_lowercase(), id.0));
        children
    }

    /// `/storage/emulated/0/Documents`
    pub(super) fn path(&self, id: EntryId) -> String {
        match self.entries.get(id.0) {
            Some(Entry { name, parent: Some(parent), .. }) => format!("{}/{name}", self.path(*parent)),
            _ => "/storage/emulated/0".into(),
        }
    }

    /// Entries below a folder whose names contain this text, in any case: first those with exactly
    /// this name, then those whose names begin with it.
    pub(super) fn search_by_relevance(&self, query: &str, folder: EntryId) -> Vec<EntryId> {
        let mut found = self.search(query, folder);
        let query = query.to_lowercase();
        found.sort_by_key(|id| {
            let name = self.entries.get(id.0).map(|entry| entry.indexed.to_lowercase()).unwrap_or_default();
            (name != query, !name.starts_with(&query))
        });
        found
    }

    /// Entries below a folder whose names contain this text, in any case, folder by folder.
    pub(super) fn search(&self, query: &str, folder: EntryId) -> Vec<EntryId> {
        let query = query.to_lowercase();
        let mut found = Vec::new();
        for (id, entry) in self.children(folder) {
            if entry.indexed.to_lowercase().contains(&query) {
                found.push(id);
            }
            if entry.is_folder {
                found.extend(self.search(&query, id));
            }
        }
        found
    }

    /// Whether an entry may get this name.
    pub(super) fn check_name(&self, name: &str, id: EntryId) -> Result<(), &'static str> {
        match self.entries.get(id.0) {
            Some(entry) if entry.name == name => Ok(()),
            Some(Entry { parent: Some(parent), .. }) => self.check_new(name, *parent),
            _ => Err("It is gone"),
        }
    }

    /// Whether a folder may get an entry of this name.
    pub(super) fn check_new(&self, name: &str, folder: EntryId) -> Result<(), &'static str> {
        if name.is_empty() {
            Err("Enter a name")
        } else if name.contains('/') {
            Err("A name cannot contain /")
        } else if self.children(folder).iter().any(|(_, entry)| entry.name == name) {
            Err("There is such a name already")
        } else {
            Ok(())
        }
    }

    pub(super) fn create(&mut self, folder: EntryId, name: &str, is_folder: bool) {
        let (name, indexed) = (name.into(), name.into());
        self.entries.push(Entry { name, indexed, is_folder, parent: Some(folder) });
    }

    pub(super) fn rename(&mut self, id: EntryId, name: &str) {
        if let Some(entry) = self.entries.get_mut(id.0) {
            name.clone_into(&mut entry.name);
        }
    }

    /// Whether the search knows an entry by a name that it no longer has.
    pub(super) fn is_index_stale(&self) -> bool {
        self.entries.iter().any(|entry| entry.indexed != entry.name)
    }

    /// Lets the search know all names.
    pub(super) fn build_index(&mut self) {
        for entry in &mut self.entries {
            entry.indexed.clone_from(&entry.name);
        }
    }

    pub(super) fn delete(&mut self, id: EntryId) {
        if let Some(entry) = self.entries.get_mut(id.0).filter(|_| id != ROOT) {
            entry.parent = None;
        }
    }

    /// What renaming to a path that no folder has does to what is inside.
    pub(super) fn lose_content(&mut self, id: EntryId) {
        for entry in self.entries.iter_mut().filter(|entry| entry.parent == Some(id)) {
            entry.parent = None;
        }
    }
}
