//! Packed pictures: nothing is lost, the encoding is canonical, damage is an error.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use proptest::prelude::*;

use super::super::packer::{ScreenPacker, Workspace};
use super::*;
use droidmux_testutils::mangled;

/// A picture with this many colours; beyond 255, some have to be encoded as differences.
fn picture(width: u32, height: u32, each: usize, colours: u32) -> ScreenPixels {
    let pixels = (0..width * height).map(|at| (at / 3).wrapping_mul(2_654_435_761) % colours);
    let bytes = pixels.flat_map(|colour| {
        let [a, b, c, d] = colour.wrapping_mul(0x00a1_0307).to_le_bytes();
        [a, b, c, d].into_iter().take(each)
    });
    ScreenPixels { width, height, each, bytes: bytes.collect(), profile: Vec::new() }
}

fn png(pixels: &ScreenPixels, compression: CompressionType, filter: FilterType) -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = PngEncoder::new_with_quality(&mut png, compression, filter);
    encoder.set_icc_profile(pixels.profile.clone()).unwrap();
    let colours = if pixels.each == 3 { ExtendedColorType::Rgb8 } else { ExtendedColorType::Rgba8 };
    encoder.write_image(&pixels.bytes, pixels.width, pixels.height, colours).unwrap();
    png
}

/// The picture packed, even if the result is larger than a PNG.
fn packed(pixels: &ScreenPixels) -> Vec<u8> {
    Workspace::default().pack(&png(pixels, CompressionType::Fast, FilterType::Up)).unwrap()
}

/// What is in the zstd frame of a packed picture.
fn frame(pixels: &ScreenPixels) -> Vec<u8> {
    zstd::decode_all(&packed(pixels)[MAGIC.len()..]).unwrap()
}

proptest! {
    #[test]
    fn pixels_come_back(
        width in 1..60_u32,
        height in 1..60_u32,
        each in 3..=4_usize,
        colours in prop_oneof![1..20_u32, 200..300_u32, 1_000..100_000_u32],
        profile in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let pixels = ScreenPixels { profile, ..picture(width, height, each, colours) };
        let packed = packed(&pixels);
        prop_assert_eq!(ScreenPixels::unpack(&packed).unwrap(), pixels);
        // The PNG that readers get packs to the same bytes.
        prop_assert_eq!(Workspace::default().pack(&unpack(&packed).unwrap()), Some(packed));
    }

    #[test]
    fn any_packed_picture_is_read(bytes in mangled(vec![packed(&picture(9, 7, 3, 300))])) {
        drop(unpack(&bytes));
    }

    #[test]
    fn any_frame_is_read(raw in mangled(frames())) {
        if let Ok(pixels) = ScreenPixels::read(&raw) {
            prop_assert_eq!(pixels.bytes.len(), area(pixels.width, pixels.height).unwrap() * pixels.each);
        }
    }
}

/// What is in the zstd frames of two pictures.
fn frames() -> Vec<Vec<u8>> {
    vec![frame(&picture(9, 7, 3, 300)), frame(&picture(40, 30, 4, 5_000))]
}

#[test]
fn equal_pixels_give_equal_bytes_whatever_png_they_came_in() {
    let opaque = picture(64, 48, 3, 700);
    let alpha = opaque.bytes.as_chunks::<3>().0.iter().flat_map(|[r, g, b]| [*r, *g, *b, 255]).collect();
    let with_alpha = ScreenPixels { each: 4, bytes: alpha, profile: Vec::new(), ..opaque };
    // One workspace: leftovers of an earlier picture make no difference.
    let mut workspace = Workspace::default();
    let packed: Vec<_> = [
        png(&opaque, CompressionType::Fast, FilterType::Up),
        png(&opaque, CompressionType::Best, FilterType::Adaptive),
        png(&with_alpha, CompressionType::Default, FilterType::Paeth),
    ]
    .iter()
    .map(|png| workspace.pack(png).unwrap())
    .collect();
    assert!(packed.iter().all(|bytes| *bytes == packed[0]));
    let profiled = ScreenPixels { profile: vec![1, 2, 3], ..opaque };
    assert_ne!(super::tests::packed(&profiled), packed[0], "another profile shows other colours");
}

#[test]
fn raw_pixels_are_packed_as_those_of_a_png() {
    let packer = ScreenPacker::default();
    for each in [3, 4] {
        let picture = picture(64, 48, each, 40);
        let png = png(&picture, CompressionType::Fast, FilterType::NoFilter);
        let raw = packer.pack_pixels(64, 48, &picture.bytes);
        assert!(raw.is_some() && raw == packer.pack(&png), "{each} bytes a pixel");
    }
    let pixels = vec![7; 64 * 48 * 4];
    for (width, height) in [(64, 47), (0, 0), (u32::MAX, u32::MAX)] {
        assert_eq!(packer.pack_pixels(width, height, &pixels), None, "{width} by {height}");
    }
}

#[test]
fn what_would_lose_something_is_not_packed() {
    let written = |image: DynamicImage, format| {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    };
    let large = DynamicImage::new_rgb8(300, 300);
    let cases = [
        ("16 bits", written(DynamicImage::new_rgb16(300, 300), ImageFormat::Png)),
        ("grey", written(DynamicImage::new_luma8(300, 300), ImageFormat::Png)),
        ("JPEG", written(large.clone(), ImageFormat::Jpeg)),
        ("no picture", b"picture".to_vec()),
        ("nothing", Vec::new()),
        ("half of one", written(large.clone(), ImageFormat::Png)[..120].to_vec()),
    ];
    let packer = ScreenPacker::default();
    for (name, bytes) in cases {
        assert_eq!(packer.pack(&bytes), None, "{name}");
    }
    let packed = packer.pack(&written(large, ImageFormat::Png)).expect("a plain picture is packed");
    assert!(packed.starts_with(MAGIC));
}

#[test]
fn damage_is_said() {
    let sound = frame(&picture(9, 7, 3, 300));
    let changed = |at: usize, byte: u8| {
        let mut raw = sound.clone();
        raw[at] = byte;
        raw
    };
    let mut long = sound.clone();
    long.push(0);
    let cases = [
        ("width", changed(0, 10), "too early"),
        ("no width", changed(0, 0), "0 by 7"),
        ("huge", changed(3, 0xff), "by 7"),
        ("bytes a pixel", changed(8, 5), "5 bytes a pixel"),
        ("cut", sound[..sound.len() - 1].to_vec(), "too early"),
        ("longer", long, "last pixel"),
        ("no picture", Vec::new(), "too early"),
    ];
    for (name, raw, words) in cases {
        let said = ScreenPixels::read(&raw).unwrap_err().to_string();
        assert!(said.contains(words), "{name}: {said}");
    }
    let said = ScreenPixels::unpack(b"\x93DMX\x02").unwrap_err().to_string();
    assert!(said.contains("this version"), "{said}");
}
