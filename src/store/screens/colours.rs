//! The most frequent colours of a picture.
//!
//! In: pixels. Out: a list of at most 255 colours, and the index of a pixel's colour in it. Invariants: the result
//! depends on the pixels alone; every picture takes the same amount of memory, so photographs with a million colours
//! cost no more.

/// A pixel: red, green, blue, and alpha.
pub(super) type Rgba = [u8; 4];

/// What a byte tells apart, with one value to spare.
pub(super) const MOST_COLOURS: u8 = 255;

/// Places of the table; a power of two.
const PLACES: usize = 1 << 15;
/// How many slots are probed for a colour. One that finds them all taken is not counted.
const LOOKS: usize = 8;

pub(super) struct Colours {
    list: Vec<Rgba>,
    /// By hash: colours of the list and their indices in it.
    table: Vec<Option<(Rgba, u8)>>,
}

impl Colours {
    /// Those that occur most often, and more than once, in order of frequency.
    pub fn most_frequent(pixels: &[Rgba], width: usize) -> Self {
        let mut counts: Vec<Option<(Rgba, u32)>> = vec![None; PLACES];
        let bands = bands(pixels, width);
        for (run, times) in
            bands.flat_map(|(row, times)| row.chunk_by(|a, b| a == b).map(move |run| (run, times)))
        {
            let (Some(colour), length) = (run.first(), u32::try_from(run.len() * times).unwrap_or(u32::MAX))
            else {
                continue;
            };
            let place = places(*colour).find(|at| counts[*at].is_none_or(|(there, _)| there == *colour));
            if let Some(at) = place {
                let so_far = counts[at].map_or(0, |(_, count)| count);
                counts[at] = Some((*colour, so_far.saturating_add(length)));
            }
        }
        let mut found: Vec<_> = counts.into_iter().flatten().filter(|(_, count)| *count > 1).collect();
        found.sort_unstable_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        found.truncate(usize::from(MOST_COLOURS));
        let list: Vec<_> = found.into_iter().map(|(colour, _)| colour).collect();
        let mut table = vec![None; PLACES];
        for (number, colour) in (0..=u8::MAX).zip(&list) {
            // Eight neighbours of 255 in such a large table: a colour without a slot is treated as a rare one.
            if let Some(at) = places(*colour).find(|at| table[*at].is_none()) {
                table[at] = Some((*colour, number));
            }
        }
        Self { list, table }
    }

    pub fn list(&self) -> &[Rgba] {
        &self.list
    }

    pub fn number(&self, colour: Rgba) -> Option<u8> {
        let mut found = places(colour).map_while(|at| self.table[at]);
        found.find(|(there, _)| *there == colour).map(|(_, number)| number)
    }
}

/// The rows of a picture, and how often each repeats directly below itself: screens are mostly flat.
pub(super) fn bands(pixels: &[Rgba], width: usize) -> impl Iterator<Item = (&[Rgba], usize)> {
    let mut rest = pixels.chunks(width.max(1)).peekable();
    std::iter::from_fn(move || {
        let row = rest.next()?;
        let mut times = 1;
        while rest.next_if(|next| next.as_flattened() == row.as_flattened()).is_some() {
            times += 1;
        }
        Some((row, times))
    })
}

/// Where in a table a colour may be, the likeliest slot first.
fn places(colour: Rgba) -> impl Iterator<Item = usize> {
    // Fibonacci hashing: the upper bits of the product are the mixed ones.
    let hash = u32::from_be_bytes(colour).wrapping_mul(0x9e37_79b1) >> (u32::BITS - PLACES.trailing_zeros());
    let first = usize::try_from(hash).unwrap_or(0);
    (0..LOOKS).map(move |n| (first + n) % PLACES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opaque pixels of these greys.
    fn greys(levels: &[u8]) -> Vec<Rgba> {
        levels.iter().map(|level| [*level, *level, *level, u8::MAX]).collect()
    }

    #[test]
    fn the_most_frequent_colours_come_first_and_single_ones_not_at_all() {
        let pixels = greys(&[1, 1, 1, 1, 1, 9, 7, 4, 9, 4, 4]);
        let colours = Colours::most_frequent(&pixels, 3);
        assert_eq!(colours.list(), greys(&[1, 4, 9]));
        let numbers: Vec<_> = greys(&[4, 7, 9]).into_iter().map(|colour| colours.number(colour)).collect();
        assert_eq!(numbers, [Some(1), None, Some(2)]);
    }

    #[test]
    fn equal_rows_are_bands() {
        let pixels = greys(&[1, 2, 1, 2, 1, 3, 1, 2, 1]);
        let found: Vec<_> = bands(&pixels, 2).map(|(row, times)| (row.to_vec(), times)).collect();
        assert_eq!(found, [(greys(&[1, 2]), 2), (greys(&[1, 3]), 1), (greys(&[1, 2]), 1), (greys(&[1]), 1)]);
    }

    #[test]
    fn a_million_colours_find_no_more_than_fit() {
        let pixels: Vec<Rgba> = (0..1_000_000_u32).flat_map(|n| [(n * 7).to_le_bytes(); 2]).collect();
        let colours = Colours::most_frequent(&pixels, 1_000);
        assert_eq!(colours.list().len(), usize::from(MOST_COLOURS));
        for (number, colour) in (0..=u8::MAX).zip(colours.list()) {
            assert!(colours.number(*colour).is_none_or(|n| n == number), "{colour:?}");
        }
    }
}
