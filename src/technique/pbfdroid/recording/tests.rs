use super::*;
use crate::pbfdroid::lint::{Weight, lint};
use droidmux_gui::{Bounds, Flags, LayoutBuilder, NewWidget};
use droidmux_record::{Condition, DmfWidget};

/// A layout from lines of `indent kind id "text"`: `button`, `row` and `field` take events, `label`
/// takes none; `-` is no id. Widgets are numbered by line, from 0.
fn layout(lines: &str) -> Arc<Layout> {
    let mut builder = LayoutBuilder::new();
    let mut depths: Vec<usize> = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        while depths.last().is_some_and(|open| *open >= depth) {
            depths.pop();
            builder.close();
        }
        depths.push(depth);
        let mut parts = line.trim().splitn(3, ' ');
        let (kind, id, text) =
            (parts.next().expect("kind"), parts.next().unwrap_or("-"), parts.next().unwrap_or(""));
        let clickable = Flags::ENABLED.with(Flags::CLICKABLE, matches!(kind, "button" | "row"));
        let id = if id == "-" { String::new() } else { format!("a.b:id/{id}") };
        builder.open(NewWidget {
            class: match kind {
                "button" => "w.Button",
                "row" => "w.Row",
                "field" => "w.EditText",
                _ => "w.TextView",
            },
            resource_id: &id,
            text: text.trim_matches('"'),
            flags: clickable,
            bounds: Bounds::new(0, 0, 10, 10),
            ..NewWidget::default()
        });
    }
    Arc::new(builder.finish())
}

fn step(layout: &Arc<Layout>, what: &str) -> RecordedStep {
    let mut parts = what.splitn(3, ' ');
    let action = match parts.next().expect("action") {
        "click" => DmfAction::Click,
        "edit" | "random" => DmfAction::Edit,
        _ => DmfAction::Back,
    };
    let widget = parts.next().map(|number| WidgetId(number.parse().expect("number")));
    RecordedStep {
        layout: layout.clone(),
        action,
        widget,
        text: parts.next().unwrap_or("").to_owned(),
        random: what.starts_with("random"),
    }
}

/// Layouts with the event on each but the last.
fn recording(steps: &[(&str, &str)], last: &str) -> Recording {
    let steps = steps.iter().map(|(lines, what)| step(&layout(lines), what)).collect();
    Recording { steps, last: layout(last) }
}

fn answers(operation: Operation, before: &str, after: &str) -> Answers {
    Answers {
        operation,
        datatype: "note".into(),
        name: format!("{operation} note"),
        proportion: 10,
        before: before.into(),
        after: after.into(),
        predicates: Vec::new(),
    }
}

/// A function in short: widgets `name@layout id class text instance`, events, conditions, impacts.
fn short(dmf: &Dmf) -> String {
    let widget = |w: &DmfWidget| {
        let id = w.resource_id.strip_prefix("a.b:id/").unwrap_or(&w.resource_id);
        let instance = w.instance.map(|n| format!("[{n}]")).unwrap_or_default();
        let parts: Vec<&str> =
            [id, &w.class, &w.text, &instance].into_iter().filter(|part| !part.is_empty()).collect();
        format!("{}@{} {}", w.name, w.layout.map(|n| n.to_string()).unwrap_or_default(), parts.join(" "))
    };
    let condition = |c: &Condition| format!("{}{} {}", c.widget, c.datatype, c.relation.name());
    let mut lines: Vec<String> = dmf.widgets.iter().map(widget).collect();
    lines.extend(dmf.preconditions.iter().map(|c| format!("pre {}", condition(c))));
    lines.extend(
        dmf.events.iter().map(|e| format!("{} {} {}", e.action.name(), e.widget, e.text).trim_end().into()),
    );
    lines.extend(dmf.impacts.iter().map(|i| format!("{} {}", i.operator.name(), i.object)));
    lines.extend(dmf.postconditions.iter().map(|c| format!("post {}", condition(c))));
    lines.join("\n")
}

const LIST: &str = "
label -
 row row
  label title \"tea\"
  label day \"Today\"
 row row
  label title \"milk\"
 button new";
const FORM: &str = "
label -
 field name
 button - \"Save\"
 button - \"Cancel\"";
const MENU: &str = "
label -
 row item
  label title \"Share\"
 row item
  label title \"Delete\"";

