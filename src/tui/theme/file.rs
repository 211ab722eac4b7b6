//! Reading theme files.

use std::path::Path;

use ratatui::style::{Color, Modifier, Style};
use toml::{Table, Value};

use super::{Role, ThemeError};
use droidmux_file as file;

/// How many themes may inherit from one another.
const MAX_INHERITED: usize = 8;
/// The most bytes in a theme file.
const MAX_FILE: u64 = 256 * 1024;
/// Entries of a folder that are looked at.
const MAX_FILES: usize = 256;

/// The styles of the theme of this name, those inherited first.
pub(super) fn read(
    name: &str,
    folder: Option<&Path>,
    warnings: &mut Vec<String>,
) -> Result<[Style; Role::COUNT], ThemeError> {
    let mut chain = Vec::new();
    let mut next = Some(name.to_string());
    while let Some(name) = next.take() {
        if chain.len() == MAX_INHERITED {
            return Err(ThemeError::Circle { name });
        }
        // A theme that overrides a built-in one may inherit from what it overrides.
        let overrides = chain.last().is_some_and(|(_, last, _): &(Source, String, Table)| *last == name);
        let Source { shown, text } = source(&name, folder.filter(|_| !overrides))?;
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| line_at(&text, span.start));
            ThemeError::Syntax { file: shown.clone(), line, what: error.message().to_owned() }
        })?;
        next = match table.get("inherits") {
            Some(Value::String(parent)) => Some(parent.clone()),
            Some(_) => {
                let line = line_of(&text, "inherits");
                return Err(ThemeError::Inherits { file: shown, line });
            }
            None => None,
        };
        chain.push((Source { shown, text }, name, table));
    }
    // The palettes first: a theme that inherits and only renames colours recolours everything it inherits.
    let mut palette = Table::new();
    for (_, _, table) in chain.iter().rev() {
        if let Some(Value::Table(colours)) = table.get("palette") {
            palette.extend(colours.clone());
        }
    }
    let mut styles = [Style::new(); Role::COUNT];
    for (source, _, table) in chain.iter().rev() {
        let mut warn = |key: &str, text: String| {
            let line = line_of(&source.text, key);
            warnings.push(format!("theme {}:{line}: {text}", source.shown));
        };
        for key in table.keys().filter(|key| !["inherits", "palette", "styles"].contains(&key.as_str())) {
            warn(key, format!("unknown key `{key}` ignored"));
        }
        if let Some(Value::Table(given)) = table.get("styles") {
            for (key, value) in given {
                match Role::ALL.iter().find(|role| role.name() == key) {
                    Some(&role) => styles[role as usize] = style(key, value, &palette, &mut warn),
                    None => warn(key, format!("unknown style `{key}` ignored")),
                }
            }
        }
    }
    Ok(styles)
}

/// A theme's file.
struct Source {
    /// Its path; the theme's name for a built-in one.
    shown: String,
    text: String,
}

/// The line, counted from 1, that sets this key; 1 if none does.
fn line_of(text: &str, key: &str) -> usize {
    let sets = |line: &str| {
        let Some((left, _)) = line.split_once('=') else {
            return line.trim().trim_matches(['[', ']']) == key;
        };
        left.trim().trim_matches(['"', '\'']) == key
    };
    text.lines().position(sets).map_or(1, |n| n + 1)
}

/// The line, counted from 1, that contains a byte.
fn line_at(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// The names of the themes in a folder, in their order.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
    let paths = entries.map(|entry| entry.path());
    let of_themes = paths.filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
    let mut names: Vec<String> = of_themes
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| is_name(name))
        .collect();
    names.sort();
    names
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

/// The theme's file: the user's folder wins over the built-in one.
fn source(name: &str, folder: Option<&Path>) -> Result<Source, ThemeError> {
    if !is_name(name) {
        return Err(ThemeError::Name { name: name.to_owned() });
    }
    if let Some(path) = folder.map(|folder| folder.join(format!("{name}.toml"))).filter(|path| path.exists())
    {
        let shown = path.display().to_string();
        let text = file::read_text(&path, MAX_FILE)
            .map_err(|source| ThemeError::Unreadable { file: shown.clone(), source: source.into() })?;
        return Ok(Source { shown, text });
    }
    match super::built_in(name) {
        Some(text) => Ok(Source { shown: format!("`{name}`"), text: text.into() }),
        None => Err(ThemeError::Unknown { name: name.to_owned() }),
    }
}

fn style(key: &str, value: &Value, palette: &Table, told: &mut dyn FnMut(&str, String)) -> Style {
    let warn: &mut dyn FnMut(String) = &mut |text| told(key, text);
    let mut style = Style::new();
    match value {
        Value::String(_) => style.fg = colour(key, value, palette, warn),
        Value::Table(parts) => {
            for (part, value) in parts {
                match (part.as_str(), value) {
                    ("fg", value) => style.fg = colour(key, value, palette, warn),
                    ("bg", value) => style.bg = colour(key, value, palette, warn),
                    (name, Value::Boolean(on)) => match modifier(name) {
                        Some(modifier) if *on => style = style.add_modifier(modifier),
                        Some(_) => {}
                        None => warn(format!("`{key}` has no part `{name}`")),
                    },
                    (name, _) => warn(format!("`{key}` has no part `{name}`, or not of this type")),
                }
            }
        }
        _ => warn(format!("`{key}` must be a colour or a table like {{ fg = \"red\", bold = true }}")),
    }
    style
}

fn modifier(name: &str) -> Option<Modifier> {
    Some(match name {
        "bold" => Modifier::BOLD,
        "dim" => Modifier::DIM,
        "italic" => Modifier::ITALIC,
        "underline" => Modifier::UNDERLINED,
        "reversed" => Modifier::REVERSED,
        _ => return None,
    })
}

/// A colour by its palette name, as `#rrggbb`, as one of the sixteen names, or as an index.
fn colour(key: &str, value: &Value, palette: &Table, warn: &mut dyn FnMut(String)) -> Option<Color> {
    let Value::String(name) = value else {
        warn(format!("a colour of `{key}` is no text"));
        return None;
    };
    let text = palette.get(name).and_then(Value::as_str).unwrap_or(name);
    let colour = text.parse().ok();
    if colour.is_none() {
        warn(format!("`{key}` names the unknown colour `{name}`"));
    }
    colour
}
