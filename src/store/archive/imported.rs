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
    pub sessions: Vec<ImportedSession>,
    /// Those left out.
    pub present: Vec<PresentSession>,
    pub values: u64,
    /// Those that the store did not have.
    pub layouts: u64,
    pub screenshots: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ImportedSession {
    /// `s7`: its number in the archive, and here.
    pub was: String,
    pub is: String,
    pub technique: String,
    pub app: String,
}

/// A session that was there already.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PresentSession {
    #[serde(flatten)]
    pub session: ImportedSession,
    /// Later values of the archive (marks, mask edits, shrunk results, rechecks) that were added.
    pub added: u64,
    /// Later values that the store has otherwise; its own stay.
    pub kept: u64,
}
