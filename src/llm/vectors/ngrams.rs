//! Vectors without any file: hashed character n-grams, in the manner of fastText's subwords.
//!
//! Each n-gram stands for a direction derived from its hash, so the more n-grams two words share, the more similar they
//! are. The vectors know spelling, not meaning: *departure* is near *departing*, not *origin*.

/// Numbers in a vector, as in the usual word2vec files.
const DIMENSIONS: usize = 300;
/// Characters of an n-gram, the marks for the word's two ends counted.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=6;

/// The vector of a word: the mean of its n-grams' and its own.
pub(super) fn vector(word: &str) -> Vec<f32> {
    let marked: Vec<char> = std::iter::once('<').chain(word.chars()).chain(std::iter::once('>')).collect();
    let mut sum = vec![0.0; DIMENSIONS];
    let mut count = 1.0;
    add(&mut sum, &marked);
    for ngram in LENGTHS.flat_map(|length| marked.windows(length)).filter(|ngram| ngram.len() < marked.len())
    {
        add(&mut sum, ngram);
        count += 1.0;
    }
    sum.iter_mut().for_each(|part| *part /= count);
    sum
}

/// Adds the direction of an n-gram: plus or minus one in each dimension, depending on a bit of its hash.
fn add(sum: &mut [f32], ngram: &[char]) {
    let mut hasher = blake3::Hasher::new();
    hasher.update(ngram.iter().collect::<String>().as_bytes());
    let mut bits = [0; DIMENSIONS.div_ceil(8)];
    hasher.finalize_xof().fill(&mut bits);
    let signs = bits.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1));
    sum.iter_mut().zip(signs).for_each(|(part, more)| *part += if more { 1.0 } else { -1.0 });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_never_change() {
        // Stored examples are found by them: similar texts must stay similar in later versions.
        let signs = |word: &str| {
            vector(word).iter().take(12).map(|part| if *part > 0.0 { '+' } else { '-' }).collect::<String>()
        };
        assert_eq!(
            [signs("a"), signs("date"), signs("größe")],
            ["+++--+++-+++", "+--++-+-----", "+-+-+----+++"]
        );
    }
}
