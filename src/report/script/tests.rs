use super::quote::{attribute, double, kotlin, shell};
use super::shell::type_text;

#[test]
fn texts_are_literals_and_nothing_else() {
    let hostile = "a'b\"c$(x)\\d\n\u{202e}<é";
    assert_eq!(shell(hostile), "'a'\\''b\"c$(x)\\d\n\u{202e}<é'");
    assert_eq!(double(hostile), "\"a'b\\\"c$(x)\\\\d\\n\\u202e<é\"");
    assert_eq!(kotlin("$x"), "\"\\$x\"");
    assert_eq!(attribute("<a b=\"c\">\n&"), "&lt;a b=&quot;c&quot;&gt;&#10;&amp;");
}

#[test]
fn what_adb_cannot_type_is_not_typed() {
    for (text, expected) in [
        ("two words", Some("input text 'two%swords'")),
        ("a%sb", Some("input text 'a%' && input text 'sb'")),
        ("x\ny", Some("input text 'x' && input keyevent KEYCODE_ENTER && input text 'y'")),
        ("", Some("")),
        ("é", None),
    ] {
        assert_eq!(type_text(text).as_deref(), expected, "{text:?}");
    }
}
