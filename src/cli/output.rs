//! Writing to standard output.

use std::io::{self, ErrorKind, Write};

/// Writes a whole output at once. A reader that went away (`| head`) is no error.
///
/// # Errors
///
/// When standard output cannot be written for another reason, a full disk for one.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
