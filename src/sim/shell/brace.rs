//! `a{b,c}`: words with alternatives become several words.

use super::syntax::{Part, Word};

/// Most words one word may become.
const MAX_WORDS: usize = 1_000;

/// A piece of a word: a character that may mean something, or a part that does not.
#[derive(Clone)]
enum Piece {
    Bare(char),
    Other(Part),
}

/// The words a word stands for; `None` when it stands for itself.
pub(super) fn alternatives(word: &Word) -> Option<Vec<Word>> {
    if !word.iter().any(|part| matches!(part, Part::Bare(text) if text.contains('{'))) {
        return None;
    }
    let mut pieces = Vec::new();
    for part in word {
        match part {
            Part::Bare(text) => pieces.extend(text.chars().map(Piece::Bare)),
            other => pieces.push(Piece::Other(other.clone())),
        }
    }
    let mut open = vec![pieces];
    let mut done = Vec::new();
    // The first alternatives of a word are spelled out, then looked at again.
    while let Some(next) = open.pop() {
        match first_braces(&next) {
            Some((from, commas, to)) if open.len() + done.len() + commas.len() < MAX_WORDS => {
                let mut ends = commas;
                ends.push(to);
                let mut begin = from + 1;
                let mut spelled = Vec::new();
                for end in ends {
                    let chosen = next.get(begin..end).unwrap_or_default();
                    let before = next.get(..from).unwrap_or_default();
                    let after = next.get(to + 1..).unwrap_or_default();
                    spelled.push([before, chosen, after].concat());
                    begin = end + 1;
                }
                spelled.reverse();
                open.extend(spelled);
            }
            _ => done.push(joined(next)),
        }
    }
    Some(done)
}

/// The first braces with a comma in them: where they open, their own commas, where they close.
fn first_braces(pieces: &[Piece]) -> Option<(usize, Vec<usize>, usize)> {
    // The opening braces so far, each with the commas seen.
    let mut stack: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut best: Option<(usize, Vec<usize>, usize)> = None;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Bare('{') => stack.push((at, Vec::new())),
            Piece::Bare(',') => {
                if let Some((_, commas)) = stack.last_mut() {
                    commas.push(at);
                }
            }
            Piece::Bare('}') => {
                if let Some((from, commas)) = stack.pop()
                    && !commas.is_empty()
                    && best.as_ref().is_none_or(|(first, ..)| from < *first)
                {
                    best = Some((from, commas, at));
                }
            }
            _ => {}
        }
    }
    best
}

fn joined(pieces: Vec<Piece>) -> Word {
    let mut word = Word::new();
    for piece in pieces {
        match (piece, word.last_mut()) {
            (Piece::Bare(c), Some(Part::Bare(text))) => text.push(c),
            (Piece::Bare(c), _) => word.push(Part::Bare(c.to_string())),
            (Piece::Other(part), _) => word.push(part),
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_with_commas_are_spelled_out() {
        for (word, expected) in [
            ("a{b,c}d", "abd acd"),
            ("{a,b}{1,2}", "a1 a2 b1 b2"),
            ("x{,y}z", "xz xyz"),
            ("a{b,{c,d}e}", "ab ace ade"),
            ("{a}", "{a}"),
            ("{}", "{}"),
            ("{1..3}", "{1..3}"),
            ("a{b,c", "a{b,c"),
            ("{{a,b}}", "{a} {b}"),
        ] {
            let words = alternatives(&vec![Part::Bare(word.to_owned())]).unwrap_or_default();
            let texts = words.iter().map(|word| match word.as_slice() {
                [Part::Bare(text)] => text.as_str(),
                _ => "?",
            });
            assert_eq!(texts.collect::<Vec<_>>().join(" "), expected, "{word}");
        }
        assert_eq!(alternatives(&vec![Part::Quoted("{a,b}".to_owned())]), None);
        let many = "{a,b}".repeat(40);
        let words = alternatives(&vec![Part::Bare(many)]).unwrap_or_default();
        assert!(words.len() <= MAX_WORDS + 40, "{}", words.len());
    }
}
