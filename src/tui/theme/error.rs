//! Why there is no theme.

use std::io;
use std::sync::Arc;

use super::Theme;

/// Why a theme cannot be read. A built-in theme's file is given as its name in backquotes.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ThemeError {
    /// Names of themes have letters, digits, hyphens and underscores.
    #[error("theme `{name}`: this is no name of a theme")]
    Name {
        /// As it was given.
        name: String,
    },
    /// It is neither built in nor in the user's folder.
    #[error("theme `{name}`: there is none (built in: {})", Theme::built_in().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// As it was given.
        name: String,
    },
    /// The file is there and cannot be read.
    #[error("theme {file}: {source}")]
    Unreadable {
        /// Its path.
        file: String,
        /// The system's message.
        source: Arc<io::Error>,
    },
    /// The file is no TOML.
    #[error("theme {file}:{line}: {what}")]
    Syntax {
        /// Its path.
        file: String,
        /// From 1.
        line: usize,
        /// What the reader says.
        what: String,
    },
    /// `inherits` is no text.
    #[error("theme {file}:{line}: `inherits` must name a theme")]
    Inherits {
        /// Its path.
        file: String,
        /// From 1.
        line: usize,
    },
    /// Following `inherits` does not come to an end.
    #[error("theme `{name}` inherits from too many others, or from itself")]
    Circle {
        /// The theme at which the limit is reached.
        name: String,
    },
}
