//! What a session puts on its devices: files, people, pictures.
//!
//! In: a folder. Out: each file with its place on the shared storage, and the contacts of `contacts.vcf`.
//!
//! Invariants: nothing outside of the folder is read (links are not followed); sizes and numbers are capped.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Most files in a folder, with its folders.
const MOST_FILES: usize = 1_000;
/// Most bytes of all files together.
const MOST_BYTES: u64 = 128 << 20;
const DEEPEST: usize = 12;
/// Most people that are read from a file.
const MOST_PEOPLE: usize = 500;
const CONTACTS: &str = "contacts.vcf";
/// Folders that the shared storage of every phone has.
const KNOWN: [&str; 8] =
    ["Alarms", "Android", "DCIM", "Documents", "Download", "Movies", "Music", "Pictures"];
const PICTURES: [&str; 6] = ["jpg", "jpeg", "png", "gif", "webp", "bmp"];

/// What is put on a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixtures {
    /// Contents by path below the shared storage, such as `Download/a.txt`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Who is among the contacts.
    pub people: Vec<Person>,
}

/// Somebody of an address book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// As a phone shows it.
    pub name: String,
    /// Telephone numbers, as they were written.
    pub phones: Vec<String>,
    /// Addresses of electronic mail.
    pub emails: Vec<String>,
}

/// Why a folder cannot be put on devices.
#[derive(Debug, Error)]
pub enum FixturesError {
    /// It, or something in it, cannot be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It holds more than devices are given.
    #[error(
        "{path}: more than {} files, {} MB or {} folders within each other",
        MOST_FILES, MOST_BYTES >> 20, DEEPEST
    )]
    TooMuch {
        /// The folder.
        path: PathBuf,
    },
    /// A name that no path on a device can have.
    #[error("{path}: a name that is no plain text")]
    Name {
        /// The file.
        path: PathBuf,
    },
}

impl Fixtures {
    /// Reads a folder. `contacts.vcf` holds people; what lies in a folder that phones have (`Download`, `Pictures`,
    /// `DCIM`, …) goes there, other pictures to `Pictures`, and the rest to `Download`.
    ///
    /// # Errors
    /// When something in it cannot be read, has no usable name, or is too much.
    pub fn read(folder: &Path) -> Result<Self, FixturesError> {
        let mut found = Self::default();
        let mut left = MOST_BYTES;
        found.add(folder, folder, &mut left, 0)?;
        Ok(found)
    }

    fn add(&mut self, root: &Path, folder: &Path, left: &mut u64, depth: usize) -> Result<(), FixturesError> {
        let too_much = || FixturesError::TooMuch { path: root.to_owned() };
        let unreadable = |path: &Path, source| FixturesError::Unreadable { path: path.to_owned(), source };
        if depth > DEEPEST {
            return Err(too_much());
        }
        let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(folder, error))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
            if kind.is_dir() {
                self.add(root, &path, left, depth + 1)?;
            }
            if !kind.is_file() {
                continue;
            }
            let relative = path.strip_prefix(root).ok().and_then(Path::to_str);
            let plain = relative.filter(|name| !name.chars().any(char::is_control));
            let relative = plain.ok_or_else(|| FixturesError::Name { path: path.clone() })?;
            let file = fs::File::open(&path).map_err(|error| unreadable(&path, error))?;
            let mut bytes = Vec::new();
            let read =
                file.take(*left + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&path, error))?;
            *left = left.checked_sub(read as u64).ok_or_else(too_much)?;
            if relative == CONTACTS {
                self.people = people(&String::from_utf8_lossy(&bytes));
            } else if self.files.len() >= MOST_FILES {
                return Err(too_much());
            } else {
                self.files.insert(place(relative), bytes);
            }
        }
        Ok(())
    }
}

/// Where a file of the folder goes, below the shared storage.
fn place(relative: &str) -> String {
    let first = relative.split_once('/').map(|(first, _)| first);
    if first.is_some_and(|first| KNOWN.contains(&first)) {
        return relative.to_owned();
    }
    let ending = relative.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let picture = ending.is_some_and(|ending| PICTURES.contains(&&*ending));
    format!("{}/{relative}", if picture { "Pictures" } else { "Download" })
}

