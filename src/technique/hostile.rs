//! The techniques' readers of models' replies, run on anything.

use super::{inputblaster, reply, visiondroid};
use droidmux_gui::{Bounds, Flags, Layout, LayoutBuilder, NewWidget};

/// Reads a reply in every way that a technique does.
///
/// # Panics
/// When a reader does, or when what it makes of the bytes is not sound.
pub fn model_reply(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = reply::object(&text);
    inputblaster::hostile::reply(&text);
    visiondroid::hostile::reply(&text, &screen());
}

/// A screen with something of each kind to do.
fn screen() -> Layout {
    let mut layout = LayoutBuilder::new();
    let whole = Bounds::new(0, 0, 1_080, 1_920);
    layout.open(NewWidget { class: "android.widget.FrameLayout", bounds: whole, ..widget(&[]) });
    let parts: [(&str, &str, &[Flags]); 4] = [
        ("android.widget.Button", "Save", &[Flags::CLICKABLE]),
        ("android.widget.EditText", "name", &[Flags::CLICKABLE, Flags::LONG_CLICKABLE]),
        ("android.widget.CheckBox", "done", &[Flags::CLICKABLE, Flags::CHECKABLE]),
        ("android.widget.ListView", "", &[Flags::SCROLLABLE]),
    ];
    for ((class, text, flags), top) in parts.into_iter().zip([0, 200, 400, 600]) {
        let bounds = Bounds::new(0, top, 1_080, top + 150);
        layout.open(NewWidget { class, text, bounds, ..widget(flags) });
        layout.close();
    }
    layout.finish()
}

fn widget(flags: &[Flags]) -> NewWidget<'static> {
    let flags = flags.iter().fold(Flags::ENABLED, |all, flag| all.with(*flag, true));
    NewWidget { package: "org.app", flags, ..NewWidget::default() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use droidmux_testutils::mangled;

    fn replies() -> Vec<Vec<u8>> {
        let replies = [
            r#"{"action": "click", "widget": 1, "why": "it saves"}"#,
            r#"```json
{"action": "type", "widget": 2, "text": "\ud83d\ude00 é", "then": "enter",}
```"#,
            r#"<think>{</think>{"action": "swipe", "direction": "up", "widget": null}"#,
            r#"{"page": "list", "function": "add", "new_function": true, "finished": "no"}"#,
            r#"{"meets_expectations": false, "bug": {"page": 3, "widget": "x"}, "wrong_operations": [{"step": 1}]}"#,
            r#"{"inputs": [{"field": 1, "input": "a"}, "b", 7], "constraints": ["short"], "accepted": false}"#,
            r#"{"inputs": {"Input 2": "x"}}"#,
            "Constraints: short. The input is \"a\", the second input is “b”\nand so on.",
            "Mutation rule: long. Test generator: ```js\nfunction* g() { yield 'x'; }\n```",
            r#"{"rule": "r", "generator": "function* () {}"}"#,
        ];
        replies.map(|reply| reply.as_bytes().to_vec()).to_vec()
    }

    proptest! {
        #[test]
        fn any_reply_is_read(bytes in mangled(replies())) {
            model_reply(&bytes);
        }
    }

    #[test]
    fn the_sound_ones_are_understood() {
        replies().iter().for_each(|reply| model_reply(reply));
    }
}
