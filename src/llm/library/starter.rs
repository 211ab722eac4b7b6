//! The examples that ship: written for droidmux, in the words of no particular app.

use super::read_examples;
use droidmux_record::Example;

const INPUTS: &str = include_str!("starter/inputs.toml");
const BUGS: &str = include_str!("starter/bugs.toml");

/// All examples that ship, those for inputs first.
pub fn starter() -> Vec<Example> {
    // The test reads the same constants: what passes there can be read here, too.
    [INPUTS, BUGS].iter().flat_map(|text| read_examples(text).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_ships_is_sound() {
        let (inputs, bugs) = (read_examples(INPUTS).expect("inputs"), read_examples(BUGS).expect("bugs"));
        assert!(inputs.len() >= 25 && bugs.len() >= 20, "{} inputs, {} bugs", inputs.len(), bugs.len());
        let all = starter();
        assert_eq!(all.len(), inputs.len() + bugs.len());
        assert!(all.iter().all(|example| example.app().is_empty()));
        let ids: BTreeSet<_> = all.iter().map(Example::id).collect();
        assert_eq!(ids.len(), all.len(), "none ships twice");
    }
}
