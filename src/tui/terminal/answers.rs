//! Questions to the terminal, and its answers.
//!
//! The questions go out with the first frame and nothing waits for the answers: a terminal that ignores them gets half
//! blocks and is written to within the budget alone.

/// Asks whether the terminal has taken in all that came before (DSR); the answer is [`Answer::Ready`].
pub const ARE_YOU_READY: &[u8] = b"\x1b[5n";

/// Asks for kitty's images, the size of a cell in pixels, and the attributes, which every terminal reports and which
/// therefore mark the end of the answers.
pub const WHAT_CAN_YOU_SHOW: &[u8] = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c";

/// What a terminal says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Everything up to [`ARE_YOU_READY`] was taken in.
    Ready,
    /// The terminal shows images as kitty does.
    Kitty,
    /// A cell in pixels.
    CellSize { width: u16, height: u16 },
    /// The answers to [`WHAT_CAN_YOU_SHOW`] are complete.
    Attributes { sixel: bool },
}

impl Answer {
    /// The answer in a control sequence of these parameters and this last byte.
    pub fn of_sequence(parameters: &[u8], last: u8) -> Option<Self> {
        let text = std::str::from_utf8(parameters).ok()?;
        match last {
            b'n' if text == "0" => Some(Self::Ready),
            b'c' => {
                let sixel = text.strip_prefix('?')?.split(';').skip(1).any(|attribute| attribute == "4");
                Some(Self::Attributes { sixel })
            }
            b't' => {
                let (height, width) = text.strip_prefix("6;")?.split_once(';')?;
                let (width, height) = (width.parse().ok()?, height.parse().ok()?);
                let sane = (1..=256).contains(&width) && (1..=256).contains(&height);
                sane.then_some(Self::CellSize { width, height })
            }
            _ => None,
        }
    }

    /// The answer in a string, without the escapes around it.
    pub fn of_string(body: &[u8]) -> Option<Self> {
        let said = body.strip_prefix(b"_Gi=31")?;
        said.ends_with(b";OK").then_some(Self::Kitty)
    }
}
