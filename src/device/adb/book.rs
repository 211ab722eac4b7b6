//! The book of a server's devices: how each is named, and how it is addressed at the moment.
//!
//! In: the lists of devices that the server gives. Out: a name for each entry, and for a name the number of its
//! connection.
//!
//! A device is named by its serial. Several phones may have the same one (`0123456789ABCDEF` on cheap ones): the first
//! keeps it as its name, the others are called `SERIAL#2`, `SERIAL#3` and so on. Where the server is one of several, its label
//! follows: `SERIAL#2@lab2`. With every reconnection a device gets
//! another transport id, so names never hold one: a device that comes back is recognised by its serial, and among several
//! of one serial by the port it is plugged into.
//!
//! Invariants: no two devices that are listed together share a name; a device keeps its name as long as it is connected;
//! a number is used only as long as the server that gave it is known to be there, since a server that starts again counts
//! anew, and the number may then be another phone's.

use super::entry::DeviceEntry;
use droidmux_record::{name_at, split_name};

/// The most devices that are remembered; those that are gone leave first.
const MOST: usize = 1_000;

/// Every device met so far.
#[derive(Debug, Default)]
pub(super) struct Book {
    /// What the server is called, if its devices' names hold that.
    label: Option<String>,
    known: Vec<Known>,
    /// The numbers may be of a server that is gone.
    stale: bool,
}

/// A device that was listed.
#[derive(Clone, Debug)]
struct Known {
    name: String,
    serial: String,
    /// Where it was plugged in last; empty where the server does not tell it.
    port: String,
    transport_id: Option<u64>,
    listed: bool,
}

/// What names a device in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The number of its connection.
    Transport(u64),
    /// Its serial: at servers that give no numbers, and for devices that were never listed.
    Serial(String),
}

/// Whether a device can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// It can.
    Of(Target),
    /// It was listed before and is not any more.
    Gone,
    /// The list must be asked for again first.
    Unsure,
}

impl Book {
    /// The book of a server with this label.
    pub(super) fn of(label: &str) -> Self {
        Self { label: Some(label.to_owned()), ..Self::default() }
    }

    /// Takes in a list, and names its entries.
    pub(super) fn take(&mut self, entries: &mut [DeviceEntry]) {
        let mut before = std::mem::take(&mut self.known);
        self.stale = false;
        let mut order: Vec<usize> = (0..entries.len()).collect();
        let place = |n: &usize| entries.get(*n).map(|entry| (entry.port.clone(), entry.transport_id));
        order.sort_by_key(place);
        // Those that are connected as before come first: nobody else may have their names. A server that began anew may
        // have given their numbers to others, at other ports.
        let same: [fn(&Known, &DeviceEntry) -> bool; 3] = [
            |known, entry| {
                entry.transport_id.is_some_and(|id| known.transport_id == Some(id))
                    && known.port == entry.port
            },
            |known, entry| !known.port.is_empty() && known.port == entry.port,
            |_, _| true,
        ];
        for is_same in same {
            for n in &order {
                let Some(entry) = entries.get_mut(*n).filter(|entry| entry.name.is_empty()) else { continue };
                let found =
                    before.iter().position(|known| known.serial == entry.serial && is_same(known, entry));
                if let Some(at) = found {
                    self.note(before.remove(at).name, entry);
                }
            }
        }
        before.iter_mut().for_each(|known| known.listed = false);
        before.iter_mut().for_each(|known| known.transport_id = None);
        for n in order {
            let Some(entry) = entries.get_mut(n).filter(|entry| entry.name.is_empty()) else { continue };
            let taken = |name: &str| self.known.iter().any(|known| known.name == name);
            let numbered = (2_u32..).map(|number| format!("{}#{number}", entry.serial));
            let names = std::iter::once(entry.serial.clone()).chain(numbered);
            let mut names = names.map(|name| match &self.label {
                Some(label) => name_at(&name, label),
                None => name,
            });
            let name = names.find(|name| !taken(name)).unwrap_or_default();
            self.note(name, entry);
        }
        before.truncate(MOST.saturating_sub(self.known.len()));
        self.known.extend(before);
    }

    /// The server may have gone away: whether the numbers still hold is unknown until the next list.
    pub(super) fn doubt(&mut self) {
        self.stale = true;
    }

