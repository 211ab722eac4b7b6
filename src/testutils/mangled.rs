//! Hostile bytes for tests: sound files with a few faults in them, and occasionally not a valid file at all.

use proptest::prelude::*;

/// One of these, truncated, overwritten, duplicated or mixed up in a few places; fed to the readers of external input.
pub fn mangled(sound: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let edits = prop::collection::vec((0..5_u8, any::<prop::sample::Index>(), any::<[u8; 4]>()), 0..6);
    let mangled = (prop::sample::select(sound), edits).prop_map(|(mut bytes, edits)| {
        for (kind, at, content) in edits {
            edit(&mut bytes, kind, at, content);
        }
        bytes
    });
    prop_oneof![9 => mangled, 1 => prop::collection::vec(any::<u8>(), 0..200)]
}

fn edit(bytes: &mut Vec<u8>, kind: u8, at: prop::sample::Index, content: [u8; 4]) {
    let at = at.index(bytes.len() + 1);
    let end = bytes.len().min(at + usize::from(content[0]));
    match kind {
        0 => bytes.truncate(at),
        1 => drop(bytes.splice(at..bytes.len().min(at + 4), content)),
        2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
        3 => drop(bytes.drain(at..end)),
        // The numbers and characters that readers trip over.
        _ => {
            let odd: [&[u8]; 8] = [
                b"\0",
                b"\xff\xff\xff\xff",
                b"-1",
                b"99999999999999999999",
                b"\"",
                b"{",
                b"]",
                b"\xed\xa0\x80",
            ];
            drop(bytes.splice(at..at, odd[usize::from(content[1]) % odd.len()].to_vec()));
        }
    }
}
