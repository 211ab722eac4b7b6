//! Effects in both forms, contexts, and their properties.

use proptest::prelude::*;

use super::*;
use crate::{LayoutBuilder, NewWidget};

/// One widget a line as `Class#id text`, indented by two spaces a level.
fn layout(lines: &str) -> Layout {
    let mut builder = LayoutBuilder::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        while builder.depth() > (line.len() - line.trim_start().len()) / 2 {
            builder.close();
        }
        let (name, text) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let (class, resource_id) = name.split_once('#').unwrap_or((name, ""));
        builder.open(NewWidget { class, resource_id, text, ..NewWidget::default() });
    }
    builder.finish()
}

fn shown(form: EffectForm, earlier: &str, later: &str) -> String {
    let (earlier, later) = (layout(earlier), layout(later));
    let name =
        |layout: &Layout, id| layout.get(id).map_or(String::new(), |w| format!("{}{}", w.class(), w.text()));
    let effect = |effect: Effect| match effect {
        Effect::Deleted(old) => format!("-{}", name(&earlier, old)),
        Effect::Added(new) => format!("+{}", name(&later, new)),
        Effect::Changed(old, new) => format!("{}>{}", name(&earlier, old), name(&later, new)),
    };
    effects(form, &earlier, &later).into_iter().map(effect).collect::<Vec<_>>().join(" ")
}

#[test]
fn effects_in_both_forms() {
    let cases = [
        ("a text changes", "L\n  T#a 1\n  T#b 2", "L\n  T#a 1\n  T#b 3", "T2>T3", "-T2 +T3"),
        ("a row goes", "L\n  T 1\n  T 2\n  T 3", "L\n  T 1\n  T 3", "-T2", "-T2"),
        ("a twin goes", "L\n  T 1\n  T 1", "L\n  T 1", "-T1", ""),
        ("a row comes with children", "L\n  T 1", "L\n  T 1\n  R\n    T 2", "+R +T2", "+R +T2"),
        ("two rows change places", "L\n  T 1\n  T 2", "L\n  T 2\n  T 1", "-T2 +T2", ""),
        ("another page", "A", "B", "A>B", "-A +B"),
        ("from nothing", "", "L\n  T 1", "+L +T1", "+L +T1"),
    ];
    for (what, earlier, later, tree, sets) in cases {
        assert_eq!(shown(EffectForm::Tree, earlier, later), tree, "{what}, tree");
        assert_eq!(shown(EffectForm::Sets, earlier, later), sets, "{what}, sets");
    }
}

#[test]
fn contexts() {
    let page = "Frame
  Linear#page
    Text#title Notes
    Frame
      Text#lone Alone
    ListView#list
      Linear#row
        Image#icon
        Text#name Milk
        Text#date 12:30
      Linear#row
        Text#name Tea 2
      Text Jam";
    let layout = layout(page);
    let context_of = |n: u32| layout.get(WidgetId(n)).map(context).unwrap_or_default();
    let cases = [
        (0, "", "the root has none"),
        (2, "Linear#page", "the nearest ancestor with more than one child"),
        (4, "Linear#page", "wrappers are skipped"),
        (6, "ListView#list in Milk", "a row is told by its text"),
        (7, "ListView#list in Milk", "so is what it holds"),
        (8, "ListView#list", "but not the text itself"),
        (9, "ListView#list in Milk", "a text without digits is preferred"),
        (10, "ListView#list in Tea 2", "else any"),
        (12, "ListView#list", "a row that is its own text"),
    ];
    for (widget, expected, what) in cases {
        assert_eq!(context_of(widget), expected, "{what}");
    }
    let milk = layout.get(WidgetId(6)).map(|row| context_where(row, |w| w.text() != "Milk"));
    assert_eq!(milk.as_deref(), Some("ListView#list in 12:30"), "volatile texts name no row");
}

fn layouts() -> impl Strategy<Value = Layout> {
    prop::collection::vec((0usize..4, 0u8..3, 0u8..3), 0..9).prop_map(|nodes| {
        let lines: Vec<String> = nodes
            .iter()
            .map(|(depth, class, text)| format!("{}C{class} {text}", "  ".repeat(*depth)))
            .collect();
        layout(&lines.join("\n"))
    })
}

proptest! {
    #[test]
    fn equal_layouts_have_no_effects(a in layouts()) {
        prop_assert!(effects(EffectForm::Tree, &a, &a).is_empty());
        prop_assert!(effects(EffectForm::Sets, &a, &a).is_empty());
    }

    /// Backwards, additions become deletions: the counts are swapped in both forms.
    #[test]
    fn effects_are_symmetric(a in layouts(), b in layouts()) {
        let (there, back) = (effects(EffectForm::Sets, &a, &b), effects(EffectForm::Sets, &b, &a));
        let turned = there.iter().map(|effect| match *effect {
            Effect::Deleted(id) => Effect::Added(id),
            Effect::Added(id) => Effect::Deleted(id),
            Effect::Changed(old, new) => Effect::Changed(new, old),
        });
        prop_assert!(turned.clone().all(|effect| back.contains(&effect)));
        prop_assert_eq!(there.len(), back.len());
        let count = |a, b| effects(EffectForm::Tree, a, b).len();
        prop_assert_eq!(count(&a, &b), count(&b, &a));
    }

    /// If the sets differ, so do the trees.
    #[test]
    fn trees_tell_at_least_what_sets_tell(a in layouts(), b in layouts()) {
        let sets = effects(EffectForm::Sets, &a, &b).len();
        let trees: usize = effects(EffectForm::Tree, &a, &b)
            .iter()
            .map(|effect| if matches!(effect, Effect::Changed(..)) { 2 } else { 1 })
            .sum();
        prop_assert!(trees >= sets, "{trees} {sets}");
    }
}
