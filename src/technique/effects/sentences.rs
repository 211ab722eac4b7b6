//! More than fifty sentences, as sessions on simulated apps gave rise to them: each describes the violation that the
//! traces beside it show.

use super::telling::{cluster, harm, title};
use crate::explain::stage::with_case;

/// Seed, mutant, where the inserted trace stands and how long it is, and the first layout of the pair.
type Line = (&'static str, &'static str, (usize, usize), usize);

const INSERTED: &str = "-click more of tea-> ";

fn told((seed, mutant, at, i): Line) -> String {
    with_case((seed, mutant), at, i, |case| {
        let diverged = case.usual.sights.last().map(|sight| &sight.screen.activity)
            != case.deviant.sights.last().map(|sight| &sight.screen.activity);
        format!("{}\n    {:?}; {}", title(case, diverged), harm(case, diverged), cluster(case))
    })
}

/// A page before the event, the event, the page after it as usual, and after something was done on the row of tea.
const STEPS: [(&str, &str, &str, &str); 52] = [
    // Rows that should go.
    (
        "bar Notes; row milk; row tea",
        "click more of milk",
        "bar Notes; row tea",
        "bar Notes; row milk; row tea",
    ),
    ("bar Notes; row milk; row tea", "click tick of milk", "bar Notes; row tea", "bar Notes; row milk"),
    (
        "bar Files; button Clear; row a.txt; row tea",
        "click Clear",
        "bar Files; button Clear; row tea",
        "bar Files; button Clear; row a.txt; row tea",
    ),
    (
        "bar Notes; row milk=two litres; row tea",
        "click milk",
        "bar Notes; row tea",
        "bar Notes; row milk=two litres; row tea",
    ),
    (
        "dialog Delete milk?; button Delete; row tea",
        "click Delete",
        "bar Notes; row tea",
        "dialog Delete milk?; button Delete; row tea",
    ),
    (
        "bar Notes; button Empty bin; row old; row older; row tea",
        "click Empty bin",
        "bar Notes; button Empty bin; row tea",
        "bar Notes; button Empty bin; row old; row older; row tea",
    ),
    (
        "bar Notes; text hint=Hold a note; button Got it; row tea",
        "click Got it",
        "bar Notes; row tea",
        "bar Notes; text hint=Hold a note; button Got it; row tea",
    ),
    (
        "bar Player; field q=rock; button Close; row tea",
        "click Close",
        "bar Player; row tea",
        "bar Player; field q=rock; button Close; row tea",
    ),
    (
        "bar Units; switch Short=on; button Reset; row tea",
        "click Reset",
        "bar Units; button Reset; row tea",
        "bar Units; switch Short=on; button Reset; row tea",
    ),
    (
        "bar Cards; text left=3 left; button Good; row tea",
        "click Good",
        "bar Cards; button Good; row tea",
        "bar Cards; text left=3 left; button Good; row tea",
    ),
    // Rows and texts that should come.
    (
        "bar Notes; button Save; row tea",
        "click Save",
        "bar Notes; button Save; row milk; row tea",
        "bar Notes; button Save; row tea",
    ),
    (
        "bar Notes; button Save; row tea",
        "click Save",
        "bar Notes; button Save; row tea; row milk=two litres",
        "bar Notes; button Save; row tea; row milk",
    ),
    (
        "bar Notes; button Save; row tea",
        "click Save",
        "bar Notes; button Save; row tea; row milk",
        "bar Notes; button Save; row tea; row silk",
    ),
    (
        "bar Notes; button Sort; row tea",
        "click Sort",
        "bar Notes; button Sort; text order=By name; row tea",
        "bar Notes; button Sort; row tea",
    ),
    (
        "bar Notes; button Sort; row tea",
        "click Sort",
        "bar Notes; button Sort; text order=By name; row tea",
        "bar Notes; button Sort; text order=By date; row tea",
    ),
    (
        "bar Diary; button Picture; row tea",
        "click Picture",
        "bar Diary; button Picture; button Replace; row tea",
        "bar Diary; button Picture; row tea",
    ),
    (
        "bar Diary; button Note; row tea",
        "click Note",
        "bar Diary; button Note; field note=; row tea",
        "bar Diary; button Note; row tea",
    ),
    (
        "bar Cards; button Show answer; row tea",
        "click Show answer",
        "bar Cards; button Show answer; text answer=Saw; row tea",
        "bar Cards; button Show answer; text answer=Plane; row tea",
    ),
    (
        "bar Files; button New folder; row tea",
        "click New folder",
        "dialog New folder; field name=; button OK",
        "bar Files; button New folder; row tea",
    ),
    (
        "bar Player; button Play; row tea",
        "click Play",
        "bar Player; button Pause; row tea",
        "bar Player; button Play; row tea",
    ),
    (
        "bar Units; button Swap; row tea",
        "click Swap",
        "bar Units; button Swap; text to=Metre; row tea",
        "bar Units; button Swap; text to=Foot; row tea",
    ),
    ("bar Notes; button Undo; row tea", "click Undo", "bar Notes; row tea; row milk", "bar Notes; row tea"),
    (
        "bar Notes; button Menu; row tea",
        "click Menu",
        "bar Notes; button Menu; switch Dark=off; row tea",
        "bar Notes; button Menu; row tea",
    ),
    // Texts that should change.
    (
        "bar Notes; row milk=open; row tea",
        "click tick of milk",
        "bar Notes; row milk=done; row tea",
        "bar Notes; row milk=open; row tea",
    ),
    (
        "bar Notes; row milk=open; row tea",
        "click tick of milk",
        "bar Notes; row milk=done; row tea",
        "bar Notes; row milk=late; row tea",
    ),
    (
        "bar Notes; row milk=open; row tea=open",
        "click tick of milk",
        "bar Notes; row milk=done; row tea=open",
        "bar Notes; row milk=open; row tea=done",
    ),
    (
        "bar Notes; row milk; row tea",
        "click milk",
        "bar Notes; row bread; row tea",
        "bar Notes; row milk; row tea",
    ),
    (
        "bar Cards; text left=3 left; button Good; row tea",
        "click Good",
        "bar Cards; text left=2 left; button Good; row tea",
        "bar Cards; text left=3 left; button Good; row tea",
    ),
    (
        "bar Units; field amount=1; button Clear; row tea",
        "click Clear",
        "bar Units; field amount=; button Clear; row tea",
        "bar Units; field amount=1; button Clear; row tea",
    ),
    (
        "bar Units; field amount=; row tea",
        "type 72",
        "bar Units; field amount=72; row tea",
        "bar Units; field amount=; row tea",
    ),
    (
        "bar Units; field amount=; row tea",
        "type 72",
        "bar Units; field amount=72; text result=7.2; row tea",
        "bar Units; field amount=72; text result=72; row tea",
    ),
    (
        "bar Units; text from=Metre; text to=Foot; button Swap; row tea",
        "click Swap",
        "bar Units; text from=Foot; text to=Metre; button Swap; row tea",
        "bar Units; text from=Foot; text to=Foot; button Swap; row tea",
    ),
    (
        "bar Player; text now=Nothing; button Play; row tea",
        "click Play",
        "bar Player; text now=Song; button Play; row tea",
        "bar Player; text now=Nothing; button Play; row tea",
    ),
    (
        "bar Player; text now=Song; button Next; row tea",
        "click Next",
        "bar Player; text now=Air; button Next; row tea",
        "bar Player; text now=Rain; button Next; row tea",
    ),
    (
        "bar Diary; text day=Monday; button Later; row tea",
        "click Later",
        "bar Diary; text day=Tuesday; button Later; row tea",
        "bar Diary; text day=Monday; button Later; row tea",
    ),
    (
        "bar Diary; text total=2 entries; button Add; row tea",
        "click Add",
        "bar Diary; text total=3 entries; button Add; row tea",
        "bar Diary; text total=2 entries; button Add; row tea",
    ),
    (
        "bar Files; text path=/; button Up; row tea",
        "click Up",
        "bar Files; text path=/home; button Up; row tea",
        "bar Files; text path=/tmp; button Up; row tea",
    ),
    (
        "bar Files; row a.txt=1 kB; row tea",
        "click more of a.txt",
        "bar Files; row a.txt=2 kB; row tea",
        "bar Files; row a.txt=1 kB; row tea",
    ),
    (
        "bar Files; row a.txt; row tea",
        "click a.txt",
        "bar Files; row b.txt; row tea",
        "bar Files; row c.txt; row tea",
    ),
    (
        "bar Notes; text hint=; button Help; row tea",
        "click Help",
        "bar Notes; text hint=Hold a note; button Help; row tea",
        "bar Notes; text hint=; button Help; row tea",
    ),
    (
        "bar Notes; text hint=Hold a note; button Help; row tea",
        "click Help",
        "bar Notes; text hint=; button Help; row tea",
        "bar Notes; text hint=Hold a note; button Help; row tea",
    ),
    // Pages that should be reached.
    (
        "bar Notes; row milk; row tea",
        "click milk",
        "@Note bar milk; text body=two litres",
        "bar Notes; row milk; row tea",
    ),
    (
        "bar Notes; button Settings; row tea",
        "click Settings",
        "@Prefs bar Settings; switch Dark=off",
        "bar Notes; button Settings; row tea",
    ),
    (
        "bar Notes; row milk; row tea",
        "back",
        "@Home bar Home; text hello=Hello",
        "bar Notes; row milk; row tea",
    ),
    (
        "bar Notes; row milk; row tea",
        "click Navigate up",
        "@Home bar Home; text hello=Hello",
        "bar Help; text hello=Help; row tea",
    ),
    (
        "@Note bar milk; button Save; row tea",
        "click Save",
        "bar Notes; row milk; row tea",
        "@Note bar milk; button Save; row tea",
    ),
    (
        "@Note bar milk; button Save; row tea",
        "click Save",
        "bar Notes; row milk; row tea",
        "@Login bar Login; button Sign in; row tea",
    ),
    // Tabs, and what is chosen.
    (
        "bar Player; tab Songs; button Albums; row tea",
        "click Albums",
        "bar Player; tab Albums; button Albums; row tea",
        "bar Player; tab Songs; button Albums; row tea",
    ),
    (
        "bar Player; tab Songs; row tea",
        "click Songs",
        "bar Player; tab Songs; row tea; row Air",
        "bar Player; tab Songs; row tea",
    ),
    (
        "dialog Rename; field name=milk; button OK; row tea",
        "click OK",
        "bar Notes; row silk; row tea",
        "bar Notes; row milk; row tea",
    ),
    (
        "dialog Sort by; button Name; row tea",
        "click Name",
        "bar Notes; row a; row b; row tea",
        "bar Notes; row b; row tea",
    ),
    (
        "bar Notes; row milk=Open; row tea",
        "click more of milk",
        "dialog milk; button Rename; button Delete",
        "bar Notes; row milk=Open; row tea",
    ),
];

#[test]
fn what_sessions_find_is_told_in_sentences() {
    let mut sentences = Vec::new();
    for (before, event, usual, otherwise) in STEPS {
        let seed = format!("{before} -{event}-> {usual}");
        let mutant = format!("{before} {INSERTED}{before} -{event}-> {otherwise}");
        let (seed, mutant): (&'static str, &'static str) = (seed.leak(), mutant.leak());
        sentences.push(told((seed, mutant, (0, 1), 0)));
    }
    sentences.push(told((
        "bar A; row milk; row tea -click more of milk-> dialog Delete milk?; button OK -click OK-> bar A; row tea",
        "bar A; row milk; row tea -click more of tea-> bar A; row milk; row tea -click more of milk-> \
         dialog Delete milk?; button OK -click OK-> bar A; row milk",
        (0, 1),
        0,
    )));
    for sentence in &sentences {
        let first = sentence.lines().next().unwrap_or_default();
        let told = first.starts_with(char::is_uppercase) && first.ends_with('.');
        let plain =
            ["\"", "''", "View", "Layout", "EditText", "Button'"].iter().all(|part| !first.contains(part));
        assert!(told && plain, "{first}");
    }
    insta::assert_snapshot!(sentences.join("\n"));
}
