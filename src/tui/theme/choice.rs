//! Another theme in place of the present one.

use std::path::Path;

use super::{ColourDepth, Theme, ThemeError};

/// Which theme is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThemeChoice {
    /// The theme after the present one, in the order of [`Theme::names`].
    Next,
    /// The present one, whose files have changed.
    Again,
    Named(String),
}

impl ThemeChoice {
    /// The theme, with what was wrong with its files.
    ///
    /// # Errors
    /// When there is none, or it cannot be read: the present one is to stay.
    pub fn read(
        &self,
        present: &str,
        folder: Option<&Path>,
        depth: ColourDepth,
    ) -> Result<(Theme, Vec<String>), ThemeError> {
        let name = match self {
            Self::Named(name) => name.clone(),
            Self::Again => present.to_owned(),
            Self::Next => {
                let names = Theme::names(folder);
                let at = names.iter().position(|name| name == present).map_or(0, |at| at + 1);
                names.get(at).or(names.first()).cloned().unwrap_or_default()
            }
        };
        Theme::read(&name, folder, depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_theme_may_be_the_users_and_the_last_leads_to_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("mine.toml"), "inherits = \"light\"").expect("written");
        std::fs::write(folder.path().join("broken.toml"), "[styles").expect("written");
        let named = |name: &str| ThemeChoice::Named(name.into());
        // (wish, present theme) and what is shown then; an error leaves the present one.
        let cases = [
            (ThemeChoice::Next, "dark", Some("light")),
            (ThemeChoice::Next, "broken", Some("mine")),
            (ThemeChoice::Next, "mine", Some("dark")),
            (ThemeChoice::Next, "monochrome", None),
            (ThemeChoice::Again, "mine", Some("mine")),
            (named("solarised"), "dark", Some("solarised")),
            (named("absent"), "dark", None),
            (named("../mine"), "dark", None),
        ];
        for (choice, present, expected) in cases {
            let read = choice.read(present, Some(folder.path()), ColourDepth::True);
            let name = read.as_ref().ok().map(|(theme, _)| theme.name.as_str());
            assert_eq!(name, expected, "{choice:?} after {present}: {read:?}");
        }
    }
}
