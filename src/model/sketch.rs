//! Sketches: enough of a layout to tell how similar two are, without keeping it.

use std::sync::Arc;

use droidmux_gui::Layout;
use droidmux_words::number::real;

/// The multiset of (class, resource-id, description) of a layout, as sorted hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch(Arc<[u64]>);

/// The most widgets of a layout; the rest is left out.
const MOST: usize = 2_000;

impl Sketch {
    /// Of the layout's first 2,000 widgets; without those behind an open drawer, as states have it.
    pub(super) fn of(layout: &Layout) -> Self {
        let mut hashes: Vec<u64> = layout
            .in_front()
            .take(MOST)
            .map(|w| Fnv::new().text(w.class()).text(w.resource_id()).text(w.undated_description()).done())
            .collect();
        hashes.sort_unstable();
        Self(hashes.into())
    }

    /// The likeness of the two layouts, 2·|A∩B| / (|A|+|B|), 0.0 to 1.0; as `gui::likeness`.
    pub fn likeness(&self, other: &Sketch) -> f64 {
        let (a, b) = (&self.0, &other.0);
        if a.is_empty() && b.is_empty() {
            return 1.0;
        }
        let (mut left, mut right, mut common) = (a.iter().peekable(), b.iter().peekable(), 0_u32);
        while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
            match x.cmp(y) {
                std::cmp::Ordering::Less => _ = left.next(),
                std::cmp::Ordering::Greater => _ = right.next(),
                std::cmp::Ordering::Equal => {
                    common += 1;
                    left.next();
                    right.next();
                }
            }
        }
        2.0 * f64::from(common) / real(a.len() + b.len())
    }
}

/// FNV-1a over 64 bits: the same on every machine and in every version of Rust, unlike the
/// standard library's hashers.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self::new()
    }
}

impl Fnv {
    /// The hash of nothing, to be extended.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self
    }

    /// Adds a text and its end, so that "a" and "bc" differ from "ab" and "c".
    pub fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes()).bytes(&[0xff])
    }

    /// Adds a number as its 8 bytes, lowest first.
    pub fn number(self, number: u64) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    /// The hash of everything that was added, in order.
    pub fn done(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{LayoutBuilder, NewWidget};

    fn flat(classes: &str) -> Layout {
        let mut builder = LayoutBuilder::new();
        for class in classes.split_whitespace() {
            builder.open(NewWidget { class, ..NewWidget::default() });
            builder.close();
        }
        builder.finish()
    }

    #[test]
    fn likeness_counts_twins() {
        for (a, b, expected) in [
            ("A B C", "A B C", 1.0),
            ("A A B", "A B B", 2.0 * 2.0 / 6.0),
            ("A B", "C D", 0.0),
            ("A A A A", "A", 2.0 / 5.0),
            ("", "", 1.0),
            ("A", "", 0.0),
        ] {
            let (a, b) = (flat(a), flat(b));
            assert!((Sketch::of(&a).likeness(&Sketch::of(&b)) - expected).abs() < 1e-12, "{expected}");
        }
    }
}
