//! What shrunk tests that show one bug have in common.

use droidmux_gui::Event;
use droidmux_record::{Harm, Test, telling_tests};

/// The form of shrunk tests that show a violation of this harm: what is done to which kind of widget, and which of it
/// was inserted. Texts and the rows acted on are left out.
pub fn shape(harm: Harm, tests: &[Test]) -> String {
    let form = |test: &Test| {
        let inserted = test.role.insertion().map_or(0..0, |insertion| {
            let first = usize::from(insertion.pivot).saturating_sub(1);
            first..first + usize::from(insertion.length)
        });
        let events = test.events.iter().enumerate();
        let events = events.map(|(n, event)| done(event, inserted.contains(&n)));
        events.collect::<Vec<_>>().join(" ")
    };
    let forms: Vec<String> = telling_tests(tests).map(form).collect();
    format!("{harm:?}: {}", forms.join(" | "))
}

fn done(event: &Event, is_inserted: bool) -> String {
    let on = event.receiver.as_ref().map(|receiver| match receiver.resource_id.as_str() {
        "" => receiver.class.as_str(),
        id => id,
    });
    format!("{}{:?}@{}", if is_inserted { "+" } else { "" }, event.kind, on.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::EventKind;
    use droidmux_record::{Insertion, Role};
    use droidmux_testutils::selector;

    /// `*` marks what was inserted, a digit a text that differs.
    fn tests(text: &str) -> Vec<Test> {
        let test = |words: &str| {
            let (mut events, mut inserted) = (Vec::new(), Vec::new());
            for (n, word) in words.split(' ').enumerate() {
                if word.starts_with('*') {
                    inserted.push(n);
                }
                let id = word.trim_matches(|c: char| c == '*' || c.is_ascii_digit());
                let receiver = selector(word, "", id);
                events.push(Event { kind: EventKind::Click, receiver: Some(receiver), data: None });
            }
            let role = match inserted.first() {
                Some(first) => {
                    let pivot = u16::try_from(first + 1).expect("few");
                    Role::Mutant(Insertion { pivot, length: u16::try_from(inserted.len()).expect("few") })
                }
                None => Role::Seed,
            };
            Test { role, events }
        };
        text.split(" / ").map(test).collect()
    }

    #[test]
    fn tests_of_one_shape() {
        for (one, other, alike) in [
            ("row1 save", "row2 save", true),
            ("row save", "row back", false),
            ("row *turn save", "row turn save", false),
            ("row *turn save", "row turn *save", false),
            // A seed does what its mutant does without the inserted events.
            ("row save / row *turn save", "row *turn save", true),
            ("row / save", "row save", false),
        ] {
            let shape = |text: &str| shape(Harm::LostData, &tests(text));
            assert_eq!(shape(one) == shape(other), alike, "{one}; {other}");
        }
        let tests = tests("row save");
        assert_ne!(shape(Harm::LostData, &tests), shape(Harm::WrongDisplay, &tests), "two bugs on one way");
    }
}
