//! `screencap`.

use bytes::Bytes;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use super::{Call, Command, heavy};
use crate::render::give_back;

pub(super) const COMMANDS: &[Command] = &[heavy("screencap", screencap)];

const RGBA_8888: u32 = 1;
/// The colour space, by the number the system gives it.
pub(crate) const SRGB: u32 = 1;

/// `screencap [-p] [-d DISPLAY] [FILE]`: PNG with `-p` or a file named so, otherwise a header of
/// width, height, format and colour space before the pixels.
fn screencap(call: &mut Call) -> i32 {
    let mut png = false;
    let mut file: Option<String> = None;
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-p" => png = true,
            "-d" => drop(words.next()),
            name => file = Some(name.to_owned()),
        }
    }
    png |= file.as_ref().is_some_and(|name| name.ends_with(".png"));
    let screen = call.device.phone().screenshot();
    let header = [screen.width(), screen.height(), RGBA_8888, SRGB].map(u32::to_le_bytes);
    let mut bytes = Vec::new();
    if png && let Err(error) = screen.write_with_encoder(encoder(&mut bytes)) {
        call.complain(&format!("Failed to encode the screen: {error}"));
        return 1;
    }
    let Some(file) = file else {
        if png {
            call.give(bytes);
            give_back(screen.into_raw());
        } else {
            call.write(header.as_flattened());
            call.give(screen.into_raw());
        }
        return 0;
    };
    if !png {
        bytes = [header.as_flattened(), screen.as_raw().as_slice()].concat();
    }
    let path = call.path(&file);
    let written = call.device.files().write(&path, Bytes::from(bytes), 0o660, false);
    match written {
        Ok(()) => 0,
        Err(error) => {
            call.complain(&format!("Error opening file: {file} ({error})"));
            1
        }
    }
}

/// Screens are flat: most rows equal the one above, and no other filter need be tried.
fn encoder(bytes: &mut Vec<u8>) -> PngEncoder<&mut Vec<u8>> {
    PngEncoder::new_with_quality(bytes, CompressionType::Fast, FilterType::Up)
}
