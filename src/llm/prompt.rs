//! A prompt as a recording holds it, and where two of them differ.

use serde::{Deserialize, Serialize};

use super::request::Piece;
use super::secret::Scrub;
use droidmux_record::{BlobHash, Question};

/// Characters shown on each side of a difference.
const MOST_TOLD: usize = 60;

/// Characters before the difference that are shown with it.
const BEFORE: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Prompt {
    pub role: String,
    pub parts: Vec<PromptPart>,
    pub schema: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PromptPart {
    Text(String),
    Picture(BlobHash),
}

impl Prompt {
    pub(super) fn new(question: &Question, pieces: &[Piece<'_>], scrub: &Scrub) -> Self {
        let part = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => PromptPart::Text(scrub.clean(text)),
            Piece::Picture(sent) => PromptPart::Picture(sent.hash),
        };
        Self {
            role: scrub.clean(&question.role),
            parts: pieces.iter().map(part).collect(),
            schema: scrub.clean(&question.schema),
        }
    }

    /// Where this prompt, as recorded, first differs from the one asked now, in words; `None` when they are the same.
    pub(super) fn difference(&self, now: &Self) -> Option<String> {
        if let Some(words) = text_difference(&self.role, &now.role) {
            return Some(format!("role, {words}"));
        }
        for number in 0..self.parts.len().max(now.parts.len()) {
            if let Some(words) = part_difference(self.parts.get(number), now.parts.get(number)) {
                return Some(format!("part {}, {words}", number + 1));
            }
        }
        text_difference(&self.schema, &now.schema).map(|words| format!("schema, {words}"))
    }
}

fn part_difference(recorded: Option<&PromptPart>, now: Option<&PromptPart>) -> Option<String> {
    if let (Some(PromptPart::Text(recorded)), Some(PromptPart::Text(now))) = (recorded, now) {
        return text_difference(recorded, now);
    }
    (recorded != now).then(|| format!("recorded: {}, now: {}", part_name(recorded), part_name(now)))
}

fn part_name(part: Option<&PromptPart>) -> String {
    match part {
        Some(PromptPart::Text(text)) => format!("`{}`", around(text.lines().next().unwrap_or_default(), 0)),
        Some(PromptPart::Picture(hash)) => format!("picture {:.8}", hash.to_string()),
        None => "nothing".into(),
    }
}

fn text_difference(recorded: &str, now: &str) -> Option<String> {
    if recorded == now {
        return None;
    }
    let mut lines = (recorded.split('\n'), now.split('\n'));
    for number in 1.. {
        match (lines.0.next(), lines.1.next()) {
            (Some(recorded), Some(now)) if recorded == now => {}
            (None, None) => break,
            (recorded, now) => {
                let same = recorded.unwrap_or_default().chars().zip(now.unwrap_or_default().chars());
                let begin = same.take_while(|(a, b)| a == b).count().saturating_sub(BEFORE);
                let told = |line: Option<&str>| {
                    line.map_or_else(|| "no such line".into(), |line| format!("`{}`", around(line, begin)))
                };
                return Some(format!("line {number}, recorded: {}, now: {}", told(recorded), told(now)));
            }
        }
    }
    None
}

/// A piece of a line from the character `begin` on.
fn around(line: &str, begin: usize) -> String {
    let piece: String = line.chars().skip(begin).take(MOST_TOLD).collect();
    let ellipsis = if begin > 0 { "…" } else { "" };
    format!("{ellipsis}{}", droidmux_words::printable(&piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told() {
        let text = |text: &str| PromptPart::Text(text.into());
        let picture = |name: &[u8]| PromptPart::Picture(BlobHash::of(name));
        let prompt = |role: &str, parts: &[PromptPart]| Prompt {
            role: role.into(),
            parts: parts.to_vec(),
            schema: "{}".into(),
        };
        let recorded = prompt("You test.", &[text("one\ntwo\nthree"), picture(b"a")]);
        let (a, b) = (BlobHash::of(b"a").to_string(), BlobHash::of(b"b").to_string());
        let long = format!("{}end", "x".repeat(100));
        let cases = [
            (recorded.clone(), None),
            (
                prompt("You watch.", &[]),
                Some("role, line 1, recorded: `You test.`, now: `You watch.`".to_owned()),
            ),
            (
                prompt("You test.", &[text("one\n2\nthree"), picture(b"b")]),
                Some("part 1, line 2, recorded: `two`, now: `2`".into()),
            ),
            (
                prompt("You test.", &[text("one\ntwo"), picture(b"a")]),
                Some("part 1, line 3, recorded: `three`, now: no such line".into()),
            ),
            (
                prompt("You test.", &[text("one\ntwo\nthree"), picture(b"b")]),
                Some(format!("part 2, recorded: picture {}, now: picture {}", &a[..8], &b[..8])),
            ),
            (
                prompt("You test.", &[text("one\ntwo\nthree")]),
                Some(format!("part 2, recorded: picture {}, now: nothing", &a[..8])),
            ),
            (
                Prompt { schema: "[]".into(), ..recorded.clone() },
                Some("schema, line 1, recorded: `{}`, now: `[]`".into()),
            ),
        ];
        for (now, expected) in cases {
            assert_eq!(recorded.difference(&now), expected, "{now:?}");
        }
        let far = text_difference(&long, &long.replace("end", "now")).expect("they differ");
        assert_eq!(far, format!("line 1, recorded: `…{0}end`, now: `…{0}now`", "x".repeat(BEFORE)));
    }
}
