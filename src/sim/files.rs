//! The small in-memory file system of one simulated device.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::MutexGuard;

use bytes::Bytes;
use thiserror::Error;

use super::framework::HostStorage;
use super::pattern::Pattern;

/// All bytes of one device's files together.
const CAPACITY: usize = 256 << 20;
/// Files and directories of one device.
const MAX_NODES: usize = 20_000;
const MAX_PATH: usize = 1_024;
/// The modification time of everything: the simulated files have no clock of their own.
pub(super) const MTIME: u32 = 1_700_000_000;

const DIRECTORIES: [&str; 24] = [
    "/",
    "/cache",
    "/data",
    "/data/app",
    "/data/local",
    "/data/local/tmp",
    "/dev",
    "/mnt",
    "/proc",
    "/sdcard",
    "/sdcard/Android",
    "/sdcard/DCIM",
    "/sdcard/Documents",
    "/sdcard/Download",
    "/sdcard/Movies",
    "/sdcard/Music",
    "/sdcard/Pictures",
    "/storage",
    "/storage/emulated",
    "/sys",
    "/system",
    "/system/bin",
    "/system/etc",
    "/vendor",
];
const NULL: &str = "/dev/null";
/// The last is there for root only.
const WRITABLE: [&str; 3] = ["/sdcard", "/data/local/tmp", "/data/user"];

/// Why a file operation failed; the texts are those of the C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum FileError {
    #[error("No such file or directory")]
    Missing,
    #[error("Is a directory")]
    IsDirectory,
    #[error("Not a directory")]
    NotDirectory,
    #[error("File exists")]
    Exists,
    #[error("Permission denied")]
    Denied,
    #[error("No space left on device")]
    NoSpace,
    #[error("File name too long")]
    TooLong,
    #[error("Directory not empty")]
    NotEmpty,
}

impl FileError {
    /// The `errno` of sync's second version.
    pub(super) fn errno(self) -> u32 {
        match self {
            FileError::Missing => 2,
            FileError::Denied => 13,
            FileError::Exists => 17,
            FileError::NotDirectory => 20,
            FileError::IsDirectory => 21,
            FileError::NoSpace => 28,
            FileError::TooLong => 36,
            FileError::NotEmpty => 39,
        }
    }
}

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Directory,
    File { bytes: Bytes, mode: u32 },
}

impl Node {
    /// The `st_mode`: type and permissions.
    pub(super) fn mode(&self) -> u32 {
        match self {
            Node::Directory => 0o040_755,
            Node::File { mode, .. } => 0o100_000 | (mode & 0o777),
        }
    }

    pub(super) fn size(&self) -> u64 {
        match self {
            Node::Directory => 4_096,
            Node::File { bytes, .. } => bytes.len() as u64,
        }
    }
}

/// The files of a device while somebody uses them; what was changed goes to the framework's host, where there is one.
pub(super) struct HeldFiles<'a> {
    files: MutexGuard<'a, Files>,
    storage: Option<&'a HostStorage>,
    changed: bool,
}

impl<'a> HeldFiles<'a> {
    pub(super) fn new(files: MutexGuard<'a, Files>, storage: Option<&'a HostStorage>) -> Self {
        Self { files, storage, changed: false }
    }
}

impl Deref for HeldFiles<'_> {
    type Target = Files;

    fn deref(&self) -> &Files {
        &self.files
    }
}

impl DerefMut for HeldFiles<'_> {
    fn deref_mut(&mut self) -> &mut Files {
        self.changed = true;
        &mut self.files
    }
}

impl Drop for HeldFiles<'_> {
    fn drop(&mut self) {
        if let Some(storage) = self.storage.filter(|_| self.changed) {
            storage.send(&self.files);
        }
    }
}

/// Paths to files and directories; every parent of a path is a directory.
#[derive(Debug)]
pub(super) struct Files {
    nodes: BTreeMap<String, Node>,
    used: usize,
    full: bool,
}

