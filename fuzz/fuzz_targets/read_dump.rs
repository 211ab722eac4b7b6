//! Any bytes: the dump reader must answer, and what it reads must be sound.
//!
//! `cargo +nightly fuzz run read_dump -- -max_len=65536`, seeded with real dumps if at hand: plain ones, of all windows,
//! several in one file, JSON.

#![no_main]

use droidmux::gui::{Layout, read_dump, read_dumps};
use droidmux::words::printable;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    match read_dump(bytes) {
        Ok(dump) => {
            let layout = dump.layout;
            assert_eq!(Layout::decode(&layout.encode()).as_ref(), Some(&layout));
            for (_, widget) in layout.events() {
                assert!(layout.resolve(&layout.selector(widget)).widget().is_some());
            }
            if let Ok(dumps) = read_dumps(bytes, "") {
                assert_eq!(dumps.first().map(|first| &first.layout), Some(&layout));
            }
        }
        Err(error) => {
            let message = error.to_string();
            assert_eq!(printable(&message), message);
        }
    }
});
