//! The messages and their folders, and what still waits on the server.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MessageId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FolderId(pub u64);

pub(super) const INBOX: FolderId = FolderId(1);
pub(super) const ARCHIVE: FolderId = FolderId(2);
pub(super) const DRAFTS: FolderId = FolderId(3);
pub(super) const SENT: FolderId = FolderId(4);
pub(super) const TRASH: FolderId = FolderId(5);

#[derive(Clone, Debug)]
pub(super) struct Message {
    pub id: MessageId,
    pub from: String,
    pub to: String,
    pub subject: String,
    pub body: String,
    pub folder: FolderId,
    /// The folder that it came to.
    pub came_to: FolderId,
    pub read: bool,
    pub starred: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Folder {
    pub id: FolderId,
    pub name: String,
    /// The name that it was made with.
    pub first_name: String,
}

/// How the messages of a list are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Newest,
    Sender,
    Subject,
}

/// What is written in the form of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Letter {
    pub to: String,
    pub subject: String,
    pub body: String,
}

#[derive(Clone, Debug)]
pub(super) struct Mailbox {
    /// Oldest first.
    messages: Vec<Message>,
    /// The inbox, those a user made, and the rest.
    folders: Vec<Folder>,
    /// What the server has not handed out yet.
    waiting: Vec<(&'static str, &'static str, &'static str)>,
    next: u64,
}

type Text = (&'static str, &'static str, &'static str);

const INBOX_TEXTS: [Text; 4] = [
    ("Lena Fox", "Boat on Sunday", "The boat leaves at nine from the old pier."),
    ("Town library", "Two books are due", "Please bring back two books by Friday."),
    ("Omar Reed", "Notes of the meeting", "Here is what we said about the roof."),
    ("Bakery", "Opening hours", "We open at six from Monday on."),
];
const RECEIPT: Text = ("Shoe shop", "Your receipt", "Thank you for buying boots.");
const ARCHIVED: [Text; 2] = [
    ("Ada Moss", "Recipe for plum cake", "Take two pounds of plums."),
    ("Power company", "Meter reading", "Your meter was read in March."),
];
const WAITING: [Text; 4] = [
    ("Lena Fox", "Boat on Saturday", "The harbour is closed on Sunday, we go on Saturday."),
    ("Choir", "No rehearsal", "There is no rehearsal this week."),
    ("Omar Reed", "Roof again", "The roofer wants to come on Tuesday."),
    ("Cinema", "Late show", "A late show was added."),
];

impl Mailbox {
    pub(super) fn new() -> Self {
        let folder =
            |(id, name): (FolderId, &str)| Folder { id, name: name.to_owned(), first_name: name.to_owned() };
        let (receipts, travel) = (FolderId(10), FolderId(11));
        let folders = [
            (INBOX, "Inbox"),
            (receipts, "Receipts"),
            (travel, "Travel"),
            (ARCHIVE, "Archive"),
            (DRAFTS, "Drafts"),
            (SENT, "Sent"),
            (TRASH, "Trash"),
        ];
        let waiting = WAITING.into_iter().rev().collect();
        let mut mailbox =
            Self { messages: Vec::new(), folders: folders.map(folder).into(), waiting, next: 100 };
        for text in ARCHIVED {
            mailbox.receive(text, ARCHIVE);
        }
        mailbox.receive(RECEIPT, receipts);
        for text in INBOX_TEXTS {
            mailbox.receive(text, INBOX);
        }
        // All but the newest two were read.
        let read = mailbox.messages.len().saturating_sub(2);
        mailbox.messages.iter_mut().take(read).for_each(|message| message.read = true);
        mailbox
    }

    fn new_id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn receive(&mut self, (from, subject, body): Text, folder: FolderId) {
        let id = MessageId(self.new_id());
        self.messages.push(Message {
            id,
            from: from.to_owned(),
            to: "me".to_owned(),
            subject: subject.to_owned(),
            body: body.to_owned(),
            folder,
            came_to: folder,
            read: false,
            starred: false,
        });
    }

    /// Fetches one message from the server; false when there is none.
    pub(super) fn fetch(&mut self) -> bool {
        let Some(text) = self.waiting.pop() else { return false };
        self.receive(text, INBOX);
        true
    }

    pub(super) fn get(&self, id: MessageId) -> Option<&Message> {
        self.messages.iter().find(|message| message.id == id)
    }

    pub(super) fn change(&mut self, id: MessageId, change: impl FnOnce(&mut Message)) {
        if let Some(message) = self.messages.iter_mut().find(|message| message.id == id) {
            change(message);
        }
    }

    /// Deletes a message for good.
    pub(super) fn destroy(&mut self, id: MessageId) {
        self.messages.retain(|message| message.id != id);
    }

    /// Files a letter as a new message.
    pub(super) fn file(&mut self, letter: &Letter, from: &str, folder: FolderId) {
        let id = MessageId(self.new_id());
        self.messages.push(Message {
            id,
            from: from.to_owned(),
            to: letter.to.clone(),
            subject: letter.subject.clone(),
            body: letter.body.clone(),
            folder,
            came_to: folder,
            read: true,
            starred: false,
        });
    }

    /// Those that pass, in this order.
    pub(super) fn sorted(&self, order: Order, passes: impl Fn(&Message) -> bool) -> Vec<&Message> {
        let mut list: Vec<&Message> = self.messages.iter().rev().filter(|message| passes(message)).collect();
        match order {
            Order::Newest => {}
            Order::Sender => list.sort_by_key(|message| message.from.to_lowercase()),
            Order::Subject => list.sort_by_key(|message| message.subject.to_lowercase()),
        }
        list
    }

    pub(super) fn count(&self, passes: impl Fn(&Message) -> bool) -> usize {
        self.messages.iter().filter(|message| passes(message)).count()
    }

    pub(super) fn folders(&self) -> &[Folder] {
        &self.folders
    }

    pub(super) fn folder(&self, id: FolderId) -> Option<&Folder> {
        self.folders.iter().find(|folder| folder.id == id)
    }

    /// Adds a folder behind those of the user; false when one has this name.
    pub(super) fn add_folder(&mut self, name: &str) -> bool {
        if self.has_folder(name, None) {
            return false;
        }
        let id = FolderId(self.new_id());
        let at = self.folders.iter().position(|folder| folder.id == ARCHIVE).unwrap_or(0);
        self.folders.insert(at, Folder { id, name: name.to_owned(), first_name: name.to_owned() });
        true
    }

    /// Renames a folder; false when another one has this name.
    pub(super) fn rename_folder(&mut self, id: FolderId, name: &str) -> bool {
        if self.has_folder(name, Some(id)) {
            return false;
        }
        if let Some(folder) = self.folders.iter_mut().find(|folder| folder.id == id) {
            name.clone_into(&mut folder.name);
        }
        true
    }

    fn has_folder(&self, name: &str, but: Option<FolderId>) -> bool {
        self.folders.iter().any(|folder| folder.name == name && Some(folder.id) != but)
    }

    /// Deletes a folder; its messages go to the archive.
    pub(super) fn delete_folder(&mut self, id: FolderId) {
        self.folders.retain(|folder| folder.id != id);
        for message in self.messages.iter_mut().filter(|message| message.folder == id) {
            message.folder = ARCHIVE;
        }
    }
}

impl FolderId {
    /// Whether a user made it.
    pub(super) fn is_own(self) -> bool {
        ![INBOX, ARCHIVE, DRAFTS, SENT, TRASH].contains(&self)
    }

    /// Whether what lies in it was received, so that it can be archived and moved.
    pub(super) fn is_of_mail(self) -> bool {
        self == INBOX || self == ARCHIVE || self.is_own()
    }
}

impl Message {
    /// Whether a search finds it.
    pub(super) fn matches(&self, query: &str) -> bool {
        let query = query.to_lowercase();
        let texts = [&self.from, &self.to, &self.subject, &self.body];
        texts.iter().any(|text| text.to_lowercase().contains(&query))
    }
}