impl Default for Files {
    fn default() -> Self {
        let nodes = DIRECTORIES.iter().map(|path| ((*path).to_owned(), Node::Directory)).collect();
        Files { nodes, used: 0, full: false }
    }
}

impl Files {
    /// With `full`, nothing can be written.
    pub(super) fn set_full(&mut self, full: bool) {
        self.full = full;
    }

    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Bytes in files.
    pub(super) fn used(&self) -> u64 {
        self.used as u64
    }

    pub(super) fn get(&self, path: &str) -> Result<&Node, FileError> {
        self.nodes.get(&normal(path)?).ok_or(FileError::Missing)
    }

    pub(super) fn read(&self, path: &str) -> Result<Bytes, FileError> {
        match self.get(path)? {
            Node::File { bytes, .. } => Ok(bytes.clone()),
            Node::Directory => Err(FileError::IsDirectory),
        }
    }

    /// As [`Files::read`], plus the device files that every phone has.
    pub(super) fn input(&self, path: &str) -> Result<Bytes, FileError> {
        if normal(path)? == NULL { Ok(Bytes::new()) } else { self.read(path) }
    }

    /// The path without `.`, `..` and doubled slashes, as `cd` keeps it: other names of `/sdcard` stay.
    pub(super) fn plain(&self, path: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        format!("/{}", parts.join("/"))
    }

    /// Everything at and below a path, in order.
    pub(super) fn below(&self, path: &str) -> Result<Vec<(&str, &Node)>, FileError> {
        let path = normal(path)?;
        if !self.nodes.contains_key(&path) {
            return Err(FileError::Missing);
        }
        let prefix = if path == "/" { path.clone() } else { format!("{path}/") };
        let inside = |at: &str| at == path || at.starts_with(&prefix);
        let all = self.nodes.range(path.clone()..);
        // Names such as `a-b` stand between `a` and `a/b`.
        let all = all.take_while(|(at, _)| at.starts_with(&path));
        Ok(all.filter(|(at, _)| inside(at)).map(|(at, node)| (at.as_str(), node)).collect())
    }

    /// Whether something can be written at a path.
    pub(super) fn is_writable(&self, path: &str) -> bool {
        normal(path).is_ok_and(|path| self.check_writable(&path).is_ok())
    }

    /// Writes a whole file, making missing directories when `parents` is set; `/dev/null` takes anything.
    pub(super) fn write(
        &mut self,
        path: &str,
        bytes: Bytes,
        mode: u32,
        parents: bool,
    ) -> Result<(), FileError> {
        let path = normal(path)?;
        if path == NULL {
            return Ok(());
        }
        self.check_writable(&path)?;
        if parents {
            self.make_directory(parent(&path), true)?;
        }
        match self.nodes.get(parent(&path)) {
            None => return Err(FileError::Missing),
            Some(Node::File { .. }) => return Err(FileError::NotDirectory),
            Some(Node::Directory) => {}
        }
        let old = match self.nodes.get(&path) {
            Some(Node::Directory) => return Err(FileError::IsDirectory),
            Some(Node::File { bytes, .. }) => bytes.len(),
            None => 0,
        };
        let used = self.used - old + bytes.len();
        if used > CAPACITY || self.nodes.len() >= MAX_NODES || (self.full && !bytes.is_empty()) {
            return Err(FileError::NoSpace);
        }
        self.used = used;
        self.nodes.insert(path, Node::File { bytes, mode });
        Ok(())
    }

    pub(super) fn append(&mut self, path: &str, more: &[u8]) -> Result<(), FileError> {
        let mut bytes = match self.read(path) {
            Ok(bytes) => bytes.to_vec(),
            Err(FileError::Missing) => Vec::new(),
            Err(error) => return Err(error),
        };
        bytes.extend_from_slice(more);
        self.write(path, bytes.into(), 0o644, false)
    }