#[test]
fn functions_of_every_type() {
    let filled = FORM.replace("field name", "field name \"rum\"");
    let more = format!("{LIST}\n row row\n  label title \"rum\"");
    let less = LIST.replace("\n row row\n  label title \"milk\"", "");
    let renamed = LIST.replace("\"milk\"", "\"rum\"");
    let detail = "label head \"milk\"";
    let query = "
label -
 field query
 row row
  label title \"tea\"";
    let found = query.replace("field query", "field query \"tea\"");
    let cases: [(Recording, Answers, &str); 5] = [
        (
            recording(&[(LIST, "click 6"), (FORM, "random 1 rum"), (&filled, "click 2")], &more),
            answers(Operation::Add, "", "rum"),
            "e1_widget@0 new\ne2_widget@1 name\ne3_widget@2 Save\nadd_name@2 name\n\
             add_object@3 title add_name.text\n\
             pre e1_widget in\nclick e1_widget\nedit e2_widget random\nclick e3_widget\n\
             add add_name.text\npost add_object in",
        ),
        (
            // The second row: instance 1 of its id, as the title inside it.
            recording(&[(LIST, "click 4"), (MENU, "click 3")], &less),
            answers(Operation::Delete, "milk", ""),
            "e1_widget@0 row [1]\ne2_widget@1 title Delete\ndelete_name@0 title [1]\n\
             delete_object@2 title delete_name.text\n\
             pre e1_widget in\nclick e1_widget\nclick e2_widget\ndelete delete_name.text\npost delete_object not in",
        ),
        (
            recording(&[(LIST, "click 4"), (FORM, "edit 1 rum"), (&filled, "click 2")], &renamed),
            answers(Operation::Edit, "milk", "rum"),
            "e1_widget@0 row [1]\ne2_widget@1 name\ne3_widget@2 Save\nadd_name@2 name\n\
             add_object@3 title add_name.text\ndelete_name@0 title [1]\ndelete_object@3 title delete_name.text\n\
             pre e1_widget in\nclick e1_widget\nedit e2_widget random\nclick e3_widget\n\
             delete delete_name.text\nadd add_name.text\npost add_object in\npost delete_object not in",
        ),
        (
            recording(&[(LIST, "click 4")], detail),
            answers(Operation::View, "", "milk"),
            "e1_widget@0 row [1]\nview_name@0 title [1]\nview_object@1 head view_name.text\n\
             pre e1_widget in\nclick e1_widget\npost view_object in",
        ),
        (
            recording(&[(LIST, "click 6"), (query, "edit 1 tea")], &found),
            answers(Operation::Search, "", "tea"),
            "e1_widget@0 new\ne2_widget@1 query\nsearch_name@2 query\nsearch_object@2 title search_name.text\n\
             pre e1_widget in\npre note is not empty\nclick e1_widget\nedit e2_widget note::random\npost search_object in",
        ),
    ];
    let mut dmfs = Vec::new();
    for (recording, answers, expected) in cases {
        let dmf = specify(&recording, &answers).expect("a function");
        assert_eq!(short(&dmf), expected, "{}", answers.operation);
        assert_eq!(recording.check(&dmf, &answers.data_before()), [""; 0], "{}", answers.operation);
        dmfs.push(dmf);
    }
    let remarks = lint(&droidmux_record::Specification { dmfs, key_views: Vec::new() });
    let faults: Vec<_> = remarks.iter().filter(|remark| remark.weight == Weight::Fault).collect();
    assert!(faults.is_empty() && remarks.is_empty(), "{remarks:#?}");
}

#[test]
fn what_does_not_hold_is_told() {
    // The app lost the other note, too: a predicate says that it should be there.
    let one = "label -\n label title \"tea\"";
    let recording = recording(&[(LIST, "click 4"), (MENU, "click 3")], one);
    let mut answers = answers(Operation::Delete, "milk", "");
    answers.predicates =
        vec![Predicate { when: When::After, relation: Relation::In, widget: Some((0, WidgetId(6))) }];
    let dmf = specify(&recording, &answers).expect("a function");
    assert!(short(&dmf).contains("post_widget@2 new"), "{}", short(&dmf));
    let wrong = recording.check(&dmf, &answers.data_before());
    assert_eq!(
        wrong,
        [
            "after it: post_widget is on the layout: post_widget is not there: no widget has any of its attributes"
        ]
    );
}

#[test]
fn texts_that_are_nowhere_are_told() {
    let performed = || recording(&[(LIST, "click 6")], LIST);
    let absent = WidgetId(99);
    let predicate = Predicate { when: When::Before, relation: Relation::In, widget: Some((0, absent)) };
    let cases: [(Recording, Answers, &str); 7] = [
        (recording(&[], LIST), answers(Operation::Add, "", "tea"), "nothing was recorded"),
        (
            performed(),
            answers(Operation::Add, "", "milks"),
            "no widget on layout 1 shows \"milks\"; the nearest text is \"milk\"",
        ),
        (performed(), answers(Operation::Add, "", "beer"), "no widget on layout 1 shows \"beer\""),
        (performed(), answers(Operation::Add, "", ""), "\"\" cannot be an object"),
        (performed(), answers(Operation::Add, "", "a.text"), "\"a.text\" cannot be an object"),
        (
            performed(),
            answers(Operation::Delete, "beer", ""),
            "no widget before the last layout shows \"beer\", the object that is taken away",
        ),
        (
            performed(),
            Answers { predicates: vec![predicate], ..answers(Operation::Add, "", "tea") },
            "layout 0 has no widget 99",
        ),
    ];
    for (recording, answers, expected) in cases {
        let said = specify(&recording, &answers).expect_err(expected).to_string();
        assert!(said.starts_with(expected), "{said}\nnot {expected}");
    }
}

#[test]
fn a_sketch_has_what_is_known_and_says_what_it_lacks() {
    let page = "box\n field title \"tea\"\n button save \"Save\"\n";
    let list = "box\n label row \"tea\"\n button add \"Add\"\n";
    let typed = recording(&[(list, "click 2"), (page, "edit 1 milk")], page);
    let saved = recording(&[(list, "click 2"), (page, "edit 1 tea"), (page, "click 2")], list);
    let cases = [
        (&typed, "", 2, Some(Unmapped::NoObject(String::new()))),
        (&saved, "tea", 3, None),
        (&recording(&[], list), "tea", 0, Some(Unmapped::Empty)),
    ];
    for (recording, after, events, lacks) in cases {
        let (dmf, told) = sketch(recording, &answers(Operation::Add, "", after));
        assert_eq!((dmf.events.len(), &told), (events, &lacks), "{after}");
        assert_eq!(specify(recording, &answers(Operation::Add, "", after)).err(), lacks, "{after}");
    }
}
