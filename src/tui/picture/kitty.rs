//! Kitty's images: sent once in pieces between the text, shown by characters that stand for them.
//!
//! The pieces are not part of a drawing: keys go between them, and a drawing that is replaced before it is out takes no
//! image with it.

use std::collections::VecDeque;
use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::DynamicImage;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Modifier};

/// The character that stands for a cell of an image.
const PLACEHOLDER: char = '\u{10EEEE}';
/// Base64 in one piece, a multiple of four: a key waits behind one of them at most.
const PIECE: usize = 256;
/// Images that the terminal keeps: more than the cockpit remembers, so that no number is given twice while it
/// is in use.
const KEPT: u32 = 32;
/// Where the numbers begin, far from those that other programs take.
const FIRST: u32 = 0x00d4_0100;

/// An image that the terminal keeps by number.
pub struct Kitty {
    number: u32,
    size: Size,
    png: Vec<u8>,
}

impl Kitty {
    /// The image for this many cells; `count` is how many were made before.
    pub fn new(image: &DynamicImage, size: Size, count: u32) -> Option<Self> {
        let mut png = Vec::new();
        image.write_to(&mut Cursor::new(&mut png), image::ImageFormat::Png).ok()?;
        let rows = u16::try_from(ROWS.len()).unwrap_or(u16::MAX);
        let size = Size { height: size.height.min(rows), ..size };
        Some(Self { number: FIRST + count % KEPT, size, png })
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// What sends it, each piece to be written whole and in this order.
    pub fn upload(&self) -> VecDeque<Vec<u8>> {
        let data = STANDARD.encode(&self.png);
        let pieces = data.as_bytes().chunks(PIECE);
        let last = pieces.len().saturating_sub(1);
        let Size { width, height } = self.size;
        let piece = |(n, data): (usize, &[u8])| {
            let more = u8::from(n < last);
            let what = match n {
                0 => format!("a=T,U=1,f=100,t=d,i={},c={width},r={height},", self.number),
                _ => String::new(),
            };
            [format!("\x1b_Gq=2,{what}m={more};").as_bytes(), data, b"\x1b\\"].concat()
        };
        pieces.enumerate().map(piece).collect()
    }

    /// Writes the characters that stand for the image.
    pub fn render(&self, area: Rect, buffer: &mut Buffer) {
        let [_, red, green, blue] = self.number.to_be_bytes();
        let cells = (0..).zip(ROWS).take(area.height.min(self.size.height).into());
        for (y, row) in cells {
            for x in 0..area.width.min(self.size.width) {
                let Some(cell) = buffer.cell_mut((area.x + x, area.y + y)) else { continue };
                // Row and column once; those to the right count on.
                let symbol = match x {
                    0 => String::from_iter([PLACEHOLDER, row, ROWS[0]]),
                    _ => PLACEHOLDER.to_string(),
                };
                cell.set_symbol(&symbol).set_fg(Color::Rgb(red, green, blue));
                cell.modifier = Modifier::empty();
            }
        }
    }
}

/// The marks that number rows, in kitty's order.
const ROWS: [char; 96] = [
    '\u{305}', '\u{30D}', '\u{30E}', '\u{310}', '\u{312}', '\u{33D}', '\u{33E}', '\u{33F}', '\u{346}',
    '\u{34A}', '\u{34B}', '\u{34C}', '\u{350}', '\u{351}', '\u{352}', '\u{357}', '\u{35B}', '\u{363}',
    '\u{364}', '\u{365}', '\u{366}', '\u{367}', '\u{368}', '\u{369}', '\u{36A}', '\u{36B}', '\u{36C}',
    '\u{36D}', '\u{36E}', '\u{36F}', '\u{483}', '\u{484}', '\u{485}', '\u{486}', '\u{487}', '\u{592}',
    '\u{593}', '\u{594}', '\u{595}', '\u{597}', '\u{598}', '\u{599}', '\u{59C}', '\u{59D}', '\u{59E}',
    '\u{59F}', '\u{5A0}', '\u{5A1}', '\u{5A8}', '\u{5A9}', '\u{5AB}', '\u{5AC}', '\u{5AF}', '\u{5C4}',
    '\u{610}', '\u{611}', '\u{612}', '\u{613}', '\u{614}', '\u{615}', '\u{616}', '\u{617}', '\u{657}',
    '\u{658}', '\u{659}', '\u{65A}', '\u{65B}', '\u{65D}', '\u{65E}', '\u{6D6}', '\u{6D7}', '\u{6D8}',
    '\u{6D9}', '\u{6DA}', '\u{6DB}', '\u{6DC}', '\u{6DF}', '\u{6E0}', '\u{6E1}', '\u{6E2}', '\u{6E4}',
    '\u{6E7}', '\u{6E8}', '\u{6EB}', '\u{6EC}', '\u{730}', '\u{732}', '\u{733}', '\u{735}', '\u{736}',
    '\u{73A}', '\u{73D}', '\u{73F}', '\u{740}', '\u{741}', '\u{743}',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_is_one_image_in_pieces() {
        let image = DynamicImage::new_rgba8(300, 500);
        let kitty = Kitty::new(&image, Size::new(30, 25), 3).expect("an image");
        let pieces: Vec<String> =
            kitty.upload().iter().map(|piece| String::from_utf8_lossy(piece).into_owned()).collect();
        assert!(pieces.len() > 1, "more than one piece");
        assert!(
            pieces[0].starts_with("\x1b_Gq=2,a=T,U=1,f=100,t=d,i=13893891,c=30,r=25,m=1;"),
            "{}",
            pieces[0]
        );
        let data: String =
            pieces.iter().filter_map(|piece| piece.split_once(';')?.1.strip_suffix("\x1b\\")).collect();
        let png = STANDARD.decode(data).expect("base64");
        let again = image::load_from_memory(&png).expect("a picture");
        assert_eq!((again.width(), again.height()), (300, 500));
        let more: Vec<bool> = pieces.iter().map(|piece| piece.contains("m=1;")).collect();
        assert_eq!(more.iter().filter(|more| !**more).count(), 1, "one last piece");
        assert_eq!(more.last(), Some(&false));
    }

    #[test]
    fn its_characters_count_from_the_left() {
        let kitty = Kitty::new(&DynamicImage::new_rgba8(9, 9), Size::new(3, 2), 0).expect("an image");
        let mut buffer = Buffer::empty(Rect::new(0, 0, 5, 4));
        kitty.render(Rect::new(1, 1, 3, 2), &mut buffer);
        assert_eq!(buffer[(1, 2)].symbol(), "\u{10EEEE}\u{30D}\u{305}");
        assert_eq!(buffer[(2, 2)].symbol(), "\u{10EEEE}");
        assert_eq!(buffer[(2, 2)].fg, Color::Rgb(0xd4, 0x01, 0x00));
        assert_eq!(buffer[(4, 2)].symbol(), " ");
    }
}
