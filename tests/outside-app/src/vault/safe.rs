//! The entries, their groups, and the log of what was done with them.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GroupId(pub u64);

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub id: EntryId,
    pub text: EntryText,
    /// What its codes are made from.
    pub secret: u64,
    pub favourite: bool,
    pub uses: u64,
    /// Greater than of those that were used before; 0 when it never was.
    pub used: u64,
}

/// What a person writes of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EntryText {
    pub issuer: String,
    pub account: String,
    pub note: String,
    pub group: Option<GroupId>,
}

#[derive(Clone, Debug)]
pub(super) struct Group {
    pub id: GroupId,
    pub name: String,
}

/// How entries are ordered, favourites first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// As they were added.
    #[default]
    Added,
    Name,
    MostUsed,
    LastUsed,
}

/// Which entries a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    All,
    Group(GroupId),
    NoGroup,
}

#[derive(Clone, Debug)]
pub(super) struct Safe {
    pub entries: Vec<Entry>,
    groups: Vec<Group>,
    /// What was done and at what time, the latest first.
    log: Vec<(String, String)>,
    next: u64,
    uses: u64,
}

const GROUPS: [&str; 2] = ["Personal", "Work"];
/// Issuer, account, place of the group.
const ENTRIES: [(&str, &str, Option<usize>); 5] = [
    ("Hub", "kim", Some(1)),
    ("Mailbox", "kim@mailbox.example", Some(0)),
    ("Bank", "4711", Some(0)),
    ("Forum", "owl", None),
    ("Cloud", "kim.lake", Some(1)),
];

impl Safe {
    /// How many lines the log keeps.
    pub(super) const LOG: usize = 8;

    pub(super) fn new() -> Self {
        let mut safe = Self { entries: Vec::new(), groups: Vec::new(), log: Vec::new(), next: 0, uses: 0 };
        for name in GROUPS {
            safe.add_group(name);
        }
        for (issuer, account, group) in ENTRIES {
            let group = group.and_then(|at| safe.groups.get(at)).map(|group| group.id);
            let (issuer, account) = (issuer.to_owned(), account.to_owned());
            safe.add(EntryText { issuer, account, note: String::new(), group });
        }
        safe
    }

    fn new_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn add(&mut self, text: EntryText) {
        let id = EntryId(self.new_id());
        let secret = id.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.entries.push(Entry { id, text, secret, favourite: false, uses: 0, used: 0 });
    }

    /// Adds an entry with the same text and the same codes.
    pub(super) fn copy(&mut self, id: EntryId) {
        if let Some(entry) = self.get(id).cloned() {
            let id = EntryId(self.new_id());
            self.entries.push(Entry { id, favourite: false, uses: 0, used: 0, ..entry });
        }
    }

    pub(super) fn get(&self, id: EntryId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    pub(super) fn change(&mut self, id: EntryId, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.id == id) {
            change(entry);
        }
    }

    /// Counts that an entry is used.
    pub(super) fn use_entry(&mut self, id: EntryId) {
        self.uses += 1;
        let now = self.uses;
        self.change(id, |entry| (entry.uses, entry.used) = (entry.uses + 1, now));
    }

    /// Those that pass, in this order, favourites first.
    pub(super) fn sorted(&self, order: Order, passes: impl Fn(&Entry) -> bool) -> Vec<&Entry> {
        let mut list: Vec<&Entry> = self.entries.iter().filter(|entry| passes(entry)).collect();
        match order {
            Order::Added => {}
            Order::Name => list.sort_by_key(|entry| entry.text.issuer.to_lowercase()),
            Order::MostUsed => list.sort_by_key(|entry| std::cmp::Reverse(entry.uses)),
            Order::LastUsed => list.sort_by_key(|entry| std::cmp::Reverse(entry.used)),
        }
        list.sort_by_key(|entry| !entry.favourite);
        list
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    pub(super) fn group(&self, id: GroupId) -> Option<&Group> {
        self.groups.iter().find(|group| group.id == id)
    }

    /// The name of a group; that of none where there is none.
    pub(super) fn group_name(&self, id: Option<GroupId>) -> &str {
        id.and_then(|id| self.group(id)).map_or("No group", |group| &group.name)
    }

    /// How many entries belong to a group.
    pub(super) fn size(&self, id: GroupId) -> usize {
        self.entries.iter().filter(|entry| entry.text.group == Some(id)).count()
    }

    /// Adds a group; false when there is one of this name.
    pub(super) fn add_group(&mut self, name: &str) -> bool {
        if self.groups.iter().any(|group| group.name == name) {
            return false;
        }
        let id = GroupId(self.new_id());
        self.groups.push(Group { id, name: name.to_owned() });
        true
    }

    /// Renames a group; false when another one has this name.
    pub(super) fn rename_group(&mut self, id: GroupId, name: &str) -> bool {
        if self.groups.iter().any(|group| group.name == name && group.id != id) {
            return false;
        }
        if let Some(group) = self.groups.iter_mut().find(|group| group.id == id) {
            name.clone_into(&mut group.name);
        }
        true
    }

    /// Lets the entries of a group belong to none.
    pub(super) fn empty_group(&mut self, id: GroupId) {
        for entry in self.entries.iter_mut().filter(|entry| entry.text.group == Some(id)) {
            entry.text.group = None;
        }
    }

    pub(super) fn delete_group(&mut self, id: GroupId) {
        self.empty_group(id);
        self.groups.retain(|group| group.id != id);
    }

    pub(super) fn log(&self) -> &[(String, String)] {
        &self.log
    }

    pub(super) fn note(&mut self, what: String, when: String) {
        self.log.insert(0, (what, when));
        self.log.truncate(Self::LOG);
    }

    pub(super) fn clear_log(&mut self) {
        self.log.clear();
    }
}

impl Entry {
    /// Whether a search finds it.
    pub(super) fn matches(&self, query: &str) -> bool {
        let query = query.to_lowercase();
        [&self.text.issuer, &self.text.account].iter().any(|text| text.to_lowercase().contains(&query))
    }

    /// Its code in this half minute.
    pub(super) fn code(&self, now_ms: u64) -> String {
        let mixed = (self.secret ^ (now_ms / 30_000).wrapping_mul(0xbf58_476d_1ce4_e5b9)) >> 20;
        let code = mixed % 1_000_000;
        format!("{:03} {:03}", code / 1_000, code % 1_000)
    }
}
