//! Reading dumps against a bare scan of the same bytes.
//!
//! `cargo bench --bench dump` prints both times and their ratio, which must stay under 3. Uses the
//! real dumps if they are there (see tests/suite/corpus.rs), otherwise dumps made up here. Also
//! prints what it costs to find a widget again.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use droidmux::gui::{Layout, Selector, read_dump};
use encoding_rs::Encoding;
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// The reader may take at most this many times the time of the bare scan.
const LIMIT: f64 = 3.0;
const ROUNDS: usize = 40;

fn main() {
    let (dumps, source) = dumps();
    let bytes: usize = dumps.iter().map(Vec::len).sum();
    println!("{} dumps, {bytes} bytes, {source}", dumps.len());

    let scan = best_of(|| dumps.iter().map(|dump| bare_scan(dump)).sum::<usize>());
    let read =
        best_of(|| dumps.iter().map(|dump| read_dump(dump).map_or(0, |d| d.layout.len())).sum::<usize>());
    let ratio = read.as_secs_f64() / scan.as_secs_f64();
    let speed = |time: Duration| bytes as f64 / time.as_secs_f64() / 1e6;
    println!("bare quick-xml scan  {scan:>10.2?}  {:>7.1} MB/s", speed(scan));
    println!("read_dump            {read:>10.2?}  {:>7.1} MB/s", speed(read));
    println!("ratio                {ratio:>10.2}  (at most {LIMIT})");

    selectors(&dumps);
    if ratio > LIMIT {
        eprintln!("read_dump is more than {LIMIT} times slower than the bare scan");
        std::process::exit(1);
    }
}

/// Making and resolving a selector for every widget that takes an event.
fn selectors(dumps: &[Vec<u8>]) {
    let layouts: Vec<Layout> = dumps.iter().filter_map(|d| read_dump(d).ok()).map(|d| d.layout).collect();
    let made: Vec<(&Layout, Selector)> = layouts
        .iter()
        .flat_map(|layout| layout.events().into_iter().map(move |(_, w)| (layout, layout.selector(w))))
        .collect();
    let make = best_of(|| {
        let widgets =
            layouts.iter().flat_map(|layout| layout.events().into_iter().map(move |e| (layout, e.1)));
        widgets.map(|(layout, widget)| layout.selector(widget).text.len()).sum()
    });
    let find = best_of(|| made.iter().filter(|(layout, s)| layout.resolve(s).widget().is_some()).count());
    let count = u32::try_from(made.len()).unwrap_or(u32::MAX).max(1);
    println!("selector             {:>10.2?}  each of {count}", make / count);
    println!("resolve              {:>10.2?}  each of {count}", find / count);
}

/// Every attribute of every element, with quick-xml's checks, and nothing kept. UTF-16 is decoded
/// first, as it must be for any reader.
fn bare_scan(bytes: &[u8]) -> usize {
    let decoded = Encoding::for_bom(bytes).map(|(encoding, _)| encoding.decode(bytes).0);
    let text = match &decoded {
        Some(text) => text,
        None => std::str::from_utf8(bytes).unwrap_or(""),
    };
    let mut reader = Reader::from_str(text);
    let mut sum = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                sum += element.attributes().flatten().map(|a| a.value.len()).sum::<usize>();
            }
            Ok(Event::Eof) | Err(_) => return sum,
            Ok(_) => {}
        }
    }
}

/// The shortest of many rounds: the one least disturbed by whatever else the machine does.
fn best_of(mut work: impl FnMut() -> usize) -> Duration {
    let round = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}

fn dumps() -> (Vec<Vec<u8>>, String) {
    let root = match std::env::var_os("DROIDMUX_CORPUS") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    let Ok(entries) = fs::read_dir(root.join("dumps")) else { return (made_up(), "made up".into()) };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "xml"));
    paths.sort();
    (paths.iter().flat_map(fs::read).collect(), "the corpus".into())
}

/// Twenty lists of growing length, looking like what uiautomator writes.
fn made_up() -> Vec<Vec<u8>> {
    (1..=20).map(|n| made_up_list(n * 8).into_bytes()).collect()
}

fn made_up_list(rows: usize) -> String {
    let node = |class: &str, id: &str, text: &str, top: usize, rest: &str| {
        format!(
            "<node index=\"0\" text=\"{text}\" resource-id=\"{id}\" class=\"{class}\" package=\"com.example.list\" \
             content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"true\" \
             focusable=\"true\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" \
             password=\"false\" selected=\"false\" bounds=\"[0,{top}][1080,{}]\"{rest}",
            top + 96
        )
    };
    let row = |n: usize| {
        let picture = node("android.widget.ImageView", "com.example.list:id/picture", "", n * 96, " />");
        let text = format!("Row number {n} &amp; more");
        let label = node("android.widget.TextView", "com.example.list:id/label", &text, n * 96, " />");
        node("android.widget.LinearLayout", "", "", n * 96, ">") + &picture + &label + "</node>"
    };
    let rows: String = (0..rows).map(row).collect();
    let list = node("androidx.recyclerview.widget.RecyclerView", "com.example.list:id/list", "", 0, ">");
    format!("<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\">{list}{rows}</node></hierarchy>")
}
