//! Replies of before that both sides of a wire still have: the next ones are packed against them.
//!
//! In: the bodies of replies that show a screen, as they were sent or came. Out: their names, for a request; the bodies of
//! these names. Invariant: a few for each phone, none of them large.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::frame::Id;

/// Larger ones are not kept.
const MOST_BYTES: usize = 64 << 10;
/// How many whoever asks has of a phone. A host has more, since it may have sent some that did not come.
pub const ASKED_FOR: usize = 3;
/// How many a host has of a phone.
pub const SENT: usize = 6;

/// The last bodies of one phone, oldest first.
#[derive(Debug, Default)]
pub struct Kept {
    bodies: VecDeque<(u64, Bytes)>,
}

impl Kept {
    /// Keeps the body of the reply to this request, and no more than `most` in all. One that shows the same screen, with which
    /// it ends, takes the place of the other.
    pub fn keep(&mut self, id: Id, body: Bytes, screen: &Bytes, most: usize) {
        if body.len() > MOST_BYTES {
            return;
        }
        self.bodies.retain(|(_, known)| !known.ends_with(screen));
        self.bodies.push_back((name(id), body));
        while self.bodies.len() > most {
            self.bodies.pop_front();
        }
    }

    /// All of them with their names, oldest first.
    pub fn all(&self) -> (Vec<u64>, Vec<Bytes>) {
        self.bodies.iter().cloned().unzip()
    }

    /// Those of these names that are here.
    pub fn of(&self, names: &[u64]) -> Vec<Option<Bytes>> {
        let body =
            |name: &u64| self.bodies.iter().find(|(known, _)| known == name).map(|(_, body)| body.clone());
        names.iter().map(body).collect()
    }
}

/// What a reply is called in requests: a part of its id that JSON takes as a number everywhere.
fn name(Id([a, b, c, d, e, f, ..]): Id) -> u64 {
    u64::from_be_bytes([0, 0, a, b, c, d, e, f])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_screens_are_kept_each_once() {
        let mut kept = Kept::default();
        let id = |n: u8| Id([n; 16]);
        for (n, screen) in [(1, "one"), (2, "two"), (3, "one"), (4, "three"), (5, "four")] {
            let screen = Bytes::from(screen);
            kept.keep(id(n), [format!("{n} ").as_bytes(), &screen].concat().into(), &screen, 3);
        }
        kept.keep(id(6), vec![0; MOST_BYTES + 1].into(), &Bytes::from_static(b"large"), 3);
        let (names, bodies) = kept.all();
        assert_eq!(bodies, ["3 one", "4 three", "5 four"]);
        let of = kept.of(&[names[2], 7, names[0]]);
        assert_eq!(of, [Some(Bytes::from("5 four")), None, Some(Bytes::from("3 one"))]);
    }
}
