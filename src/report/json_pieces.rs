//! JSON written piece by piece: lists whose members come one after the other, with everything around them written
//! verbatim.

use std::io::{self, Write};

use serde_json::Value;

use droidmux_words::printable_json;

/// A writer of JSON, with the number of members written so far to the list of sessions and to the current list of
/// findings.
pub(super) struct Pieces<W: Write> {
    out: W,
    sessions: usize,
    findings: usize,
}

impl<W: Write> Pieces<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, sessions: 0, findings: 0 }
    }

    /// Text that contains nothing from an app.
    pub(super) fn text(&mut self, json: &str) -> io::Result<()> {
        self.out.write_all(json.as_bytes())
    }

    /// A whole value, made printable.
    pub(super) fn put(&mut self, value: &Value) -> io::Result<()> {
        self.text(&printable_json(&value.to_string()))
    }

    /// Begins a session, which is a member of the list that is open.
    pub(super) fn session(&mut self) -> io::Result<()> {
        self.text(if self.sessions > 0 { ",\n" } else { "\n" })?;
        (self.sessions, self.findings) = (self.sessions + 1, 0);
        Ok(())
    }

    /// A finding, which is a member of the session's open list.
    pub(super) fn finding(&mut self, finding: &Value) -> io::Result<()> {
        self.text(if self.findings > 0 { ",\n" } else { "\n" })?;
        self.findings += 1;
        self.put(finding)
    }

    /// Ends the findings' list and the session.
    pub(super) fn session_end(&mut self) -> io::Result<()> {
        self.text("]}")
    }

    /// Ends the sessions' list and the whole.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.text("]}\n")?;
        self.out.flush()
    }
}
