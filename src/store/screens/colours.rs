//! The most frequent colours of a picture.
//!
//! In: pixels. Out: a list of at most 255 colours, and the place of a pixel's colour in it. Invariants: depends on the
//! pixels alone; takes the same room for every picture, so photographs with a million colours cost no more.

/// What a byte tells apart, with one value to spare.
pub(super) const MOST_COLOURS: u8 = 255;

/// Places of the table; a power of two.
const PLACES: usize = 1 << 15;
/// Places that are looked at for a colour. One that finds all taken is not counted.
const LOOKS: usize = 8;

pub(super) struct Colours<const EACH: usize> {
    list: Vec<[u8; EACH]>,
    /// By hash: colours of the list and their places in it.
    table: Vec<Option<([u8; EACH], u8)>>,
}

impl<const EACH: usize> Colours<EACH> {
    /// Those that occur most often, more than once, in the order of how often.
    pub fn most_frequent(pixels: &[[u8; EACH]], width: usize) -> Self {
        let mut counts: Vec<Option<([u8; EACH], u32)>> = vec![None; PLACES];
        let bands = bands(pixels, width);
        for (run, times) in
            bands.flat_map(|(row, times)| row.chunk_by(|a, b| a == b).map(move |run| (run, times)))
        {
            let (Some(colour), length) = (run.first(), u32::try_from(run.len() * times).unwrap_or(u32::MAX))
            else {
                continue;
            };
            let place = places(colour).find(|at| counts[*at].is_none_or(|(there, _)| there == *colour));
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
            // Eight neighbours of 255 in so large a table: a colour without a place is drawn as a rare one.
            if let Some(at) = places(colour).find(|at| table[*at].is_none()) {
                table[at] = Some((*colour, number));
            }
        }
        Self { list, table }
    }

    pub fn list(&self) -> &[[u8; EACH]] {
        &self.list
    }

    pub fn number(&self, colour: &[u8; EACH]) -> Option<u8> {
        let mut found = places(colour).map_while(|at| self.table[at]);
        found.find(|(there, _)| there == colour).map(|(_, number)| number)
    }
}

/// The rows of a picture, and how often each comes one below the other: screens are mostly flat.
pub(super) fn bands<const EACH: usize>(
    pixels: &[[u8; EACH]],
    width: usize,
) -> impl Iterator<Item = (&[[u8; EACH]], usize)> {
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

/// Where in a table a colour may be, the likeliest place first.
fn places<const EACH: usize>(colour: &[u8; EACH]) -> impl Iterator<Item = usize> + use<EACH> {
    let bits = colour.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
    // Fibonacci hashing: the upper bits of the product are the mixed ones.
    let hash = bits.wrapping_mul(0x9e37_79b1) >> (u32::BITS - PLACES.trailing_zeros());
    let first = usize::try_from(hash).unwrap_or(0);
    (0..LOOKS).map(move |n| (first + n) % PLACES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_colours_come_first_and_single_ones_not_at_all() {
        let mut pixels = vec![[1, 2, 3]; 5];
        pixels.extend([[9, 9, 9], [7, 7, 7], [4, 4, 4]]);
        pixels.extend([[9, 9, 9], [4, 4, 4], [4, 4, 4]]);
        let colours = Colours::most_frequent(&pixels, 3);
        assert_eq!(colours.list(), [[1, 2, 3], [4, 4, 4], [9, 9, 9]]);
        let numbers = [[4, 4, 4], [7, 7, 7], [9, 9, 9]].map(|colour| colours.number(&colour));
        assert_eq!(numbers, [Some(1), None, Some(2)]);
    }

    #[test]
    fn equal_rows_are_bands() {
        let rows = [[[1], [2]], [[1], [2]], [[1], [3]], [[1], [2]]];
        let mut pixels = rows.as_flattened().to_vec();
        pixels.push([1]);
        let found: Vec<_> = bands(&pixels, 2).collect();
        assert_eq!(found, [(&[[1], [2]][..], 2), (&[[1], [3]], 1), (&[[1], [2]], 1), (&[[1]], 1)]);
    }

    #[test]
    fn a_million_colours_find_no_more_than_fit() {
        let pixels: Vec<[u8; 4]> = (0..1_000_000_u32).flat_map(|n| [(n * 7).to_le_bytes(); 2]).collect();
        let colours = Colours::most_frequent(&pixels, 1_000);
        assert_eq!(colours.list().len(), usize::from(MOST_COLOURS));
        for (number, colour) in (0..=u8::MAX).zip(colours.list()) {
            assert!(colours.number(colour).is_none_or(|n| n == number), "{colour:?}");
        }
    }
}
