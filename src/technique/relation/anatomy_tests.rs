use super::super::script::{Script, check_each};
use super::ANATOMY;

#[test]
fn rows_of_a_list_are_drawn_from_one_plan() {
    let page = |rows: &str| format!("@ Main Notes\nlist notes\n{rows}");
    let order = |odd: &str, sound: &str| {
        format!("In the list on 'Notes' the parts of '{odd}' stand in another order than those of '{sound}'.")
    };
    let lacks = |odd: &str, what: &str| {
        format!("In the list on 'Notes' '{odd}' lacks the '{what}' that all other rows have.")
    };
    let broken = [
        ("two parts", page("- name=milk | kind=food\n- kind=food | name=tea"), order("food", "milk")),
        ("three parts", page("- name=a | one=b | two=c\n- name=d | two=e | one=f"), order("d", "a")),
        ("the last row", page("- name=a | x=b\n- name=c | x=d\n- x=e | name=f"), order("e", "a")),
        ("the first row", page("- x=a | name=b\n- name=c | x=d\n- name=e | x=f"), order("c", "a")),
        ("in the middle", page("- name=a | x=b\n- x=c | name=d\n- name=e | x=f"), order("c", "a")),
        ("a button", page("- name=a | (Play)\n- (Play) | name=b"), order("b", "a")),
        ("a check box", page("- name=a | [x] done\n- [ ] done | name=b"), order("done", "a")),
        (
            "on a later screen",
            format!("@ Main Start\n> wait\n{}", page("- name=a | x=b\n- x=c | name=d")),
            order("c", "a"),
        ),
        (
            "a button that is missing",
            page("- a | (Play)\n- b | (Play)\n- c\n- d | (Play)"),
            lacks("c", "button"),
        ),
        (
            "a check box that is missing",
            page("- a | [x] it\n- b\n- c | [x] it\n- d | [ ] it"),
            lacks("b", "check"),
        ),
        ("the first lacks it", page("- a\n- b | (Play)\n- c | (Play)\n- d | (Play)"), lacks("a", "button")),
    ];
    let innocent = [
        ("all alike", page("- name=a | x=b\n- name=c | x=d")),
        ("a text that some lack", page("- name=a | x=b\n- name=c\n- name=d | x=e")),
        ("one that only one has", page("- name=a\n- name=c\n- name=d | x=e")),
        ("one row", page("- x=a | name=b")),
        ("other parts", page("- name=a | x=b\n- title=c | y=d")),
        ("a button that two lack", page("- a | (Play)\n- b\n- c\n- d | (Play)")),
        ("a button that only one has", page("- a\n- b\n- c\n- d | (Play)")),
        ("too few others", page("- a | (Play)\n- b | (Play)\n- c")),
        ("two lists", "@ Main Notes\nlist one\n- name=a | x=b\n- name=e | x=f\nlist two\n- x=c | name=d\n- x=g | name=h".into()),
        ("two screens", format!("{}\n> wait\n{}", page("- name=a | x=b"), page("- x=a | name=b"))),
        ("another app", "@away\nlist notes\n- name=a | x=b\n- x=c | name=d".into()),
        ("it loads", format!("{}\nloading", page("- name=a | x=b\n- x=c | name=d"))),
    ];
    let cases: Vec<(&str, &str, &str)> = broken
        .iter()
        .map(|(name, trace, sentence)| (*name, trace.as_str(), sentence.as_str()))
        .chain(innocent.iter().map(|(name, trace)| (*name, trace.as_str(), "")))
        .collect();
    check_each(&ANATOMY, &cases);
}

#[test]
fn that_rows_are_alike_is_a_claim() {
    let alike = Script::read("@ Main Notes\nlist notes\n- name=a | x=b\n- name=c | x=d");
    let turned = Script::read("@ Main Notes\nlist notes\n- name=a | x=b\n- x=c | name=d");
    let [held] = &alike.held(&ANATOMY)[..] else { panic!("{:?}", alike.held(&ANATOMY)) };
    let [broken] = &turned.broken(&ANATOMY)[..] else { panic!() };
    assert_eq!(broken.claim.as_ref().map(|claim| claim.about), Some(held.about));
    assert_eq!(turned.held(&ANATOMY), []);
}

/// What is sold out cannot be bought, and what is read-only cannot be changed.
#[test]
fn that_a_row_lacks_a_control_is_slight() {
    for (rows, slight) in
        [("- name=a | x=b\n- x=c | name=d", false), ("- a | (Play)\n- b | (Play)\n- c\n- d | (Play)", true)]
    {
        let broken = Script::read(&format!("@ Main Notes\nlist notes\n{rows}")).broken(&ANATOMY);
        assert_eq!(broken.iter().map(|broken| broken.slight).collect::<Vec<_>>(), [slight], "{rows}");
    }
}