/// The people of a vCard file; of each, what a phone's list shows. Somebody without a name is called by a number.
fn people(text: &str) -> Vec<Person> {
    let mut people = Vec::new();
    let mut person: Option<Person> = None;
    // A line that begins with a space goes on with the one before.
    let whole = text.replace("\r\n", "\n").replace("\n ", "").replace("\n\t", "");
    for line in whole.lines() {
        let Some((key, value)) = line.split_once(':') else { continue };
        let key = key.split(';').next().unwrap_or_default();
        let key = key.rsplit('.').next().unwrap_or_default().to_ascii_uppercase();
        let value = value.replace("\\,", ",").replace("\\;", ";").replace("\\n", " ").trim().to_owned();
        match (&*key, &mut person) {
            ("BEGIN", _) => person = Some(Person::default()),
            ("END", _) => {
                let ended = person.take().map(Person::named).filter(|person| !person.name.is_empty());
                people.extend(ended.filter(|_| people.len() < MOST_PEOPLE));
            }
            ("FN", Some(person)) => person.name = value,
            ("N", Some(person)) if person.name.is_empty() => {
                let mut parts = value.split(';').map(str::trim);
                let (family, given) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                person.name = format!("{given} {family}").trim().to_owned();
            }
            ("TEL", Some(person)) if !value.is_empty() => {
                person.phones.push(value.strip_prefix("tel:").unwrap_or(&value).to_owned());
            }
            ("EMAIL", Some(person)) if !value.is_empty() => person.emails.push(value),
            _ => {}
        }
    }
    people
}

impl Person {
    fn named(mut self) -> Self {
        if self.name.is_empty() {
            self.name = self.phones.first().or(self.emails.first()).cloned().unwrap_or_default();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_go_where_phones_have_them() {
        for (relative, expected) in [
            ("a.txt", "Download/a.txt"),
            ("notes/a.txt", "Download/notes/a.txt"),
            ("a.JPG", "Pictures/a.JPG"),
            ("DCIM/Camera/a.jpg", "DCIM/Camera/a.jpg"),
            ("Documents/a.pdf", "Documents/a.pdf"),
            ("Music", "Download/Music"),
        ] {
            assert_eq!(place(relative), expected, "{relative}");
        }
    }

    #[test]
    fn people_are_read_from_cards() {
        let text = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Turing;Alan;;;\r\nitem1.TEL;TYPE=CELL:+1 5\r\n 55\r\nEND:VCARD\n\
                    BEGIN:VCARD\nFN:Ada\\, Countess\nEMAIL:ada@example.org\nN:Lovelace;Ada\nEND:VCARD\n\
                    BEGIN:VCARD\nTEL:77\nEND:VCARD\nBEGIN:VCARD\nEND:VCARD\nTEL:78\n";
        let person = |name: &str, phones: &[&str], emails: &[&str]| {
            let owned = |list: &[&str]| list.iter().map(|each| (*each).to_owned()).collect();
            Person { name: name.to_owned(), phones: owned(phones), emails: owned(emails) }
        };
        let expected = [
            person("Alan Turing", &["+1 555"], &[]),
            person("Ada, Countess", &[], &["ada@example.org"]),
            person("77", &["77"], &[]),
        ];
        assert_eq!(people(text), expected);
    }

    #[test]
    fn a_folder_is_read_without_what_it_links_to() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("Music")).expect("a folder");
        for name in ["a.txt", "Music/b.mp3", "contacts.vcf"] {
            fs::write(folder.path().join(name), "BEGIN:VCARD\nFN:Eve\nEND:VCARD").expect("a file");
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).expect("a link");
        let found = Fixtures::read(folder.path()).expect("fixtures");
        assert_eq!(found.files.keys().collect::<Vec<_>>(), ["Download/a.txt", "Music/b.mp3"]);
        assert_eq!(found.people.len(), 1);
        let missing = Fixtures::read(&folder.path().join("none")).expect_err("no folder").to_string();
        assert!(missing.contains("none: "), "{missing}");
    }
}
