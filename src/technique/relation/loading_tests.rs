use super::super::script::{Script, check_each};
use super::LOADING;

/// A page and then so many events, each leading to the next of these screens, over and over.
fn steps(first: &str, event: &str, times: usize, screens: &[&str]) -> String {
    let mut trace = first.to_owned();
    for number in 0..times {
        trace += &format!("\n> {event}\n{}", screens[number % screens.len()]);
    }
    trace
}

#[test]
fn pages_do_not_load_for_ever() {
    let busy = "@ Search Search\nbusy";
    let clock = |seconds: [u64; 6]| -> String {
        let screens = seconds.map(|seconds| format!("{busy}\nat {}", 1_000_000 + seconds * 1000));
        screens.join("\n> back\n")
    };
    let endless = "'Search' has been loading for 60 seconds and over 7 screens.";
    let broken = [
        ("on a simulated phone", steps(busy, "wait", 6, &[busy]), endless),
        ("whatever is tried", steps(busy, "rotate", 6, &[busy]), endless),
        (
            "with a button beside it",
            steps("@ Search Search\nbusy\n(Retry)", "click Retry", 6, &["@ Search Search\nbusy\n(Retry)"]),
            endless,
        ),
        (
            "with rows beside it",
            steps("@ Search Search\nlist a\n- x\nbusy", "wait", 6, &["@ Search Search\nlist a\n- x\nbusy"]),
            endless,
        ),
        ("after a page that was there", steps("@ Main Notes", "wait", 7, &[busy]), endless),
        (
            "before one that is there at last",
            format!("{}\n> back\n@ Main Notes", steps(busy, "wait", 6, &[busy])),
            endless,
        ),
        (
            "with waits",
            steps(busy, "wait 30", 4, &[busy]),
            "'Search' has been loading for 120 seconds and over 5 screens.",
        ),
        (
            "by the clock",
            clock([0, 10, 20, 30, 70, 80]),
            "'Search' has been loading for 70 seconds and over 5 screens.",
        ),
        (
            "by the clock, late",
            clock([0, 1, 2, 3, 4, 61]),
            "'Search' has been loading for 61 seconds and over 6 screens.",
        ),
        (
            "on a page without a title",
            steps("@ Search\nbusy", "wait", 6, &["@ Search\nbusy"]),
            "The page has been loading for 60 seconds and over 7 screens.",
        ),
        (
            "with the network back on",
            format!(
                "{busy}\n> set network off\n{busy}\n> set network on\n{}",
                steps(busy, "wait", 6, &[busy])
            ),
            endless,
        ),
    ];
    let innocent = [
        ("nothing loads", steps("@ Main Notes", "wait", 9, &["@ Main Notes"])),
        ("it ends", format!("{}\n> wait\n@ Search Search", steps(busy, "wait", 4, &[busy]))),
        ("it ends in between", steps(busy, "wait", 12, &[busy, busy, busy, "@ Search Search\n"])),
        ("too few screens", steps(busy, "wait 30", 3, &[busy])),
        ("too short by the clock", clock([0, 10, 20, 30, 40, 50])),
        ("too quick for a clock, and too few", steps(busy, "wait", 5, &[busy])),
        ("a bar that fills", steps("@ Search Search\nloading", "wait", 9, &["@ Search Search\nloading"])),
        ("another page each time", steps(busy, "wait", 9, &["@ Search Other\nbusy", busy])),
        ("another app", steps("@away\nbusy", "wait", 9, &["@away\nbusy"])),
        ("offline", format!("{busy}\n> set network off\n{}", steps(busy, "wait", 9, &[busy]))),
        ("left and come back to", steps(busy, "back", 12, &["@ Main Notes", busy])),
    ];
    let cases: Vec<(&str, &str, &str)> = broken
        .iter()
        .map(|(name, trace, sentence)| (*name, trace.as_str(), *sentence))
        .chain(innocent.iter().map(|(name, trace)| (*name, trace.as_str(), "")))
        .collect();
    check_each(&LOADING, &cases);
}

#[test]
fn that_a_page_comes_to_rest_is_a_claim() {
    let busy = "@ Search Search\nbusy";
    let endless = Script::read(&steps(busy, "wait", 6, &[busy]));
    let rested = Script::read("@ Search Search");
    let [broken] = &endless.broken(&LOADING)[..] else { panic!() };
    let [held] = &rested.held(&LOADING)[..] else { panic!() };
    assert_eq!(broken.claim.as_ref().map(|claim| claim.about), Some(held.about));
    assert_eq!(endless.held(&LOADING), []);
}
