//! droidmux's part of `benches/peers/run`: reading dumps and mapping trees, on the files that the peers get.
//!
//! `cargo bench --bench peers -- FOLDER PAIRS` prints one JSON object: microseconds a dump of FOLDER's XML files, and a
//! pair of the first of them that follow each other. Without a folder, as in `cargo bench`, it says so and ends.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use droidmux::gui::{Layout, edit_mapping, read_dump};

const ROUNDS: usize = 5;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let [folder, pairs] = words.as_slice() else {
        println!("peers: benches/peers/run calls this with its files");
        return;
    };
    let pairs: usize = pairs.parse().expect("a number of pairs");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .collect();
    paths.sort();
    let dumps: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).expect("a dump")).collect();
    let layouts: Vec<Layout> =
        dumps.iter().map(|dump| read_dump(dump).expect("a sound dump").layout).take(pairs + 1).collect();
    let read = shortest(|| dumps.iter().map(|dump| read_dump(dump).map_or(0, |d| d.layout.len())).sum());
    let edit = shortest(|| layouts.windows(2).map(|pair| edit_mapping(&pair[0], &pair[1]).len()).sum());
    let micros = |took: Duration, count: usize| took.as_secs_f64() * 1e6 / count.max(1) as f64;
    println!(
        "{{\"read_us\": {:.2}, \"edit_us\": {:.2}}}",
        micros(read, dumps.len()),
        micros(edit, layouts.len().saturating_sub(1))
    );
}

fn shortest(mut work: impl FnMut() -> usize) -> Duration {
    let round = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}
