//! How many colours a terminal has, and colours brought down to them.

use ratatui::style::Color;

/// Colours a terminal can show, fewest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColourDepth {
    /// No colours: bold, underlined and reversed only, as with `NO_COLOR`.
    None,
    /// The sixteen of ANSI, as the terminal's own palette has them.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// Any colour of 24 bits.
    True,
}

/// The sixteen colours as most terminals show them.
const SIXTEEN: [(Color, [u8; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::Red, [187, 0, 0]),
    (Color::Green, [0, 170, 0]),
    (Color::Yellow, [187, 150, 0]),
    (Color::Blue, [40, 60, 200]),
    (Color::Magenta, [170, 0, 170]),
    (Color::Cyan, [0, 160, 160]),
    (Color::Gray, [190, 190, 190]),
    (Color::DarkGray, [100, 100, 100]),
    (Color::LightRed, [255, 95, 95]),
    (Color::LightGreen, [95, 235, 95]),
    (Color::LightYellow, [255, 230, 95]),
    (Color::LightBlue, [110, 150, 255]),
    (Color::LightMagenta, [255, 110, 255]),
    (Color::LightCyan, [95, 235, 235]),
    (Color::White, [255, 255, 255]),
];

/// The levels of the 6×6×6 cube of the 256 colours.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl ColourDepth {
    /// What the environment says: `NO_COLOR` (any value but empty), `COLORTERM`, `TERM`.
    pub fn from_env() -> Self {
        let var = |name: &str| std::env::var(name).unwrap_or_default();
        Self::of(&var("NO_COLOR"), &var("COLORTERM"), &var("TERM"))
    }

    pub(super) fn of(no_color: &str, colorterm: &str, term: &str) -> Self {
        if !no_color.is_empty() || term == "dumb" {
            Self::None
        } else if matches!(colorterm, "truecolor" | "24bit") || term.contains("direct") {
            Self::True
        } else if term.contains("256") || ["kitty", "alacritty", "foot"].iter().any(|t| term.contains(t)) {
            Self::Indexed
        } else {
            Self::Sixteen
        }
    }

    /// The nearest colour of this depth; `None` when there are no colours.
    pub fn reduce(self, colour: Color) -> Option<Color> {
        match (self, colour) {
            (Self::None, _) => None,
            (Self::True, colour) => Some(colour),
            (Self::Indexed, Color::Rgb(r, g, b)) => Some(Color::Indexed(nearest_indexed([r, g, b]))),
            (Self::Sixteen, Color::Rgb(r, g, b)) => Some(nearest_sixteen([r, g, b])),
            (Self::Sixteen, Color::Indexed(index)) => Some(nearest_sixteen(rgb_of(index))),
            (_, colour) => Some(colour),
        }
    }
}

fn nearest_sixteen(rgb: [u8; 3]) -> Color {
    let nearest = SIXTEEN.iter().min_by_key(|(_, known)| distance(rgb, *known));
    nearest.map_or(Color::Reset, |(colour, _)| *colour)
}

fn nearest_indexed(rgb: [u8; 3]) -> u8 {
    (16..=255).min_by_key(|&index| distance(rgb, rgb_of(index))).unwrap_or(15)
}

/// The colour of an index of the 256: the sixteen, the cube, then greys.
fn rgb_of(index: u8) -> [u8; 3] {
    match index {
        0..16 => SIXTEEN[usize::from(index)].1,
        16..232 => {
            let n = usize::from(index - 16);
            [CUBE[n / 36], CUBE[n / 6 % 6], CUBE[n % 6]]
        }
        232.. => [8 + (index - 232) * 10; 3],
    }
}

/// Squared distance, with each part weighted by how strongly the eye perceives it.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let part = |n: usize, weight: u32| weight * u32::from(a[n].abs_diff(b[n])).pow(2);
    part(0, 3) + part(1, 6) + part(2, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_follows_the_environment() {
        let cases = [
            (("", "truecolor", "xterm-256color"), ColourDepth::True),
            (("", "", "xterm-256color"), ColourDepth::Indexed),
            (("", "", "tmux-256color"), ColourDepth::Indexed),
            (("", "", "xterm"), ColourDepth::Sixteen),
            (("", "", "linux"), ColourDepth::Sixteen),
            (("1", "truecolor", "xterm-256color"), ColourDepth::None),
            (("", "truecolor", "dumb"), ColourDepth::None),
        ];
        for ((no_color, colorterm, term), expected) in cases {
            assert_eq!(ColourDepth::of(no_color, colorterm, term), expected, "{no_color} {colorterm} {term}");
        }
    }

    #[test]
    fn colours_come_down_to_the_nearest() {
        let cases = [
            (ColourDepth::True, Color::Rgb(1, 2, 3), Some(Color::Rgb(1, 2, 3))),
            (ColourDepth::Indexed, Color::Rgb(255, 0, 0), Some(Color::Indexed(196))),
            (ColourDepth::Indexed, Color::Rgb(8, 8, 8), Some(Color::Indexed(232))),
            (ColourDepth::Sixteen, Color::Rgb(250, 250, 250), Some(Color::White)),
            (ColourDepth::Sixteen, Color::Rgb(20, 22, 27), Some(Color::Black)),
            (ColourDepth::Sixteen, Color::Indexed(196), Some(Color::Red)),
            (ColourDepth::Sixteen, Color::Reset, Some(Color::Reset)),
            (ColourDepth::None, Color::Red, None),
        ];
        for (depth, colour, expected) in cases {
            assert_eq!(depth.reduce(colour), expected, "{depth:?} {colour:?}");
        }
    }
}
