//! How views look on a screenshot.

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    pub const WHITE: Color = Color(255, 255, 255);
    pub const PAPER: Color = Color(250, 250, 250);
    pub const INK: Color = Color(33, 33, 33);
    pub const FAINT: Color = Color(117, 117, 117);
    pub const LINE: Color = Color(224, 224, 224);
    pub const ORANGE: Color = Color(255, 102, 0);
    pub const AMBER: Color = Color(255, 160, 0);
    pub const BLUE: Color = Color(25, 118, 210);
    pub const TEAL: Color = Color(0, 121, 107);
    pub const GREEN: Color = Color(56, 142, 60);
    pub const BROWN: Color = Color(93, 64, 55);
    pub const PURPLE: Color = Color(106, 27, 154);
    pub const RED: Color = Color(198, 40, 40);
    pub const INDIGO: Color = Color(48, 63, 159);

    /// A strong colour for the nth of some things: white text is readable on it.
    pub fn nth(n: usize) -> Color {
        const CYCLE: [Color; 7] =
            [Color::GREEN, Color::TEAL, Color::BROWN, Color::PURPLE, Color::BLUE, Color::RED, Color::INDIGO];
        CYCLE[n % CYCLE.len()]
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

/// Sizes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextSize {
    Small,
    #[default]
    Body,
    Title,
    Large,
}

impl TextSize {
    /// Side of one dot of the bitmap font, in pixels at 480 dots per inch.
    pub(crate) fn dot(self) -> i32 {
        match self {
            Self::Small => 4,
            Self::Body => 5,
            Self::Title => 6,
            Self::Large => 8,
        }
    }
}

/// Icons the renderer draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Menu,
    Back,
    Close,
    Search,
    Add,
    Check,
    Delete,
    Camera,
    Pencil,
    More,
    Folder,
    File,
    Refresh,
    Shuffle,
    Repeat,
    Book,
    Home,
    Swap,
    Play,
    Pause,
    Next,
    Star,
    /// The outline of a star: what is not marked.
    NoStar,
    Attach,
    Globe,
    Sort,
}

/// Controls drawn in a way of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Control {
    #[default]
    None,
    Field,
    CheckBox,
    Switch,
    Radio,
    /// A tab: a line under it when selected.
    Tab,
    /// A thin line.
    Divider,
    /// A launcher icon: a disc of this colour with the first letter, the text below.
    Shortcut(Color),
    /// A made-up photograph, drawn from this number.
    Picture(u64),
}

/// The look of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub background: Option<Color>,
    /// Radius of the background's corners, in dp.
    pub corner: i32,
    pub ink: Color,
    pub size: TextSize,
    pub centered: bool,
    pub icon: Option<Icon>,
    pub control: Control,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            background: None,
            corner: 0,
            ink: Color::INK,
            size: TextSize::Body,
            centered: false,
            icon: None,
            control: Control::None,
        }
    }
}
