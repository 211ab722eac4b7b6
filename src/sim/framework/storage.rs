//! The shared storage of a host as the files of its device: one is kept like the other.
//!
//! In: the device's files before somebody looks and after somebody changed them. Out: what the app wrote, in the files;
//! what came from outside, in the host, which has it back at each clearing of the app's data and after each restart.
//!
//! Invariants: paths of a host cannot leave `/sdcard`; a file that is too large for a line of the protocol stays where
//! it is.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::host::Host;
use crate::device::lock;
use crate::files::{Files, Node};

/// Where the shared storage is on a device.
const ROOT: &str = "/sdcard";
/// Bytes that go into one request: its line must stay below 1 MiB.
const PORTION: usize = 512 << 10;
/// Larger files of the app are not shown.
const LARGEST: u64 = 32 << 20;
const MODE: u32 = 0o660;

/// What a host's storage looked like last, by path below the root.
pub(crate) struct HostStorage {
    host: Arc<Host>,
    seen: Mutex<BTreeMap<String, Seen>>,
}

#[derive(Clone, Debug, PartialEq)]
enum Seen {
    Folder,
    /// With the size and the time of its last change, as the host told them, unless it came from here.
    File(Option<(u64, u64)>, Bytes),
}

impl HostStorage {
    pub(crate) fn new(host: Arc<Host>) -> Self {
        Self { host, seen: Mutex::default() }
    }

    /// Puts into the files what the app has changed since.
    pub(crate) fn fetch(&self, files: &mut Files) {
        let Some(answer) = self.host.ask("files", Map::new()) else { return };
        let mut seen = lock(&self.seen);
        let mut now = BTreeMap::new();
        for told in answer["files"].as_array().into_iter().flatten() {
            let Some(path) = told["path"].as_str().filter(|path| is_below(path)) else { continue };
            if told["folder"] == true {
                // Where there is no more room, a person sees less.
                let _ = files.make_directory(&whole(path), true);
                now.insert(path.to_owned(), Seen::Folder);
                continue;
            }
            let (Some(size), Some(modified)) = (told["size"].as_u64(), told["modified"].as_u64()) else {
                continue;
            };
            let state = Some((size, modified));
            let known = match seen.get(path) {
                Some(Seen::File(before, bytes))
                    if *before == state || (before.is_none() && bytes.len() as u64 == size) =>
                {
                    Some(bytes.clone())
                }
                _ => self.read(path, size),
            };
            if let Some(bytes) = known {
                let _ = files.write(&whole(path), bytes.clone(), MODE, true);
                now.insert(path.to_owned(), Seen::File(state, bytes));
            }
        }
        for gone in seen.keys().filter(|path| !now.contains_key(*path)) {
            let _ = files.remove(&whole(gone), true);
        }
        *seen = now;
    }

    fn read(&self, path: &str, size: u64) -> Option<Bytes> {
        if size > LARGEST {
            return None;
        }
        let Value::Object(members) = json!({ "path": path }) else { return None };
        let answer = self.host.ask("read-file", members)?;
        STANDARD.decode(answer["bytes"].as_str()?).ok().map(Bytes::from)
    }

    /// Tells the host what was changed in the files.
    pub(crate) fn send(&self, files: &Files) {
        let Ok(below) = files.below(ROOT) else { return };
        let mut seen = lock(&self.seen);
        let mut now = BTreeMap::new();
        for (path, node) in below {
            let Some(path) = path.strip_prefix(ROOT).and_then(|path| path.strip_prefix('/')) else {
                continue;
            };
            let there = match node {
                Node::Directory => Seen::Folder,
                Node::File { bytes, .. } => match seen.get(path) {
                    Some(Seen::File(state, before)) if before == bytes => Seen::File(*state, bytes.clone()),
                    _ => Seen::File(None, bytes.clone()),
                },
            };
            now.insert(path.to_owned(), there);
        }
        let gone: Vec<&String> = seen.keys().filter(|path| !now.contains_key(*path)).collect();
        for path in gone {
            self.host.give("remove-file", json!({ "path": path }));
        }
        for (path, there) in &now {
            match (seen.get(path), there) {
                (before, now) if before == Some(now) => {}
                (_, Seen::Folder) => self.host.give("make-folder", json!({ "path": path })),
                (_, Seen::File(_, bytes)) => self.write(path, bytes),
            }
        }
        *seen = now;
    }

    fn write(&self, path: &str, bytes: &Bytes) {
        let mut portions: Vec<&[u8]> = bytes.chunks(PORTION).collect();
        if portions.is_empty() {
            portions.push(&[]);
        }
        for (number, portion) in portions.into_iter().enumerate() {
            let members = json!({ "path": path, "bytes": STANDARD.encode(portion), "append": number > 0 });
            self.host.give("write-file", members);
        }
    }

    /// Rows of the system's providers, as the shell's `content` reads and writes them.
    pub(crate) fn content(&self, members: Value) -> Result<Vec<String>, String> {
        let changes = members["verb"] != "query";
        let answer = match members {
            Value::Object(members) => self.host.answer("content", members.clone()).inspect(|answer| {
                if changes && answer["ok"] == true {
                    self.host.remember("content", members);
                }
            }),
            _ => None,
        };
        let answer = answer.ok_or("the host does not answer")?;
        match answer["ok"].as_bool() {
            Some(true) => {
                let lines = answer["lines"].as_array().into_iter().flatten();
                Ok(lines.filter_map(Value::as_str).map(str::to_owned).collect())
            }
            _ => Err(answer["error"].as_str().unwrap_or("refused").to_owned()),
        }
    }
}

/// Whether text names something in the shared storage, by any of its names.
pub(crate) fn names_storage(text: &str) -> bool {
    text.contains("sdcard") || text.contains("/storage/")
}

fn whole(path: &str) -> String {
    format!("{ROOT}/{path}")
}

/// Whether a path that a host tells stays below the root.
fn is_below(path: &str) -> bool {
    !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}
