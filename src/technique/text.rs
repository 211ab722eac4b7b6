//! Random text: short, of several styles, and new to those that are known.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A style of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Letters,
    Digits,
    Symbols,
    Mixed,
    Cjk,
    Emoji,
}

const STYLES: [Style; 6] =
    [Style::Letters, Style::Digits, Style::Symbols, Style::Mixed, Style::Cjk, Style::Emoji];

/// What `input text` can type.
const ASCII_STYLES: usize = 4;

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";
const SYMBOLS: &str = "!?#%&*+-=_.,:;@$/()[]'\"<>|~^";
const EMOJI: &str = "😀🎉🚀🌍❤🐛";

/// The longest text, in characters.
const MOST_CHARS: usize = 8;

/// Draws before an equal text is taken after all.
const DRAWS: usize = 20;

/// What random text must keep to.
#[derive(Clone, Copy, Debug)]
pub struct Demands<'a> {
    /// The texts that are there and that it must differ from.
    pub known: &'a [String],
    /// It may be one that is there, or one that differs only in case.
    pub conflict: bool,
    /// Only what every device can type.
    pub ascii: bool,
}

/// A random text.
pub fn random_text(demands: Demands<'_>, rng: &mut ChaCha8Rng) -> String {
    if demands.conflict
        && rng.random_bool(0.3)
        && let Some(twin) = twin(demands, rng)
    {
        return twin;
    }
    for _ in 0..DRAWS {
        let text = draw(demands.ascii, rng);
        let is_new = !demands.known.iter().any(|known| known.eq_ignore_ascii_case(&text));
        if is_new || demands.conflict {
            return text;
        }
    }
    draw(demands.ascii, rng)
}

/// One of the texts, at random; `None` when there is none.
pub fn any<'a>(texts: &'a [String], rng: &mut ChaCha8Rng) -> Option<&'a str> {
    if texts.is_empty() { None } else { texts.get(rng.random_range(0..texts.len())).map(String::as_str) }
}

/// A text that is there, or the same in another case.
fn twin(demands: Demands<'_>, rng: &mut ChaCha8Rng) -> Option<String> {
    let text = any(demands.known, rng)?;
    let typable = !demands.ascii || text.is_ascii();
    let twin = if rng.random_bool(0.5) { text.to_owned() } else { other_case(text) };
    typable.then_some(twin)
}

fn other_case(text: &str) -> String {
    let upper = text.to_uppercase();
    if upper == text { text.to_lowercase() } else { upper }
}

fn draw(ascii: bool, rng: &mut ChaCha8Rng) -> String {
    let styles = if ascii { ASCII_STYLES } else { STYLES.len() };
    // Letters half of the time: unusual text finds some defects and hides others.
    let style = if rng.random_bool(0.5) { Style::Letters } else { STYLES[rng.random_range(0..styles)] };
    let chars = rng.random_range(1..=MOST_CHARS);
    let text: String = (0..chars).map(|_| character(style, rng)).collect();
    match style {
        // Many fields refuse symbols alone, which then tell nothing.
        Style::Symbols => format!("{}{text}", among(LETTERS, rng)),
        _ => text,
    }
}

fn character(style: Style, rng: &mut ChaCha8Rng) -> char {
    match style {
        Style::Letters => among(LETTERS, rng),
        Style::Digits => among(DIGITS, rng),
        Style::Symbols => among(SYMBOLS, rng),
        Style::Mixed => {
            let pool = [LETTERS, DIGITS, SYMBOLS][rng.random_range(0..3)];
            among(pool, rng)
        }
        Style::Cjk => char::from_u32(rng.random_range(0x4e00..0x9fa5)).unwrap_or('中'),
        Style::Emoji => among(EMOJI, rng),
    }
}

fn among(pool: &str, rng: &mut ChaCha8Rng) -> char {
    let count = pool.chars().count();
    pool.chars().nth(rng.random_range(0..count.max(1))).unwrap_or('a')
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn texts_are_short_new_and_of_all_styles() {
        let known = ["a", "B", "7"].map(str::to_owned);
        for (conflict, ascii) in [(false, true), (false, false), (true, true), (true, false)] {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let demands = Demands { known: &known, conflict, ascii };
            let texts: Vec<String> = (0..2_000).map(|_| random_text(demands, &mut rng)).collect();
            assert!(texts.iter().all(|t| (1..=MOST_CHARS + 1).contains(&t.chars().count())));
            let twins = texts.iter().filter(|t| ["a", "A", "b", "B", "7"].contains(&t.as_str())).count();
            assert_eq!(twins > 0, conflict, "{twins} texts are known");
            assert_eq!(texts.iter().all(|t| t.is_ascii()), ascii);
            for sign in ["?", "5", "m"] {
                assert!(texts.iter().any(|t| t.contains(sign)), "{sign}");
            }
            let mut again = ChaCha8Rng::seed_from_u64(1);
            assert_eq!(random_text(demands, &mut again), texts[0], "the same seed");
        }
    }
}
