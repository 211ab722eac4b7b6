//! How pictures are shown: by what the terminal says of itself.

use ratatui_image::FontSize;

use crate::terminal::Answer;

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    HalfBlocks,
    Kitty,
    Sixel,
    ITerm2,
}

/// A way, and the size of a cell in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Shower {
    pub way: Way,
    pub cell: FontSize,
}

/// Half blocks: two pixels per cell, one above the other.
pub const HALF_BLOCKS: Shower = Shower { way: Way::HalfBlocks, cell: FontSize::new(10, 20) };

/// What the terminal has said so far.
#[derive(Debug, Default)]
pub struct Shows {
    /// Bytes are counted: only what can be cut into pieces is sent.
    thrifty: bool,
    kitty: bool,
    cell: Option<FontSize>,
}

impl Shows {
    pub fn new(thrifty: bool) -> Self {
        Self { thrifty, ..Self::default() }
    }

    /// Takes in an answer. With the last one, returns how pictures are to be made, unless with half blocks.
    pub fn learn(&mut self, answer: Answer, var: &dyn Fn(&str) -> String) -> Option<Shower> {
        match answer {
            Answer::Ready => None,
            Answer::Kitty => {
                self.kitty = true;
                None
            }
            Answer::CellSize { width, height } => {
                self.cell = Some(FontSize::new(width, height));
                None
            }
            Answer::Attributes { sixel } => {
                let way = self.way(sixel, var)?;
                // Without the size of a cell, there is no telling how much room a picture takes.
                Some(Shower { way, cell: self.cell? })
            }
        }
    }

    /// The protocol to use; `None` for half blocks.
    fn way(&self, sixel: bool, var: &dyn Fn(&str) -> String) -> Option<Way> {
        let program = var("TERM_PROGRAM");
        let iterm = ["iTerm", "WezTerm", "mintty", "vscode", "Tabby", "rio", "WarpTerminal"];
        let is_iterm =
            iterm.iter().any(|name| program.contains(name)) || var("LC_TERMINAL").contains("iTerm");
        // Konsole answers for kitty and sixel, but has no placeholders and draws sixel in the wrong place.
        let is_konsole = !var("KONSOLE_VERSION").is_empty();
        let way = match (is_iterm, is_konsole, self.kitty, sixel) {
            (true, ..) => Way::ITerm2,
            (_, true, ..) => return None,
            (.., true, _) => Way::Kitty,
            (.., true) => Way::Sixel,
            _ => return None,
        };
        // One sequence of a hundred kilobytes would hold up every key behind it.
        (!self.thrifty || way == Way::Kitty).then_some(way)
    }
}

/// False if the terminal is a multiplexer, which shows half blocks, or one that would print the questions.
pub fn may_ask() -> bool {
    let multiplexed = ["TMUX", "STY", "ZELLIJ"].iter().any(|name| std::env::var_os(name).is_some());
    let term = std::env::var("TERM").unwrap_or_default();
    let mute = ["", "dumb", "linux"].contains(&term.as_str());
    !(multiplexed || mute || term.starts_with("tmux") || term.starts_with("screen"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_says_how() {
        const KITTY: Answer = Answer::Kitty;
        const CELL: Answer = Answer::CellSize { width: 9, height: 18 };
        const SIXEL: Answer = Answer::Attributes { sixel: true };
        const PLAIN: Answer = Answer::Attributes { sixel: false };
        // (answers, environment, bytes are counted, the way)
        type Case<'a> = (&'a [Answer], (&'a str, &'a str), bool, Option<Way>);
        let cases: [Case<'_>; 9] = [
            (&[PLAIN], ("", ""), false, None),
            (&[CELL, PLAIN], ("", ""), false, None),
            (&[KITTY, CELL, PLAIN], ("", ""), false, Some(Way::Kitty)),
            (&[KITTY, CELL, PLAIN], ("", ""), true, Some(Way::Kitty)),
            (&[CELL, SIXEL], ("", ""), false, Some(Way::Sixel)),
            (&[CELL, SIXEL], ("", ""), true, None),
            (&[SIXEL], ("", ""), false, None),
            (&[KITTY, CELL, SIXEL], ("KONSOLE_VERSION", "230400"), false, None),
            (&[CELL, PLAIN], ("TERM_PROGRAM", "WezTerm"), false, Some(Way::ITerm2)),
        ];
        for (answers, (name, value), thrifty, expected) in cases {
            let mut shows = Shows::new(thrifty);
            let var = |asked: &str| if asked == name { value.to_owned() } else { String::new() };
            let learnt = answers.iter().filter_map(|answer| shows.learn(*answer, &var)).last();
            assert_eq!(learnt.map(|shower| shower.way), expected, "{answers:?} {name}={value} {thrifty}");
        }
    }
}
