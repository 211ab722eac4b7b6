//! Themes: a style for every role on the screen.
//!
//! In: theme files (built in, or the user's, whose folder takes precedence) and the terminal's colour depth. Out: a
//! [`Theme`], and warnings about anything in a file that was not understood.
//!
//! Invariants: panes name roles, never colours; with few or no colours the selection is shown
//! by reversed cells, and always by a sign as well.

mod choice;
mod contrast;
mod depth;
mod error;
mod file;
mod role;
mod watch;

use std::path::Path;

use ratatui::style::{Modifier, Style};

pub use choice::ThemeChoice;
pub use depth::ColourDepth;
pub use error::ThemeError;
pub use role::Role;
pub use watch::FolderWatch;

/// The theme used when none is named.
pub const DEFAULT_THEME: &str = "dark";

/// The built-in themes by name.
const BUILT_IN: [(&str, &str); 6] = [
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("high-contrast", include_str!("../../../themes/high-contrast.toml")),
    ("solarised", include_str!("../../../themes/solarised.toml")),
    ("colour-blind", include_str!("../../../themes/colour-blind.toml")),
    ("monochrome", include_str!("../../../themes/monochrome.toml")),
];

/// A style for every role, in the colours the terminal has.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// The theme's name, as the configuration writes it.
    pub name: String,
    styles: [Style; Role::COUNT],
}

impl Theme {
    /// The theme of this name; what was wrong with its files comes back as warnings, and the
    /// default theme stands in for one that cannot be read.
    pub fn load(name: &str, folder: Option<&Path>, depth: ColourDepth) -> (Self, Vec<String>) {
        match Self::read(name, folder, depth) {
            Ok(read) => read,
            Err(why) => {
                let mut warnings = vec![format!("{why}; using the theme `{DEFAULT_THEME}`")];
                let usual = file::read(DEFAULT_THEME, None, &mut warnings);
                let styles = usual.unwrap_or([Style::new(); Role::COUNT]);
                (Self { name: name.into(), styles: adapt(styles, depth) }, warnings)
            }
        }
    }

    /// The theme of this name, with what was wrong with its files.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn read(
        name: &str,
        folder: Option<&Path>,
        depth: ColourDepth,
    ) -> Result<(Self, Vec<String>), ThemeError> {
        let mut warnings = Vec::new();
        let styles = file::read(name, folder, &mut warnings)?;
        Ok((Self { name: name.into(), styles: adapt(styles, depth) }, warnings))
    }

    /// The themes there are: the built-in ones, then those of the user's folder.
    pub fn names(folder: Option<&Path>) -> Vec<String> {
        let mut names: Vec<String> = Self::built_in().map(str::to_owned).collect();
        for name in folder.map(file::names_in).unwrap_or_default() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// What is wrong with a theme: anything in its files that is not understood, roles that nothing styles, and texts
    /// that can hardly be read against what is behind them.
    ///
    /// # Errors
    /// When there is none of this name, or it cannot be read.
    pub fn faults(name: &str, folder: Option<&Path>) -> Result<Vec<String>, ThemeError> {
        let (theme, mut faults) = Self::read(name, folder, ColourDepth::True)?;
        let bare = Role::ALL.into_iter().filter(|role| theme.patch(*role) == Style::new());
        faults.extend(bare.map(|role| format!("theme `{name}`: nothing styles `{}`", role.name())));
        faults.extend(contrast::faults(&theme).into_iter().map(|fault| format!("theme `{name}`: {fault}")));
        Ok(faults)
    }

    /// The theme's name when nobody named one.
    pub fn usual() -> &'static str {
        DEFAULT_THEME
    }

    /// What a theme can style, by name.
    pub fn styles() -> impl Iterator<Item = &'static str> {
        Role::ALL.into_iter().map(Role::name)
    }

    /// The file of a built-in theme.
    pub fn built_in_file(name: &str) -> Option<&'static str> {
        built_in(name)
    }

    /// The names of the built-in themes.
    pub fn built_in() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The style of a role, over that of ordinary text.
    pub fn style(&self, role: Role) -> Style {
        self.styles[Role::Text as usize].patch(self.styles[role as usize])
    }

    /// Only what the role itself sets: for laying over cells already drawn.
    pub fn patch(&self, role: Role) -> Style {
        self.styles[role as usize]
    }
}

/// The source of a built-in theme.
fn built_in(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, source)| *source)
}

