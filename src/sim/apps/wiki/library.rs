//! Articles, reading lists, what was read and what was searched for.

/// English title, German title, text.
pub(super) const ARTICLES: [(&str, &str, &str); 6] = [
    ("Lighthouse", "Leuchtturm", "A tower whose light guides ships."),
    ("Moss", "Moos", "Small plants that grow where it is damp."),
    ("Sundial", "Sonnenuhr", "An instrument that tells the time by a shadow."),
    ("Windmill", "Windmühle", "A mill whose sails the wind turns."),
    ("Beehive", "Bienenstock", "A box in which bees live."),
    ("Canal", "Kanal", "A waterway that people dug."),
];

/// How many searches are remembered.
pub(super) const RECENT: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct Library {
    lists: Vec<List>,
    next: u64,
    /// Names as the search knows them: written when a list is made, read when one is looked for.
    index: Vec<(ListId, String)>,
    /// Articles read, newest first.
    pub read: Vec<usize>,
    /// Searches, newest first.
    pub recent: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListId(pub u64);

/// A favourite: a named list of articles.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub id: ListId,
    pub name: String,
    pub articles: Vec<usize>,
    /// The titles the articles had when they were saved, in the language chosen then.
    pub titles: Vec<String>,
}

/// The title of an article in the chosen language.
pub(super) fn title(article: usize, german: bool) -> &'static str {
    ARTICLES.get(article).map_or("", |(english, translated, _)| if german { translated } else { english })
}

/// Articles whose titles contain this.
pub(super) fn search(query: &str, german: bool) -> Vec<usize> {
    let query = query.trim().to_lowercase();
    let matches = |article: &usize| title(*article, german).to_lowercase().contains(&query);
    (0..ARTICLES.len()).filter(matches).collect()
}

impl Library {
    pub(super) fn new() -> Self {
        let mut library =
            Self { lists: Vec::new(), next: 1, index: Vec::new(), read: Vec::new(), recent: Vec::new() };
        library.add("Saved");
        library.add("Holiday");
        library
    }

    pub(super) fn lists(&self) -> &[List] {
        &self.lists
    }

    pub(super) fn get(&self, id: ListId) -> Option<&List> {
        self.lists.iter().find(|list| list.id == id)
    }

    pub(super) fn add(&mut self, name: &str) -> ListId {
        let id = ListId(self.next);
        self.next += 1;
        self.lists.push(List { id, name: name.into(), articles: Vec::new(), titles: Vec::new() });
        self.index.push((id, name.into()));
        id
    }

    pub(super) fn rename(&mut self, id: ListId, name: &str) {
        if let Some(list) = self.lists.iter_mut().find(|list| list.id == id) {
            name.clone_into(&mut list.name);
        }
    }

    pub(super) fn delete(&mut self, id: ListId) {
        self.lists.retain(|list| list.id != id);
        self.index.retain(|(indexed, _)| *indexed != id);
    }

    /// Reads the names of all lists into the search's index.
    pub(super) fn build_index(&mut self) {
        self.index = self.lists.iter().map(|list| (list.id, list.name.clone())).collect();
    }

    /// Whether the search's index has a name that no list has any more.
    pub(super) fn is_index_stale(&self) -> bool {
        self.index.iter().any(|(id, name)| self.get(*id).is_none_or(|list| list.name != *name))
    }

    /// Lists whose indexed names contain this.
    pub(super) fn find(&self, query: &str) -> Vec<&List> {
        let query = query.trim().to_lowercase();
        let matching = self.index.iter().filter(|(_, name)| name.to_lowercase().contains(&query));
        matching.filter_map(|(id, _)| self.get(*id)).collect()
    }

    pub(super) fn save(&mut self, id: ListId, article: usize, title: &str) {
        if let Some(list) = self.lists.iter_mut().find(|list| list.id == id) {
            list.articles.push(article);
            list.titles.push(title.into());
        }
    }

    /// Takes an article off every list.
    pub(super) fn unsave(&mut self, article: usize) {
        for list in &mut self.lists {
            while let Some(at) = list.articles.iter().position(|saved| *saved == article) {
                list.articles.remove(at);
                list.titles.remove(at);
            }
        }
    }

    pub(super) fn is_saved(&self, article: usize) -> bool {
        self.lists.iter().any(|list| list.articles.contains(&article))
    }

    pub(super) fn is_saved_as(&self, title: &str) -> bool {
        self.lists.iter().any(|list| list.titles.iter().any(|saved| saved == title))
    }

    pub(super) fn note_read(&mut self, article: usize) {
        self.read.retain(|read| *read != article);
        self.read.insert(0, article);
    }

    pub(super) fn note_search(&mut self, query: &str) {
        self.recent.retain(|recent| recent != query);
        self.recent.insert(0, query.to_owned());
        self.recent.truncate(RECENT);
    }
}