    /// How the device of this name is reached.
    pub(super) fn address(&self, name: &str) -> Address {
        match self.known.iter().find(|known| known.name == name) {
            None if self.label.is_some() => Address::Of(Target::Serial(split_name(name).0.to_owned())),
            None => Address::Of(Target::Serial(name.to_owned())),
            Some(_) if self.stale => Address::Unsure,
            Some(Known { listed: false, .. }) => Address::Gone,
            Some(Known { transport_id: Some(id), .. }) => Address::Of(Target::Transport(*id)),
            Some(Known { serial, .. }) => Address::Of(Target::Serial(serial.clone())),
        }
    }

    fn note(&mut self, name: String, entry: &mut DeviceEntry) {
        entry.name.clone_from(&name);
        self.known.push(Known {
            name,
            serial: entry.serial.clone(),
            port: entry.port.clone(),
            transport_id: entry.transport_id,
            listed: true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes in a list of (serial, port, transport id; 0 for none) and gives the names.
    fn names(book: &mut Book, list: &[(&str, &str, u64)]) -> Vec<String> {
        let entry = |(serial, port, id): &(&str, &str, u64)| DeviceEntry {
            serial: (*serial).to_owned(),
            port: (*port).to_owned(),
            transport_id: Some(*id).filter(|id| *id != 0),
            ..DeviceEntry::default()
        };
        let mut entries: Vec<DeviceEntry> = list.iter().map(entry).collect();
        book.take(&mut entries);
        entries.into_iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn devices_keep_their_names() {
        type List<'a> = &'a [(&'a str, &'a str, u64)];
        type Round<'a> = (List<'a>, &'a [&'a str]);
        let mut book = Book::of("lab2");
        assert_eq!(names(&mut book, &[("a", "", 1), ("a", "", 2)]), ["a@lab2", "a#2@lab2"]);
        assert_eq!(book.address("a#2@lab2"), Address::Of(Target::Transport(2)));
        assert_eq!(book.address("b@lab2"), Address::Of(Target::Serial("b".into())));
        let cases: [(&str, &[Round<'_>]); 6] = [
            ("different serials", &[(&[("a", "", 1), ("b", "", 2)], &["a", "b"])]),
            ("twins", &[(&[("a", "", 1), ("a", "", 2)], &["a", "a#2"])]),
            ("by their ports", &[(&[("a", "usb:1-2", 1), ("a", "usb:1-1", 2)], &["a#2", "a"])]),
            (
                "one comes later and stays alone",
                &[
                    (&[("a", "usb:2", 1)], &["a"]),
                    (&[("a", "usb:1", 2), ("a", "usb:2", 1)], &["a#2", "a"]),
                    (&[("a", "usb:1", 2)], &["a#2"]),
                    (&[("a", "usb:1", 2), ("a", "usb:2", 9)], &["a#2", "a"]),
                ],
            ),
            (
                "without ports, a name that became free is taken again",
                &[
                    (&[("a", "", 1), ("a", "", 2)], &["a", "a#2"]),
                    (&[("a", "", 2)], &["a#2"]),
                    (&[("a", "", 2), ("a", "", 3)], &["a#2", "a"]),
                ],
            ),
            (
                "another port is the same phone where no other has its serial",
                &[(&[("a", "usb:1", 1)], &["a"]), (&[], &[]), (&[("a", "usb:7", 5)], &["a"])],
            ),
        ];
        for (what, rounds) in cases {
            let mut book = Book::default();
            for (list, expected) in rounds {
                assert_eq!(names(&mut book, list), *expected, "{what}: {list:?}");
            }
        }
    }

    #[test]
    fn a_number_is_used_while_its_server_is_there() {
        let by_number = |id| Address::Of(Target::Transport(id));
        let by_serial = |serial: &str| Address::Of(Target::Serial(serial.to_owned()));
        let mut book = Book::default();
        assert_eq!(book.address("a"), by_serial("a"), "never listed");
        names(&mut book, &[("a", "usb:1", 1), ("a", "usb:2", 2), ("old", "", 0)]);
        assert_eq!(book.address("a"), by_number(1));
        assert_eq!(book.address("a#2"), by_number(2));
        assert_eq!(book.address("old"), by_serial("old"), "a server without numbers");
        book.doubt();
        assert_eq!(book.address("a"), Address::Unsure);
        // The server counts anew, and found them in another order.
        names(&mut book, &[("a", "usb:2", 1), ("a", "usb:1", 2)]);
        assert_eq!(book.address("a"), by_number(2));
        assert_eq!(book.address("a#2"), by_number(1));
        assert_eq!(book.address("old"), Address::Gone);
    }
}
