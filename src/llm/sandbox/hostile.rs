//! Arbitrary input for the sandbox's readers: models' code before it is run, and the child's messages.
//!
//! Each function panics when a reader does, or when the result for the bytes is not sound.

use futures_util::FutureExt;

use super::parent::{Taken, listen};
use super::{MOST_TOTAL, source, utf8_len};

/// Code as models write it, with or without a fence.
pub fn code(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let program = source::program(&text);
    for name in source::names(&program) {
        assert!(program.contains(name) && !name.contains(char::is_whitespace), "{name}");
    }
}

/// All that a child says, to its end.
pub fn child(bytes: &[u8]) {
    let mut taken = Taken::of(5);
    // Bytes in memory never make a reader wait.
    let said = listen(bytes, &mut taken).now_or_never();
    assert!(said.is_some(), "it waits for more than there is");
    assert!(taken.inputs.len() <= 5);
    assert!(taken.inputs.iter().map(|units| utf8_len(units)).sum::<usize>() <= MOST_TOTAL);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::wire::{Message, frame};
    use super::*;
    use droidmux_record::GeneratorFailure;
    use droidmux_testutils::mangled;

    fn codes() -> Vec<Vec<u8>> {
        let codes = [
            "function* g() { yield 'a'; }",
            "Here:\n```js\nexport default function* größe() {}\n```\nIt yields.",
            "```\nexport { g };\nconst $x = 1, y = 2;",
        ];
        codes.map(|code| code.as_bytes().to_vec()).to_vec()
    }

    fn talks() -> Vec<Vec<u8>> {
        let input = |text: &str| frame(&Message::Input(text.encode_utf16().collect(), None)).expect("short");
        let done = |failure| frame(&Message::Done(failure)).expect("short");
        vec![
            done(None),
            [input("a"), input("😀"), done(None)].concat(),
            [input(&"x".repeat(5_000)), done(Some(GeneratorFailure::Threw("no".into())))].concat(),
            (0..9).flat_map(|_| input("many")).collect(),
        ]
    }

    proptest! {
        #[test]
        fn any_code_is_read(bytes in mangled(codes())) {
            code(&bytes);
        }

        #[test]
        fn anything_a_child_says_is_heard(bytes in mangled(talks())) {
            child(&bytes);
        }
    }

    #[test]
    fn a_sound_child_is_understood() {
        let mut taken = Taken::of(5);
        let said = listen(talks()[1].as_slice(), &mut taken).now_or_never().expect("no wait");
        assert_eq!((said.expect("sound"), taken.inputs.len()), (Some(None), 2));
    }
}
