//! Screenshots on terminals of each kind: what comes to the glass is decoded and compared with the picture.
//!
//! The made-up lab's screenshots are gradients: red grows to the right, green downwards, blue tells which of them it
//! is. So each pixel says where in the picture it is from.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use portable_pty::CommandBuilder;

use super::shaped::{LIKE_KITTY, LIKE_SIXEL, LIKE_XTERM, Shaped, Way};

/// That of the picture of step 1,233, the latest.
const BLUE: f64 = 120.0;

/// Rows of pixels.
type Pixels = Vec<Vec<[u8; 3]>>;

/// The cockpit in a terminal that says this of itself, at a step whose screenshot it shows.
fn start(says: &'static [u8], program: &'static str) -> Shaped {
    let mut command = CommandBuilder::new(std::env::current_exe().expect("this program"));
    command.args(["--ignored", "--exact", "--nocapture", "tests::preview::preview"]);
    command.env("PREVIEW_QUIET", "1");
    command.env_remove("SSH_CONNECTION");
    let shaped = Shaped::run(command, 40, 120, Way { says, program, ..Way::LOCAL });
    shaped.wait_for_text("emulator-5554");
    shaped.press("2");
    shaped.wait_for_text("screenshot");
    shaped
}

/// Waits until what came can be decoded, and compares it with the picture: at least this many pixels, whose colours may
/// differ by this much.
fn compare(
    way: &str,
    shaped: &Shaped,
    (least, tolerance): ((usize, usize), f64),
    decode: impl Fn(&Shaped) -> Option<Pixels>,
) {
    let began = std::time::Instant::now();
    // What is read off may be half drawn.
    while let Err(why) =
        decode(shaped).map_or(Err("no picture comes".into()), |pixels| fits(&pixels, least, tolerance))
    {
        assert!(began.elapsed().as_secs() < 60, "{way}: {why}:\n{}", shaped.screen());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Whether these are the pixels of the photograph, with boxes over them.
fn fits(pixels: &Pixels, least: (usize, usize), tolerance: f64) -> Result<(), String> {
    let (height, width) = (pixels.len(), pixels.first().map_or(0, Vec::len));
    if width < least.0 || height < least.1 {
        return Err(format!("it has {width} by {height} pixels"));
    }
    let is_in_place = |x: usize, y: usize| {
        // 540 by 1,170 pixels, of which red counts every fourth and green every eighth.
        let place = |at: usize, of: usize, most: f64| (at as f64 + 0.5) / of as f64 * most;
        let expected = [place(x, width, 135.0), place(y, height, 146.25), BLUE];
        expected
            .iter()
            .zip(pixels[y][x])
            .all(|(expected, found)| (expected - f64::from(found)).abs() < tolerance)
    };
    let all: Vec<(usize, usize)> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).collect();
    let fitting = all.iter().filter(|(x, y)| is_in_place(*x, *y)).count();
    // The rest is boxes of widgets.
    match all.len() {
        all if fitting * 10 < all * 6 => Err(format!("{fitting} of {all} pixels are where they belong")),
        all if fitting == all => Err("no widget is boxed".into()),
        _ => Ok(()),
    }
}

#[test]
fn half_blocks_show_the_picture_where_the_terminal_shows_no_images() {
    for says in [&b""[..], LIKE_XTERM] {
        compare("half blocks", &start(says, ""), ((10, 24), 8.0), |shaped| shaped.read_off(half_blocks));
    }
}

#[test]
fn a_terminal_like_kitty_is_sent_the_picture() {
    compare("kitty", &start(LIKE_KITTY, ""), ((100, 240), 8.0), |shaped| {
        // In pieces, of which the last one says so; the cells stand for the image.
        let bytes = shaped.bytes();
        let begins = find(&bytes, b"\x1b_Gq=2,a=T,U=1,f=100,")?;
        let mut data = Vec::new();
        for piece in bytes[begins..].split(|byte| *byte == 0x1b).filter_map(|part| part.strip_prefix(b"_G")) {
            let (control, part) = split(piece, b';')?;
            data.extend_from_slice(part);
            if control.ends_with(b"m=0") {
                let shown = shaped.screen().contains('\u{10EEEE}');
                return shown.then(|| from_file(&data)).flatten();
            }
        }
        None
    });
}

#[test]
fn a_terminal_like_iterm2_is_sent_the_picture() {
    compare("iTerm2", &start(LIKE_XTERM, "iTerm.app"), ((100, 240), 8.0), |shaped| {
        let bytes = shaped.bytes();
        let begins = find(&bytes, b"\x1b]1337;File=")?;
        let (_, rest) = split(&bytes[begins..], b':')?;
        let end = rest.iter().position(|byte| matches!(byte, 0x07 | 0x1b))?;
        from_file(&rest[..end])
    });
}

#[test]
fn a_terminal_with_sixels_is_sent_the_picture() {
    compare("sixel", &start(LIKE_SIXEL, ""), ((100, 240), 25.0), |shaped| {
        let bytes = shaped.bytes();
        let begins = find(&bytes, b"\x1bP")? + 2;
        let end = find(&bytes[begins..], b"\x1b\\")?;
        let (_, data) = split(&bytes[begins..begins + end], b'q')?;
        sixels(data)
    });
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

/// What comes before and after the first such byte.
fn split(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = bytes.iter().position(|byte| *byte == at)?;
    Some((&bytes[..place], &bytes[place + 1..]))
}

/// An image file in base64.
fn from_file(data: &[u8]) -> Option<Pixels> {
    let image = image::load_from_memory(&STANDARD.decode(data).ok()?).ok()?.into_rgb8();
    Some(image.rows().map(|row| row.map(|pixel| pixel.0).collect()).collect())
}

/// Two pixels per cell, the upper one in its background.
fn half_blocks(screen: &vt100::Screen) -> Option<Pixels> {
    let rgb = |colour| match colour {
        vt100::Color::Rgb(red, green, blue) => Some([red, green, blue]),
        _ => None,
    };
    let (rows, columns) = screen.size();
    let mut pixels = Pixels::new();
    for row in 0..rows {
        let cells = (0..columns).filter_map(|column| screen.cell(row, column));
        let halves = cells.filter(|cell| matches!(cell.contents(), "▄" | "▀"));
        let colours = halves.filter_map(|cell| {
            let (ink, ground) = (rgb(cell.fgcolor())?, rgb(cell.bgcolor())?);
            Some(if cell.contents() == "▄" { (ground, ink) } else { (ink, ground) })
        });
        let (upper, lower): (Vec<_>, Vec<_>) = colours.unzip();
        if !upper.is_empty() {
            pixels.extend([upper, lower]);
        }
    }
    let width = pixels.first()?.len();
    pixels.iter().all(|row| row.len() == width).then_some(pixels)
}

/// What stands between `q` and the end of a sixel image: colours `#1;2;r;g;b` in hundredths, `!3~` repeats, `$` goes
/// back to the left, `-` to the next six rows.
fn sixels(data: &[u8]) -> Option<Pixels> {
    let mut colours = std::collections::BTreeMap::new();
    let mut pixels = Pixels::new();
    let (mut x, mut y, mut colour, mut times) = (0, 0, [0; 3], 1);
    let mut at = 0;
    let numbers = |from: usize| {
        let end = data[from..].iter().position(|byte| !byte.is_ascii_digit() && *byte != b';')? + from;
        let text = std::str::from_utf8(&data[from..end]).ok()?;
        Some((text.split(';').filter_map(|number| number.parse::<usize>().ok()).collect::<Vec<_>>(), end))
    };
    while let Some(byte) = data.get(at) {
        at += 1;
        match byte {
            b'"' => at = numbers(at)?.1,
            b'!' => {
                let (count, end) = numbers(at)?;
                (times, at) = (*count.first()?, end);
            }
            b'#' => {
                let (said, end) = numbers(at)?;
                at = end;
                if let [number, 2, red, green, blue] = said[..] {
                    let channel = |part: usize| u8::try_from((part * 255 + 50) / 100).unwrap_or(255);
                    colours.insert(number, [channel(red), channel(green), channel(blue)]);
                }
                colour = *colours.get(said.first()?)?;
            }
            b'$' => x = 0,
            b'-' => (x, y) = (0, y + 6),
            b'?'..=b'~' => {
                for bit in 0..6 {
                    if (byte - b'?') >> bit & 1 == 1 {
                        while pixels.len() <= y + bit {
                            pixels.push(Vec::new());
                        }
                        let row = &mut pixels[y + bit];
                        row.resize(row.len().max(x + times), [0; 3]);
                        row[x..x + times].fill(colour);
                    }
                }
                x += times;
                times = 1;
            }
            _ => {}
        }
    }
    let width = pixels.iter().map(Vec::len).max()?;
    pixels.iter_mut().for_each(|row| row.resize(width, [0; 3]));
    Some(pixels)
}