    pub(super) fn make_directory(&mut self, path: &str, parents: bool) -> Result<(), FileError> {
        let path = normal(path)?;
        match self.nodes.get(&path) {
            Some(Node::Directory) if parents => return Ok(()),
            Some(_) => return Err(FileError::Exists),
            None => {}
        }
        self.check_writable(&path)?;
        if self.full || self.nodes.len() >= MAX_NODES {
            return Err(FileError::NoSpace);
        }
        match self.nodes.get(parent(&path)) {
            Some(Node::Directory) => {}
            Some(Node::File { .. }) => return Err(FileError::NotDirectory),
            // Ends at `/`, which always exists; paths are capped, so the depth is too.
            None if parents => self.make_directory(parent(&path), true)?,
            None => return Err(FileError::Missing),
        }
        self.nodes.insert(path, Node::Directory);
        Ok(())
    }

    /// Removes a file, or with `recursive` a directory and all below it.
    pub(super) fn remove(&mut self, path: &str, recursive: bool) -> Result<(), FileError> {
        let path = normal(path)?;
        match self.nodes.get(&path) {
            None => return Err(FileError::Missing),
            Some(Node::Directory) if !recursive => return Err(FileError::IsDirectory),
            Some(_) => self.check_writable(&path)?,
        }
        if WRITABLE.contains(&path.as_str()) {
            return Err(FileError::Denied);
        }
        let below = format!("{path}/");
        let used = &mut self.used;
        self.nodes.retain(|at, node| {
            let gone = *at == path || at.starts_with(&below);
            if let (true, Node::File { bytes, .. }) = (gone, node) {
                *used -= bytes.len();
            }
            !gone
        });
        Ok(())
    }

    /// Names and nodes directly in a directory, sorted by name.
    pub(super) fn list(&self, path: &str) -> Result<Vec<(&str, &Node)>, FileError> {
        let path = normal(path)?;
        match self.nodes.get(&path) {
            None => return Err(FileError::Missing),
            Some(Node::File { .. }) => return Err(FileError::NotDirectory),
            Some(Node::Directory) => {}
        }
        let prefix = if path == "/" { path } else { format!("{path}/") };
        let inside = self.nodes.range(prefix.clone()..).take_while(|(at, _)| at.starts_with(&prefix));
        Ok(inside
            .filter_map(|(at, node)| {
                let name = at.get(prefix.len()..)?;
                (!name.is_empty() && !name.contains('/')).then_some((name, node))
            })
            .collect())
    }

    /// Paths that match a pattern of the shell.
    pub(super) fn matching(&self, pattern: &str) -> Vec<String> {
        let Some(wild) = pattern.find(['*', '?', '[']) else { return Vec::new() };
        // Compared with the normal form of the part before the first wildcard.
        let Some(cut) = pattern.get(..wild).and_then(|fixed| fixed.rfind('/')) else { return Vec::new() };
        let directory = pattern.get(..cut).unwrap_or_default();
        let plain = if directory.is_empty() { Some("/".to_owned()) } else { Pattern::new(directory).plain() };
        let Some(Ok(directory)) = plain.map(|directory| normal(&directory)) else { return Vec::new() };
        let rest = Pattern::of_paths(pattern.get(cut + 1..).unwrap_or_default());
        let prefix = if directory == "/" { directory } else { format!("{directory}/") };
        let inside = self.nodes.range(prefix.clone()..).take_while(|(at, _)| at.starts_with(&prefix));
        let fits = |at: &str| {
            let relative: Vec<char> = at.get(prefix.len()..).unwrap_or_default().chars().collect();
            !relative.is_empty() && rest.fits(&relative)
        };
        inside.map(|(at, _)| at).filter(|at| fits(at)).cloned().collect()
    }

    fn check_writable(&self, path: &str) -> Result<(), FileError> {
        let below =
            |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if WRITABLE.into_iter().any(below) { Ok(()) } else { Err(FileError::Denied) }
    }
}

