//! Themes: a style for every role on the screen.
//!
//! In: theme files (built in, or of the user, whose folder wins) and the terminal's colour
//! depth. Out: a [`Theme`], and warnings about what in a file was not understood.
//!
//! Invariants: panes name roles, never colours; with few or no colours the selection is shown
//! by reversed cells, and always by a sign as well.

mod depth;
mod file;
mod role;

use std::path::Path;

use ratatui::style::{Modifier, Style};

pub use depth::ColourDepth;
pub use role::Role;

/// The theme used when none is named.
pub const DEFAULT_THEME: &str = "dark";

/// The built-in themes by name.
const BUILT_IN: [(&str, &str); 3] = [
    ("dark", include_str!("../../../themes/dark.toml")),
    ("light", include_str!("../../../themes/light.toml")),
    ("high-contrast", include_str!("../../../themes/high-contrast.toml")),
];

/// A style for every role, in the colours the terminal has.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    pub name: String,
    styles: [Style; Role::COUNT],
}

impl Theme {
    /// The theme of this name; what was wrong with its files comes back as warnings, and the
    /// default theme stands in for one that cannot be read.
    pub fn load(name: &str, folder: Option<&Path>, depth: ColourDepth) -> (Self, Vec<String>) {
        let mut warnings = Vec::new();
        let styles = match file::read(name, folder, &mut warnings) {
            Ok(styles) => styles,
            Err(why) => {
                warnings.push(format!("{why}; using the theme `{DEFAULT_THEME}`"));
                file::read(DEFAULT_THEME, None, &mut warnings).unwrap_or([Style::new(); Role::COUNT])
            }
        };
        (Self { name: name.into(), styles: adapt(styles, depth) }, warnings)
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

/// Brings the styles down to the colours there are, and makes up with modifiers.
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
            for role in Role::ALL {
                assert_ne!(theme.patch(role), Style::new(), "{name} leaves {} out", role.name());
            }
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
        let expected = ["`colour`", "`nowhere`", "`shiny`"];
        assert_eq!(warnings.len(), expected.len(), "{warnings:?}");
        for (warning, part) in warnings.iter().zip(expected) {
            assert!(warning.contains(part) && warning.contains("mine.toml"), "{warning}");
        }

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
