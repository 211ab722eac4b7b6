//! The account of traces written in a few lines.

use std::sync::Arc;

use super::facts::Facts;
use super::target::target;
use super::{NoPixels, Veil, tell};
use droidmux_gui::{Bounds, Event, Flags, Layout, LayoutBuilder, LayoutHash, NewWidget, Selector};
use droidmux_record::{Act, Failure, Layouts, Observation, Turn};
use droidmux_testutils::script::Script;

/// What is told of a trace.
fn told(trace: &str) -> String {
    let script = Script::read(trace);
    let tests = tell(&script.run, &script.layouts, &mut Veil::default(), &NoPixels);
    let steps = tests.iter().flat_map(|test| &test.steps);
    steps.map(|step| format!("{} {step}", step.turn)).collect::<Vec<_>>().join("\n")
}

#[test]
fn screens_and_events_are_told_so_that_nothing_is_mistaken() {
    for (what, trace, expected) in [
        (
            "a screen is its page and a line for each row, field and button",
            "@ Main Notes\ntab All*\ntab Done\nlist items...\n- milk | 2 l | [x] bought | (Delete)\n- tea*\nfield name=Ann\ntoggle Dark=on\n(Save)",
            "0 start with cleared data
  Page \"Notes\", \"All\" chosen
    button All (selected)
    button Done
      (more above)
    - milk | 2 l | [x] bought | Delete
    - tea (selected)
    field name: \"Ann\"
    [x] Dark
    button Save",
        ),
        (
            "a row and its parts, and which of several",
            "@ Main Notes\nlist items\n- milk | (Delete)\n- tea | (Delete)\n- milk | (Delete)\n> click milk/Delete\n@ Main Notes\nlist items\n- tea | (Delete)\n- milk | (Delete)\n> click tea\n@ Main Notes\nlist items\n- tea | (Delete)\n- milk | (Delete)",
            "0 start with cleared data
  Page \"Notes\"
    - milk | Delete
    - tea | Delete
    - milk | Delete
1 click \"Delete\" in row \"milk\" (1st of 2 called so)
  gone: - milk | Delete (1st of 3)
2 click row \"tea\"
  nothing changed",
        ),
        (
            "what changes in a row, moves, and gets another name",
            "@ Main Notes\nlist items\n- a | [ ]\n- b | [ ]\n- c | [ ]\n- d | [ ]\n> click a/check\n@ Main Notes\nlist items\n- b | [ ]\n- c | [ ]\n- d | [ ]\n- a | [x]\n> back\n@ Main Notes\nlist items\n- d | [ ]\n- b | [ ]\n- c | [ ]\n- a | [x]\n> back\n@ Main Notes\nlist items\n- d | [ ]\n- bread | [ ]\n- c | [ ]\n- a | [x]",
            "0 start with cleared data
  Page \"Notes\"
    - a | [ ]
    - b | [ ]
    - c | [ ]
    - d | [ ]
1 click the check in row \"a\"
  changed: - a | [ ] → a | [x] (4th of 4)
2 back
  moved: - d | [ ] (3rd → 1st)
3 back
  changed: - b | [ ] → bread | [ ] (2nd of 4)",
        ),
        (
            "a dialog over its page, typing, and what cannot be seen",
            "@ Main Notes\nlist items\n- milk\n- tea\n- jam\n> click milk\n@dialog Rename\nfield name=milk\n(OK)\n> edit name: so\u{200b}y\n@dialog Rename\nfield name=so\u{200b}y\n(OK)\n> click OK\n@ Main Notes\nlist items\n- so\u{200b}y\n- tea\n- jam",
            "0 start with cleared data
  Page \"Notes\"
    - milk
    - tea
    - jam
1 click row \"milk\"
  Dialog \"Rename\" over page \"Notes\"
    field name: \"milk\"
    button OK
2 edit field \"name\": \"milk\" → \"so\\u{200b}y\"
  changed: field name: \"milk\" → field name: \"so\\u{200b}y\"
3 click \"OK\"
  back on: Page \"Notes\"
  changed: - milk → so\\u{200b}y (1st of 3)",
        ),
        (
            "away, back, the keyboard, what the lab did, a snackbar before a row",
            "@ Main Notes\nlist items\n- milk\n- tea\n- jam\n- rye\n> home\n@ away\n> launch\n@ Main Notes\nkeyboard\nanswered\nlist items\n- milk\n- tea\n- jam\n- rye",
            "0 start with cleared data
  Page \"Notes\"
    - milk
    - tea
    - jam
    - rye
1 home
  Another app is in front: \"launcher\"
2 launch
  done by the lab: allowed
  back on: Page \"Notes\" (keyboard up)
  as it was",
        ),
        (
            "pages of one kind with different titles are not compared, and a row among others that went has not moved",
            "@ Main Work\nlist items\n- a\n- b\n- c\n- d\n> click a\n@ Main Family\nlist items\n- e\n- f\n- g\n- h\n> back\n@ Main Work\nlist items\n- d\n- b\n- x\n- y",
            "0 start with cleared data
  Page \"Work\"
    - a
    - b
    - c
    - d
1 click row \"a\"
  Page \"Family\"
    - e
    - f
    - g
    - h
2 back
  back on: Page \"Work\"
  gone: - a (1st of 4)
  gone: - c (3rd of 4)
  new: - x (3rd of 4)
  new: - y (4th of 4)
  moved: - d (4th → 1st)",
        ),
    ] {
        let told = told(trace);
        assert_eq!(told, expected, "{what}:\n{told}");
    }
}

