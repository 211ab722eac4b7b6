//! What seeds give. Stored jobs are derived again from their seeds, by later versions of the program too: the same seed
//! has to give the same values for ever, whatever changes in the crates that draw them.
//!
//! Each kind of draw that planners and drivers make is pinned here by a digest of thousands of values.

use rand::seq::{SliceRandom, index};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEEDS: [u64; 4] = [0, 1, 0xdead_beef_0123_4567, u64::MAX];

/// Of `rounds` draws from each seed; a short draw precedes every seventh, so that long values cross the generator's
/// blocks at every offset.
fn digest(rounds: usize, draw: impl Fn(&mut ChaCha8Rng, usize) -> u64) -> String {
    let mut hasher = blake3::Hasher::new();
    for seed in SEEDS {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for round in 0..rounds {
            if round % 7 == 0 {
                hasher.update(&rng.random::<u32>().to_le_bytes());
            }
            hasher.update(&draw(&mut rng, round).to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[test]
fn first_values() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let values: [u64; 3] = std::array::from_fn(|_| rng.random());
    assert_eq!(values, [2910824217569608635, 3098856782162503994, 12991601491111613745]);
}

#[test]
fn whole_values() {
    assert_eq!(digest(5_000, |rng, _| rng.random()), "2486602107a1ef2c");
    assert_eq!(digest(5_000, |rng, _| rng.random::<u32>().into()), "fc7bf699a92eb25c");
    assert_eq!(digest(5_000, |rng, _| rng.random::<f64>().to_bits()), "c74512631966975e");
}

#[test]
fn ranges() {
    let ends = |round: usize| 1 + (round * round * round) % 1_000_003;
    assert_eq!(
        digest(5_000, |rng, round| rng.random_range(0..ends(round)) as u64),
        "d689a640d6177a11",
        "indices"
    );
    assert_eq!(
        digest(5_000, |rng, round| rng.random_range(0..=ends(round)) as u64),
        "ebff4488211d78c1",
        "indices, closed"
    );
    assert_eq!(
        digest(5_000, |rng, _| rng.random_range(0..u32::MAX / 3 * 2).into()),
        "c21d7d4831051ea8",
        "with many rejections"
    );
    assert_eq!(
        digest(5_000, |rng, _| rng.random_range(0x4e00..0x9fa5_u32).into()),
        "03821335b98a249f",
        "not from zero"
    );
    assert_eq!(digest(5_000, |rng, _| rng.random_range(0..10_i32) as u64), "10409fbb2e2cabc0", "signed");
    assert_eq!(
        digest(5_000, |rng, round| rng.random_range(0..ends(round) as u64 * 0x1_0000_0001)),
        "5324e4404e63f30d",
        "long"
    );
    assert_eq!(
        digest(5_000, |rng, _| rng.random_range(0.0..1.0_f64).to_bits()),
        "3b09d28912806daa",
        "fractions"
    );
    assert_eq!(
        digest(5_000, |rng, _| rng.random_range(0.8..1.1_f64).to_bits()),
        "d20cf3a8b35c0440",
        "factors"
    );
}

#[test]
fn chances() {
    assert_eq!(
        digest(5_000, |rng, round| rng.random_bool((round % 101) as f64 / 100.0).into()),
        "3caa3f350873e259"
    );
}

#[test]
fn orders() {
    let shuffled = |rng: &mut ChaCha8Rng, round: usize| {
        let mut order: Vec<usize> = (0..round % 300).collect();
        order.shuffle(rng);
        order.into_iter().fold(0, |all, at| crate::mix(all, at as u64))
    };
    assert_eq!(digest(600, shuffled), "0b85f93e217de410", "shuffled");
    // Which algorithm samples depends on both lengths.
    let sampled = |rng: &mut ChaCha8Rng, round: usize| {
        let length = 1 + round * 97;
        let chosen = index::sample(rng, length, length.min(1 + round * 3 % 400)).into_vec();
        chosen.into_iter().fold(0, |all, at| crate::mix(all, at as u64))
    };
    assert_eq!(digest(600, sampled), "5f1fad0e2a9326a7", "sampled");
}
