//! How views look on a screenshot.

pub use droidmux_paint::Color;

/// Sizes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextSize {
    /// Dots of 4 pixels at 480 dots per inch: remarks and summaries.
    Small,
    /// Dots of 5 pixels: text of a list or a page.
    #[default]
    Body,
    /// Dots of 6 pixels, bold: titles of screens and dialogs.
    Title,
    /// Dots of 8 pixels, bold: what a page is about.
    Large,
}

impl TextSize {
    /// Side of one dot of the bitmap font, in pixels at 480 dots per inch.
    pub fn dot(self) -> i32 {
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
    /// Three bars: opens the drawer.
    Menu,
    /// An arrow to the left: ends the activity.
    Back,
    /// A diagonal cross.
    Close,
    /// A magnifying glass.
    Search,
    /// A plus sign.
    Add,
    /// A tick: saves, or starts what was entered.
    Check,
    /// A dustbin.
    Delete,
    /// A camera.
    Camera,
    /// A pencil: opens an editor.
    Pencil,
    /// Three dots above each other: opens a menu.
    More,
    /// A folder.
    Folder,
    /// A sheet with lines of text.
    File,
    /// A ring with an arrowhead.
    Refresh,
    /// Two crossing arrows.
    Shuffle,
    /// A loop with an arrowhead; also for history.
    Repeat,
    /// A closed book.
    Book,
    /// A house.
    Home,
    /// Arrows to the right and to the left, one above the other.
    Swap,
    /// A triangle that points to the right.
    Play,
    /// Two upright bars.
    Pause,
    /// A triangle against a bar: to the next one.
    Next,
    /// A filled star: what is marked.
    Star,
    /// The outline of a star: what is not marked.
    NoStar,
    /// A paper clip.
    Attach,
    /// A globe with its equator and a meridian.
    Globe,
    /// Three bars, each shorter than the one above.
    Sort,
}

/// Controls that are drawn in their own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Drawn from text, icon and colours alone.
    #[default]
    None,
    /// A button with its own outline; others are text alone.
    Button,
    /// A text field: a line under it.
    Field,
    /// What is chosen, with the sign that there is more to choose from.
    Spinner,
    /// A box with a check mark.
    CheckBox,
    /// A switch.
    Switch,
    /// A ring with a dot.
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
pub struct Style {
    pub background: Option<Color>,
    /// Radius of the background's corners, in dp.
    pub corner: i32,
    pub ink: Color,
    pub size: TextSize,
    pub centered: bool,
    pub icon: Option<Icon>,
    pub control: Control,
}

impl Style {
    /// The same in the dark: what is light becomes dark and the other way round; colours stay.
    pub fn at_night(self) -> Style {
        const DARK: [(Color, Color); 5] = [
            (Color::WHITE, Color(33, 33, 33)),
            (Color::PAPER, Color(18, 18, 18)),
            (Color::LINE, Color(66, 66, 66)),
            (Color::INK, Color(238, 238, 238)),
            (Color::FAINT, Color(176, 176, 176)),
        ];
        let dark =
            |color: Color| DARK.iter().find(|(light, _)| *light == color).map_or(color, |(_, dark)| *dark);
        // White text stands on a colour, which stays.
        let ink = if self.ink == Color::WHITE { self.ink } else { dark(self.ink) };
        Style { background: self.background.map(dark), ink, ..self }
    }
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