/// The only layout there is.
struct Only(Arc<Layout>);

impl Layouts for Only {
    fn layout(&self, hash: LayoutHash) -> Option<Arc<Layout>> {
        (self.0.hash() == hash).then(|| self.0.clone())
    }
}

#[test]
fn a_password_that_could_not_be_typed_is_one_all_the_same() {
    let mut builder = LayoutBuilder::new();
    let bounds = Bounds::new(0, 0, 100, 40);
    builder.open(NewWidget { class: "Frame", bounds, ..NewWidget::default() });
    let flags = Flags::ENABLED.with(Flags::PASSWORD, true).with(Flags::CLICKABLE, true);
    let (class, resource_id) = ("android.widget.EditText", "a:id/secret");
    builder.open(NewWidget { class, resource_id, bounds, flags, ..NewWidget::default() });
    builder.close();
    let layout = builder.finish();
    let field = layout.widgets().find(|widget| widget.has(Flags::PASSWORD)).unwrap();
    let selector: Selector = layout.selector(field.id());
    let mut script = Script::read("@ Main Notes\n> back\n@ Main Notes");
    let [first, second] = script.run.turns.as_mut_slice() else { panic!("two turns") };
    let Observation::Seen(seen) = &mut first.observation else { panic!("a screen") };
    seen.screen.layout = layout.hash();
    *second = Turn {
        act: Act::Perform(Event::edit(selector, "hunter2")),
        observation: Observation::Failed(Failure::Untypable),
        ..second.clone()
    };
    let tests = tell(&script.run, &Only(Arc::new(layout)), &mut Veil::default(), &NoPixels);
    let told: Vec<String> = tests[0].steps.iter().map(ToString::to_string).collect();
    assert!(told[1].contains("a password") && !told.concat().contains("hunter2"), "{told:?}");
}

#[test]
fn what_holds_touchable_parts_is_not_called_by_what_one_of_them_says() {
    let widget = |class, text, y: (i32, i32), clickable| NewWidget {
        class,
        text,
        bounds: Bounds::new(0, y.0, 100, y.1),
        flags: Flags::ENABLED.with(Flags::CLICKABLE, clickable),
        ..NewWidget::default()
    };
    let mut builder = LayoutBuilder::new();
    builder.open(widget("Frame", "", (0, 200), false));
    // A drawer with three entries of different makes, so that they are no list, and a card with a button.
    builder.open(widget("android.widget.LinearLayout", "", (0, 90), true));
    for (class, text, y) in
        [("Button", "Inbox", (0, 30)), ("Check", "Trash", (30, 60)), ("Radio", "Help", (60, 90))]
    {
        builder.open(widget(class, text, y, true));
        builder.close();
    }
    builder.close();
    builder.open(widget("android.widget.FrameLayout", "", (100, 150), true));
    builder.open(widget("android.widget.TextView", "Garden", (100, 120), false));
    builder.close();
    builder.open(widget("android.widget.Button", "Share", (120, 150), true));
    builder.close();
    let facts = Facts::alone(Arc::new(builder.finish()));
    let named = |class: &str| {
        let found = facts.layout().widgets().find(|widget| widget.short_class() == class);
        target(&facts, found.expect("a widget"), &Veil::default())
    };
    assert_eq!(named("LinearLayout"), "the area, over \"Trash\"");
    assert_eq!(named("FrameLayout"), "\"Garden\"");
}
