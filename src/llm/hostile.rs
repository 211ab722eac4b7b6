//! Arbitrary input for the readers of files: recordings, examples, word vectors.
//!
//! Each function panics when a reader does, or when the result for the bytes is not sound.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::library::{read_examples, write_examples};
use super::place::{Key, QuestionPlace};
use super::recording::Recording;
use super::vectors::Word2vec;
use droidmux_record::{Agent, Slot};
use droidmux_words::printable;

/// A recording that `run --replay` answers from.
pub fn recording(bytes: &[u8]) {
    let replies = |path: &Path| {
        let recording = match Recording::open(path) {
            Ok(recording) => recording,
            Err(error) => return told(&error),
        };
        for ordinal in 0..3 {
            let key = Key { place: QuestionPlace { slot: Slot(0), ordinal }, agent: Agent::Explorer };
            // The file did not change since it was opened.
            assert!(recording.entry(key).is_ok());
        }
    };
    in_a_file(bytes, replies);
}

/// A file that `examples import` takes.
pub fn examples(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match read_examples(text) {
        Ok(examples) => {
            let written = write_examples(examples.clone()).unwrap_or_default();
            assert_eq!(read_examples(&written).ok(), Some(examples), "{written}");
        }
        Err(error) => told(&error),
    }
}

/// A file of word vectors, text or binary.
pub fn word_vectors(bytes: &[u8]) {
    in_a_file(bytes, |path| match Word2vec::read(path) {
        Ok(vectors) => {
            assert!(vectors.len() <= bytes.len());
            assert!(
                vectors.vector("cat").is_none_or(|vector| vector.iter().all(|number| number.is_finite()))
            );
        }
        Err(error) => told(&error),
    });
}

/// A message about a file must be printable and must not be too long.
fn told(error: &dyn std::fmt::Display) {
    let words = error.to_string();
    assert!(printable(&words).chars().count() < 10_000, "{words}");
}

/// Gives the reader a file with these bytes.
fn in_a_file(bytes: &[u8], read: impl FnOnce(&Path)) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("droidmux-hostile-{}-{number}", std::process::id()));
    let written = std::fs::write(&path, bytes);
    assert!(written.is_ok(), "{}: {written:?}", path.display());
    read(&path);
    // At worst, it is left behind in the temporary folder.
    let _ = std::fs::remove_file(&path);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::outcome::Outcome;
    use super::super::prompt::Prompt;
    use super::super::recording::Entry;
    use super::*;
    use droidmux_record::Exchange;
    use droidmux_testutils::mangled;

    fn recordings() -> Vec<Vec<u8>> {
        let header =
            r#"{"recording":1,"droidmux":"0.1.0","technique":"visiondroid","app":"org.app","model":"m"}"#;
        let prompt = Prompt { role: "role".into(), parts: Vec::new(), schema: String::new() };
        let key = Key { place: QuestionPlace { slot: Slot(0), ordinal: 1 }, agent: Agent::Explorer };
        let outcome = Outcome { said: Ok("a\nb".into()), exchange: Exchange::default() };
        let entry = serde_json::to_string(&Entry::new(key, prompt, &outcome)).expect("JSON");
        vec![format!("{header}\n").into_bytes(), format!("{header}\n{entry}\n{entry}\n").into_bytes()]
    }

    fn example_files() -> Vec<Vec<u8>> {
        let shipped = write_examples(super::super::library::starter().into_iter().take(3)).expect("TOML");
        let bug = "[[bug]]\nactivity = \"A\"\nfunction = \"search\"\nsteps = [\"tap\"]\nexpected = \"x\"\n\
                   actual = \"y\"\n";
        vec![shipped.into_bytes(), bug.as_bytes().to_vec()]
    }

    fn vector_files() -> Vec<Vec<u8>> {
        let numbers = [1.5_f32, -2.0].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
        let binary = [b"2 2\ncat ".as_slice(), &numbers, b"\ndog ", &numbers].concat();
        vec![b"3 2\ncat 1.5 -2\ngr\xc3\xb6\xc3\x9fe 0 3e-05\r\nDog 1 1".to_vec(), binary]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_recording_is_read(bytes in mangled(recordings())) {
            recording(&bytes);
        }

        #[test]
        fn any_file_of_examples_is_read(bytes in mangled(example_files())) {
            examples(&bytes);
        }

        #[test]
        fn any_file_of_word_vectors_is_read(bytes in mangled(vector_files())) {
            word_vectors(&bytes);
        }
    }

    #[test]
    fn the_sound_ones_are_taken() {
        recordings()
            .iter()
            .for_each(|file| in_a_file(file, |path| drop(Recording::open(path).expect("sound"))));
        vector_files()
            .iter()
            .for_each(|file| in_a_file(file, |path| drop(Word2vec::read(path).expect("sound"))));
        for file in example_files() {
            read_examples(str::from_utf8(&file).expect("text")).expect("sound");
        }
    }
}
