//! Whether the user's theme files have changed since they were last looked at.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

/// Files that are looked at.
const MOST: usize = 256;

/// Looks at a folder of themes again and again.
#[derive(Debug)]
pub struct FolderWatch {
    folder: PathBuf,
    seen: Vec<Stamp>,
}

/// Name, time of the last change, length.
type Stamp = (PathBuf, Option<SystemTime>, u64);

impl FolderWatch {
    /// Takes the folder as it is; it need not be there.
    pub fn new(folder: PathBuf) -> Self {
        let mut watch = Self { folder, seen: Vec::new() };
        watch.seen = watch.look();
        watch
    }

    /// True when a file came, went or changed since the last look.
    pub fn has_changed(&mut self) -> bool {
        let found = self.look();
        let changed = found != self.seen;
        self.seen = found;
        changed
    }

    fn look(&self) -> Vec<Stamp> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten().take(MOST);
        let stamp = |entry: fs::DirEntry| {
            let path = entry.path();
            // Themes may be links into somebody's collection.
            let found = fs::metadata(&path).ok()?;
            let is_theme = path.extension().is_some_and(|extension| extension == "toml");
            is_theme.then(|| (path, found.modified().ok(), found.len()))
        };
        let mut found: Vec<Stamp> = entries.filter_map(stamp).collect();
        found.sort();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_that_come_change_and_go_are_noticed() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("themes");
        let theme = folder.join("mine.toml");
        let mut watch = FolderWatch::new(folder.clone());
        let mut expect = |changed: bool, what: &str| {
            assert_eq!(watch.has_changed(), changed, "{what}");
            assert!(!watch.has_changed(), "{what}: told once");
        };
        expect(false, "no folder");
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join("notes.txt"), "x").expect("written");
        expect(false, "no theme");
        fs::write(&theme, "").expect("written");
        expect(true, "a theme came");
        fs::write(&theme, "inherits = \"light\"").expect("written");
        expect(true, "it changed");
        fs::remove_file(&theme).expect("removed");
        expect(true, "it went");
    }
}
