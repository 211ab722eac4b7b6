//! How rows are called.

use super::script::Script;
use super::trail::Trail;

#[test]
fn rows_are_called_by_their_texts_and_not_by_their_buttons() {
    for (row, label) in [
        ("milk | fresh", Some("milk")),
        ("(Star) | milk", Some("milk")),
        ("[ ] done | milk", Some("done")),
        // A description of what can be touched says what a touch does, in every row the same.
        ("(Star) | [ ]", None),
        ("# (Cover)", Some("Cover")),
    ] {
        let script = Script::read(&format!("@ Main Notes\nlist items\n- tea\n- {row}\n- peas"));
        let trails = Trail::all(&script.run, &script.layouts);
        let labels = trails[0].shots()[0].lists()[0].labels();
        let own = labels.iter().find(|label| !["tea", "peas"].contains(*label)).copied();
        assert_eq!(own, label, "{row}: {labels:?}");
    }
}
