//! Files outside the store: those that people name (session files, specifications, dumps, recordings, archives), and
//! folders that are needed only while a command runs.
//!
//! In: a path. Out: what the file holds, up to a limit, or why not.
//!
//! Invariant: opening never waits. A named pipe that nobody writes to, or a terminal, is refused with a message instead
//! of blocking the program. The only pipes that are read are those that this process already holds: `/dev/stdin`, and
//! what a shell creates for `<(command)`.

#![cfg_attr(
    test,
    allow(
        clippy::cast_lossless,
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::missing_errors_doc
    )
)]

mod temporary;

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use thiserror::Error;

pub use temporary::Temporary;

/// The folder of the files that this process has open.
const OWN_DESCRIPTORS: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/dev/stdin"];

/// A text that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {line} is no UTF-8: it holds the byte 0x{byte:02x}")]
pub struct NotUtf8 {
    /// From 1.
    pub line: usize,
    /// The first byte that is not UTF-8.
    pub byte: u8,
}

impl NotUtf8 {
    /// What is wrong, for messages that name the line themselves.
    pub fn what(&self) -> String {
        format!("is no UTF-8: it holds the byte 0x{:02x}", self.byte)
    }
}

/// Opens a file for reading.
///
/// # Errors
/// When it cannot be opened, or is a folder, a device, or another process's pipe.
pub fn open(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(not_waiting()).open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_fifo() && OWN_DESCRIPTORS.iter().any(|own| path.starts_with(own)) {
        wait_for_data(&file)?;
        return Ok(file);
    }
    if kind.is_file() { Ok(file) } else { Err(io::Error::other(format!("is {}, no file", name_of(kind)))) }
}

/// The bytes of a file.
///
/// # Errors
/// Those of [`open`]; when it cannot be read, or has more than `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("is larger than {}", size(most))));
    }
    Ok(bytes)
}

/// The text of a file.
///
/// # Errors
/// Those of [`read`]; also when it is not UTF-8, with the line.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text(read(path, most)?).map_err(io::Error::other)
}

/// Bytes as text.
///
/// # Errors
/// When they are not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, NotUtf8> {
    String::from_utf8(bytes).map_err(|error| {
        let (good, rest) = error.as_bytes().split_at(error.utf8_error().valid_up_to());
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        NotUtf8 { line, byte: rest.first().copied().unwrap_or_default() }
    })
}

/// Opens a file for writing; its previous content is lost.
///
/// # Errors
/// When it cannot be opened, or is a pipe that nobody reads.
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).custom_flags(not_waiting());
    let file = options.open(path).map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::NXIO) => io::Error::other("is a named pipe that nobody reads"),
        _ => error,
    })?;
    wait_for_data(&file)?;
    Ok(file)
}

fn not_waiting() -> i32 {
    (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed()
}

/// Makes reads and writes block; opening does not.
fn wait_for_data(file: &File) -> io::Result<()> {
    let flags = fcntl_getfl(file)?;
    Ok(fcntl_setfl(file, flags - OFlags::NONBLOCK)?)
}

fn name_of(kind: FileType) -> &'static str {
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use rustix::fs::{CWD, FileType as Kind, Mode, mknodat};

    use super::*;

    /// Waits for a call that must not wait for ever.
    fn in_time<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
        let (done, outcome) = mpsc::channel();
        thread::spawn(move || done.send(work()));
        outcome.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("{what} waits for ever"))
    }

    #[test]
    fn only_files_are_opened_and_nothing_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, Kind::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a named pipe");
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "text\n").expect("a file");
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).expect("a socket");
        let cases = [
            (plain, "text"),
            (pipe.clone(), "is a named pipe, no file"),
            (folder.path().to_owned(), "is a folder, no file"),
            (folder.path().join("socket"), "No such device"),
            ("/dev/zero".into(), "is a device, no file"),
            (folder.path().join("missing"), "No such file"),
        ];
        for (path, expected) in cases {
            let shown = path.display().to_string();
            let said = in_time(&shown, move || match read_text(&path, 100) {
                Ok(text) => text,
                Err(error) => error.to_string(),
            });
            assert!(said.contains(expected), "{shown}: {said}");
        }
        let unread =
            in_time("a pipe nobody reads", move || create(&pipe).map(drop).map_err(|e| e.to_string()));
        assert_eq!(unread, Err("is a named pipe that nobody reads".into()));
    }

    #[test]
    fn a_pipe_of_this_process_is_read_to_its_end() {
        let (reader, mut writer) = io::pipe().expect("a pipe");
        let writing = thread::spawn(move || writer.write_all(b"from a command"));
        let path = format!("/dev/fd/{}", reader.as_raw_fd());
        assert_eq!(read_text(Path::new(&path), 100).expect("a text"), "from a command");
        writing.join().expect("no panic").expect("written");
    }

    #[test]
    fn what_is_no_utf8_or_too_large_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let cases: [(&[u8], &str); 4] = [
            (b"one\ntwo\xff\n", "line 2 is no UTF-8: it holds the byte 0xff"),
            (b"\xc3", "line 1 is no UTF-8: it holds the byte 0xc3"),
            (&[b'x'; 2_049], "is larger than 2 KiB"),
            ("größe".as_bytes(), "größe"),
        ];
        for (bytes, expected) in cases {
            create(&path).and_then(|mut file| file.write_all(bytes)).expect("written");
            let said = read_text(&path, 2_048).unwrap_or_else(|error| error.to_string());
            assert_eq!(said, expected);
        }
    }
}
