//! The note on a device that says whose it is: one line of JSON in a file that expires.
//!
//! It is for other users, and for other hosts that reach the same device: they have nothing else
//! in common. Times are seconds by the device's clock, which all of them can read. Anybody can
//! write the file, so what is in it is capped and believed only within reason.

use serde::{Deserialize, Serialize};

use droidmux_words::printable;

/// Longer texts are not notes.
pub const MOST_NOTE: usize = 1_000;

/// Notes that claim a device for longer than this, in seconds, are ignored: either they are nonsense, or the device's
/// clock was set back.
const LONGEST: u64 = 3_600;

/// Names are cut after this many characters.
const MOST_NAME: usize = 80;

/// Whose a device is, and until when.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeaseNote {
    /// `user@host`.
    pub owner: String,
    /// The lab: the same after a restart, a different one for every store.
    pub lab: String,
    /// The lab's process on its host.
    pub pid: u32,
    /// The session that uses the device, as people name it: `s7`.
    pub session: String,
    /// Seconds since the Unix epoch, by the device's clock.
    pub taken: u64,
    /// When others may take the device, by the same clock; extended while the lease is held.
    pub expires: u64,
    /// Drawn at random for every lease; tells who won when two take a device at once.
    pub token: String,
}

/// The content of a device's lease file, and the device's time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noted {
    /// Seconds since the Unix epoch.
    pub clock: u64,
    /// Empty when there is no file.
    pub text: String,
}

/// What a note means to one lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseState {
    /// There is no note, or none that can be understood.
    Free,
    /// The note is this lab's own, from this run or from one that died.
    Own(LeaseNote),
    /// The note is another lab's, and has not expired.
    Held(LeaseNote),
    /// The note is another lab's and was not renewed in time.
    Expired(LeaseNote),
}

impl LeaseNote {
    /// The note as one line, as it is written to the device.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a line; `None` when it is not a note. Names come out short and printable.
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > MOST_NOTE {
            return None;
        }
        let mut note: Self = serde_json::from_str(text.trim()).ok()?;
        for name in [&mut note.owner, &mut note.lab, &mut note.session, &mut note.token] {
            *name = printable(name).chars().take(MOST_NAME).collect();
        }
        (!note.owner.is_empty() && !note.token.is_empty()).then_some(note)
    }

    /// Seconds since it was taken, by the device's clock.
    pub fn age(&self, clock: u64) -> u64 {
        clock.saturating_sub(self.taken)
    }

    /// Who holds it, and for which session: `ann@host, s3`.
    pub fn whose(&self) -> String {
        match self.session.as_str() {
            "" => self.owner.clone(),
            session => format!("{}, {session}", self.owner),
        }
    }
}

impl Noted {
    /// The note, no matter whose it is.
    pub fn note(&self) -> Option<LeaseNote> {
        LeaseNote::read(&self.text)
    }

    /// What the note means to the lab with this name.
    pub fn standing(&self, lab: &str) -> LeaseState {
        let Some(note) = self.note() else { return LeaseState::Free };
        if !lab.is_empty() && note.lab == lab {
            return LeaseState::Own(note);
        }
        let left = note.expires.saturating_sub(self.clock);
        if (1..=LONGEST).contains(&left) { LeaseState::Held(note) } else { LeaseState::Expired(note) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(lab: &str, expires: u64) -> String {
        let note = LeaseNote {
            owner: "ann@host".into(),
            lab: lab.into(),
            pid: 7,
            session: "s3".into(),
            taken: 900,
            expires,
            token: "t".into(),
        };
        note.line()
    }

    #[test]
    fn what_a_note_means() {
        let cases = [
            ("nothing", String::new(), "free"),
            ("no note", "hello".into(), "free"),
            ("cut short", note("other", 1_100)[..40].into(), "free"),
            ("without an owner", r#"{"token":"t","expires":1100}"#.into(), "free"),
            ("a later version's", r#"{"owner":"a@b","token":"t","expires":1100,"more":[1]}"#.into(), "held"),
            ("our own", note("this", 1_100), "own"),
            ("our own, old", note("this", 10), "own"),
            ("another's", note("other", 1_100), "held"),
            ("another's, just expired", note("other", 1_000), "expired"),
            ("another's, old", note("other", 10), "expired"),
            ("longer than anybody may", note("other", 1_000 + LONGEST + 1), "expired"),
            ("too long", format!("{}{}", note("other", 1_100), " ".repeat(MOST_NOTE)), "free"),
        ];
        for (name, text, expected) in cases {
            let standing = Noted { clock: 1_000, text }.standing("this");
            let word = match standing {
                LeaseState::Free => "free",
                LeaseState::Own(_) => "own",
                LeaseState::Held(_) => "held",
                LeaseState::Expired(_) => "expired",
            };
            assert_eq!(word, expected, "{name}");
        }
    }

    #[test]
    fn names_are_made_harmless() {
        let text = format!("{{\"owner\":\"\\u001b[31m{}\",\"token\":\"t\"}}", "x".repeat(200));
        let note = LeaseNote::read(&text).expect("a note");
        assert!(note.owner.chars().count() <= MOST_NAME && !note.owner.contains('\u{1b}'), "{}", note.owner);
        assert_eq!(note.age(5), 5);
        assert_eq!(LeaseNote { taken: 9, ..note }.age(5), 0);
    }
}