/// Reduces the styles to the colours there are, and compensates with modifiers.
fn adapt(mut styles: [Style; Role::COUNT], depth: ColourDepth) -> [Style; Role::COUNT] {
    for style in &mut styles {
        style.fg = style.fg.and_then(|colour| depth.reduce(colour));
        style.bg = style.bg.and_then(|colour| depth.reduce(colour));
    }
    if depth <= ColourDepth::Sixteen {
        let plain = Style::new();
        let substitutes = [
            (Role::Selection, plain.add_modifier(Modifier::REVERSED)),
            (Role::SelectionBlur, plain.add_modifier(Modifier::UNDERLINED)),
            (Role::WidgetSelected, plain.add_modifier(Modifier::REVERSED)),
            (Role::TabActive, plain.add_modifier(Modifier::REVERSED)),
            (Role::Match, plain.add_modifier(Modifier::UNDERLINED | Modifier::BOLD)),
        ];
        for (role, style) in substitutes {
            styles[role as usize] = style;
        }
        // A backdrop of another shade would be a hole or a glaring block in sixteen colours.
        for role in [Role::Text, Role::Bar, Role::Dialog, Role::WidgetButton, Role::WidgetEdit] {
            styles[role as usize].bg = None;
        }
    }
    if depth == ColourDepth::None {
        for role in [Role::Bad, Role::EffectUnmatched, Role::Title, Role::Key, Role::Strong] {
            styles[role as usize] = styles[role as usize].add_modifier(Modifier::BOLD);
        }
    }
    styles
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    #[test]
    fn built_in_themes_have_every_role_and_no_warning() {
        for name in Theme::built_in() {
            let (theme, warnings) = Theme::load(name, None, ColourDepth::True);
            assert_eq!(warnings, Vec::<String>::new(), "{name}");
            assert_eq!(theme.name, name);
            assert_eq!(Theme::faults(name, None).expect("a theme"), [""; 0], "{name}");
        }
    }

    #[test]
    fn the_selection_needs_no_colour() {
        for name in Theme::built_in() {
            for depth in [ColourDepth::None, ColourDepth::Sixteen] {
                let (theme, _) = Theme::load(name, None, depth);
                assert!(theme.style(Role::Selection).add_modifier.contains(Modifier::REVERSED));
            }
            let (theme, _) = Theme::load(name, None, ColourDepth::None);
            let colourless = |role| (theme.style(role).fg, theme.style(role).bg) == (None, None);
            assert!(Role::ALL.into_iter().all(colourless), "{name}");
        }
    }

    #[test]
    fn the_users_folder_wins_inherits_and_warns() {
        let folder = tempfile::tempdir().expect("a folder");
        let mine = r##"
            inherits = "light"
            colour = "red"
            [palette]
            leaf = "#00ff00"
            [styles]
            good = { fg = "leaf", bold = true }
            bad = { fg = "nowhere" }
            shiny = { fg = "leaf" }
        "##;
        std::fs::write(folder.path().join("mine.toml"), mine).expect("written");
        let (theme, warnings) = Theme::load("mine", Some(folder.path()), ColourDepth::True);
        assert_eq!(theme.style(Role::Good).fg, Some(Color::Rgb(0, 255, 0)));
        let (light, _) = Theme::load("light", None, ColourDepth::True);
        assert_eq!(theme.style(Role::Text), light.style(Role::Text));
        let expected = [("`colour`", 3), ("`nowhere`", 8), ("`shiny`", 9)];
        assert_eq!(warnings.len(), expected.len(), "{warnings:?}");
        for (warning, (part, line)) in warnings.iter().zip(expected) {
            assert!(warning.contains(part) && warning.contains(&format!("mine.toml:{line}:")), "{warning}");
        }
        assert_eq!(Theme::names(Some(folder.path())).last().map(String::as_str), Some("mine"));

        std::fs::write(folder.path().join("dark.toml"), "[styles]\ntext = { fg = \"red\" }")
            .expect("written");
        let (theme, _) = Theme::load("dark", Some(folder.path()), ColourDepth::True);
        assert_eq!(theme.style(Role::Text).fg, Some(Color::Red));
    }

    #[test]
    fn broken_themes_fall_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let sources =
            [("loop", "inherits = \"loop\""), ("broken", "[styles"), ("orphan", "inherits = \"none\"")];
        for (name, source) in sources {
            std::fs::write(folder.path().join(format!("{name}.toml")), source).expect("written");
        }
        let (dark, _) = Theme::load("dark", None, ColourDepth::True);
        for name in ["loop", "broken", "orphan", "absent", "../dark"] {
            let (theme, warnings) = Theme::load(name, Some(folder.path()), ColourDepth::True);
            assert_eq!(theme.style(Role::Text), dark.style(Role::Text), "{name}");
            assert!(warnings.iter().any(|w| w.contains("using the theme `dark`")), "{name}: {warnings:?}");
        }
    }
}
