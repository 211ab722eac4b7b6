use std::sync::Arc;

use super::*;
use crate::Oracle;
use crate::findings::Findings;
use crate::relation::RelationOracle;
use crate::suspects::Suspects;
use droidmux_model::offers;
use droidmux_record::{SessionDefinition, SessionId, Technique};
use droidmux_testutils::script::Script;

/// A session in which these traces were run, and the open questions after it.
fn after(traces: &[&str]) -> Arc<Questions> {
    let oracle = RelationOracle::new(&SessionDefinition::new(Technique::Genie, "toy"));
    let mut suspects = Suspects::new(Findings::new(SessionId(1), "genie", "toy", 2, 3), 0);
    for trace in traces {
        let Script { run, layouts } = Script::read(trace);
        suspects.absorb_violations(&run, &oracle.judge(&run, &layouts), &layouts, &|_| Vec::new());
    }
    suspects.questions()
}

/// What a screen's widgets that would answer one say.
fn asked(questions: &Questions, screen: &str) -> Vec<String> {
    let Script { run, layouts } = Script::read(screen);
    let hash = run.turns[0].observation.seen().unwrap().screen.layout;
    let layout = layouts.layout(hash).unwrap();
    let offers = offers(&layout);
    let asked = questions.on(hash, &layout, &offers);
    let widgets = asked.iter().filter_map(|offer| layout.get(offer.widget?));
    widgets.map(|widget| widget.subtree().map(|w| w.text()).collect()).collect()
}

/// One page with these rows, before and after its button or a row was pressed.
fn idle(rows: &str, pressed: &str) -> String {
    let page = format!("@ Main Notes\nlist items\n{rows}\n(Search)");
    format!("{page}\n> click {pressed}\n{page}")
}

#[test]
fn what_did_nothing_is_asked_on_other_screens_until_it_is_settled() {
    let page = |rows: &str| format!("@ Main Notes\nlist items\n{rows}\n(Search)");
    let works = format!("{}\n> click Search\n@ Main Found", page("- tea"));
    let search = |rows: &str| idle(rows, "Search");
    let (milk, tea, rice) = (search("- milk"), search("- tea"), search("- rice"));
    // What was run, the screen that is come to, and what is asked there.
    for (what, run, screen, expected) in [
        ("nothing was run", vec![], page("- tea"), vec![]),
        ("a button, on another screen", vec![&milk], page("- tea"), vec!["Search"]),
        ("a button, on the same screen", vec![&milk], page("- milk"), vec![]),
        ("a button that is not there", vec![&milk], "@ Main Notes\n(Add)".into(), vec![]),
        ("two screens are too few", vec![&milk, &tea], page("- rice"), vec!["Search"]),
        ("three are enough", vec![&milk, &tea, &rice], page("- corn"), vec![]),
        ("it works elsewhere", vec![&milk, &works], page("- rice"), vec![]),
        ("it has worked before", vec![&works, &milk], page("- rice"), vec![]),
    ] {
        let run: Vec<&str> = run.into_iter().map(String::as_str).collect();
        assert_eq!(asked(&after(&run), &screen), expected, "{what}");
    }
}

#[test]
fn a_row_asks_for_the_other_rows() {
    let questions = after(&[&idle("- milk\n- tea", "milk")]);
    assert_eq!(asked(&questions, "@ Main Notes\nlist items\n- rice\n- corn\n(Search)"), ["rice", "corn"]);
}

#[test]
fn memory_is_bounded() {
    let pages: Vec<String> = (0..MOST + 20)
        .map(|number| {
            // A page is known by its activity.
            let page = format!("@ Main{number} Notes\n(Search)");
            format!("{page}\n> click Search\n{page}")
        })
        .collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    assert_eq!(after(&pages).0.len(), MOST);
}
