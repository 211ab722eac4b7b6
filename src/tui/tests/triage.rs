//! Findings: filters, order, marks of several at once, duplicates, what several sessions found.

use super::Cockpit;
use crate::app::{Dialog, Msg};
use droidmux_record::{FindingState, SessionId};

fn cockpit() -> Cockpit {
    Cockpit::new(200, 60, 100)
}

/// The ranks of the rows shown, from the top.
fn ranks(cockpit: &Cockpit) -> Vec<u32> {
    let screen = &cockpit.app.findings;
    screen.shown.iter().filter_map(|row| screen.finding_at(row)).map(|row| row.rank).collect()
}

fn states(cockpit: &Cockpit) -> Vec<FindingState> {
    let mut rows = cockpit.app.findings.rows.clone();
    rows.sort_by_key(|row| row.rank);
    rows.into_iter().map(|row| row.state).take(4).collect()
}

#[test]
fn fields_narrow_the_list() {
    let mut cockpit = cockpit();
    cockpit.press("3 /");
    cockpit.type_text("state:new app:notes");
    assert_eq!(ranks(&cockpit), [3]);
    cockpit.press("esc");
    assert_eq!(ranks(&cockpit), [1, 2, 3, 4]);
}

#[test]
fn the_list_is_sorted_by_any_column() {
    // (keys, ranks from above)
    let cases: [(&str, &[u32]); 5] = [
        ("3", &[1, 2, 3, 4]),
        ("3 A", &[4, 3, 2, 1]),
        ("3 a", &[1, 3, 4, 2]),
        ("3 a a a", &[4, 2, 3, 1]),
        ("3 a a a A", &[1, 3, 2, 4]),
    ];
    for (keys, expected) in cases {
        let mut cockpit = cockpit();
        cockpit.press(keys);
        // Seen 1, 8, 4 and 11 times; the second one is marked true.
        let mut seen: Vec<_> =
            cockpit.app.findings.rows.iter().map(|row| (row.rank, row.occurrences)).take(4).collect();
        seen.sort_unstable();
        assert_eq!(ranks(&cockpit), expected, "after {keys}: {seen:?}");
    }
    let mut cockpit = cockpit();
    cockpit.press("3 a");
    assert!(cockpit.screen().contains("by state"), "{}", cockpit.screen());
}

#[test]
fn several_are_marked_at_once_and_taken_back() {
    use FindingState::{FalseAlarm, New, True};
    let mut cockpit = cockpit();
    cockpit.press("3 m m");
    assert_eq!(cockpit.app.findings.picked.len(), 2);
    assert!(cockpit.screen().contains("2 picked"), "{}", cockpit.screen());
    cockpit.press("x");
    cockpit.type_text("by design");
    cockpit.press("enter");
    assert_eq!(states(&cockpit), [FalseAlarm, FalseAlarm, New, New]);
    assert!(cockpit.app.findings.picked.is_empty());
    assert!(cockpit.effects.iter().any(|told| told.contains("by design")), "{:?}", cockpit.effects);
    cockpit.press("U");
    assert_eq!(states(&cockpit), [New, True, New, New], "each has its own mark again");
    cockpit.press("U");
    let said = cockpit.app.status.map(|(text, _)| text).unwrap_or_default();
    assert!(said.contains("nothing was marked"), "{said}");
}

#[test]
fn the_next_finding_comes_after_a_mark() {
    let mut cockpit = cockpit();
    cockpit.press("3 t enter");
    assert_eq!(cockpit.app.findings.selected().map(|row| row.rank), Some(2));
    cockpit.press("x enter");
    assert_eq!(
        cockpit.app.findings.selected().map(|row| row.rank),
        Some(3),
        "also where the marked one leaves"
    );
}

