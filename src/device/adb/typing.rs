//! Text by `input text`: the first of three ways, so that a text of plain ASCII arrives as key presses on every device,
//! however it is equipped. What it cannot type, the agent sets (`agent::text`), and without an agent ADBKeyBoard types
//! it (`keyboard`).

use super::place::Input;
use super::shell::quoted;
use crate::DeviceErrorKind;
use droidmux_gui::{Layout, Point, Widget};

/// The most key presses spent on clearing a field.
const MAX_DELETES: usize = 500;

/// Presses deleted when nothing is known about the field.
const BLIND_DELETES: usize = 50;

const MOVE_END: &str = "123";
const DELETE: &str = " 67";
const FORWARD_DELETE: &str = " 112";
const ENTER: &str = "66";

/// The commands that type this text into the focused field, joined by `&&`; empty for no text.
///
/// `input` reads `%s` as a space and cannot produce a literal `%s`, so such a text is typed in two parts with the break
/// between them. A line break is the enter key.
///
/// # Errors
/// [`DeviceErrorKind::Untypable`] with the characters outside printable ASCII: the virtual
/// keyboard has no keys for them, and `input` would type nothing at all.
pub(super) fn type_text(input: Input, text: &str) -> Result<String, DeviceErrorKind> {
    let typable = |c: char| matches!(c, ' '..='~' | '\n');
    let mut foreign: Vec<char> = text.chars().filter(|c| !typable(*c)).collect();
    if !foreign.is_empty() {
        foreign.dedup();
        return Err(DeviceErrorKind::Untypable(foreign.into_iter().take(20).collect()));
    }
    let mut commands = Vec::new();
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            commands.push(format!("{input} keyevent {ENTER}"));
        }
        let typed = |part: &&str| format!("{input} text {}", quoted(&part.replace(' ', "%s")));
        commands.extend(typed_parts(line).iter().map(typed));
    }
    Ok(commands.join(" && "))
}

/// The command that empties the focused field: to the end of the line, then deletes, all key
/// codes in one call. `None` when there is nothing to delete.
pub(super) fn clear_field(input: Input, layout: Option<&Layout>, at: Point) -> Option<String> {
    let shown = layout.map(|layout| field_at(layout, at).map_or("", |field| field.text()));
    let length = shown.map_or(BLIND_DELETES, |text| text.chars().count()).min(MAX_DELETES);
    if length == 0 {
        return None;
    }
    let mut command = format!("{input} keyevent {MOVE_END}{}", DELETE.repeat(length));
    if shown.is_some_and(|text| text.contains('\n')) {
        // The end of the line is not the end of the text.
        command.push_str(&FORWARD_DELETE.repeat(length));
    }
    Some(command)
}

/// The text field around this point: the last one drawn, otherwise the deepest widget with a text.
fn field_at(layout: &Layout, at: Point) -> Option<Widget<'_>> {
    let here = || layout.widgets().rev().filter(move |w| w.bounds().contains(at));
    let editable =
        |w: &Widget<'_>| w.class().ends_with("EditText") || w.class().ends_with("AutoCompleteTextView");
    here().find(editable).or_else(|| here().find(|w| !w.text().is_empty()))
}

/// Cuts a line between the `%` and the `s` of every literal `%s`.
fn typed_parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("%s") {
        let (part, behind) = rest.split_at(at + 1);
        parts.push(part);
        rest = behind;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use droidmux_gui::{Bounds, LayoutBuilder, NewWidget};

    #[test]
    fn texts_become_commands() {
        let cases = [
            ("", Ok("")),
            ("abc", Ok("input text 'abc'")),
            ("a b  c", Ok("input text 'a%sb%s%sc'")),
            ("100%", Ok("input text '100%'")),
            ("% s", Ok("input text '%%ss'")),
            ("%s", Ok("input text '%' && input text 's'")),
            ("5%sure %s", Ok("input text '5%' && input text 'sure%s%' && input text 's'")),
            ("it's $HOME `x` \\ ;|&<>()*~^\"", Ok("input text 'it'\\''s%s$HOME%s`x`%s\\%s;|&<>()*~^\"'")),
            ("one\ntwo", Ok("input text 'one' && input keyevent 66 && input text 'two'")),
            ("\n", Ok("input keyevent 66")),
            ("naïve café", Err("ïé")),
            ("\u{1f600}", Err("\u{1f600}")),
            ("tab\there", Err("\t")),
        ];
        for (text, expected) in cases {
            let expected = expected.map(str::to_owned).map_err(|c| DeviceErrorKind::Untypable(c.to_owned()));
            assert_eq!(type_text(Input(None), text), expected, "{text:?}");
        }
    }

    #[test]
    fn fields_are_cleared_by_what_they_show() {
        let field = |text: &str| {
            let mut builder = LayoutBuilder::new();
            let bounds = Bounds::new(0, 0, 100, 100);
            builder.open(NewWidget {
                class: "android.widget.FrameLayout",
                text: "frame",
                bounds,
                ..NewWidget::default()
            });
            builder.open(NewWidget {
                class: "android.widget.EditText",
                text,
                bounds,
                ..NewWidget::default()
            });
            builder.finish()
        };
        let at = Point { x: 5, y: 5 };
        let cases = [
            ("", None),
            ("ab", Some("input keyevent 123 67 67")),
            ("äö", Some("input keyevent 123 67 67")),
            ("a\nb", Some("input keyevent 123 67 67 67 112 112 112")),
        ];
        for (text, expected) in cases {
            assert_eq!(clear_field(Input(None), Some(&field(text)), at).as_deref(), expected, "{text:?}");
        }
        let blind = clear_field(Input(None), None, at).expect("deletes");
        assert_eq!(blind.matches(DELETE).count(), BLIND_DELETES);
        let long = clear_field(Input(None), Some(&field(&"x".repeat(5_000))), at).expect("deletes");
        assert_eq!(long.matches(DELETE).count(), MAX_DELETES);
    }
}
