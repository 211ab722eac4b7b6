//! The words of a stage in lines: the keys of commands as the person has bound them, made to stand out.

use crate::keymap::Keymap;
use crate::text;
use crate::theme::Role;

/// Pieces of a line with their roles.
type Words = Vec<(String, Role)>;

/// A text in lines of at most `width` cells, broken at spaces. `{name}` becomes the key of that command.
pub fn lines(told: &str, keymap: &Keymap, width: usize) -> Vec<Words> {
    let mut lines: Vec<Words> = Vec::new();
    let mut used = 0;
    for word in told.split_whitespace() {
        let pieces = pieces(word, keymap);
        let cells: usize = pieces.iter().map(|(text, _)| text::width(text)).sum();
        match lines.last_mut() {
            Some(line) if used + 1 + cells <= width => {
                line.push((" ".into(), Role::Text));
                line.extend(pieces);
                used += 1 + cells;
            }
            _ => {
                lines.push(pieces);
                used = cells;
            }
        }
    }
    lines
}

/// A word in pieces: what stands around a key, and the key.
fn pieces(word: &str, keymap: &Keymap) -> Words {
    let key = word.split_once('{').and_then(|(before, rest)| {
        let (name, after) = rest.split_once('}')?;
        let keys = keymap.keys_of(name);
        let key = keys.first().map_or_else(|| format!(":{name}"), ToString::to_string);
        Some((before, key, after))
    });
    let plain = |text: &str| (!text.is_empty()).then(|| (text.to_owned(), Role::Text));
    match key {
        None => plain(word).into_iter().collect(),
        Some((before, key, after)) => {
            let key = Some((key, Role::Key));
            [plain(before), key, plain(after)].into_iter().flatten().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn keys_stand_out_and_follow_the_configuration() {
        let rebound = BTreeMap::from([("findings".to_owned(), vec!["g f".to_owned()])]);
        let (keymap, _) = Keymap::new(&rebound, &BTreeMap::new());
        let told = lines("Press {findings}, then ({next-pane}) to see", &keymap, 16);
        let text: Vec<String> =
            told.iter().map(|line| line.iter().map(|(text, _)| text.as_str()).collect()).collect();
        assert_eq!(text, ["Press g f, then", "(tab) to see"]);
        let keys: Vec<&str> =
            told.iter().flatten().filter(|(_, role)| *role == Role::Key).map(|(t, _)| t.as_str()).collect();
        assert_eq!(keys, ["g f", "tab"]);
    }

    #[test]
    fn a_command_without_a_key_is_told_as_the_palette_takes_it() {
        let rebound = BTreeMap::from([("findings".to_owned(), Vec::new())]);
        let (keymap, _) = Keymap::new(&rebound, &BTreeMap::new());
        assert_eq!(lines("{findings}", &keymap, 20), [[(":findings".to_owned(), Role::Key)]]);
    }
}
