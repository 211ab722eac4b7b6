use super::super::script::{Script, check_each};
use super::{WORDING, slip};

/// A page, an event, and the page with this on it.
fn then(line: &str) -> String {
    format!("@ Main Notes\n(Open)\n> wait\n@ Main Notes\n{line}\n(Open)")
}

#[test]
fn what_an_app_says_is_made_for_people() {
    let broken = [
        (
            "a placeholder",
            then("label due=due %1$s"),
            "'due %1$s' stands on 'Notes': '%1$s' was never filled in.",
        ),
        (
            "a number's placeholder",
            then("label count=%2$d notes"),
            "'%2$d notes' stands on 'Notes': '%2$d' was never filled in.",
        ),
        (
            "a placeholder without a number",
            then("label due=due %s"),
            "'due %s' stands on 'Notes': '%s' was never filled in.",
        ),
        (
            "no value",
            then("label due=null"),
            "'null' stands on 'Notes': 'null' is what programs say where there is nothing.",
        ),
        (
            "no value in a longer text",
            then("label due=due: null"),
            "'due: null' stands on 'Notes': 'null' is what programs say where there is nothing.",
        ),
        (
            "no number",
            then("label sum=NaN"),
            "'NaN' stands on 'Notes': 'NaN' is what programs say where there is nothing.",
        ),
        (
            "an object",
            then("label who=org.notes.Note@1f2e3d"),
            "'org.notes.Note@1f2e3d' stands on 'Notes': 'org.notes.Note@1f2e3d' is an object, not its name.",
        ),
        (
            "an object in a longer text",
            then("label who=by (org.notes.Person@1f2e3d)"),
            "'by (org.notes.Person@1f2e3d)' stands on 'Notes': 'org.notes.Person@1f2e3d' is an object, not its name.",
        ),
        (
            "in a row",
            then("list items\n- milk\n- null"),
            "'null' stands on 'Notes': 'null' is what programs say where there is nothing.",
        ),
        (
            "on a button",
            then("(Delete %1$s)"),
            "'Delete %1$s' stands on 'Notes': '%1$s' was never filled in.",
        ),
        (
            "in a dialog",
            "@ Main Notes\n(Open)\n> click Open\n@dialog Sure?\nlabel message=Delete %1$s?\n(OK)".into(),
            "'Delete %1$s?' stands on the page: '%1$s' was never filled in.",
        ),
        (
            "the title",
            "@ Main Notes\n(Open)\n> click Open\n@ Note %1$s\n(Save)".into(),
            "'%1$s' stands on the page: '%1$s' was never filled in.",
        ),
        (
            "typed by nobody, though something else was",
            "@ Main Notes\nfield name=\n> edit name: tea\n@ Main Notes\nfield name=tea\nlabel due=null"
                .into(),
            "'null' stands on 'Notes': 'null' is what programs say where there is nothing.",
        ),
    ];
    let innocent = [
        ("words", then("label due=due today"), ""),
        ("a share", then("label done=50% done"), ""),
        ("a share and a letter", then("label done=50%s"), ""),
        ("two marks", then("label done=100%%"), ""),
        ("money", then("label price=$1"), ""),
        ("a field", then("field name=null"), ""),
        (
            "typed",
            "@ Main Notes\nfield name=\n> edit name: null\n@ Main Notes\nfield name=\nlabel due=null".into(),
            "",
        ),
        ("a word that begins so", then("label due=nullify"), ""),
        ("an address", then("label who=ann.Lee@abcd.org"), ""),
        ("an account", then("label who=ann@cafe1234"), ""),
        ("a screen that never came to rest", then("label due=null\nrestless"), ""),
        ("another app", "@ Main Notes\n(Open)\n> click Open\n@away\nlabel due=null".into(), ""),
    ];
    let cases: Vec<(&str, String, &str)> = broken.into_iter().chain(innocent).collect();
    check_each(&WORDING, &cases);
}

#[test]
fn one_line_is_told_of_one_widget_of_a_page() {
    let script = Script::read(
        "@ Main Notes\nlabel a=null\n> wait\n@ Main Notes\nlabel a=null\n> wait\n@ Main Notes\nlabel a=NaN\nlabel b=null",
    );
    let told: Vec<String> = script.broken(&WORDING).into_iter().map(|broken| broken.what).collect();
    assert_eq!(told, ["no value a", "no value b"]);
}

#[test]
fn what_may_be_meant_is_slight() {
    for (text, slight) in [
        ("due %1$s", Some(false)),
        ("due %s", Some(true)),
        ("%d", Some(true)),
        ("%sort", None),
        ("null", Some(false)),
        (" null ", Some(false)),
        ("due: null", Some(false)),
        ("Sum = undefined", Some(false)),
        ("null: due", Some(true)),
        ("drei mal null", Some(true)),
        ("it is undefined: why", Some(true)),
        ("your GPA is NaN today", Some(false)),
        ("a.b.Note@1f2e3d", Some(false)),
        ("Note@1f2e3d", None),
        ("a.b.Note@1f2e3dg", None),
        ("%", None),
        ("%1", None),
        ("%1$", None),
        ("%é$s", None),
        ("", None),
    ] {
        assert_eq!(slip(text).map(|slip| slip.slight), slight, "{text}");
    }
}
