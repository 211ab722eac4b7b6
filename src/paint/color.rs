//! Colours.

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Light text on strong colours.
    pub const WHITE: Color = Color(255, 255, 255);
    /// The background of pages.
    pub const PAPER: Color = Color(250, 250, 250);
    /// Texts on paper: nearly black.
    pub const INK: Color = Color(33, 33, 33);
    /// Secondary texts, hints, disabled widgets.
    pub const FAINT: Color = Color(117, 117, 117);
    /// Thin lines between things.
    pub const LINE: Color = Color(224, 224, 224);
    /// The toolbar of an app that specifies no colour of its own.
    pub const ORANGE: Color = Color(255, 102, 0);
    /// The round button that floats over a page.
    pub const AMBER: Color = Color(255, 160, 0);
    /// The fifth of [`Color::nth`].
    pub const BLUE: Color = Color(25, 118, 210);
    /// The second of [`Color::nth`].
    pub const TEAL: Color = Color(0, 121, 107);
    /// The first of [`Color::nth`].
    pub const GREEN: Color = Color(56, 142, 60);
    /// The third of [`Color::nth`].
    pub const BROWN: Color = Color(93, 64, 55);
    /// The fourth of [`Color::nth`].
    pub const PURPLE: Color = Color(106, 27, 154);
    /// The sixth of [`Color::nth`].
    pub const RED: Color = Color(198, 40, 40);
    /// The seventh of [`Color::nth`].
    pub const INDIGO: Color = Color(48, 63, 159);

    /// A strong colour for the nth of some things: white text is readable on it.
    pub fn nth(n: usize) -> Color {
        const CYCLE: [Color; 7] =
            [Color::GREEN, Color::TEAL, Color::BROWN, Color::PURPLE, Color::BLUE, Color::RED, Color::INDIGO];
        CYCLE[n % CYCLE.len()]
    }

    /// Black or white, whichever can be read on this colour.
    #[must_use]
    pub fn contrast(self) -> Color {
        let light = 299 * u32::from(self.0) + 587 * u32::from(self.1) + 114 * u32::from(self.2);
        if light > 140_000 { Color(0, 0, 0) } else { Color::WHITE }
    }

    /// This colour with a share of another mixed in, 0 to 100 per cent.
    #[must_use]
    pub fn mixed(self, other: Color, percent: u16) -> Color {
        let percent = percent.min(100);
        let mix = |a: u8, b: u8| {
            let sum = u16::from(a) * (100 - percent) + u16::from(b) * percent;
            u8::try_from(sum / 100).unwrap_or(u8::MAX)
        };
        Color(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

impl From<[u8; 3]> for Color {
    fn from([r, g, b]: [u8; 3]) -> Self {
        Color(r, g, b)
    }
}
