//! `screencap`.

use bytes::Bytes;
use image::RgbaImage;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

use super::{Call, Command, heavy};
use crate::phone::{Oddity, Phone};
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
    let mut display = None;
    let mut words = call.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-p" => png = true,
            "-d" => display = words.next().cloned(),
            name => file = Some(name.to_owned()),
        }
    }
    png |= file.as_ref().is_some_and(|name| name.ends_with(".png"));
    let Some((screen, warning)) = picture(&call.device.phone(), display.as_deref()) else {
        call.complain(&format!("Display Id '{}' is not valid.", display.unwrap_or_default()));
        return 1;
    };
    if let Some(warning) = warning {
        call.print(warning);
    }
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

/// What several displays have `screencap` say, after AOSP's `cmds/screencap` (Android 14).
const SEVERAL: &str = "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, however this default is not guaranteed to be consistent across captures. A display id should be specified.\nA display ID can be specified with the [-d display-id] option.\nSee \"dumpsys SurfaceFlinger --display-id\" for valid display IDs.\n";

const LINKER: &str = "WARNING: linker: Warning: \"/vendor/lib64/libgui_shim.so\" unused DT entry: unknown processor-specific (type 0x70000001 arg 0x0) (ignoring)\nWARNING: linker: /vendor/lib64/libgui_shim.so: is missing DT_SONAME will use basename as a replacement\n";

/// The picture of a display, with what is printed before it; `None` if there is no such display. Without a display it
/// is that of the first one.
fn picture(phone: &Phone, display: Option<&str>) -> Option<(RgbaImage, Option<&'static str>)> {
    let displays = phone.displays();
    let chosen = match display {
        None => displays.first(),
        Some(id) => displays.iter().find(|display| display.physical.to_string() == id),
    }?;
    let warning = match display {
        _ if phone.is(Oddity::Warnings) => Some(LINKER),
        None if displays.len() > 1 => Some(SEVERAL),
        _ => None,
    };
    let screen = match chosen.id == phone.stage() {
        true => phone.screenshot(),
        // Needles and nothing else.
        false => RgbaImage::from_pixel(640, 240, image::Rgba([20, 20, 20, 255])),
    };
    Some((screen, warning))
}

/// Screens are flat: most rows equal the one above, and no other filter need be tried.
fn encoder(bytes: &mut Vec<u8>) -> PngEncoder<&mut Vec<u8>> {
    PngEncoder::new_with_quality(bytes, CompressionType::Fast, FilterType::Up)
}