/// The directory a normal path lies in.
fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

/// Absolute, without `.`, `..` and doubled slashes, the other names of `/sdcard` resolved.
fn normal(path: &str) -> Result<String, FileError> {
    if path.len() > MAX_PATH {
        return Err(FileError::TooLong);
    }
    if path.is_empty() {
        return Err(FileError::Missing);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let path = format!("/{}", parts.join("/"));
    for alias in ["/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard"] {
        if let Some(rest) = path.strip_prefix(alias)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            return Ok(format!("/sdcard{rest}"));
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(files: &mut Files, path: &str, text: &'static str) -> Result<(), FileError> {
        files.write(path, Bytes::from_static(text.as_bytes()), 0o644, false)
    }

    #[test]
    fn paths_have_one_normal_form() {
        for (path, expected) in [
            ("/sdcard/a", "/sdcard/a"),
            ("//sdcard//./a/", "/sdcard/a"),
            ("/storage/emulated/0/a", "/sdcard/a"),
            ("/storage/emulated/00", "/storage/emulated/00"),
            ("/sdcard/../../..", "/"),
            ("sdcard", "/sdcard"),
        ] {
            assert_eq!(normal(path).as_deref(), Ok(expected), "{path}");
        }
    }

    #[test]
    fn writes_reads_lists_and_removes() {
        let mut files = Files::default();
        assert_eq!(put(&mut files, "/sdcard/a.txt", "one"), Ok(()));
        assert_eq!(put(&mut files, "/sdcard/no/b", "two"), Err(FileError::Missing));
        assert_eq!(put(&mut files, "/sdcard/a.txt/b", "two"), Err(FileError::NotDirectory));
        assert_eq!(put(&mut files, "/system/x", "two"), Err(FileError::Denied));
        assert_eq!(put(&mut files, "/sdcard", "two"), Err(FileError::IsDirectory));
        assert_eq!(files.append("/sdcard/a.txt", b"+"), Ok(()));
        assert_eq!(files.read("/mnt/sdcard/a.txt").as_deref(), Ok(&b"one+"[..]));
        assert_eq!(files.make_directory("/sdcard/d/e", false), Err(FileError::Missing));
        assert_eq!(files.make_directory("/sdcard/d/e", true), Ok(()));
        assert_eq!(put(&mut files, "/sdcard/d/e/f", "two"), Ok(()));
        let names = |files: &Files, path| -> Vec<String> {
            files.list(path).unwrap_or_default().iter().map(|(name, _)| (*name).to_owned()).collect()
        };
        assert!(names(&files, "/sdcard").contains(&"a.txt".to_owned()));
        assert_eq!(names(&files, "/sdcard/d"), ["e"]);
        assert_eq!(files.remove("/sdcard/d", false), Err(FileError::IsDirectory));
        assert_eq!(files.remove("/sdcard/d", true), Ok(()));
        assert_eq!(files.read("/sdcard/d/e/f"), Err(FileError::Missing));
        assert_eq!(files.used, 4);
    }

    #[test]
    fn the_null_device_takes_everything_and_gives_nothing() {
        let mut files = Files::default();
        assert_eq!(put(&mut files, "/dev/null", "one"), Ok(()));
        assert_eq!(files.append("/dev/./null", b"two"), Ok(()));
        assert_eq!(files.input("/dev/./null").as_deref(), Ok(&b""[..]));
        assert_eq!((files.used, put(&mut files, "/dev/zero", "x")), (0, Err(FileError::Denied)));
    }

    #[test]
    fn a_full_disk_takes_no_bytes() {
        let mut files = Files::default();
        files.set_full(true);
        assert_eq!(put(&mut files, "/sdcard/a", "x"), Err(FileError::NoSpace));
        assert_eq!(put(&mut files, "/sdcard/a", ""), Ok(()));
    }
}
