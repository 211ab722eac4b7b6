//! Taking in another theme, or the present one as its files are now.

use super::App;
use crate::theme::{Role, Theme, ThemeChoice, ThemeError};

/// What a theme was read as.
type Read = Result<(Box<Theme>, Vec<String>), ThemeError>;

impl App {
    /// If a theme cannot be read, the present one stays; file changes that do not change it are passed over in silence.
    pub(super) fn take_theme(&mut self, choice: &ThemeChoice, read: Read) {
        let (theme, warnings) = match read {
            Ok((theme, warnings)) => (*theme, warnings),
            Err(error) => return self.say(error.to_string(), Role::Warn),
        };
        let is_news = theme != self.theme || *choice != ThemeChoice::Again;
        match warnings.first() {
            Some(warning) => self.say(warning.clone(), Role::Warn),
            None if is_news => self.say(format!("theme {}", theme.name), Role::Dim),
            None => {}
        }
        self.theme = theme;
        self.problems.retain(|problem| !problem.starts_with("theme "));
        self.problems.splice(0..0, warnings);
    }
}
