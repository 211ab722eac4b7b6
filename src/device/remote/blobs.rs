//! Files on their way to phones: packages and fixtures, sent once to each host, in parts.
//!
//! In: parts, in order, each perhaps more than once. Out: whole contents by their blake3. Invariants: a content is what its
//! name says; what nobody used for a while is dropped; all together stay within a limit.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

/// The most bytes of all contents together.
pub const MOST_BYTES: usize = 1 << 30;
/// Kept for as long after the last use.
const KEPT_FOR: Duration = Duration::from_secs(600);

/// Contents, whole and on their way.
#[derive(Debug, Default)]
pub struct Blobs {
    known: HashMap<String, Blob>,
}

#[derive(Debug)]
struct Blob {
    bytes: Vec<u8>,
    of: usize,
    whole: Option<Bytes>,
    used: Instant,
}

impl Blobs {
    /// Whether a content is there in whole.
    pub fn holds(&mut self, hash: &str) -> bool {
        self.get(hash).is_some()
    }

    /// A content.
    pub fn get(&mut self, hash: &str) -> Option<Bytes> {
        let blob = self.known.get_mut(hash)?;
        blob.used = Instant::now();
        blob.whole.clone()
    }

    /// Takes in a part.
    ///
    /// # Errors
    /// In words, when it does not fit what came before, there is too much, or the content is not what its name says.
    pub fn take(&mut self, hash: &str, of: u64, at: u64, part: &[u8]) -> Result<(), String> {
        self.known.retain(|_, blob| blob.used.elapsed() < KEPT_FOR);
        let of = usize::try_from(of).unwrap_or(usize::MAX);
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let held: usize =
            self.known.iter().filter(|(known, _)| *known != hash).map(|(_, blob)| blob.of).sum();
        if held.saturating_add(of) > MOST_BYTES {
            return Err(format!("files of more than {} MB", MOST_BYTES >> 20));
        }
        let now = Instant::now();
        let blob = self.known.entry(hash.to_owned()).or_insert_with(|| Blob {
            bytes: Vec::new(),
            of,
            whole: None,
            used: now,
        });
        blob.used = now;
        if blob.whole.is_some() {
            return Ok(());
        }
        let end = at.saturating_add(part.len());
        if blob.of != of || end > of || at > blob.bytes.len() {
            return Err("a part of a file that does not fit the others".into());
        }
        if end > blob.bytes.len() {
            let new = part.get(blob.bytes.len() - at..).unwrap_or_default();
            blob.bytes.extend_from_slice(new);
        }
        if blob.bytes.len() == of {
            if blake3::hash(&blob.bytes).to_hex().as_str() != hash {
                self.known.remove(hash);
                return Err("a file that is not what its name says".into());
            }
            blob.whole = Some(std::mem::take(&mut blob.bytes).into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_make_a_whole() {
        let content = b"0123456789";
        let hash = blake3::hash(content).to_hex().to_string();
        // Where a part begins and ends, and what is said of it.
        let cases: [(&str, &[(usize, usize, &str)], bool); 6] = [
            ("in order", &[(0, 4, ""), (4, 10, "")], true),
            ("doubled and overlapping", &[(0, 4, ""), (0, 4, ""), (2, 8, ""), (8, 10, ""), (0, 4, "")], true),
            ("with a gap", &[(0, 4, ""), (6, 10, "does not fit")], false),
            ("not yet", &[(0, 9, "")], false),
            ("beyond its end", &[(0, 4, ""), (4, 11, "does not fit")], false),
            ("at once", &[(0, 10, "")], true),
        ];
        for (name, parts, whole) in cases {
            let mut blobs = Blobs::default();
            for (from, to, words) in parts {
                let part = [content.as_slice(), b"more"].concat()[*from..*to].to_vec();
                let said = blobs.take(&hash, 10, *from as u64, &part).err().unwrap_or_default();
                assert!(said.contains(words) && said.is_empty() == words.is_empty(), "{name}: {said}");
            }
            assert_eq!(blobs.holds(&hash), whole, "{name}");
        }
        let mut blobs = Blobs::default();
        let error = blobs.take(&hash, 3, 0, b"abc").expect_err("another content");
        assert!(error.contains("not what its name says"), "{error}");
        let error = blobs.take(&hash, u64::MAX, 0, b"abc").expect_err("too much");
        assert!(error.contains("more than"), "{error}");
    }
}
