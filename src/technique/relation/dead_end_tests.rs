use std::collections::BTreeSet;

use super::super::RelationOracle;
use super::super::script::{Script, check_each};
use super::DEAD_END;
use crate::Oracle;
use crate::claims::Claims;
use droidmux_record::{SessionDefinition, Technique};

#[test]
fn a_page_has_something_to_do() {
    // A page with this on it, and a press that leaves it as it is.
    let stays = |page: &str, press: &str| format!("@ Main Notes\n{page}\n> {press}\n@ Main Notes\n{page}\n");
    let begin = stays("(Begin)", "click Begin");
    let two = stays("(Begin)\n(Help)", "click Begin");
    let idle = "Pressing 'Begin' did nothing, and nothing else on 'Notes' did anything.";
    let after = |more: &str| begin.replace("Begin\n@ Main Notes", &format!("Begin\n@ Main Notes\n{more}"));
    let cases = [
        ("the only button", begin.clone(), idle),
        ("two buttons", format!("{two}> click Help\n@ Main Notes\n(Begin)\n(Help)\n"), idle),
        ("pressed again", format!("{begin}> click Begin\n@ Main Notes\n(Begin)\n"), idle),
        ("one with an id", stays("(go=Begin)", "click Begin"), idle),
        ("an action of a bar", stays("bar go=Begin", "click Begin"), idle),
        ("beside a list", stays("(Begin)\nlist items\n- milk", "click Begin"), idle),
        ("beside a text", stays("label note=Hello\n(Begin)", "click Begin"), idle),
        (
            "a row does nothing, too",
            stays("(Begin)\nlist items\n- milk", "click milk") + "> wait\n" + &begin,
            idle,
        ),
        ("another button is left alone", two.clone(), idle),
        ("the back key leads away", format!("{begin}> back\n@ Home Home\n"), idle),
        (
            "another page has something to do",
            format!("{begin}> back\n@ Home Home\n(a=All)\n> click All\n@ All All\n"),
            idle,
        ),
        ("another one leads on", format!("{two}> click Help\n@ Help Help\n"), ""),
        (
            "it led on before",
            format!("@ Main Notes\n(Begin)\n> click Begin\n@ Edit New\n> back\n{begin}"),
            "",
        ),
        ("it leads on afterwards", format!("{begin}> click Begin\n@ Edit New\n"), ""),
        ("a menu opens", format!("{two}> click Help\n@menu\nlist menu\n- About\n"), ""),
        (
            "a row leads on",
            stays("(Begin)\nlist items\n- milk", "click Begin") + "> click milk\n@ Edit milk\n",
            "",
        ),
        ("a text changes", after("label of=x"), ""),
        ("a toast speaks", after("toast No"), ""),
        ("a page with a field", stays("field name=\n(Begin)", "click Begin"), ""),
        ("it loads", stays("loading\n(Begin)", "click Begin"), ""),
        ("a dialog", "@dialog Sure\n(No)\n> click No\n@dialog Sure\n(No)\n".to_owned(), ""),
        ("nothing but rows", stays("list items\n- milk", "click milk"), ""),
        ("nothing but the back key", stays("(Begin)", "back"), ""),
    ];
    check_each(&DEAD_END, &cases);
}

#[test]
fn one_page_is_one_claim_whatever_is_pressed_there() {
    let text = "@ Main Notes\n(Begin)\n(Help)\nheard\n> click Begin\n@ Main Notes\n(Begin)\n(Help)\nheard\n\
                > click Help\n@ Main Notes\n(Begin)\n(Help)\nheard\n";
    let broken = Script::read(text).broken(&DEAD_END);
    let claims: Vec<_> = broken.iter().map(|broken| broken.claim.as_ref().map(|claim| claim.about)).collect();
    assert_eq!(claims.len(), 2, "{broken:?}");
    assert_eq!(claims[0], claims[1]);
    assert!(broken.iter().all(|broken| !broken.slight), "{broken:?}");
    let held = Script::read("@ Main Notes\n(Begin)\n> click Begin\n@ Edit New\n").held(&DEAD_END);
    assert_eq!(held.iter().map(|held| Some(held.about)).collect::<Vec<_>>(), [claims[0]]);
}

/// Two controls that do nothing are enough, and one test may show both.
#[test]
fn one_test_shows_as_many_screens_as_it_takes() {
    let page = "@ Main Notes\n(Begin)\n(Help)\nheard\n";
    let press = |control: &str| format!("> click {control}\n{page}");
    let oracle = RelationOracle::new(&SessionDefinition::new(Technique::Genie, "toy"));
    for (presses, told) in
        [(press("Begin"), false), (press("Begin").repeat(3), false), (press("Begin") + &press("Help"), true)]
    {
        let script = Script::read(&format!("{page}{presses}"));
        let judgement = oracle.judge(&script.run, &script.layouts);
        let mut claims = Claims::default();
        claims.count(&judgement);
        let mut dead_ends =
            judgement.verdicts.iter().filter(|verdict| verdict.key.starts_with(DEAD_END.name));
        assert_eq!(dead_ends.any(|verdict| claims.carries(verdict)), told, "{presses}");
    }
}

#[test]
fn a_button_that_does_nothing_is_of_one_cause_whoever_tells_of_it() {
    let page = "@ Main Notes\n(Begin)\nheard\n";
    let script = Script::read(&format!("{page}> click Begin\n{page}"));
    let oracle = RelationOracle::new(&SessionDefinition::new(Technique::Genie, "toy"));
    let verdicts = oracle.judge(&script.run, &script.layouts).verdicts;
    let keys: BTreeSet<&str> = verdicts.iter().map(|verdict| verdict.key.as_str()).collect();
    let clusters: BTreeSet<&str> = verdicts.iter().map(|verdict| verdict.cluster.as_str()).collect();
    assert_eq!((keys.len(), clusters.len()), (2, 1), "{verdicts:#?}");
}
