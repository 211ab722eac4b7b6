//! What the messenger comes with.

use super::store::{Author, ChatId, Contact, ContactId, Store};

const NAMES: [&str; 6] = ["Ada Moss", "Ben Hale", "Lena Fox", "Omar Reed", "Tilda Gray", "Yusuf Khan"];

const ADA: ContactId = ContactId(1);
const BEN: ContactId = ContactId(2);
const LENA: ContactId = ContactId(3);
const OMAR: ContactId = ContactId(4);
const TILDA: ContactId = ContactId(5);
const YUSUF: ContactId = ContactId(6);

// Ids are given out from 101 on, in the order in which the conversations are made.
const WITH_ADA: ChatId = ChatId(101);
const ROOF: ChatId = ChatId(102);
const WITH_BEN: ChatId = ChatId(103);
const WITH_LENA: ChatId = ChatId(104);
const WITH_OMAR: ChatId = ChatId(105);
const BOOKS: ChatId = ChatId(106);

type Line = (ChatId, Author, &'static str, &'static str);

const LINES: [Line; 13] = [
    (WITH_ADA, Author::Contact(ADA), "Happy new year", "1 Jan"),
    (ROOF, Author::Contact(OMAR), "Two tiles fell down", "3 Mar"),
    (ROOF, Author::Contact(YUSUF), "The roofer wants a photo", "3 Mar"),
    (WITH_BEN, Author::Me, "Did the parcel arrive?", "4 Mar"),
    (WITH_BEN, Author::Contact(BEN), "It came this morning", "4 Mar"),
    (WITH_LENA, Author::Contact(LENA), "Are you coming on Sunday?", "Thu"),
    (WITH_LENA, Author::Me, "Yes, at nine", "Thu"),
    (WITH_LENA, Author::Contact(LENA), "Bring the blue bag", "Thu"),
    (WITH_OMAR, Author::Me, "When do we meet?", "08:12"),
    (WITH_OMAR, Author::Contact(OMAR), "The meeting is at four", "08:30"),
    (BOOKS, Author::Me, "How far did you get?", "09:01"),
    (BOOKS, Author::Contact(OMAR), "I liked the lighthouse", "09:15"),
    (BOOKS, Author::Contact(TILDA), "See you on Thursday", "09:40"),
];

/// What comes while the app is left, the first one last.
const WAITING: [(ChatId, ContactId, &str); 4] = [
    (ROOF, YUSUF, "He comes on Monday"),
    (WITH_ADA, ADA, "Are you free in May?"),
    (BOOKS, ADA, "Bring some cake"),
    (WITH_OMAR, OMAR, "Now it is at five"),
];

/// Whether a conversation of the beginning was with one contact.
pub(super) fn is_direct(chat: ChatId) -> bool {
    chat != ROOF && chat != BOOKS
}

pub(super) fn fill(store: &mut Store) {
    for (n, name) in (1..).zip(NAMES) {
        store.contacts.push(Contact { id: ContactId(n), name: name.to_owned(), blocked: false });
    }
    store.add_chat(Some(ADA), "", Vec::new());
    store.add_chat(None, "Roof repair", vec![OMAR, YUSUF]);
    for with in [BEN, LENA, OMAR] {
        store.add_chat(Some(with), "", Vec::new());
    }
    store.add_chat(None, "Book club", vec![ADA, OMAR, TILDA]);
    for (chat, author, text, when) in LINES {
        store.file(chat, author, text, when);
    }
    for read in [WITH_ADA, ROOF, WITH_BEN, WITH_LENA] {
        store.mark_read(read);
    }
    store.change_chat(WITH_ADA, |chat| chat.archived = true);
    store.change_chat(WITH_BEN, |chat| chat.muted = true);
    store.change_chat(WITH_LENA, |chat| (chat.pinned, chat.pin_stored) = (true, true));
    store.let_wait(WAITING.to_vec());
}