#[test]
fn a_duplicate_is_of_a_finding_that_is_there() {
    // (what is typed for the finding of rank 1, the note, or what is said instead)
    let cases: [(&str, Result<&str, &str>); 8] = [
        ("s2-1a2b3c41", Ok("of s2-1a2b3c41")),
        ("of s2-1a2b3c41 same list", Ok("of s2-1a2b3c41 same list")),
        ("2", Ok("of s2-1a2b3c41")),
        ("#2 same list", Ok("of s2-1a2b3c41 same list")),
        ("", Err("say of which finding")),
        ("s9-00000000", Err("is no finding of this lab")),
        ("s1-1a2b3c40", Err("cannot be a duplicate of itself")),
        ("s2-1a2b3c47", Err("is a duplicate itself")),
    ];
    for (typed, expected) in cases {
        let mut cockpit = cockpit();
        cockpit.press("3 d");
        cockpit.type_text(typed);
        cockpit.press("enter");
        let marks: Vec<_> = cockpit.effects.iter().filter(|told| told.starts_with("Mark")).collect();
        match expected {
            Ok(note) => assert!(marks[0].contains(&format!("note: \"{note}\"")), "{typed}: {marks:?}"),
            Err(words) => {
                let said = cockpit.app.status.clone().map(|(text, _)| text).unwrap_or_default();
                assert!(marks.is_empty() && said.contains(words), "{typed}: {marks:?} {said}");
                assert!(matches!(cockpit.app.dialog, Some(Dialog::Note { .. })), "{typed} can be corrected");
            }
        }
    }
}

#[test]
fn what_several_sessions_found_is_one_row_and_a_replay_comes_to_its_finding() {
    let mut cockpit = cockpit();
    let mut twin = cockpit.lab.findings[0].clone();
    twin.id.session = SessionId(7);
    twin.cluster = twin.id.clone();
    let mut replay = twin.clone();
    replay.id.session = SessionId(8);
    (replay.cluster, replay.replays) = (replay.id.clone(), Some(cockpit.lab.findings[0].id.clone()));
    cockpit.lab.findings.extend([twin, replay]);
    cockpit.press("3");
    let view = droidmux_proto::LabView { findings_version: 9, ..cockpit.lab.view() };
    cockpit.tell(Msg::View(std::sync::Arc::new(view)));
    assert_eq!(ranks(&cockpit), [1, 2, 3, 4], "no row more");
    assert!(!cockpit.effects.iter().any(|told| told.starts_with("Announce")), "{:?}", cockpit.effects);
    let screen = cockpit.screen();
    for words in ["Also found in s7, too: s7-1a2b3c40", "Also run again in s8: 2 of 3 showed it"] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    cockpit.press("x enter");
    let marked = |session| {
        let row = cockpit
            .app
            .findings
            .rows
            .iter()
            .find(|row| row.id.session == SessionId(session) && row.id.key == 0x1a2b_3c40);
        row.map(|row| row.state)
    };
    let (new, alarm) = (Some(FindingState::New), Some(FindingState::FalseAlarm));
    assert_eq!((marked(1), marked(7), marked(8)), (alarm, alarm, new));
}

#[test]
fn a_finding_is_replayed_and_shrunk_from_the_list() {
    let mut cockpit = cockpit();
    cockpit.press("3 r c");
    assert!(
        cockpit.effects[0].starts_with("Replay { finding: FindingId { session: SessionId(1)"),
        "{:?}",
        cockpit.effects
    );
    assert!(cockpit.effects[1].starts_with("Shrink("), "{:?}", cockpit.effects);
}

#[test]
fn the_table_tells_technique_and_app_without_what_all_share() {
    let mut cockpit = cockpit();
    for (row, app) in cockpit
        .lab
        .findings
        .iter_mut()
        .zip(["org.sim.files", "org.sim.notes", "org.sim.diary"].iter().cycle())
    {
        row.app = (*app).into();
    }
    let view = droidmux_proto::LabView { findings_version: 9, ..cockpit.lab.view() };
    cockpit.tell(Msg::View(std::sync::Arc::new(view)));
    cockpit.press("3");
    let table: Vec<String> =
        cockpit.screen().lines().skip(1).take(6).map(|line| line.chars().take(105).collect()).collect();
    let text = table.join("\n");
    assert!(text.contains("technique") && text.contains("genie crash"), "{text}");
    assert!(text.contains(" files ") && !text.contains("org.sim"), "{text}");
}
