//! Reading an archive's entries, none of which is trusted.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::caps::{MANIFEST, MAX_MANIFEST, MAX_TOTAL};
use super::error::ArchiveError;
use super::fault::ArchiveFault;
use super::manifest::{EntryKind, Manifest};
use super::records::{self, Record};
use crate::screens::Form;
use droidmux_file as file;
use droidmux_record::BlobHash;

/// How far zstd may look back (a power of two): the memory that an archive can make us use.
const WINDOW_LOG: u32 = 27;
/// Overhead of tar itself: headers and padding.
const OVERHEAD: u64 = 4 << 30;

/// An entry of an archive, with its content.
#[derive(Clone, Copy)]
pub(super) struct ArchiveEntry<'a> {
    pub kind: EntryKind,
    pub bytes: &'a [u8],
    /// The format of the store that wrote it.
    format: u32,
}

impl<'a> ArchiveEntry<'a> {
    /// The records of an entry, if it contains records.
    pub fn records(self) -> impl Iterator<Item = Result<Record, ArchiveFault>> + use<'a> {
        records::read(self.bytes, self.format)
    }
}

/// Reads a whole archive: calls back once with the manifest, then with every entry.
///
/// # Errors
/// `Broken` with the entry at fault when anything differs from what the manifest lists.
pub(super) fn read(
    path: &Path,
    begin: impl FnOnce(&Manifest) -> Result<(), ArchiveError>,
    mut entry: impl FnMut(ArchiveEntry<'_>) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let failed = |source| ArchiveError::Io { action: "cannot read", path: path.to_owned(), source };
    let file = file::open(path).map_err(failed)?;
    let unpacked = unpack(file).map_err(failed)?;
    let mut tar = tar::Archive::new(unpacked);
    // Raw: the names and sizes in GNU and PAX headers come as ordinary entries, and are refused.
    let mut raw = tar.entries().map_err(|error| broken(path, "its beginning", &error))?.raw(true);
    let (name, first) =
        header(path, &mut raw)?.ok_or_else(|| wrong(path, MANIFEST, ArchiveFault::NoManifest))?;
    if name != MANIFEST {
        return Err(wrong(path, &name, ArchiveFault::BeforeManifest));
    }
    let bytes = content(path, &name, first, MAX_MANIFEST)?;
    let manifest: Manifest = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(path, MANIFEST, ArchiveFault::Json(error.to_string())))?;
    drop(bytes);
    manifest.check().map_err(|fault| wrong(path, MANIFEST, fault))?;
    begin(&manifest)?;
    for listed in &manifest.entries {
        let Some((name, next)) = header(path, &mut raw)? else {
            return Err(wrong(path, &listed.name, ArchiveFault::Missing));
        };
        if name != listed.name {
            return Err(wrong(path, &name, ArchiveFault::Instead { listed: listed.name.clone() }));
        }
        let bytes = content(path, &name, next, listed.bytes)?;
        if bytes.len() as u64 != listed.bytes {
            let fault = ArchiveFault::Length { found: bytes.len(), listed: listed.bytes };
            return Err(wrong(path, &name, fault));
        }
        if *blake3::hash(&bytes).as_bytes() != listed.blake3.0 {
            return Err(wrong(path, &name, ArchiveFault::OtherContent));
        }
        let Some(kind) = EntryKind::parse(&name) else { continue };
        if matches!(kind, EntryKind::Screenshot(hash, _) if BlobHash::of(&bytes) != hash) {
            return Err(wrong(path, &name, ArchiveFault::OtherName));
        }
        if matches!(kind, EntryKind::Screenshot(_, form) if Form::of(&bytes) != form) {
            return Err(wrong(path, &name, ArchiveFault::OtherForm));
        }
        entry(ArchiveEntry { kind, bytes: &bytes, format: manifest.store_format })?;
    }
    match header(path, &mut raw)? {
        Some((name, ..)) => Err(wrong(path, &name, ArchiveFault::Unlisted)),
        None => Ok(()),
    }
}

pub(super) fn wrong(path: &Path, entry: &str, fault: impl Into<ArchiveFault>) -> ArchiveError {
    let entry: String = entry.chars().take(120).filter(|c| !c.is_control()).collect();
    ArchiveError::Broken { path: path.to_owned(), entry, fault: fault.into() }
}

fn broken(path: &Path, entry: &str, error: &io::Error) -> ArchiveError {
    wrong(path, entry, ArchiveFault::Unreadable(error.to_string()))
}

fn unpack(file: File) -> io::Result<impl Read> {
    let mut unpacked = zstd::Decoder::with_buffer(BufReader::new(file))?;
    unpacked.window_log_max(WINDOW_LOG)?;
    Ok(unpacked.take(MAX_TOTAL + OVERHEAD))
}

/// The next entry: its name and a reader for its content.
fn header<'a, R: Read>(
    path: &Path,
    entries: &mut tar::Entries<'a, R>,
) -> Result<Option<(String, tar::Entry<'a, R>)>, ArchiveError> {
    let Some(entry) = entries.next() else { return Ok(None) };
    let entry = entry.map_err(|error| broken(path, "a header", &error))?;
    let name = String::from_utf8_lossy(&entry.header().path_bytes()).into_owned();
    let kind = entry.header().entry_type();
    if kind != tar::EntryType::Regular {
        return Err(wrong(path, &name, ArchiveFault::NoFile(char::from(kind.as_byte()))));
    }
    Ok(Some((name, entry)))
}

/// The content of an entry of at most `limit` bytes.
fn content<R: Read>(
    path: &Path,
    name: &str,
    entry: tar::Entry<'_, R>,
    limit: u64,
) -> Result<Vec<u8>, ArchiveError> {
    let size = entry.header().size().map_err(|error| broken(path, name, &error))?;
    if size > limit {
        return Err(wrong(path, name, ArchiveFault::TooLarge { told: size, limit }));
    }
    // Grows with the data received, not with what the header claims.
    let mut bytes = Vec::new();
    entry.take(size).read_to_end(&mut bytes).map_err(|error| broken(path, name, &error))?;
    if bytes.len() as u64 != size {
        return Err(wrong(path, name, ArchiveFault::CutOff));
    }
    Ok(bytes)
}
