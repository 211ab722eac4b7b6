//! What is requested of an import, and what it did.

/// What an import does with sessions that already exist, i.e. with the same content, whatever their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// Leaves them out, and adds what was said about them later: marks, mask edits, shrunk results and rechecks that
    /// the store does not have.
    LeaveOut,
    /// Imports them again.
    Take,
}

/// `droidmux store import --json`: what was imported.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "store-import"))]
pub struct Imported {
    /// The sessions that did not exist yet, in the order of the archive.
    pub sessions: Vec<ImportedSession>,
    /// The sessions left out, which exist already.
    pub present: Vec<PresentSession>,
    /// The values of the new sessions; layouts and what was added to other sessions are not counted.
    pub values: u64,
    /// The layouts that the store did not have yet.
    pub layouts: u64,
    /// The screenshots that the store did not have yet.
    pub screenshots: u64,
}

/// A session of an archive, with its number there and in the store.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "imported-session"))]
pub struct ImportedSession {
    /// `s7`: its number in the archive.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^s[0-9]+$")))]
    pub was: String,
    /// Its number in the store: that in the archive, if it was free.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^s[0-9]+$")))]
    pub is: String,
    /// By its name in session files, e.g. `genie`.
    pub technique: String,
    /// Package of the app under test.
    pub app: String,
}

/// A session that already existed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "present-session"))]
pub struct PresentSession {
    /// Which one, with the number it had here.
    #[serde(flatten)]
    pub session: ImportedSession,
    /// Later values from the archive (marks, mask edits, shrunk results, rechecks) that were added.
    pub added: u64,
    /// Later values for which the store has a different one; its own stay.
    pub kept: u64,
}
