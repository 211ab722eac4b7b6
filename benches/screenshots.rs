//! Screenshots as the store keeps them, compared with the PNG that the device gave and with the alternatives.
//!
//! `cargo bench --bench screenshots` prints bytes as shares of the device's PNG, and the milliseconds a picture takes
//! to pack from decoded pixels and to unpack to a PNG; all from one run on one thread. Pictures: the first screens of
//! all simulated apps, and real ones if the corpus is there (see tests/suite/corpus.rs). Fails when packed pictures
//! take more than 0.7 of the PNGs.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use droidmux::device::adb::{AdbDevice, Server};
use droidmux::device::{Beginning, Device, Patience};
use droidmux::sim::{SimLab, SimOptions, apps};
use droidmux::store::{ScreenPacker, unpacked_screenshot};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage};

/// The share of all the PNGs together that packed pictures may take.
const LIMIT: f64 = 0.7;
/// The most real pictures to use.
const MOST: usize = 60;
const ROUNDS: usize = 3;

fn main() {
    let mut failed = false;
    for (name, pngs) in [("simulated apps", simulated()), ("real screens", real())] {
        if pngs.is_empty() {
            println!("{name}: none here");
            continue;
        }
        failed |= compare(name, &pngs) > LIMIT;
    }
    if failed {
        eprintln!("packed pictures take more than {LIMIT} of the device's");
        std::process::exit(1);
    }
}

/// A way of writing pixels: bytes of a picture.
type Way = (&'static str, fn(&RgbImage) -> usize);

/// Prints the table and returns the share of packed pictures.
fn compare(name: &str, pngs: &[Vec<u8>]) -> f64 {
    let given: usize = pngs.iter().map(Vec::len).sum();
    let decoded = |png: &Vec<u8>| image::load_from_memory(png).expect("a picture").into_rgb8();
    let images: Vec<RgbImage> = pngs.iter().map(decoded).collect();
    let (width, height) = images[0].dimensions();
    println!("{name}: {} of {width}×{height}, {} bytes each", pngs.len(), given / pngs.len());
    let each = |took: Duration| took.as_secs_f64() * 1e3 / pngs.len() as f64;
    let row = |name: &str, bytes: usize, took: Duration| {
        println!("  {name:<34} {:>6.3} of the PNG {:>8.2} ms", bytes as f64 / given as f64, each(took));
    };
    row("the device's PNG, decoded", given, best_of(|| pngs.iter().map(|png| decoded(png).len()).sum()));
    let ways: [Way; 5] = [
        ("PNG, fast", |image| png(image, CompressionType::Fast, FilterType::Up)),
        ("PNG, best, adaptive filters", |image| png(image, CompressionType::Best, FilterType::Adaptive)),
        ("WebP, lossless (image-webp)", webp),
        ("QOI", |image| qoi_of(image).len()),
        ("QOI, zstd 3", |image| zstd::bulk::compress(&qoi_of(image), 3).expect("compressed").len()),
    ];
    for (name, way) in ways {
        let mut bytes = 0;
        let took = best_of(|| {
            bytes = images.iter().map(way).sum();
            bytes
        });
        row(name, bytes, took);
    }
    let packer = ScreenPacker::default();
    let kept: Vec<Vec<u8>> = pngs.iter().map(|png| packer.pack(png).unwrap_or_else(|| png.clone())).collect();
    let bytes = kept.iter().map(Vec::len).sum();
    let took = best_of(|| pngs.iter().filter_map(|png| packer.pack(png)).map(|p| p.len()).sum());
    row("as the store keeps it, from PNG", bytes, took);
    let took = best_of(|| kept.iter().filter_map(|p| unpacked_screenshot(p).ok()).map(|p| p.len()).sum());
    row("the same, back to PNG", bytes, took);
    bytes as f64 / given as f64
}

fn png(image: &RgbImage, compression: CompressionType, filter: FilterType) -> usize {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, compression, filter);
    let written = encoder.write_image(image, image.width(), image.height(), ExtendedColorType::Rgb8);
    written.expect("a PNG");
    bytes.len()
}

fn webp(image: &RgbImage) -> usize {
    let mut bytes = Vec::new();
    let encoder = image_webp::WebPEncoder::new(&mut bytes);
    encoder.encode(image, image.width(), image.height(), image_webp::ColorType::Rgb8).expect("a WebP");
    bytes.len()
}

fn qoi_of(image: &RgbImage) -> Vec<u8> {
    qoi::encode_to_vec(image.as_raw(), image.width(), image.height()).expect("a QOI")
}

/// The first screen of every simulated app, as the simulated device's `screencap -p` gives it.
fn simulated() -> Vec<Vec<u8>> {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let options = SimOptions { steady: true, ..SimOptions::with_apps(apps::all()) };
        let apps = options.apps.clone();
        let sim = SimLab::start(options).await.expect("the simulated lab starts");
        let device = AdbDevice::new(Server::at(sim.server_addr()), "sim-1");
        let patience = Patience::default();
        device.prepare(&patience).await.expect("prepared");
        let mut pngs = Vec::new();
        for app in apps {
            let granted = Beginning { grant: true, ..Beginning::default() };
            device.begin(app.package(), granted, &patience).await.expect("begun");
            device.layout(10, &patience).await.expect("a dump");
            let picture = device.screenshot(&patience).await.expect("a picture");
            pngs.push(picture.into_png().expect("a PNG"));
        }
        pngs
    })
}

/// Screenshots of a real device.
fn real() -> Vec<Vec<u8>> {
    let root = match std::env::var_os("DROIDMUX_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    let Ok(entries) = std::fs::read_dir(root.join("genie-activitydiary/states")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "png"));
    paths.sort();
    paths.iter().take(MOST).flat_map(std::fs::read).collect()
}

/// The shortest of some rounds: the one least disturbed by whatever else the machine does.
fn best_of(mut work: impl FnMut() -> usize) -> Duration {
    let round = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}
