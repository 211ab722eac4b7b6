//! What is asked of an import, and what it did.

/// What an import does with sessions that are there already: with the same content, whatever their
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// Leaves them out, and adds what was said of them later: marks, mask edits, shrunk results and
    /// rechecks that the store does not have.
    LeaveOut,
    /// Takes them in once more.
    Take,
}

/// What was taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Imported {
    /// Those that were not there, in the order of the archive.
    pub sessions: Vec<ImportedSession>,
    /// Those left out.
    pub present: Vec<PresentSession>,
    /// Of these sessions; layouts and what was added to others are not counted.
    pub values: u64,
    /// Those that the store did not have.
    pub layouts: u64,
    /// Those that the store did not have.
    pub screenshots: u64,
}

/// A session of an archive, with its number there and in the store.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ImportedSession {
    /// `s7`: its number in the archive.
    pub was: String,
    /// Its number in the store: the same where that was free.
    pub is: String,
    /// By its name in session files, e.g. `genie`.
    pub technique: String,
    /// Package of the app under test.
    pub app: String,
}

/// A session that was there already.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PresentSession {
    /// Which one, here under the number it had.
    #[serde(flatten)]
    pub session: ImportedSession,
    /// Later values of the archive (marks, mask edits, shrunk results, rechecks) that were added.
    pub added: u64,
    /// Later values that the store has otherwise; its own stay.
    pub kept: u64,
}
