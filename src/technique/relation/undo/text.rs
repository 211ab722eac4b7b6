//! Texts beside the rows that undo leaves behind: what the event wrote into a widget is still there.
//!
//! Silent about widgets without an id or with one that others have, too, about fields, about texts with digits, and
//! about an action that does not call itself undo.

use super::super::snackbar::is_in_snackbar;
use super::super::words::{Meaning, says};
use super::super::{Break, Cause, differ_in_words, quoted};
use super::{Shot, Undone};
use droidmux_gui::{EventKind, Flags, Widget};
use droidmux_record::{Harm, WidgetNote};

impl Undone<'_, '_> {
    /// A text that the event changed, and that is not as it was before.
    pub(super) fn text(&self) -> Option<Break> {
        if !says(self.action, Meaning::Undo) {
            return None;
        }
        let (was, stays) = self.before.layout().widgets().find_map(|widget| {
            let id = widget.resource_id();
            let was = lone(self.before, id)?;
            let (written, stays) = (lone(self.raised, id)?, lone(self.after, id)?);
            let left = written.text() == stays.text() && differ_in_words(was.text(), written.text());
            left.then_some((was, stays))
        })?;
        let (from, raised, after) = self.numbers;
        let (old, new) = (quoted(was.text()), quoted(stays.text()));
        let sentence = format!("{} did not bring back {old}: {new} is still there.", quoted(self.action));
        Some(Break {
            cause: Cause::Own,
            page: self.trail.page_name(from),
            list: String::new(),
            event: self.trail.shot(raised).map_or(EventKind::Click, Shot::kind),
            what: format!("text {}", was.short_id()),
            expected: format!("after {} the page says what it said before", quoted(self.action)),
            found: sentence.clone(),
            sentence,
            shots: (from, after),
            widgets: (vec![WidgetNote::of(was)], vec![WidgetNote::of(stays)]),
            claim: Some(super::promise()),
            harm: Harm::WrongDisplay,
            slight: false,
        })
    }
}

/// The widget of this id that shows a text beside the rows, if it is the only one.
fn lone<'s>(shot: &'s Shot<'_>, id: &str) -> Option<Widget<'s>> {
    let in_list = |widget: &Widget<'_>| shot.lists().iter().any(|list| widget.is_inside(list.node));
    let is_it = |widget: &Widget<'_>| {
        let shown = !widget.text().is_empty() && !widget.is_editable() && !widget.has(Flags::INVISIBLE);
        let named = widget.resource_id() == id && !is_in_snackbar(*widget);
        named && shown && !in_list(widget)
    };
    let mut found = shot.layout().widgets().filter(|widget| !id.is_empty() && is_it(widget));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::super::super::script::Script;
    use super::super::UNDO;

    #[test]
    fn what_the_event_wrote_is_taken_back() {
        let page = |text: &str, snack: &str| {
            format!("@ Main Diary\ntab {text}\nlist cards\n- sleep\n- work\n{snack}\n")
        };
        let trace = |before: &str, raised: &str, action: &str, after: &str| {
            let snack = format!("snack {raised} | {action}");
            format!(
                "{}> click sleep\n{}> click {action}\n{}",
                page(before, ""),
                page(raised, &snack),
                page(after, "")
            )
        };
        let sentence = "'UNDO' did not bring back 'Nothing': 'sleep' is still there.";
        for (what, trace, expected) in [
            ("it stands there still", trace("Nothing", "sleep", "UNDO", "sleep"), sentence),
            ("it is taken back", trace("Nothing", "sleep", "UNDO", "Nothing"), ""),
            ("the event wrote nothing", trace("Nothing", "Nothing", "UNDO", "Nothing"), ""),
            ("something else stands there", trace("Nothing", "sleep", "UNDO", "work"), ""),
            ("a clock", trace("12:05", "12:06", "UNDO", "12:06"), ""),
            ("no undo", trace("Nothing", "sleep", "Share", "sleep"), ""),
        ] {
            let broken = Script::read(&trace).broken(&UNDO);
            let said: Vec<&str> = broken.iter().map(|broken| broken.sentence.as_str()).collect();
            assert_eq!(said.first().copied().unwrap_or_default(), expected, "{what}: {said:?}");
        }
    }
}
